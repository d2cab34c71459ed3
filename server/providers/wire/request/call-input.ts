/** Converts tool call inputs between the model's text and JSON data. Pure. */
import { isJsonObject, type Json, type JsonObject } from "@/lib/events/content";
import { parseJson } from "@/server/base/parse-json";

/** Parses the input of a call: text that is a JSON object becomes that object, other text stays a string. */
export function parseCallInput(written: Json | undefined): Json {
  if (written === undefined || written === null || written === "") return {};
  if (typeof written !== "string") return written;
  const parsed = parseJson(written);
  return isJsonObject(parsed) ? parsed : written;
}

/**
 * Input for the request history, always an object because chat templates require one: any other value is wrapped as `{
 * input }`, so that the model sees its mistake.
 */
export const toObjectInput = (input: Json): JsonObject => (isJsonObject(input) ? input : { input });
