/**
 * Requests the summary from the session's own model. The request continues the conversation with the same thinking
 * and tools, so that the server's prompt cache applies.
 */
import { serverLimits } from "@/lib/settings/server-limits";
import type { ModelMessage } from "@/server/providers/provider";
import { pause } from "@/server/base/abort";
import { compactionText } from "@/server/prompts/compaction";
import { compileMessages } from "../context/compile";
import { changeAfterRefusal } from "../context/history-use";
import { fitText } from "../tools/fit-result";
import type { AgentHost } from "../host";
import { findCountedPrefix, requireRunModel, renderForMode } from "../context/prompt-size";
import { type PreparedRequest, buildRequestFrom } from "../context/build-request";
import { nextRequestedWait, noRequestedWaits, retryDelayMs } from "../loop/retry";
import { type ContextBudget, contextBudget, reportedSizes } from "../context/context-budget";

/** Maximum length of a summary, tokens. */
const summaryMaxTokens = 2_048;
/** Least length offered for a summary, tokens. */
const summaryMinTokens = 96;
/** Retries of a failed summary. */
const summaryRetries = 1;

/** Returns null if the model gave no summary or the signal fired. */
export async function requestSummary(
  host: AgentHost,
  focus: string | undefined,
  signal: AbortSignal,
): Promise<string | null> {
  let current = prepareFittingRequest(host, focus, Number.POSITIVE_INFINITY);
  let waits = noRequestedWaits;
  for (let failures = 0; current !== null; ) {
    const answer = await requestSummaryAnswer(host, current, signal);
    if (signal.aborted) return null;
    if (answer.kind === "text") return answer.text;
    if (answer.kind === "refused") {
      if (answer.sizes.tokens !== undefined) host.recordRefusedPrompt(answer.sizes, current);
      // The same request, shortened according to the counts of the refusal.
      current = prepareFittingRequest(host, focus, current.estimate * retryMaxShare);
      continue;
    }
    if (answer.kind === "changed") {
      current = prepareFittingRequest(host, focus, Number.POSITIVE_INFINITY);
      continue;
    }
    const wait = answer.kind === "failed" ? nextRequestedWait(answer.retryAfterMs, waits) : null;
    if (wait === "over") return null;
    if (wait !== null) {
      waits = wait.waits;
      if (!(await pause(wait.delayMs, signal))) return null;
      continue;
    }
    failures += 1;
    if (answer.kind === "none" || failures > summaryRetries) return null;
    if (!(await pause(retryDelayMs(failures, answer.retryAfterMs), signal))) return null;
  }
  return null;
}

type SummaryAnswer =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "none" }
  /** The form of earlier answers was changed, which the server had refused. */
  | { readonly kind: "changed" }
  | { readonly kind: "refused"; readonly sizes: ReturnType<typeof reportedSizes> }
  | { readonly kind: "failed"; readonly retryAfterMs?: number };

/** A call is not a summary: calls are not executed here. */
async function requestSummaryAnswer(
  host: AgentHost,
  prepared: PreparedRequest,
  signal: AbortSignal,
): Promise<SummaryAnswer> {
  let text = "";
  let called = false;
  for await (const part of host.stream(prepared.request, signal)) {
    if (signal.aborted) break;
    if (part.type === "text") text += part.text;
    if (part.type === "call" || part.type === "input") called = true;
    if (part.type === "failed") {
      const { error, retryable, retryAfterMs } = part;
      if (error.code === "window_full") return { kind: "refused", sizes: reportedSizes(error) };
      const change = changeAfterRefusal(host, error);
      if (change !== null) {
        host.commit([change]);
        return { kind: "changed" };
      }
      return retryable ? { kind: "failed", retryAfterMs } : { kind: "none" };
    }
    if (part.type === "finish") {
      if (part.usage.promptTokens > 0)
        host.learnUsage({ ...part.usage, estimatedPromptTokens: prepared.estimate }, prepared);
      const summary = text.trim();
      return summary === "" || called || isOnlyCall(summary) ? { kind: "none" } : { kind: "text", text: summary };
    }
  }
  return { kind: "failed" };
}

/** The text is nothing but a call, as models write it that call tools in their text. */
const isOnlyCall = (text: string): boolean =>
  /^(?:```\w*\s*)?(?:<tool|<function|\[TOOL_CALLS\]|Action:|\{\s*"(?:name|tool|function)")/.test(text);

/** Levels to which results, then all messages, are shortened in this request until it fits, as shares of the window. */
const shorteningSteps: readonly { readonly results: number | null; readonly messages: number | null }[] = [
  { results: null, messages: null },
  { results: 1 / 32, messages: null },
  { results: 1 / 64, messages: null },
  { results: 1 / 128, messages: null },
  { results: 1 / 128, messages: 1 / 32 },
  { results: 1 / 256, messages: 1 / 128 },
];

/** A refused request is repeated only if it shrinks to this share. */
const retryMaxShare = 0.9;

/**
 * Returns the longest request that fits and is at most `promptMax` estimated tokens; null = even the shortest does not
 * fit.
 */
function prepareFittingRequest(host: AgentHost, focus: string | undefined, most: number): PreparedRequest | null {
  const budget = contextBudget(host.modelFacts());
  const model = requireRunModel(host);
  const summaryTokens = Math.min(summaryMaxTokens, Math.floor(budget.tokens * serverLimits.headShare));
  const ask: ModelMessage = { role: "user", text: summaryInstruction(summaryTokens, focus) };
  const messages = compileMessages(host.view(), { system: host.prompt().system, image: host.image });
  const output = summaryTokens + (model.think === false ? 0 : thinkingTokens(host, budget.tokens));
  const grown = findCountedPrefix(host);
  for (const { results, messages: words } of shorteningSteps) {
    const shortened = results === null ? messages : messages.map(shortenMessage(budget, results, words));
    const prefix = results === null && grown !== null ? { ...grown, since: [...grown.since, ask] } : null;
    const prepared = buildRequestFrom(host, [...renderForMode(model, shortened), ask], prefix, output);
    if (prepared.estimate <= most && prepared.tokens + summaryMinTokens <= budget.promptMax) return prepared;
  }
  return null;
}

/** Output tokens reserved for thinking. `think` is part of the cached prompt, so it stays unchanged. */
const thinkingTokens = (host: AgentHost, window: number): number => {
  const { thinkMaxTokens } = host.settings();
  return Math.min(thinkMaxTokens === 0 ? serverLimits.outputTokensMax : thinkMaxTokens, Math.floor(window / 4));
};

/** The system text stays whole: it defines the model's role. */
const shortenMessage =
  ({ tokens, scale }: ContextBudget, results: number, words: number | null) =>
  (message: ModelMessage): ModelMessage => {
    const share = message.role === "tool" ? results : message.role === "system" ? null : words;
    if (share === null) return message;
    const shown = { bytes: serverLimits.readBytes, keep: "both" } as const;
    const { text } = fitText(message.text, shown, Math.floor(tokens * share), { scale });
    if (message.role === "system") return { ...message, text };
    if (message.role === "assistant") {
      const { reasoning: _reasoning, ...answer } = message;
      return { ...answer, text };
    }
    const { images: _images, ...bare } = message;
    return { ...bare, text };
  };

/** Words per token: models follow a limit in words. */
const wordsPerToken = 0.5;

function summaryInstruction(summaryTokens: number, focus: string | undefined): string {
  const ask = compactionText("ask", { words: Math.floor(summaryTokens * wordsPerToken) });
  return focus === undefined || focus.trim() === ""
    ? ask
    : `${ask}\n${compactionText("focus", { focus: focus.trim() })}`;
}
