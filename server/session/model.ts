/** model_change: the model, its window and the exact prompt, chosen once and kept until the user changes it. */
import { fail, ok, type Result } from "@/lib/error";
import type { DurableEvent } from "@/lib/event";
import type { SessionServices } from "./services";

/** The prompt's bytes are a blob, so a new program version changes nothing in an old session. Fails with no_model. */
export function modelChange(services: SessionServices, name: string, think?: boolean): Result<DurableEvent> {
  const choice = services.chooseModel(name, think);
  if (choice === null) return fail(name === "" ? "no_model" : "model_missing", name === "" ? undefined : name);
  const prompt = services.store.blobs.put(Buffer.from(JSON.stringify(choice.prompt), "utf8"));
  return ok({ type: "model_change", ...choice.change, prompt });
}
