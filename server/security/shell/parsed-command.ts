/** A parsed command line: every command it would run, with its words, redirects and how it runs. */
import type { Word } from "./shell-words";

export interface Redirect {
  /** `>`, `>>`, `<`, `&>`, `>&`, `<<`, `<<<` … */
  readonly operator: string;
  /** The number or `{name}` before the operator, if any. */
  readonly descriptor: string | null;
  /** The file or descriptor; null for a here-document and for `>&-`. */
  readonly target: Word | null;
}

/** One simple command in one command position. */
export interface CommandSegment {
  /** As written in the command line, for the card. */
  readonly text: string;
  /** The program and its arguments; empty for a bare assignment, a bare redirect or a keyword with its own meaning. */
  readonly words: readonly Word[];
  /** Names set before the command, by `export`, or by a loop. */
  readonly assignments: readonly string[];
  /** Other words the shell expands: assigned values, words of a loop, files that `[[ ]]` tests. */
  readonly expandedWords: readonly Word[];
  readonly redirects: readonly Redirect[];
  /**
   * Does something a simple command does not: arithmetic, `[[ ]]`, a loop variable, an expansion in a here-document or
   * `case` other than plain `$name`.
   */
  readonly special: boolean;
  /** Runs in the shell itself, always and in order: a `cd` here affects everything after it. */
  readonly inMainShell: boolean;
  /** The number of its statement in the shell: after a `cd` that failed, the rest of its statement does not run. */
  readonly statement: number;
  /** The shell exits when it fails: `cd folder || exit`. */
  readonly exitsOnFailure: boolean;
  /**
   * Its standard input: that of the shell; a file; a text or pipe for this command; or a text or pipe that it shares
   * with others.
   */
  readonly input: "none" | "file" | "text" | "shared";
  /** Names whose values bash evaluates as arithmetic; "" for what cannot be read. */
  readonly calculates: readonly string[];
  /** The assigned values that are single words, by name. */
  readonly assigned: readonly { readonly name: string; readonly value: Word }[];
  /** Its other words form further segments; `transparent`: it has no effect of its own. */
  readonly wrapper: "none" | "transparent" | "opaque";
  /** Further words are added at run time. */
  readonly openEnded: boolean;
  /** Why it cannot be read; null when it can. */
  readonly unreadable: string | null;
  /** Words one of which may be the program, where the program cannot be read. */
  readonly suspects: readonly string[];
}

export type ParsedCommand =
  | {
      readonly kind: "parsed";
      readonly command: string;
      readonly segments: readonly CommandSegment[];
      readonly functions: boolean;
      /** Variables that it sets to numbers only. */
      readonly numbers: ReadonlySet<string>;
    }
  /** `why` is an identifier for the log. `segments` holds those found, so that blocked words stay blocked. */
  | {
      readonly kind: "unreadable";
      readonly command: string;
      readonly why: string;
      readonly segments: readonly CommandSegment[];
    };

/** A part without words, redirects or effects. */
export const emptySegment: Omit<CommandSegment, "text" | "statement" | "input"> = {
  words: [],
  assignments: [],
  expandedWords: [],
  redirects: [],
  special: false,
  inMainShell: false,
  exitsOnFailure: false,
  calculates: [],
  assigned: [],
  wrapper: "none",
  openEnded: false,
  unreadable: null,
  suspects: [],
};
