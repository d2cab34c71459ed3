/**
 * The input of a native call that its server passed on as text: the slips that are repaired in calls written as text are
 * repaired here too. What was cut off inside a value stays the text it is, which no tool runs. Used by open-message.
 */
import type { Json } from "@/lib/content";
import { isObject, readValue } from "./lenient-json";
import { makeSource } from "./source";

/** Models encode an input once more than they should, and their servers once more. */
const roundsMax = 3;

/** `input` as an object where it can be read as one without a guess, else as it came. */
export function readNativeInput(input: Json): Json {
  let value = input;
  for (let round = 0; round < roundsMax && typeof value === "string"; round += 1) {
    const read = readWhole(withoutFence(value));
    if (read === undefined) return input;
    value = read;
  }
  const [only, ...others] = Array.isArray(value) ? value : [value];
  return isObject(only) && others.length === 0 ? only : input;
}

const withoutFence = (text: string): string => /^\s*```\w*\s*\n([^]*?)\n?\s*```\s*$/.exec(text)?.[1] ?? text;

/** The one value that the text is; undefined = it is cut off, broken, or more than one. */
function readWhole(text: string): Json | undefined {
  const from = text.length - text.trimStart().length;
  const read = readValue(makeSource(text, []), from);
  if (read.kind !== "value" || !/^[\s;,]*$/.test(text.slice(read.end))) return undefined;
  return read.value;
}
