/** Connection test of an Ollama server: address, key, model, an answer, a tool call. */
import { isSameModelName } from "@/lib/models/model-names";
import { type CheckStep, checkTools, makeCheckStepReporter, probeAnswer } from "../wire/check/check-steps";
import { withSimilarNames } from "../wire/check/similar-names";
import type { OllamaProvider } from "./ollama";
import { type ModelPart, type ModelRequest, ProviderError } from "../provider";

interface OllamaCheckOptions {
  readonly provider: Pick<OllamaProvider, "version" | "models" | "stream">;
  /** Window, tokens, that sessions use with this model: another window would load the model twice. */
  readonly window: (model: string, signal: AbortSignal) => Promise<number>;
  /** minutes */
  readonly keepAliveMinutes: number;
  /** ms */
  readonly now: () => number;
}

/** Never throws ProviderError; ends without a step when `signal` aborts. */
export async function* checkOllama(
  { provider, window, keepAliveMinutes, now }: OllamaCheckOptions,
  model: string,
  signal: AbortSignal,
): AsyncGenerator<CheckStep> {
  const steps = makeCheckStepReporter(now);
  try {
    await provider.version(signal);
    yield* steps.ok("reach");
    const names = (await provider.models(signal)).map(({ name }) => name);
    yield* steps.ok("key");
    // A single model needs no choice.
    const tried = model === "" && names.length === 1 ? (names[0] ?? "") : model;
    if (tried === "") return yield* steps.failed("model", { code: "no_model" }, names);
    const found = names.find((name) => isSameModelName(name, tried));
    if (found === undefined)
      return yield* steps.failed("model", withSimilarNames({ code: "model_missing" }, tried, names));
    yield* steps.ok("model", model === "" ? found : undefined);
    const numCtx = await window(found, signal);
    const ask = (request: ModelRequest): AsyncIterable<ModelPart> =>
      provider.stream({ ...request, numCtx, keepAliveMinutes }, signal);
    const { text, error } = await probeAnswer(ask, found, "answer", [], signal);
    if (error !== undefined) return yield* steps.failed("answer", error);
    if (text === "") return yield* steps.failed("answer", { code: "empty_answer" });
    yield* steps.ok("answer", text);
    yield* checkTools(ask, steps, found, signal);
  } catch (cause) {
    if (signal.aborted) return;
    if (!(cause instanceof ProviderError)) throw cause;
    const { error } = cause;
    if (error.code !== "key_refused") return yield* steps.failed(steps.next(), error);
    if (error.facts?.malformed !== true) yield* steps.ok("reach");
    yield* steps.failed(steps.has("key") ? steps.next() : "key", error);
  }
}
