/** Suggested models that are on this machine, with what the doctor has found about them here. Pure. */
import type { EngineModel, SuggestedModel } from "@/lib/models/engine";
import type { DoctorVerdict } from "@/lib/models/models";
import { chooseModelFiles } from "./choose-files";
import { parseModelReference } from "./model-reference";

/** What works as an agent is suggested before models that were not tested; what does not, after them. */
const ranks: Readonly<Record<DoctorVerdict, number>> = { agent: 0, helper: 1, chat: 2, unusable: 2 };
const untestedRank = 1;

/**
 * Adds the verdicts, and orders by them; the order of the others stays. `models` = those in the list, with their notes. The
 * catalogue has no checksums: a model is recognised by the folder of its repository and by its quantization.
 */
export function judgeSuggestions(
  suggestions: readonly SuggestedModel[],
  models: readonly EngineModel[],
): readonly SuggestedModel[] {
  const rankOf = ({ verdict }: SuggestedModel): number => (verdict === undefined ? untestedRank : ranks[verdict]);
  return suggestions
    .map((suggestion) => {
      const tested = models.filter(({ file }) => isFileOf(suggestion.reference, file));
      const verdict = tested.map(({ info }) => info?.note?.doctor?.verdict).find((found) => found !== undefined);
      return verdict === undefined ? suggestion : { ...suggestion, verdict };
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
