/** Finds names similar to a missing one. Pure. */
import { type AgentError, withFacts } from "@/lib/events/error";
import { rankBySimilarity } from "@/lib/text/name-similarity";

const minSimilarity = 0.35;

/** Returns at most five of `names`, most similar first; empty if none is similar. */
export const findSimilarNames = (name: string, names: readonly string[]): readonly string[] =>
  rankBySimilarity(name, names, (other) => [other])
    .slice(0, 5)
    .flatMap(({ item, score }) => (score >= minSimilarity ? [item] : []));

/** Adds the missing model and similar `names` to the facts. */
export const withSimilarNames = (error: AgentError, model: string, names: readonly string[]): AgentError =>
  withFacts(error, { model, near: findSimilarNames(model, names) });
