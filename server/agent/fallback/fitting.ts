/** Whether the arguments of a call fit its tool, and what they then are. Used by verdict. */
import type { Json } from "@/lib/content";
import { isObject, readValue } from "./lenient-json";
import { makeSource, type OfferedTool } from "./source";

export interface Fitted {
  /** The tool takes them, and none of them was wholly dropped. */
  readonly fits: boolean;
  /** One call as a rule; a list of edits of several files is one for each. */
  readonly inputs: readonly Json[];
}

/** The tool whose calls models write with a list of edits. */
const listTool = "edit";

function entriesOf(input: Json): readonly Json[] {
  const written = isObject(input) ? input.edits : undefined;
  if (typeof written !== "string") return Array.isArray(written) ? written : [];
  const read = readValue(makeSource(written, []), written.length - written.trimStart().length);
  return read.kind === "value" && Array.isArray(read.value) ? read.value : [];
}

const pathOf = (value: Json): Json | undefined =>
  isObject(value) ? (value.path ?? value.file_path ?? value.filePath ?? value.file) : undefined;

/**
 * Edits that name their own files cannot be one call: each becomes a call, all or nothing. A list for one file stays one call,
 * which the tool makes as a whole. Null when there is no such list.
 */
function spread(tool: OfferedTool, input: Json): readonly Json[] | null {
  const entries = tool.name === listTool ? entriesOf(input) : [];
  const path = pathOf(input);
  if (!entries.some((entry) => pathOf(entry) !== undefined && pathOf(entry) !== path)) return null;
  return entries.map((entry) =>
    isObject(entry) && pathOf(entry) === undefined ? { ...entry, path: path ?? null } : entry,
  );
}

function fitOne(tool: OfferedTool, input: Json): { readonly fits: boolean; readonly input: Json } {
  const parsed = tool.parse(input);
  if (!parsed.ok) return { fits: false, input };
  const taken = parsed.input;
  const given = isObject(input) && Object.keys(input).length > 0;
  if (given && isObject(taken) && Object.keys(taken).length === 0) return { fits: false, input };
  // A bare text stands for the first parameter: shown and kept under its name.
  return { fits: true, input: typeof input === "string" && isObject(taken) ? taken : input };
}

export function fit(tool: OfferedTool, input: Json): Fitted {
  const several = spread(tool, input);
  const all = (several ?? [input]).map((one) => fitOne(tool, one));
  if (all.every((one) => one.fits)) return { fits: true, inputs: all.map((one) => one.input) };
  return { fits: false, inputs: [input] };
}
