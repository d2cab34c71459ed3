/** Adapter: an Ollama server as a ServerEntry. */
import type { Models } from "./models/models";
import type { Provider } from "./providers/provider";
import type { ServerEntry } from "./server-entry";

export interface OllamaServerOptions {
  readonly provider: Provider;
  readonly models: Models;
  /** Default model; empty = the best available. */
  readonly model: () => string;
  readonly atOnce: number;
}

export function ollamaServer({ provider, models, model, atOnce }: OllamaServerOptions): ServerEntry {
  const { known } = models;
  return {
    provider,
    host: () => models.state().host,
    note: (name) => known.note(models.keyOf(name)),
    answers: (request) => models.answers(request.model, request.numCtx),
    learnReading: (name, tokens, ms) => known.learnReading(models.keyOf(name), tokens, ms),
    countsWholePrompt: models.countsWholePrompt,
    known: () => ({ provider: provider.id, models: models.state().models, model: model(), plan: models.plan }),
    learned: known,
    keyOf: models.keyOf,
    allocated: (name, numCtx) => known.allocated(models.keyOf(name).name, numCtx),
    atOnce: () => atOnce,
  };
}
