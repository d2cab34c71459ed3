/** Remotes, tags, and work of git that needs the user's terminal. */
import type { Hash } from "../events/id";

/**
 * `remote` = where a branch without an upstream is published, absent = the usual one; `onto` = a branch, tag or commit; `step` = of the
 * unfinished work.
 */
export type TerminalWork =
  | { readonly kind: "fetch" | "pull" }
  | { readonly kind: "push"; readonly remote?: string }
  | { readonly kind: "rebase"; readonly onto: string }
  | { readonly kind: "step"; readonly step: "continue" | "skip" };

/**
 * A command line for the user's shell with a short name; or the programs of the repository that would run there, which the user has
 * not allowed yet.
 */
export type GitTerminalLine =
  | { readonly kind: "line"; readonly name: string; readonly line: string }
  | { readonly kind: "ask"; readonly programs: readonly string[]; readonly hash: Hash };

export interface SourceTag {
  readonly name: string;
  /** The tagged commit. */
  readonly commit: string;
  /** First line of the tag's message, or of the commit's. */
  readonly subject: string;
  /** ms epoch */
  readonly at: number;
}
