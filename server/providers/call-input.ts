/** The input of a call as the model wrote it, as data, and on its way back. Pure; used by the answers and messages of each provider. */
import type { Json } from "@/lib/content";

/** An object as a rule; text that is JSON of an object is read, other text stays as the model wrote it. */
export function inputOf(written: Json | undefined): Json {
  if (written === undefined || written === null || written === "") return {};
  if (typeof written !== "string") return written;
  try {
    const parsed: Json = JSON.parse(written);
    return typeof parsed === "object" && parsed !== null && !Array.isArray(parsed) ? parsed : written;
  } catch {
    return written;
  }
}

/** Going back, it is an object always, as chat templates want it: what was none is kept under a name, so that the model sees its mistake. */
export const objectInput = (input: Json): Json =>
  typeof input === "object" && input !== null && !Array.isArray(input) ? input : { input };
