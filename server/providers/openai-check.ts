/**
 * Connection test of an OpenAI-compatible server: address, key, model, an answer, a tool call; each step reports
 * exactly what failed. Steps are reported once, in this order; a result known only from the answer is reported with it.
 */
import type { AgentError } from "@/lib/error";
import type { ModelInfo } from "@/lib/models";
import { limits } from "@/lib/settings";
import { checkText } from "../prompts/connection-check";
import { type CheckStep, makeSteps, outcomeOf, requestFor, type Steps, toolsCheck } from "./check-steps";
import { nearNames } from "./near-names";
import type { Clients } from "./openai-client";
import type { Seen } from "./openai-fetch";
import { otherBases, shownBase } from "./openai-host";
import { modelsIn } from "./openai-models";
import type { Preset } from "./presets";
import { type ModelPart, type ModelRequest, ProviderError } from "./provider";

export interface Checked {
  readonly clients: Clients;
  readonly preset: Preset;
  /** ms */
  readonly now: () => number;
  /** Streams as the provider does; `seen` receives facts that the parts do not carry. */
  stream(request: ModelRequest, seen: Seen, signal: AbortSignal): AsyncIterable<ModelPart>;
}

/** Never throws; ends without a step when `signal` aborts. */
export async function* checkConnection(
  checked: Checked,
  model: string,
  signal: AbortSignal,
): AsyncGenerator<CheckStep> {
  const steps = makeSteps(checked.now);
  try {
    const list = yield* reach(checked, steps, signal);
    if (list === "failed") return;
    if (yield* refuses(checked, steps, signal)) return;
    const names = list?.map(({ name }) => name);
    if (names !== undefined) yield* steps.ok("key");
    // A server with one model needs no model name.
    const tried = model === "" && names?.length === 1 ? (names[0] ?? "") : model;
    if (tried === "") return yield* steps.failed("model", { code: "no_model" }, names ?? []);
    if (names?.includes(tried) === true) yield* steps.ok("model", model === "" ? tried : undefined);
    if (!(yield* answers(checked, steps, { model: tried, names: names ?? [] }, signal))) return;
    yield* toolsCheck((request) => checked.stream(request, {}, signal), steps, tried, signal);
  } catch (cause) {
    if (!signal.aborted) yield* steps.failed(steps.next(), checked.clients.failed(cause).error);
  }
}

/** GETs `path`; the answer must arrive within `ms`. Throws ProviderError, or the reason of `signal`. */
async function ask(checked: Checked, path: string, ms: number, signal: AbortSignal, base?: string): Promise<unknown> {
  const limit = AbortSignal.timeout(ms);
  try {
    return await checked.clients.get(path, AbortSignal.any([signal, limit]), base);
  } catch (cause) {
    signal.throwIfAborted();
    if (!limit.aborted) throw cause;
    const host = shownBase(base ?? checked.clients.base());
    throw new ProviderError({ code: "server_unreachable", facts: { host, reason: "timeout" } });
  }
}

function errorOf(checked: Checked, cause: unknown): AgentError {
  return cause instanceof ProviderError ? cause.error : checked.clients.failed(cause).error;
}

/** Path of the model list, always below the tested address. */
function listPath({ quirks }: Preset): string {
  const own = quirks.models?.path;
  return own === undefined || own.startsWith("//") ? "/models" : own;
}

/** Fetches the models; undefined = the server is there but has no list. */
async function* reach(
  checked: Checked,
  steps: Steps,
  signal: AbortSignal,
): AsyncGenerator<CheckStep, readonly ModelInfo[] | undefined | "failed"> {
  try {
    const value = await ask(checked, listPath(checked.preset), limits.serverListMs, signal);
    const models = modelsIn(value, false);
    yield* steps.ok("reach");
    return models;
  } catch (cause) {
    signal.throwIfAborted();
    const error = errorOf(checked, cause);
    switch (error.code) {
      case "key_refused":
        if (error.facts?.malformed !== true) yield* steps.ok("reach");
        yield* steps.failed("key", error);
        return "failed";
      case "wrong_address":
      case "bad_answer": {
        const found = await suggested(checked, error, signal);
        const isHere = found === error && error.code === "wrong_address" && error.facts?.suggested === undefined;
        // Some servers have no list; then the answer step decides.
        if (!isHere) return yield* fatal(steps, found);
        yield* steps.ok("reach");
        return undefined;
      }
      case "server_unreachable":
      case "connection_lost":
      case "bad_input":
      case "internal":
        return yield* fatal(steps, error);
      default:
        yield* steps.ok("reach");
        return undefined;
    }
  }
}

function* fatal(steps: Steps, error: AgentError): Generator<CheckStep, "failed"> {
  yield* steps.failed("reach", error);
  return "failed";
}

/** Adds the address of a server at another path to the error, if one is found. */
async function suggested(checked: Checked, error: AgentError, signal: AbortSignal): Promise<AgentError> {
  if (error.facts?.suggested !== undefined) return error;
  const at = (base: string): AgentError => ({
    ...error,
    code: "wrong_address",
    facts: { ...error.facts, suggested: shownBase(base) },
  });
  /** A server that requires a key is only the second choice: a web page may require one too. */
  let locked: string | undefined;
  for (const base of otherBases(checked.clients.base())) {
    try {
      modelsIn(await ask(checked, listPath(checked.preset), limits.serverAnswerMs, signal, base), false);
      return at(base);
    } catch (cause) {
      signal.throwIfAborted();
      const { code } = errorOf(checked, cause);
      if (code === "key_refused") locked ??= base;
      if (code === "server_unreachable") break;
    }
  }
  return locked === undefined ? error : at(locked);
}

/** Tests the key separately where the list is public. Returns whether it was refused. */
async function* refuses(checked: Checked, steps: Steps, signal: AbortSignal): AsyncGenerator<CheckStep, boolean> {
  const { keyPath } = checked.preset.quirks;
  if (keyPath === undefined) return false;
  try {
    await ask(checked, keyPath, limits.serverListMs, signal);
  } catch (cause) {
    signal.throwIfAborted();
    const error = errorOf(checked, cause);
    if (error.code !== "key_refused") return false;
    yield* steps.failed("key", error);
    return true;
  }
  return false;
}

interface Wanted {
  readonly model: string;
  readonly names: readonly string[];
}

/** Runs the answer step; also reports the key and model steps if still open. Returns whether the model answered. */
async function* answers(
  checked: Checked,
  steps: Steps,
  { model, names }: Wanted,
  signal: AbortSignal,
): AsyncGenerator<CheckStep, boolean> {
  const seen: Seen = {};
  const parts = checked.stream(requestFor(model, checkText("answer"), []), seen, signal);
  const { text, error } = await outcomeOf(parts, signal);
  if (error !== undefined) {
    yield* refusedAnswer(checked, steps, error, { model, names }, signal);
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

async function* refusedAnswer(
  checked: Checked,
  steps: Steps,
  error: AgentError,
  { model, names }: Wanted,
  signal: AbortSignal,
): AsyncGenerator<CheckStep> {
  if (error.code === "key_refused") return yield* steps.failed(steps.has("key") ? "answer" : "key", error);
  if (error.code === "wrong_address") return yield* steps.failed("answer", await suggested(checked, error, signal));
  if (error.code !== "model_missing") return yield* steps.failed("answer", error);
  yield* steps.ok("key");
  const near = nearNames(model, names);
  const facts = { ...error.facts, model, near: [...near] };
  yield* steps.failed(steps.has("model") ? "answer" : "model", { ...error, facts });
}
