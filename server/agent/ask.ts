/**
 * Obtains one model answer: makes the context fit before the request and retries failures where that can help, each
 * with a visible event. Calls that were already executed are in the log and never repeated.
 */
import type { Usage } from "@/lib/content";
import type { AgentError } from "@/lib/error";
import type { DurableEvent, RunEnd, Think } from "@/lib/event";
import { limits } from "@/lib/settings";
import { type AnswerEnd, streamAnswer } from "./answer";
import type { AgentHost } from "./host";
import { planCompaction } from "./compact";
import { makeRoom, type RoomOrder } from "./make-room";
import { modelOf, type PromptSize } from "./prompt-size";
import type { Prepared } from "./request";
import { pauseBeforeRetry, retryAtOnce } from "./retry";
import { isTold, promptCut, sizesOf, usageBefore } from "./window";

export type AskEnd =
  | { readonly kind: "done"; readonly empty: boolean }
  | { readonly kind: "length" }
  | { readonly kind: "aborted" }
  | { readonly kind: "stopped"; readonly error: AgentError; readonly reason: Extract<RunEnd, "error" | "limit"> };

/** Remedies already used: each once, except the retries of a failing server (`settings.retries`). */
interface Tried {
  failures: number;
  /** Requested without thinking. */
  quiet: boolean;
  /** Adopted the window that the server reported. */
  window: boolean;
  /** Repeated a request whose answer lost its call. */
  lost: boolean;
  /** Compacted for an answer that had reached the end of the window. */
  room: boolean;
}

/** `opening` starts the turn and is committed together with the turn's first message. */
export async function ask(host: AgentHost, opening: readonly DurableEvent[], signal: AbortSignal): Promise<AskEnd> {
  const tried: Tried = { failures: 0, quiet: false, window: false, room: false, lost: false };
  let order: RoomOrder = { why: "threshold", always: false };
  for (let first = opening; ; first = []) {
    const fit = await makeRoom(host, order, signal);
    if (fit.kind === "aborted") return fit;
    if (fit.kind === "full") {
      host.commit(first);
      return { kind: "stopped", error: fit.error, reason: "limit" };
    }
    const { prepared } = fit;
    const { request } = prepared;
    const messageId = host.ids.message();
    host.commit([...first, { type: "message_start", messageId, role: "assistant" }]);
    const sentRequest = tried.quiet ? { ...request, think: quietThink(request.think) } : request;
    const end = await streamAnswer(host, messageId, sentRequest, prepared, signal);
    if (end.kind === "aborted") return end;
    if (end.kind === "done" || end.kind === "length") {
      tellCut(host, end.usage);
      if (end.kind === "done" || tried.room || !cutByWindow(host, prepared)) return end;
      tried.room = true;
      order = { why: "window", always: true };
      retryAtOnce(host, messageId, { code: "output_limit" });
      continue;
    }
    const stop =
      end.kind === "cut" ? afterCut(host, end, tried) : await afterFailure(host, end, tried, prepared, signal);
    if (stop !== null) return stop;
    order = { why: tried.window ? "window" : "threshold", always: false };
  }
}

/** Thinking cannot be disabled for models with think levels (field D21). */
const quietThink = (think: Think): Think => (typeof think === "string" ? "low" : false);

/** Share of the prompt a compaction must free before an answer that hit the end of the window is requested again. */
const roomShare = 0.15;

/** The answer was limited by the rest of the window, and a compaction would leave much more. */
function cutByWindow(host: AgentHost, { request, tokens }: Prepared): boolean {
  if (request.maxOutputTokens >= limits.outputTokensMax) return false;
  const plan = planCompaction(host);
  return plan !== null && plan.after <= tokens * (1 - roomShare);
}

/**
 * Reports, once, a prompt that the server truncated according to its own count; the run continues within what the
 * server reads.
 */
function tellCut(host: AgentHost, usage: Usage | null): void {
  if (usage === null) return;
  const error = promptCut(usage, host.modelFacts(), usageBefore(host.view()));
  if (error === null) return;
  host.cut(usage.promptTokens);
  const reported: AgentError = { ...error, facts: { ...error.facts, model: modelOf(host).model } };
  if (!isTold(host.view(), reported)) host.commit([{ type: "error", error: reported }]);
}

/** Returns null to request again. Endless thinking is retried once without thinking; endless text stays as it is. */
function afterCut(host: AgentHost, end: Extract<AnswerEnd, { kind: "cut" }>, tried: Tried): AskEnd | null {
  const error: AgentError = { code: end.code, facts: end.facts };
  if (tried.quiet || end.facts.in === "text") return { kind: "stopped", error, reason: "limit" };
  tried.quiet = true;
  retryAtOnce(host, end.messageId, error);
  return null;
}

/** Returns null to request again. */
async function afterFailure(
  host: AgentHost,
  end: Extract<AnswerEnd, { kind: "failed" }>,
  tried: Tried,
  size: PromptSize,
  signal: AbortSignal,
): Promise<AskEnd | null> {
  const { error, messageId } = end;
  if (error.code === "window_full") {
    if (tried.window) return { kind: "stopped", error, reason: "limit" };
    tried.window = true;
    host.refused(sizesOf(error), size);
    retryAtOnce(host, messageId, error);
    return null;
  }
  if (error.code === "lost_call" && !tried.lost) {
    tried.lost = true;
    retryAtOnce(host, messageId, error);
    return null;
  }
  const change = otherUse(host, error);
  if (change !== null) {
    host.commit([change]);
    retryAtOnce(host, messageId, error);
    return null;
  }
  if (!end.retryable || tried.failures >= host.settings().retries) return { kind: "stopped", error, reason: "error" };
  tried.failures += 1;
  return (await pauseBeforeRetry(host, end, tried.failures, signal)) ? null : { kind: "aborted" };
}

/**
 * Returns the model change that drops a feature the server rejects (each once); null = another error, or the user
 * chose that feature.
 */
function otherUse(host: AgentHost, { code, facts }: AgentError): DurableEvent | null {
  const model = modelOf(host);
  if (code === "no_tools" && model.toolMode === "native") return host.textToolMode();
  // A lower level that this side requested itself is not the user's choice.
  const level = facts?.level ?? model.think;
  if (code === "no_think_level" && typeof model.think === "string" && level === model.think)
    return { type: "model_change", ...model, think: true };
  return code === "no_thinking" && model.think !== false ? { type: "model_change", ...model, think: false } : null;
}
