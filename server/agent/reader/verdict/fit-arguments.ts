/** Fits the arguments of a call to its tool. */
import { isJsonObject, type Json } from "@/lib/events/content";
import { namesOf, takeField } from "@/server/tools/arguments/foreign-names";
import { readJsonText } from "@/server/tools/written-json/read-written-input";
import type { OfferedTool } from "../reader-source";

interface FittedArguments {
  /** The tool accepts them, and none was dropped. */
  readonly fits: boolean;
  /** Usually one call; a list of edits of several files becomes one per file. */
  readonly inputs: readonly Json[];
}

/** The tool that models call with a list of edits. */
const listTool = "edit";

function readEditList(input: Json): readonly Json[] {
  const written = isJsonObject(input) ? input.edits : undefined;
  const list = typeof written === "string" ? readJsonText(written) : written;
  return Array.isArray(list) ? list : [];
}

const editPath = (value: Json): Json | undefined =>
  isJsonObject(value) ? takeField(value, namesOf("path"))?.value : undefined;

/**
 * Splits edits that name their own files into one call per file, all or nothing. A list for one file stays one call,
 * executed as a whole. null = there is no such list.
 */
function splitEditsByFile(tool: OfferedTool, input: Json): readonly Json[] | null {
  const entries = tool.name === listTool ? readEditList(input) : [];
  const path = editPath(input);
  if (!entries.some((entry) => editPath(entry) !== undefined && editPath(entry) !== path)) return null;
  return entries.map((entry) =>
    isJsonObject(entry) && editPath(entry) === undefined ? { ...entry, path: path ?? null } : entry,
  );
}

function fitArgumentsOnce(tool: OfferedTool, input: Json): { readonly fits: boolean; readonly input: Json } {
  const parsed = tool.parse(input);
  if (!parsed.ok) return { fits: false, input };
  const parsedInput = parsed.input;
  const hasArguments = isJsonObject(input) && Object.keys(input).length > 0;
  if (hasArguments && isJsonObject(parsedInput) && Object.keys(parsedInput).length === 0) return { fits: false, input };
  // A bare text is the value of the first parameter: shown and stored under its name.
  return { fits: true, input: typeof input === "string" && isJsonObject(parsedInput) ? parsedInput : input };
}

export function fitArguments(tool: OfferedTool, input: Json): FittedArguments {
  const several = splitEditsByFile(tool, input);
  const all = (several ?? [input]).map((one) => fitArgumentsOnce(tool, one));
  if (all.every((one) => one.fits)) return { fits: true, inputs: all.map((one) => one.input) };
  return { fits: false, inputs: [input] };
}
