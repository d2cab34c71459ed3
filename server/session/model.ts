/** model_change: the model, its window and the exact prompt, chosen once and kept until the user changes it. */
import { fail, ok, type Result } from "@/lib/error";
import type { DurableEvent } from "@/lib/event";
import type { ModelChoice, SessionServices, WantedModel } from "./services";

/** Fails with server_unreachable when its server does not answer, with no_model when there is none at all, with model_missing when the one that was named is not there. */
export function modelChange(services: SessionServices, wanted: WantedModel): Result<DurableEvent> {
  const choice = services.chooseModel(wanted);
  if (choice !== null) return ok(changeTo(services, choice));
  const error = services.whyNoModel(wanted);
  if (error !== null) return { ok: false, error };
  return wanted.name === "" ? fail("no_model") : fail("model_missing", wanted.name);
}

/** The prompt's bytes are a blob, so a new program version changes nothing in an old session. */
export function changeTo({ store }: Pick<SessionServices, "store">, choice: ModelChoice): DurableEvent {
  const prompt = store.blobs.put(Buffer.from(JSON.stringify(choice.prompt), "utf8"));
  return { type: "model_change", ...choice.change, prompt };
}
