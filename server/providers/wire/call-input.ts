/** Converts tool call inputs between the model's text and JSON data. Pure. */
import type { Json } from "@/lib/events/content";

/** Parses the input of a call: text that is a JSON object becomes that object, other text stays a string. */
export function parseCallInput(written: Json | undefined): Json {
  if (written === undefined || written === null || written === "") return {};
  if (typeof written !== "string") return written;
  try {
    const parsed: Json = JSON.parse(written);
    return typeof parsed === "object" && parsed !== null && !Array.isArray(parsed) ? parsed : written;
  } catch {
    return written;
  }
}

/**
 * Input for the request history, always an object because chat templates require one: any other value is wrapped as `{
 * input }`, so that the model sees its mistake.
 */
export const toObjectInput = (input: Json): Json =>
  typeof input === "object" && input !== null && !Array.isArray(input) ? input : { input };
