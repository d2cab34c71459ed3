/** Speed at which a model wrote the answers of a run. Pure. */
import type { Usage } from "../events/content";
import { pathEntriesBackward, type SessionView } from "./view";

/** Returns tokens per second, over the answers with a time and a token count; null = there is none. */
export function generationSpeed(usages: readonly Pick<Usage, "outputTokens" | "outputMs">[]): number | null {
  let [tokens, milliseconds] = [0, 0];
  for (const { outputTokens, outputMs } of usages)
    if (outputTokens > 0 && outputMs > 0) {
      tokens += outputTokens;
      milliseconds += outputMs;
    }
  return milliseconds === 0 ? null : (tokens * 1_000) / milliseconds;
}

/** Returns the speed of the newest run that has one, so that a stopped run keeps that of the run before; null = none. */
export function newestRunSpeed(view: SessionView): number | null {
  let usages: Usage[] = [];
  for (const entry of pathEntriesBackward(view)) {
    if (entry.kind === "message" && entry.usage !== undefined) usages.push(entry.usage);
    if (entry.kind !== "run_start") continue;
    const speed = generationSpeed(usages);
    if (speed !== null) return speed;
    usages = [];
  }
  return generationSpeed(usages) ?? (view.usage === null ? null : generationSpeed([view.usage]));
}
