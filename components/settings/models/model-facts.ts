/** A model in small words, and lists of models in order. Pure; for the rows and pages of models. */
import type { LoadedModel, ModelInfo, PullState } from "@/lib/models";
import type { FullWords } from "../../words/full-words";

/** By name, figures as figures: 4b before 14b. */
export const byName = (models: readonly ModelInfo[]): readonly ModelInfo[] =>
  [...models].sort((a, b) => a.name.localeCompare(b.name, "en", { numeric: true }));

/** What it can do beside text, which goes without saying; one that cannot write text says so. */
export function capabilityWords(words: FullWords, capabilities: readonly string[]): readonly string[] {
  const known: { readonly [name: string]: string } = words.settings.models.capabilities;
  return capabilities.filter((name) => name !== "completion").map((name) => known[name] ?? name);
}

/** Parameters, quantisation, size, window, abilities; what is not known is left out. */
export function modelWords(words: FullWords, model: ModelInfo): readonly string[] {
  const facts = [
    model.parameters,
    model.quantization,
    model.size === undefined || model.size === 0 ? undefined : words.figures.bytes(model.size),
    model.contextLength === undefined
      ? undefined
      : words.settings.model.tokens(words.figures.tokens(model.contextLength)),
    ...capabilityWords(words, model.capabilities),
  ];
  return facts.filter((fact) => fact !== undefined).filter((fact) => fact !== "");
}

/** Where a loaded model lies, when not all on the GPU; that goes without saying. */
export function placeWords(words: FullWords, loaded: LoadedModel): string | null {
  if (loaded.vramShare >= 0.995) return null;
  return loaded.vramShare <= 0.005 ? words.models.onCpu : words.models.onGpu(words.figures.percent(loaded.vramShare));
}

export const isPulling = (pull: PullState): boolean =>
  pull.status === "starting" || pull.status === "downloading" || pull.status === "verifying";

/** Downloads worth a row: those that go on, and those that can be resumed. */
export function shownPulls(pulls: readonly PullState[], models: readonly ModelInfo[]): readonly PullState[] {
  const has = (name: string): boolean => models.some((model) => model.name === name);
  return pulls.filter(
    (pull) =>
      isPulling(pull) ||
      (pull.status === "failed" && !has(pull.name)) ||
      (pull.status === "cancelled" && pull.completedBytes > 0 && !has(pull.name)),
  );
}
