/** Input of all grammars: one text, the offered names, and a budget for the work. */
import type { Json } from "@/lib/content";

/** A tool in the prompt; a Tool of tools/tool.ts fits this interface. */
export interface OfferedTool {
  readonly name: string;
  /** Whether the arguments fit after repair, and the repaired value. */
  parse(input: Json): { readonly ok: boolean; readonly input?: Json };
}

/** Whether a name that is not offered is an alias of an offered tool. */
export type Familiar = (name: string) => boolean;

export interface Source {
  readonly text: string;
  /** `name` is exactly one of the offered tools. */
  offered(name: string): boolean;
  /** `name` is offered, or an alias where aliases are enabled. */
  known(name: string): boolean;
  /** Remaining characters for attempts that may fail: guarantees linear time for any text. */
  left: number;
}

/** A call as read by a grammar; verdict decides whether it runs. */
export interface WrittenCall {
  /** Without prefixes such as `functions.`; not necessarily offered. */
  readonly name: string;
  readonly input: Json;
  /**
   * both = a name and its arguments, each under its key; flat = the arguments are siblings of `tool` or `action`;
   * loose = siblings of `name`, as in any data; alone = a name without arguments.
   */
  readonly form: "both" | "flat" | "loose" | "alone";
}

/** Calls read at one position. `whole`: nothing was missing, no closer had to be added. */
export interface Found {
  readonly calls: readonly WrittenCall[];
  readonly end: number;
  readonly whole: boolean;
}

/** cut = the text ends inside a value. null = no match. */
export type Reading = Found | "cut" | null;

/** Average number of attempts per character before the rest counts as prose. */
const triesPerCharacter = 12;
const triesAtLeast = 4_096;

/** With `isAlias`, forms that are recognized by the tool name alone are also read with aliases. */
export const makeSource = (text: string, tools: readonly OfferedTool[], isAlias: Familiar = () => false): Source => {
  const names = new Set(tools.map((tool) => tool.name));
  const offered = (name: string): boolean => names.has(name);
  return {
    text,
    offered,
    known: (name) => offered(name) || isAlias(name),
    left: text.length * triesPerCharacter + triesAtLeast,
  };
};

/** Matches a sticky expression at an offset. */
export function matchAt(expression: RegExp, text: string, at: number): RegExpExecArray | null {
  expression.lastIndex = at;
  return expression.exec(text);
}

/** Normalizes a tool name: removes quotes, `functions.`, `default_api.`, `.call`, and a trailing `:0`. */
export function plainName(written: string): string {
  const bare = written.trim().replace(/^["'`*[]+|["'`*\]]+$/g, "");
  return bare
    .replace(/^(?:functions?|tools?|default_api|api|namespace|multi_tool_use)[.:/](?=\w)/, "")
    .replace(/:\d{1,4}$/, "")
    .replace(/\.(?:call|invoke|run)$/, "");
}
