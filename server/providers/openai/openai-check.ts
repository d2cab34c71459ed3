/**
 * Connection test of an OpenAI-compatible server: address, key, model, an answer, a tool call; each step reports
 * exactly what failed. Steps are reported once, in this order; a result known only from the answer is reported with it.
 */
import type { AgentError } from "@/lib/events/error";
import type { ModelInfo } from "@/lib/models/models";
import { limits } from "@/lib/settings/settings";
import { connectionCheckText } from "@/server/prompts/connection-check";
import {
  type CheckStep,
  makeCheckStepReporter,
  readProbeOutcome,
  makeProbeRequest,
  type CheckStepReporter,
  checkTools,
} from "../wire/check-steps";
import { findSimilarNames } from "../wire/similar-names";
import type { OpenAiClients } from "./openai-client";
import type { AnswerObservation } from "./stream/openai-reader";
import { alternativeBases, baseWithoutCredentials } from "./openai-host";
import { parseModels } from "./openai-models";
import type { Preset } from "../presets";
import { type ModelPart, type ModelRequest, ProviderError } from "../provider";

export interface OpenAiCheckOptions {
  readonly clients: OpenAiClients;
  readonly preset: Preset;
  /** ms */
  readonly now: () => number;
  /** Streams as the provider does; `seen` receives facts that the parts do not carry. */
  stream(request: ModelRequest, seen: AnswerObservation, signal: AbortSignal): AsyncIterable<ModelPart>;
}

/** Never throws; ends without a step when `signal` aborts. */
export async function* checkOpenAi(
  checked: OpenAiCheckOptions,
  model: string,
  signal: AbortSignal,
): AsyncGenerator<CheckStep> {
  const steps = makeCheckStepReporter(checked.now);
  try {
    const list = yield* checkReach(checked, steps, signal);
    if (list === "failed") return;
    if (yield* isKeyRefused(checked, steps, signal)) return;
    const names = list?.map(({ name }) => name);
    if (names !== undefined) yield* steps.ok("key");
    // A server with one model needs no model name.
    const tried = model === "" && names?.length === 1 ? (names[0] ?? "") : model;
    if (tried === "") return yield* steps.failed("model", { code: "no_model" }, names ?? []);
    if (names?.includes(tried) === true) yield* steps.ok("model", model === "" ? tried : undefined);
    if (!(yield* checkAnswer(checked, steps, { model: tried, names: names ?? [] }, signal))) return;
    yield* checkTools((request) => checked.stream(request, {}, signal), steps, tried, signal);
  } catch (cause) {
    if (!signal.aborted) yield* steps.failed(steps.next(), checked.clients.toFailure(cause).error);
  }
}

/** GETs `path`; the answer must arrive within `ms`. Throws ProviderError, or the reason of `signal`. */
async function getWithin(
  checked: OpenAiCheckOptions,
  path: string,
  ms: number,
  signal: AbortSignal,
  base?: string,
): Promise<unknown> {
  const limit = AbortSignal.timeout(ms);
  try {
    return await checked.clients.get(path, AbortSignal.any([signal, limit]), base);
  } catch (cause) {
    signal.throwIfAborted();
    if (!limit.aborted) throw cause;
    const host = baseWithoutCredentials(base ?? checked.clients.base());
    throw new ProviderError({ code: "server_unreachable", facts: { host, reason: "timeout" } });
  }
}

function toAgentError(checked: OpenAiCheckOptions, cause: unknown): AgentError {
  return cause instanceof ProviderError ? cause.error : checked.clients.toFailure(cause).error;
}

/** Path of the model list, always below the tested address. */
function listPath({ quirks }: Preset): string {
  const own = quirks.models?.path;
  return own === undefined || own.startsWith("//") ? "/models" : own;
}

/** Fetches the models; undefined = the server is there but has no list. */
async function* checkReach(
  checked: OpenAiCheckOptions,
  steps: CheckStepReporter,
  signal: AbortSignal,
): AsyncGenerator<CheckStep, readonly ModelInfo[] | undefined | "failed"> {
  try {
    const value = await getWithin(checked, listPath(checked.preset), limits.serverListMs, signal);
    const models = parseModels(value, false);
    yield* steps.ok("reach");
    return models;
  } catch (cause) {
    signal.throwIfAborted();
    const error = toAgentError(checked, cause);
    switch (error.code) {
      case "key_refused":
        if (error.facts?.malformed !== true) yield* steps.ok("reach");
        yield* steps.failed("key", error);
        return "failed";
      case "wrong_address":
      case "bad_answer": {
        const found = await suggestAddress(checked, error, signal);
        const isHere = found === error && error.code === "wrong_address" && error.facts?.suggested === undefined;
        // Some servers have no list; then the answer step decides.
        if (!isHere) return yield* failReach(steps, found);
        yield* steps.ok("reach");
        return undefined;
      }
      case "server_unreachable":
      case "connection_lost":
      case "bad_input":
      case "internal":
        return yield* failReach(steps, error);
      default:
        yield* steps.ok("reach");
        return undefined;
    }
  }
}

function* failReach(steps: CheckStepReporter, error: AgentError): Generator<CheckStep, "failed"> {
  yield* steps.failed("reach", error);
  return "failed";
}

/** Adds the address of a server at another path to the error, if one is found. */
async function suggestAddress(
  checked: OpenAiCheckOptions,
  error: AgentError,
  signal: AbortSignal,
): Promise<AgentError> {
  if (error.facts?.suggested !== undefined) return error;
  const at = (base: string): AgentError => ({
    ...error,
    code: "wrong_address",
    facts: { ...error.facts, suggested: baseWithoutCredentials(base) },
  });
  /** A server that requires a key is only the second choice: a web page may require one too. */
  let locked: string | undefined;
  for (const base of alternativeBases(checked.clients.base())) {
    try {
      parseModels(await getWithin(checked, listPath(checked.preset), limits.serverAnswerMs, signal, base), false);
      return at(base);
    } catch (cause) {
      signal.throwIfAborted();
      const { code } = toAgentError(checked, cause);
      if (code === "key_refused") locked ??= base;
      if (code === "server_unreachable") break;
    }
  }
  return locked === undefined ? error : at(locked);
}

/** Tests the key separately where the list is public. Returns whether it was refused. */
async function* isKeyRefused(
  checked: OpenAiCheckOptions,
  steps: CheckStepReporter,
  signal: AbortSignal,
): AsyncGenerator<CheckStep, boolean> {
  const { keyPath } = checked.preset.quirks;
  if (keyPath === undefined) return false;
  try {
    await getWithin(checked, keyPath, limits.serverListMs, signal);
  } catch (cause) {
    signal.throwIfAborted();
    const error = toAgentError(checked, cause);
    if (error.code !== "key_refused") return false;
    yield* steps.failed("key", error);
    return true;
  }
  return false;
}

interface CheckedModel {
  readonly model: string;
  readonly names: readonly string[];
}

/** Runs the answer step; also reports the key and model steps if still open. Returns whether the model answered. */
async function* checkAnswer(
  checked: OpenAiCheckOptions,
  steps: CheckStepReporter,
  { model, names }: CheckedModel,
  signal: AbortSignal,
): AsyncGenerator<CheckStep, boolean> {
  const seen: AnswerObservation = {};
  const parts = checked.stream(makeProbeRequest(model, connectionCheckText("answer"), []), seen, signal);
  const { text, error } = await readProbeOutcome(parts, signal);
  if (error !== undefined) {
    yield* reportRefusedAnswer(checked, steps, error, { model, names }, signal);
    return false;
  }
  yield* steps.ok("key");
  yield* steps.ok("model");
  if (text === "") {
    yield* steps.failed("answer", { code: "empty_answer" });
    return false;
  }
  if (seen.whole === true) yield* steps.failed("answer", { code: "no_streaming", detail: text });
  else yield* steps.ok("answer", text);
  return true;
}

async function* reportRefusedAnswer(
  checked: OpenAiCheckOptions,
  steps: CheckStepReporter,
  error: AgentError,
  { model, names }: CheckedModel,
  signal: AbortSignal,
): AsyncGenerator<CheckStep> {
  if (error.code === "key_refused") return yield* steps.failed(steps.has("key") ? "answer" : "key", error);
  if (error.code === "wrong_address")
    return yield* steps.failed("answer", await suggestAddress(checked, error, signal));
  if (error.code !== "model_missing") return yield* steps.failed("answer", error);
  yield* steps.ok("key");
  const near = findSimilarNames(model, names);
  const facts = { ...error.facts, model, near: [...near] };
  yield* steps.failed(steps.has("model") ? "answer" : "model", { ...error, facts });
}
