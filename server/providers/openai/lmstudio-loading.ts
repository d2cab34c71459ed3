/** Loads and unloads models of LM Studio 0.4 and later (its REST API, /api/v1). */
import * as z from "zod/mini";
import { lenient, optionalText } from "../wire/lenient-fields";
import { parseAnswer } from "../wire/wire-errors";
import type { OpenAiClients } from "./openai-client";

/** All throw as `Provider.models` does. */
export interface LmStudio {
  /** Resolves when the model is loaded with this window. A further request loads it once more, beside what is there. */
  load(model: string, window: number, signal: AbortSignal): Promise<void>;
  /** Unloads all that is loaded of the model. */
  unload(model: string, signal: AbortSignal): Promise<void>;
}

const listSchema = z.object({
  models: z.array(z.object({ key: optionalText, loaded_instances: lenient(z.array(z.object({ id: z.string() }))) })),
});

export function makeLmStudio(clients: Pick<OpenAiClients, "get" | "post">): LmStudio {
  return {
    load: async (model, window, signal) =>
      void (await clients.post("//api/v1/models/load", { model, context_length: window }, signal)),
    async unload(model, signal) {
      const { models } = parseAnswer(listSchema, await clients.get("//api/v1/models", signal));
      const loaded = models.filter(({ key }) => key === model).flatMap((one) => one.loaded_instances ?? []);
      for (const { id } of loaded) await clients.post("//api/v1/models/unload", { instance_id: id }, signal);
    },
  };
}
