/** Chooses the model of a new session. Pure. */
import { canChat } from "@/lib/models/can-chat";
import { isSameModelName } from "@/lib/models/model-names";
import type { ModelInfo } from "@/lib/models/models";
import { preferredModels } from "@/lib/models/suggested-models";

/** Finds the installed model by name, with or without `:latest`. */
export const findModel = (models: readonly ModelInfo[], name: string): ModelInfo | undefined =>
  name === "" ? undefined : models.find((model) => isSameModelName(model.name, name));

/**
 * The user's choice if installed, else the first installed preferred model, else the first that can chat. A model whose
 * prompts leave the machine is taken only as the user's choice. undefined = none fits.
 */
export function chooseModel(models: readonly ModelInfo[], chosen: string): ModelInfo | undefined {
  const local = models.filter((model) => !model.cloud && canChat(model));
  const preferred = preferredModels.flatMap((name) => findModel(local, name) ?? []);
  return findModel(models, chosen) ?? preferred[0] ?? local[0];
}
