/** Selects the suggested models that can still be downloaded. Pure. */
import type { EngineState, SuggestedModel } from "./engine";

/** Returns the suggestions that are neither downloaded nor being downloaded, in their order. */
export const openSuggestions = ({
  suggestions,
  downloads,
  models,
}: Pick<EngineState, "suggestions" | "downloads" | "models">): readonly SuggestedModel[] =>
  suggestions.filter(
    ({ reference }) =>
      !downloads.some((download) => repositoryOf(download.reference) === repositoryOf(reference)) &&
      !models.some(({ file, isOwned }) => isOwned && isFileOf(reference, file)),
  );

/** `user/name`, of `hf:user/name:Q4_K_M` or of the address of a file. */
const repositoryOf = (reference: string): string =>
  /^(?:hf:|https:\/\/[^/]+\/)?([^/]+\/[^/:]+)/.exec(reference)?.[1] ?? reference;

/** Downloaded files are in a folder named after the repository. */
const isFileOf = (reference: string, file: string): boolean =>
  file.replaceAll("\\", "/").split("/").at(-2) === repositoryOf(reference).replace("/", "--");
