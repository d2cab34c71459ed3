/**
 * The models of the list and those that are suggested, with how they suit this machine. A model that is in both has one
 * memory need, that of its files, and what the doctor has found about it here. Pure.
 */
import type { EngineMemory, EngineModel, EngineState, SuggestedModel } from "@/lib/models/engine";
import type { DoctorVerdict } from "@/lib/models/models";
import type { ListedModel } from "../models/model-list";
import { chooseModelFiles } from "./choose-files";
import { findShapeFit } from "./file-fit";
import { parseModelReference } from "./model-reference";
import { type CatalogueModel, suggestModels } from "./suggest-models";

/** Order of suggestions by the test: agents, then helpers and untested models, then the others. */
const ranks: Readonly<Record<DoctorVerdict, number>> = { agent: 0, helper: 1, chat: 2, unusable: 2 };
const untestedRank = 1;

/** Returns the models of the list and the suggested ones with their needs. `listed` = with their notes. */
export function judgeModels(
  listed: readonly ListedModel[],
  catalogue: readonly CatalogueModel[],
  memory: EngineMemory,
): Pick<EngineState, "models" | "suggestions"> {
  const models = listed.map(({ shape, traits: _traits, ...model }): EngineModel => {
    if (shape === undefined) return model;
    // A file has no exact number of its parameters.
    const published = catalogue.find(({ reference }) => isFileOf(reference, model.file))?.activeParameters;
    const exact = shape === null || published === undefined ? shape : { ...shape, activeParameters: published };
    return { ...model, ...findShapeFit(model.info?.size ?? 0, exact, memory) };
  });
  return { models, suggestions: judgeSuggestions(suggestModels(catalogue, memory), models) };
}

/**
 * Adds the verdicts and the memory needs of the files, and orders by the verdicts; the order of the others stays. The
 * catalogue has no checksums: a model is recognised by the folder of its repository and by its quantization.
 */
export function judgeSuggestions(
  suggestions: readonly SuggestedModel[],
  models: readonly EngineModel[],
): readonly SuggestedModel[] {
  const rankOf = ({ verdict }: SuggestedModel): number => (verdict === undefined ? untestedRank : ranks[verdict]);
  return suggestions
    .map((suggestion) => {
      const here = models.filter(({ file }) => isFileOf(suggestion.reference, file));
      const verdict = here.map(({ info }) => info?.note?.doctor?.verdict).find((found) => found !== undefined);
      const writePerSecond = here.map(({ info }) => info?.note?.writePerSecond).find((found) => found !== undefined);
      const measured = here.find(({ memoryBytes, fit }) => memoryBytes !== undefined && fit !== undefined);
      const { memoryBytes, fit } = { ...suggestion, ...measured };
      return { ...suggestion, memoryBytes, fit, verdict, writePerSecond };
    })
    .sort((one, other) => rankOf(one) - rankOf(other));
}

/** The folder is `user--name` in downloads of this product, and `user/name` in those of LM Studio. */
function isFileOf(reference: string, file: string): boolean {
  const wanted = parseModelReference(reference);
  const [name = "", folder = "", parent = ""] = file.split(/[\\/]/).reverse();
  if (wanted === null) return false;
  if (folder !== wanted.repository.replace("/", "--") && `${parent}/${folder}` !== wanted.repository) return false;
  const first = name.replace(/-\d{5}-of-\d{5}(?=\.gguf$)/i, "");
  return chooseModelFiles([{ path: first, bytes: 1, sha256: "" }], wanted).ok;
}
