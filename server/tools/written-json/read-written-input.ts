/**
 * Reads the input of a call that arrives as text: models encode it once too often, and so do their servers. Input that is
 * cut off inside a value stays text, which no tool accepts. Pure.
 */
import { isJsonObject, type Json } from "@/lib/events/content";
import { unwrapFence } from "@/server/base/code-fence";
import { parseJson } from "@/server/base/parse-json";
import { makeBoundedText, readValue } from "./lenient-json";

const decodeRoundsMax = 3;

/** Returns the object or list that a text is, also inside a code fence or a text; undefined = it is none, or not whole. */
export const readJsonText = (text: string): Json | undefined => decodeText(text, false);

function decodeText(text: string, mayLackClosers: boolean): Json | undefined {
  let value: Json | undefined = text;
  for (let round = 0; round < decodeRoundsMax && typeof value === "string"; round += 1) {
    const inner: string = unwrapFence(value);
    value = parseJson(inner) ?? readSingleValue(inner, mayLackClosers);
  }
  return typeof value === "object" && value !== null ? value : undefined;
}

/** Reads a text that is exactly one value; undefined = cut off, broken, or more than one. */
function readSingleValue(text: string, mayLackClosers: boolean): Json | undefined {
  const read = readValue(makeBoundedText(text), text.length - text.trimStart().length);
  const isSingle = read.kind === "value" && /^[\s;,]*$/.test(text.slice(read.end));
  return isSingle && (read.whole || mayLackClosers) ? read.value : undefined;
}

/** Returns `input` as an object if it can be read as one without guessing, else unchanged. */
export const readWrittenInput = (input: Json): Json => unwrapInput(input, readJsonText);

/** The same for what a server passed on as a native call: only its closers can be missing. */
export const readNativeInput = (input: Json): Json => unwrapInput(input, (text) => decodeText(text, true));

function unwrapInput(input: Json, decode: (text: string) => Json | undefined): Json {
  const value = typeof input === "string" ? decode(input) : input;
  const [only, ...others] = Array.isArray(value) ? value : [value];
  return isJsonObject(only) && others.length === 0 ? only : input;
}
