/** Thinking levels available for a model. */
import type { Think } from "../events/event";
import type { ModelInfo } from "./models";

export const thinkLevels = ["low", "medium", "high", "max"] as const;

type ModelIdentity = Pick<ModelInfo, "name" | "family">;

/** gpt-oss takes levels only and cannot be turned off. */
export const thinksInLevelsOnly = ({ family, name }: ModelIdentity): boolean => /gpt-?oss/i.test(family ?? name);

/** First Ollama version that supports the level max. */
const maxLevelSince = [0, 21, 3] as const;

/** True if the Ollama version supports max; an unknown version or one of only zeros counts as supporting it. */
function supportsMaxLevel(version: string | undefined): boolean {
  const numbers = (version ?? "").split(/[.-]/).map((part) => Number.parseInt(part, 10) || 0);
  if (numbers.every((number) => number === 0)) return true;
  const at = maxLevelSince.findIndex((since, index) => (numbers[index] ?? 0) !== since);
  return at < 0 || (numbers[at] ?? 0) > (maxLevelSince[at] ?? 0);
}

/**
 * Returns the selectable values; empty = the model cannot think. Servers do not report which levels a model supports: a
 * rejected level falls back to plain thinking. `version` = Ollama version; undefined = another server, or unknown.
 */
export function thinkChoices(
  model: ModelIdentity & Pick<ModelInfo, "capabilities">,
  version: string | undefined,
): readonly Think[] {
  const { capabilities } = model;
  if (thinksInLevelsOnly(model)) return ["low", "medium", "high"];
  if (capabilities.length > 0 && !capabilities.includes("thinking")) return [];
  return [false, true, ...thinkLevels.filter((level) => level !== "max" || supportsMaxLevel(version))];
}
