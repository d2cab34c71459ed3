/** How much thinking a model may be asked for. Pure; used by the model menu and by whoever chooses for a session. */
import type { Think } from "./event";
import type { ModelInfo } from "./models";

export const thinkLevels = ["low", "medium", "high", "max"] as const;

type Named = Pick<ModelInfo, "name" | "family">;

/** gpt-oss takes levels only and cannot be turned off (field D21). */
export const thinksInLevelsOnly = ({ family, name }: Named): boolean => /gpt-?oss/i.test(family ?? name);

/** The first version of Ollama that knows the level max. */
const maxSince = [0, 21, 3] as const;

/** A version that nobody told, or a build without one, may be any. */
function knowsMax(version: string | undefined): boolean {
  const numbers = (version ?? "").split(/[.-]/).map((part) => Number.parseInt(part, 10) || 0);
  if (numbers.every((number) => number === 0)) return true;
  const at = maxSince.findIndex((since, index) => (numbers[index] ?? 0) !== since);
  return at < 0 || (numbers[at] ?? 0) > (maxSince[at] ?? 0);
}

/**
 * What the user may choose; empty = the model cannot think. Servers do not tell which levels a model has: one that is refused
 * becomes plain thinking. `version` = of its Ollama; absent = another server, or not known.
 */
export function thinkChoices(
  model: Named & Pick<ModelInfo, "capabilities">,
  version: string | undefined,
): readonly Think[] {
  const { capabilities } = model;
  if (thinksInLevelsOnly(model)) return ["low", "medium", "high"];
  if (capabilities.length > 0 && !capabilities.includes("thinking")) return [];
  return [false, true, ...thinkLevels.filter((level) => level !== "max" || knowsMax(version))];
}
