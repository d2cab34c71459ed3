/** Adapter: an Ollama server as a ModelServerEntry. */
import type { OllamaService } from "../ollama/ollama-service";
import type { Provider } from "@/server/providers/provider";
import type { ModelServerEntry } from "./model-server-entry";

interface OllamaServerOptions {
  readonly provider: Provider;
  readonly models: OllamaService;
  /** Default model; empty = the best available. */
  readonly model: () => string;
  /** Concurrent answers, unless `chosenAtOnce` is set. */
  readonly atOnce: number;
  readonly chosenAtOnce?: number | undefined;
}

export function ollamaServerEntry({
  provider,
  models,
  model,
  atOnce,
  chosenAtOnce,
}: OllamaServerOptions): ModelServerEntry {
  const { known } = models;
  return {
    provider,
    host: () => models.state().host,
    note: (name) => known.note(models.keyOf(name)),
    answerStarted: (request) => models.answerStarted(request.model, request.numCtx),
    learnReading: (name, tokens, ms) => known.learnReading(models.keyOf(name), tokens, ms),
    countsWholePrompt: models.countsWholePrompt,
    facts: () => ({ provider: provider.id, models: models.state().models, model: model(), plan: models.plan }),
    knowledge: known,
    keyOf: models.keyOf,
    choosesWindow: false,
    allocated: (name, numCtx) => known.allocated(models.keyOf(name).name, numCtx),
    atOnce: () => chosenAtOnce ?? atOnce,
    chosenAtOnce,
    // Its API does not tell how many conversations it keeps.
    slots: () => chosenAtOnce ?? 1,
  };
}
