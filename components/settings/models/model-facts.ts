/** Short texts for a model's facts, and sorted or filtered lists of models and downloads. Pure. */
import { isSameModelName } from "@/lib/models/model-names";
import type { LoadedModel, ModelInfo, PullState } from "@/lib/models/models";
import { isOnCpu, isOnGpu } from "@/lib/models/loaded-model";
import type { FullMessages } from "../../messages/full-messages";

/** Sorts by name with numeric order: 4b before 14b. */
export const sortByName = (models: readonly ModelInfo[]): readonly ModelInfo[] =>
  [...models].sort((a, b) => a.name.localeCompare(b.name, "en", { numeric: true }));

/** Names the capabilities other than text completion; unknown ones keep their name. */
export function capabilityNames(messages: FullMessages, capabilities: readonly string[]): readonly string[] {
  const names: { readonly [name: string]: string } = messages.settings.models.capabilities;
  return capabilities.filter((name) => name !== "completion").map((name) => names[name] ?? name);
}

/** Returns parameters, quantization, size, window and capabilities; missing values are omitted. */
export function modelFactTexts(messages: FullMessages, model: ModelInfo): readonly string[] {
  const facts = [
    model.parameters,
    model.quantization,
    model.size === undefined || model.size === 0 ? undefined : messages.figures.bytes(model.size),
    model.contextLength === undefined
      ? undefined
      : messages.settings.model.upTo(messages.figures.tokens(model.contextLength)),
    ...capabilityNames(messages, model.capabilities),
  ];
  return facts.filter((fact) => fact !== undefined).filter((fact) => fact !== "");
}

/** Returns the memory location of a loaded model; null = entirely on the GPU. */
export function memoryLocationText(messages: FullMessages, loaded: LoadedModel): string | null {
  if (isOnGpu(loaded.vramShare)) return null;
  return isOnCpu(loaded.vramShare)
    ? messages.models.onCpu
    : messages.models.onGpu(messages.figures.percent(loaded.vramShare));
}

export const isPulling = (pull: PullState): boolean =>
  pull.status === "starting" || pull.status === "downloading" || pull.status === "verifying";

/** Returns the downloads to show: running ones, and those that can be resumed. */
export function visiblePulls(pulls: readonly PullState[], models: readonly ModelInfo[]): readonly PullState[] {
  const isInstalled = (name: string): boolean => models.some((model) => isSameModelName(model.name, name));
  return pulls.filter(
    (pull) =>
      isPulling(pull) ||
      (pull.status === "failed" && !isInstalled(pull.name)) ||
      (pull.status === "cancelled" && pull.completedBytes > 0 && !isInstalled(pull.name)),
  );
}
