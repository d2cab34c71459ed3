/**
 * Repairs the input of a native call that its server passed on as text, with the same rules as for calls written as
 * text. Input that is cut off inside a value stays text, which no tool accepts.
 */
import type { Json } from "@/lib/events/content";
import { unwrapFence } from "@/server/base/code-fence";
import { isObject, readValue } from "./grammars/lenient-json";
import { makeReaderSource } from "./reader-source";

/** Models may encode an input once too often, and so may their servers. */
const decodeRoundsMax = 3;

/** Returns `input` as an object if it can be read as one without guessing, else unchanged. */
export function readNativeInput(input: Json): Json {
  let value = input;
  for (let round = 0; round < decodeRoundsMax && typeof value === "string"; round += 1) {
    const read = readSingleValue(unwrapFence(value));
    if (read === undefined) return input;
    value = read;
  }
  const [only, ...others] = Array.isArray(value) ? value : [value];
  return isObject(only) && others.length === 0 ? only : input;
}

/** Reads a text that is exactly one value; undefined = cut off, broken, or more than one. */
function readSingleValue(text: string): Json | undefined {
  const from = text.length - text.trimStart().length;
  const read = readValue(makeReaderSource(text, []), from);
  if (read.kind !== "value" || !/^[\s;,]*$/.test(text.slice(read.end))) return undefined;
  return read.value;
}
