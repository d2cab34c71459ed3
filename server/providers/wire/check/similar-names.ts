/** Finds names similar to a missing one. Pure. */
import { type AgentError, withFacts } from "@/lib/events/error";

const minSimilarity = 0.35;

/** Bigrams of the letters and digits, with repetitions. */
function bigrams(name: string): readonly string[] {
  const plain = name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, "");
  return Array.from({ length: Math.max(plain.length - 1, 0) }, (_, at) => plain.slice(at, at + 2));
}

/** Dice coefficient of the bigrams, 0 to 1. */
function diceCoefficient(one: string, other: string): number {
  const first = bigrams(one);
  const second = [...bigrams(other)];
  const all = first.length + second.length;
  let both = 0;
  for (const pair of first) {
    const at = second.indexOf(pair);
    if (at < 0) continue;
    second.splice(at, 1);
    both += 1;
  }
  return all === 0 ? 0 : (2 * both) / all;
}

/** Returns at most five of `names`, most similar first; empty if none is similar. */
export function findSimilarNames(name: string, names: readonly string[]): readonly string[] {
  return names
    .map((other) => ({ other, score: diceCoefficient(name, other) }))
    .filter(({ score }) => score >= minSimilarity)
    .sort((a, b) => b.score - a.score)
    .slice(0, 5)
    .map(({ other }) => other);
}

/** Adds the missing model and similar `names` to the facts. */
export const withSimilarNames = (error: AgentError, model: string, names: readonly string[]): AgentError =>
  withFacts(error, { model, near: findSimilarNames(model, names) });
