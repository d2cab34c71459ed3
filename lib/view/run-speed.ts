/** Speed at which a model wrote answers. Pure. */
import type { Usage } from "../events/content";

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
