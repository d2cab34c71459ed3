/**
 * Connection test of an OpenAI-compatible server: address, key, model, an answer, a tool call; each step reports
 * exactly what failed. Steps are reported once, in this order; a result known only from the answer is reported with it.
 */
import { timeLimit } from "@/server/base/abort";
import { type AgentError, anyFacts, type ErrorCode, withFacts } from "@/lib/events/error";
import type { ModelInfo } from "@/lib/models/models";
import { serverLimits } from "@/lib/settings/server-limits";
import {
  type CheckStep,
  type CheckStepReporter,
  checkTools,
  makeCheckStepReporter,
  probeAnswer,
} from "../wire/check/check-steps";
import { withSimilarNames } from "../wire/check/similar-names";
import type { OpenAiClients } from "./openai-client";
import type { AnswerObservation } from "./stream/openai-reader";
import { alternativeBases, baseWithoutCredentials } from "./openai-host";
import { parseModelList } from "./openai-models";
import type { Preset } from "../presets";
import { type ModelPart, type ModelRequest, ProviderError } from "../provider";

interface OpenAiCheckOptions {
  readonly clients: OpenAiClients;
  readonly preset: Preset;
  /** ms */
  readonly now: () => number;
  /** Streams as the provider does; `seen` receives facts that the parts do not carry. */
  stream(request: ModelRequest, seen: AnswerObservation, signal: AbortSignal): AsyncIterable<ModelPart>;
}

/** One test in progress. */
interface OpenAiCheck extends OpenAiCheckOptions {
  readonly steps: CheckStepReporter;
  readonly signal: AbortSignal;
}

/** Never throws; ends without a step when `signal` aborts. */
export async function* checkOpenAi(
  options: OpenAiCheckOptions,
  model: string,
  signal: AbortSignal,
): AsyncGenerator<CheckStep> {
  const steps = makeCheckStepReporter(options.now);
  const check: OpenAiCheck = { ...options, steps, signal };
  try {
    const list = yield* checkReach(check);
    if (list === "failed") return;
    if (yield* isKeyRefused(check)) return;
    const names = list?.map(({ name }) => name);
    if (names !== undefined) yield* steps.ok("key");
    // A server with one model needs no model name.
    const tried = model === "" && names?.length === 1 ? (names[0] ?? "") : model;
    if (tried === "") return yield* steps.failed("model", { code: "no_model" }, names ?? []);
    if (names?.includes(tried) === true) yield* steps.ok("model", model === "" ? tried : undefined);
    if (!(yield* isAnswered(check, tried, names ?? []))) return;
    yield* checkTools((request) => options.stream(request, {}, signal), steps, tried, signal);
  } catch (cause) {
    if (!signal.aborted) yield* steps.failed(steps.next(), options.clients.toFailure(cause).error);
  }
}

/** GETs `path`; the answer must arrive within `ms`. Throws ProviderError, or the reason of `signal`. */
async function getWithin({ clients, signal }: OpenAiCheck, path: string, ms: number, base?: string): Promise<unknown> {
  const limit = timeLimit(ms);
  try {
    return await clients.get(path, AbortSignal.any([signal, limit]), base);
  } catch (cause) {
    signal.throwIfAborted();
    if (!limit.aborted) throw cause;
    const host = baseWithoutCredentials(base ?? clients.base());
    throw new ProviderError({ code: "server_unreachable", facts: { host, reason: "timeout" } });
  }
}

/** Path of the model list, always below the tested address. */
function listPath({ quirks }: Preset): string {
  return quirks.models?.paths.find((path) => !path.startsWith("//")) ?? "/models";
}

/** Fetches the models; undefined = the server is there but has no list. */
async function* checkReach(check: OpenAiCheck): AsyncGenerator<CheckStep, readonly ModelInfo[] | undefined | "failed"> {
  const { preset, steps, signal } = check;
  try {
    const value = await getWithin(check, listPath(preset), serverLimits.serverListMs);
    const models = parseModelList(value, false);
    yield* steps.ok("reach");
    return models;
  } catch (cause) {
    signal.throwIfAborted();
    const { error } = check.clients.toFailure(cause);
    const isKey = error.code === "key_refused";
    if (unreachable.has(error.code)) return yield* failAt(steps, "reach", await suggestOtherPort(check, error));
    if (error.code === "wrong_address" || error.code === "bad_answer") {
      const found = await suggestAddress(check, error);
      const isElsewhere = found !== error || error.code === "bad_answer" || error.facts?.suggested !== undefined;
      if (isElsewhere) return yield* failAt(steps, "reach", found);
    }
    if (!isKey || error.facts?.malformed !== true) yield* steps.ok("reach");
    // Some servers have no list; then the answer step decides.
    return isKey ? yield* failAt(steps, "key", error) : undefined;
  }
}

const unreachable: ReadonlySet<ErrorCode> = new Set([
  "server_unreachable",
  "connection_lost",
  "wrong_scheme",
  "bad_input",
  "internal",
]);

function* failAt(steps: CheckStepReporter, step: "reach" | "key", error: AgentError): Generator<CheckStep, "failed"> {
  yield* steps.failed(step, error);
  return "failed";
}

/** Adds the address at which another version of the preset's server answers, if the tested one is a default of it. */
async function suggestOtherPort(check: OpenAiCheck, error: AgentError): Promise<AgentError> {
  const { baseUrl, otherBaseUrls = [] } = check.preset;
  const defaults = [baseUrl, ...otherBaseUrls];
  if (
    error.code !== "server_unreachable" ||
    error.facts?.reason !== "refused" ||
    !defaults.includes(check.clients.base())
  )
    return error;
  for (const base of defaults.filter((one) => one !== check.clients.base())) {
    try {
      parseModelList(await getWithin(check, listPath(check.preset), serverLimits.serverAnswerMs, base), false);
      return withFacts(error, { suggested: base });
    } catch {
      check.signal.throwIfAborted();
    }
  }
  return withFacts(error, { tried: defaults });
}

/** Adds the address of a server at another path to the error, if one is found. */
async function suggestAddress(
  check: OpenAiCheck,
  error: AgentError<"wrong_address" | "bad_answer">,
): Promise<AgentError> {
  if (anyFacts(error).suggested !== undefined) return error;
  const errorFor = (base: string): AgentError => ({
    ...error,
    code: "wrong_address",
    facts: { ...error.facts, suggested: baseWithoutCredentials(base) },
  });
  /** A server that requires a key is only the second choice: a web page may require one too. */
  let locked: string | undefined;
  for (const base of alternativeBases(check.clients.base())) {
    try {
      parseModelList(await getWithin(check, listPath(check.preset), serverLimits.serverAnswerMs, base), false);
      return errorFor(base);
    } catch (cause) {
      check.signal.throwIfAborted();
      const { code } = check.clients.toFailure(cause).error;
      if (code === "key_refused") locked ??= base;
      if (code === "server_unreachable") break;
    }
  }
  return locked === undefined ? error : errorFor(locked);
}

/** Tests the key separately where the list is public. Returns whether it was refused. */
async function* isKeyRefused(check: OpenAiCheck): AsyncGenerator<CheckStep, boolean> {
  const { keyPath } = check.preset.quirks;
  if (keyPath === undefined) return false;
  try {
    await getWithin(check, keyPath, serverLimits.serverListMs);
  } catch (cause) {
    check.signal.throwIfAborted();
    const { error } = check.clients.toFailure(cause);
    if (error.code !== "key_refused") return false;
    yield* check.steps.failed("key", error);
    return true;
  }
  return false;
}

/** Runs the answer step; also reports the key and model steps if still open. Returns whether the model answered. */
async function* isAnswered(
  check: OpenAiCheck,
  model: string,
  names: readonly string[],
): AsyncGenerator<CheckStep, boolean> {
  const { steps, signal } = check;
  const seen: AnswerObservation = {};
  const ask = (request: ModelRequest): AsyncIterable<ModelPart> => check.stream(request, seen, signal);
  const { text, error } = await probeAnswer(ask, model, "answer", [], signal);
  if (error !== undefined) {
    yield* reportRefusedAnswer(check, error, model, names);
    return false;
  }
  yield* steps.ok("key");
  yield* steps.ok("model");
  if (text === "") yield* steps.failed("answer", { code: "empty_answer" });
  else if (seen.whole === true) yield* steps.failed("answer", { code: "no_streaming", detail: text });
  else yield* steps.ok("answer", text);
  return text !== "";
}

async function* reportRefusedAnswer(
  check: OpenAiCheck,
  error: AgentError,
  model: string,
  names: readonly string[],
): AsyncGenerator<CheckStep> {
  const { steps } = check;
  if (error.code === "key_refused") return yield* steps.failed(steps.has("key") ? "answer" : "key", error);
  if (error.code === "wrong_address") return yield* steps.failed("answer", await suggestAddress(check, error));
  if (error.code !== "model_missing") return yield* steps.failed("answer", error);
  yield* steps.ok("key");
  yield* steps.failed(steps.has("model") ? "answer" : "model", withSimilarNames(error, model, names));
}
