/** Input of all grammars: one text with a budget for the work, and the offered names. */
import type { Json } from "@/lib/events/content";
import { isForeignToolName } from "@/server/tools/arguments/foreign-names";
import { type BoundedText, makeBoundedText } from "@/server/tools/written-json/lenient-json";

/** A tool in the prompt; a Tool of tools/core/tool.ts fits this interface. */
export interface OfferedTool {
  readonly name: string;
  /** Whether the arguments fit after repair, and the repaired value. */
  parse(input: Json): { readonly ok: boolean; readonly input?: Json };
}

/** An alias that also names tools of another kind, such as a web search: in JSON without a mark it is data. */
export const isAmbiguousAlias = (name: string): boolean => name === "search";

export interface ReaderSource extends BoundedText {
  /** `name` is exactly one of the offered tools. */
  isOffered(name: string): boolean;
  /** `name` is offered, or an alias where aliases are enabled. */
  isOfferedOrAlias(name: string): boolean;
}

/** A call as read by a grammar; verdict decides whether it runs. */
export interface TextCall {
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
export interface TextCalls {
  readonly calls: readonly TextCall[];
  readonly end: number;
  readonly whole: boolean;
}

/** cut = the text ends inside a value. null = no match. */
export type GrammarResult = TextCalls | "cut" | null;

/** With `withAliases`, forms that are recognized by the tool name alone are also read with aliases. */
export const makeReaderSource = (text: string, tools: readonly OfferedTool[], withAliases = false): ReaderSource => {
  const names = new Set(tools.map((tool) => tool.name));
  const offered = (name: string): boolean => names.has(name);
  return {
    ...makeBoundedText(text),
    isOffered: offered,
    isOfferedOrAlias: (name) => offered(name) || (withAliases && isForeignToolName(name)),
  };
};

/** Normalizes a tool name: removes quotes, `functions.`, `default_api.`, `.call`, a trailing `:0`, and a repetition: `ls.ls`. */
export function normalizeToolName(written: string): string {
  const bare = written.trim().replace(/^["'`*[]+|["'`*\]]+$/g, "");
  return bare
    .replace(/^(?:functions?|tools?|default_api|api|namespace|multi_tool_use)[.:/](?=\w)/, "")
    .replace(/:\d{1,4}$/, "")
    .replace(/\.(?:call|invoke|run)$/, "")
    .replace(/^(\w+)\.\1$/, "$1");
}
