/**
 * Obtains one model answer: makes the context fit before the request and retries failures where that can help, each
 * with a visible event. Calls that were already executed are in the log and never repeated.
 */
import type { Usage } from "@/lib/events/content";
import { type AgentError, withFacts } from "@/lib/events/error";
import type { DurableEvent, RunEnd, Think } from "@/lib/events/event";
import type { MessageId } from "@/lib/events/id";
import { serverLimits } from "@/lib/settings/server-limits";
import { type AnswerEnd, receiveAnswer } from "./receive-answer";
import type { AgentHost } from "../host";
import { planCompaction } from "../compaction/compaction";
import { ensureContextFits, type ContextFitOptions } from "../context/ensure-context-fits";
import { requireRunModel, type PromptSize } from "../context/prompt-size";
import { buildRequest, type PreparedRequest } from "../context/build-request";
import { changeAfterRefusal } from "../context/history-use";
import type { ModelRequest } from "@/server/providers/provider";
import { findRefusedTools } from "@/server/providers/wire/tool-refusals";
import { findHeldAnswer } from "./close-run";
import { makePhases } from "./phases";
import {
  nextRequestedWait,
  noRequestedWaits,
  pauseBeforeRetry,
  recordImmediateRetry,
  type RequestedWaits,
  waitTooLong,
} from "./retry";
import { alreadyReported, detectTruncatedPrompt, reportedSizes, findPreviousUsage } from "../context/context-budget";

export type AnswerOutcome =
  | { readonly kind: "done"; readonly empty: boolean }
  | { readonly kind: "length" }
  | { readonly kind: "aborted" }
  | { readonly kind: "lost" }
  | { readonly kind: "stopped"; readonly error: AgentError; readonly reason: Extract<RunEnd, "error" | "limit"> };

/** Remedies already used: each once, except the retries of a failing server (`settings.retries`). */
interface UsedRemedies {
  failures: number;
  /** Waited as the server requested. */
  waits: RequestedWaits;
  /** Requested without thinking. */
  withoutThinking: boolean;
  /** Adopted the window that the server reported. */
  serverWindow: boolean;
  /** Repeated a request whose answer the server could not read. */
  unparsed: boolean;
  /** Repeated a request whose answer lost its call. */
  lostCall: boolean;
  /** Repeated a request that was thought about and not answered. */
  unanswered: boolean;
  /** Compacted for an answer that had reached the end of the window. */
  compacted: boolean;
}

/** `opening` starts the turn and is committed together with the turn's first message. */
export async function requestAnswer(
  host: AgentHost,
  opening: readonly DurableEvent[],
  signal: AbortSignal,
): Promise<AnswerOutcome> {
  const tried: UsedRemedies = {
    failures: 0,
    waits: noRequestedWaits,
    withoutThinking: false,
    serverWindow: false,
    compacted: false,
    unparsed: false,
    lostCall: false,
    unanswered: false,
  };
  let order: ContextFitOptions = { why: "threshold", force: false };
  let first = opening;
  const phases = makePhases(host, { callsArriveWhole: false });
  // The request of an answer that the server holds has been made.
  const change =
    findHeldAnswer(host.view()) !== undefined
      ? null
      : await host.readyModel(({ phase, ...facts }) => {
          // The phase of a turn is shown once the turn has begun.
          if (first.length > 0) host.commit(first);
          first = [];
          phases.set(phase, facts);
        }, signal);
  if (change !== null) host.commit([change]);
  for (; ; first = []) {
    const opened = reopenAnswer(host) ?? (await openAnswer(host, order, first, signal));
    if (opened.kind !== "open") return opened;
    const { messageId, prepared } = opened;
    const request = { ...prepared.request, ...opened.held };
    const sentRequest = tried.withoutThinking ? { ...request, think: leastThinking(request.think) } : request;
    const end = await receiveAnswer(host, messageId, sentRequest, prepared, signal);
    if (end.kind === "aborted" || end.kind === "lost") return end;
    if (end.kind === "done" || end.kind === "length") {
      reportTruncatedPrompt(host, end.usage, prepared);
      const smaller = host.windowChange();
      if (smaller !== null) host.commit([smaller]);
      if (end.kind === "done" && end.onlyThinks && !tried.unanswered) {
        tried.unanswered = true;
        recordImmediateRetry(host, messageId, { code: "empty_answer" });
        continue;
      }
      if (end.kind === "done" || tried.compacted || !isLimitedByWindow(host, prepared)) return end;
      tried.compacted = true;
      order = { why: "window", force: true };
      recordImmediateRetry(host, messageId, { code: "output_limit" });
      continue;
    }
    if (
      end.kind === "cut" &&
      end.error.code === "think_limit" &&
      !tried.compacted &&
      isLimitedByWindow(host, prepared)
    ) {
      tried.compacted = true;
      order = { why: "window", force: true };
      recordImmediateRetry(host, end.messageId, end.error);
      continue;
    }
    const stop =
      end.kind === "cut" ? handleStop(host, end, tried) : await handleFailure(host, end, tried, prepared, signal);
    if (stop !== null) return stop;
    order = { why: tried.serverWindow ? "window" : "threshold", force: false };
  }
}

/** A message for an answer, and its request. */
interface OpenAnswer {
  readonly kind: "open";
  readonly messageId: MessageId;
  readonly prepared: PreparedRequest;
  readonly held: Pick<ModelRequest, "held">;
}

/** The answer that an earlier process requested and did not read to its end; null = there is none. */
function reopenAnswer(host: AgentHost): OpenAnswer | null {
  const entry = findHeldAnswer(host.view());
  if (entry?.held === undefined) return null;
  const held = { id: entry.held, isRequested: true };
  return { kind: "open", messageId: entry.messageId, prepared: buildRequest(host), held: { held } };
}

/** Makes the context fit and commits the start of a message, after the events of `opening`. */
async function openAnswer(
  host: AgentHost,
  order: ContextFitOptions,
  opening: readonly DurableEvent[],
  signal: AbortSignal,
): Promise<OpenAnswer | AnswerOutcome> {
  const fit = await ensureContextFits(host, order, signal);
  if (fit.kind === "aborted") return fit;
  if (fit.kind === "full") {
    host.commit(opening);
    return { kind: "stopped", error: fit.error, reason: "limit" };
  }
  const messageId = host.ids.message();
  const id = host.holdId();
  host.commit([
    ...opening,
    { type: "message_start", messageId, role: "assistant", ...(id === null ? {} : { held: id }) },
  ]);
  const held = id === null ? {} : { held: { id, isRequested: false } };
  return { kind: "open", messageId, prepared: fit.prepared, held };
}

/** Thinking cannot be disabled for models with think levels. */
const leastThinking = (think: Think): Think => (typeof think === "string" ? "low" : false);

/** Share of the prompt a compaction must free before an answer that hit the end of the window is requested again. */
const minFreedShare = 0.15;

/** The answer was limited by the rest of the window, and a compaction would leave much more. */
function isLimitedByWindow(host: AgentHost, { request, tokens }: PreparedRequest): boolean {
  if (request.maxOutputTokens >= serverLimits.outputTokensMax) return false;
  const plan = planCompaction(host);
  return plan !== null && plan.after <= tokens * (1 - minFreedShare);
}

/**
 * Reports, once, a prompt that the server truncated according to its own count; the run continues within what the
 * server reads.
 */
function reportTruncatedPrompt(host: AgentHost, usage: Usage | null, size: PromptSize): void {
  if (usage === null) return;
  const error = detectTruncatedPrompt(usage, host.modelFacts(), findPreviousUsage(host.view()), size);
  if (error === null) return;
  host.recordTruncatedPrompt(usage.promptTokens);
  const reported: AgentError = withFacts(error, { model: requireRunModel(host).model });
  if (!alreadyReported(host.view(), reported)) host.commit([{ type: "error", error: reported }]);
}

/** Returns null to request again. Endless thinking is retried once without thinking; endless text stays as it is. */
function handleStop(
  host: AgentHost,
  end: Extract<AnswerEnd, { kind: "cut" }>,
  tried: UsedRemedies,
): AnswerOutcome | null {
  const { error } = end;
  if (tried.withoutThinking || error.facts?.in === "text") return { kind: "stopped", error, reason: "limit" };
  tried.withoutThinking = true;
  recordImmediateRetry(host, end.messageId, error);
  return null;
}

/** Returns null to request again. */
async function handleFailure(
  host: AgentHost,
  end: Extract<AnswerEnd, { kind: "failed" }>,
  tried: UsedRemedies,
  size: PreparedRequest,
  signal: AbortSignal,
): Promise<AnswerOutcome | null> {
  const { error, messageId } = end;
  if (error.code === "window_full") {
    if (tried.serverWindow) return { kind: "stopped", error, reason: "limit" };
    tried.serverWindow = true;
    host.recordRefusedPrompt(reportedSizes(error), size);
    recordImmediateRetry(host, messageId, error);
    return null;
  }
  const refused = findRefusedTools(end.refusedSchema ?? "", size.request.tools);
  if (refused.length > 0) {
    host.commit([host.leaveOutTools(refused)]);
    recordImmediateRetry(host, messageId, withFacts(error, { tools: refused.join(", ") }));
    return null;
  }
  if (error.code === "unparsed_answer") return handleUnparsed(host, end, tried);
  if (error.code === "lost_call" && !tried.lostCall) {
    tried.lostCall = true;
    recordImmediateRetry(host, messageId, error);
    return null;
  }
  const change = dropUnsupportedFeature(host, error);
  if (change !== null) {
    host.commit([change]);
    recordImmediateRetry(host, messageId, error);
    return null;
  }
  const { retries } = host.settings();
  const wait = end.retryable && retries > 0 ? nextRequestedWait(end.retryAfterMs, tried.waits) : null;
  if (wait === "over") return { kind: "stopped", error: waitTooLong(end, host.now()), reason: "error" };
  if (wait !== null) {
    tried.waits = wait.waits;
    const goesOn = await pauseBeforeRetry(host, end, Math.min(tried.failures + 1, retries), signal, wait.delayMs);
    return goesOn ? null : { kind: "aborted" };
  }
  if (!end.retryable || tried.failures >= retries) return { kind: "stopped", error, reason: "error" };
  tried.failures += 1;
  return (await pauseBeforeRetry(host, end, tried.failures, signal)) ? null : { kind: "aborted" };
}

/** Asks once more; after a second failure calls are read from the text for the rest of the session. */
function handleUnparsed(
  host: AgentHost,
  { error, messageId }: Extract<AnswerEnd, { kind: "failed" }>,
  tried: UsedRemedies,
): AnswerOutcome | null {
  const isNative = requireRunModel(host).toolMode === "native";
  const change = tried.unparsed && isNative ? host.switchToTextTools("session") : null;
  if (change === null && tried.unparsed) return { kind: "stopped", error, reason: "error" };
  tried.unparsed = true;
  if (change !== null) host.commit([change]);
  const { toolMode } = requireRunModel(host);
  recordImmediateRetry(host, messageId, change === null ? error : withFacts(error, { toolMode }));
  return null;
}

/**
 * Returns the model change that drops a feature the server rejects (each once); null = another error, or the user
 * chose that feature.
 */
function dropUnsupportedFeature(host: AgentHost, error: AgentError): DurableEvent | null {
  const { code } = error;
  const model = requireRunModel(host);
  if (code === "no_tools" && model.toolMode === "native") return host.switchToTextTools("model");
  const change = changeAfterRefusal(host, error);
  if (change !== null) return change;
  // A lower level that this side requested itself is not the user's choice.
  const level = (code === "no_think_level" ? error.facts?.level : undefined) ?? model.think;
  if (code === "no_think_level" && typeof model.think === "string" && level === model.think)
    return { type: "model_change", ...model, think: true };
  return code === "no_thinking" && model.think !== false ? { type: "model_change", ...model, think: false } : null;
}
