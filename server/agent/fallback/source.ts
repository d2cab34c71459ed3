/** What every grammar of this room reads from: one text, the offered names, and a bound on the work. Made by read-text. */
import type { Json } from "@/lib/content";

/** A tool the model was told of; a Tool of tools/tool.ts can be passed as it is. */
export interface OfferedTool {
  readonly name: string;
  /** Whether the arguments fit after repair, and what they then are. */
  parse(input: Json): { readonly ok: boolean; readonly input?: Json };
}

/** Whether a name that was not offered is one that models know from elsewhere for an offered tool. */
export type Familiar = (name: string) => boolean;

export interface Source {
  readonly text: string;
  /** `name` is one of the offered tools, exactly. */
  offered(name: string): boolean;
  /** `name` is offered, or familiar where such names are looked for. */
  known(name: string): boolean;
  /** Characters that may still be looked at by tries that can fail: with it every text is read in linear time. */
  left: number;
}

/** One call as some grammar read it; whether it runs is decided by verdict. */
export interface WrittenCall {
  /** Without prefixes such as `functions.`; not yet known to be offered. */
  readonly name: string;
  readonly input: Json;
  /**
   * both = a name and its arguments, each in their place; flat = the arguments stand beside `tool` or `action`; loose = beside
   * `name`, as in any data; alone = a name without arguments.
   */
  readonly form: "both" | "flat" | "loose" | "alone";
}

/** Calls that were read at one place. `whole`: nothing was missing, no closer had to be added. */
export interface Found {
  readonly calls: readonly WrittenCall[];
  readonly end: number;
  readonly whole: boolean;
}

/** cut = the text ends inside a value, so more was to come. null = something else stands there. */
export type Reading = Found | "cut" | null;

/** Every character may be tried about this often before the reader takes the rest for prose. */
const triesPerCharacter = 12;
const triesAtLeast = 4_096;

/** `familiar`: forms that name no tool but by its name are read with such names too. */
export const makeSource = (text: string, tools: readonly OfferedTool[], familiar: Familiar = () => false): Source => {
  const names = new Set(tools.map((tool) => tool.name));
  const offered = (name: string): boolean => names.has(name);
  return {
    text,
    offered,
    known: (name) => offered(name) || familiar(name),
    left: text.length * triesPerCharacter + triesAtLeast,
  };
};

/** The match of a sticky expression at a place, or null. */
export function matchAt(expression: RegExp, text: string, at: number): RegExpExecArray | null {
  expression.lastIndex = at;
  return expression.exec(text);
}

/** A name as the offered ones are written: without quotes, `functions.`, `default_api.`, `.call`, or a trailing `:0`. */
export function plainName(written: string): string {
  const bare = written.trim().replace(/^["'`*[]+|["'`*\]]+$/g, "");
  return bare
    .replace(/^(?:functions?|tools?|default_api|api|namespace|multi_tool_use)[.:/](?=\w)/, "")
    .replace(/:\d{1,4}$/, "")
    .replace(/\.(?:call|invoke|run)$/, "");
}
