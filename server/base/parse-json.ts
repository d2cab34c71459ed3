/** Parses JSON that may be invalid. */
import type { Json } from "@/lib/events/content";

/** Returns the value; undefined = not JSON. */
export function parseJson(text: string): Json | undefined {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
