/** Extracts the calls from a JSON value in any known shape. Pure. */
import { isJsonObject, type Json } from "@/lib/events/content";
import { toNameKey } from "@/lib/text/name-key";
import { callFields, takeField } from "@/server/tools/arguments/foreign-names";
import { readWrittenInput } from "@/server/tools/written-json/read-written-input";
import { normalizeToolName, type TextCall } from "../reader-source";

type JsonObject = { readonly [key: string]: Json };

const listKeys = ["tool_calls", "function_calls", "tool_uses", "calls"];
const innerKeys = ["function", "function_call", "tool_call", "tool_use", "call"];
/** Keys next to name and arguments that are neither an argument nor a sign of other data. */
const ignoredKeys = new Set([
  "id",
  "type",
  "call_id",
  "tool_call_id",
  "index",
  "thought",
  "thoughts",
  "thinking",
  "reasoning",
  "explanation",
  "content",
  "role",
  "status",
]);

/** The definition of a tool, not a call of it. */
const isToolSchema = (input: Json): boolean =>
  isJsonObject(input) && isJsonObject(input.properties) && (input.type === undefined || input.type === "object");

/** Parses arguments that were encoded as text; anything but an object stays as written. */
function decodeInput(written: Json): Json {
  if (written === null || written === "") return {};
  if (typeof written !== "string" || !written.trimStart().startsWith("{")) return written;
  return readWrittenInput(written);
}

function readObjectShape(value: JsonObject, marked: boolean): TextCall | null {
  const named = takeField(value, callFields.name, (one) => typeof one === "string");
  if (typeof named?.value !== "string" || "description" in value) return null;
  const name = normalizeToolName(named.value);
  const written = takeField(named.rest, callFields.input, () => true);
  const others = Object.entries(written?.rest ?? named.rest).filter(([key]) => !ignoredKeys.has(key));
  if (written === undefined) {
    const form = others.length === 0 ? "alone" : toNameKey(named.name) === "name" ? "loose" : "flat";
    return { name, input: Object.fromEntries(others), form };
  }
  if (others.length > 0 && !marked) return null;
  const input = decodeInput(written.value);
  return isToolSchema(input) ? null : { name, input, form: "both" };
}

const extractAllCalls = (items: readonly Json[], marked: boolean): readonly TextCall[] | null => {
  const calls = items.map((item) => extractCalls(item, marked));
  return calls.length === 0 || calls.some((call) => call === null) ? null : calls.flatMap((call) => call ?? []);
};

/**
 * Extracts the calls of a value, all or none. `marked`: a marker of the model's own tool syntax precedes it, so a
 * name without arguments and `{"read": {…}}` count too.
 */
export function extractCalls(value: Json, marked: boolean): readonly TextCall[] | null {
  if (Array.isArray(value)) return extractAllCalls(value, marked);
  if (!isJsonObject(value)) return null;
  const list = takeField(value, listKeys, Array.isArray)?.value;
  if (Array.isArray(list)) return extractAllCalls(list, true);
  const inner = takeField(value, innerKeys, isJsonObject)?.value;
  if (isJsonObject(inner)) return extractCalls(inner, marked);
  const call = readObjectShape(value, marked);
  if (call !== null || !marked) return call === null ? null : [call];
  const [[name, input] = ["", null], ...others] = Object.entries(value);
  return others.length === 0 && isJsonObject(input) && !isToolSchema(input)
    ? [{ name: normalizeToolName(name), input, form: "both" }]
    : null;
}
