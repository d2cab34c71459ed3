/**
 * The summary as the session's own model writes it: asked behind the conversation as it is, so that the server's cache is used, with
 * the same thinking and the same tools. null = it gave none. Used by compact.
 */
import { limits } from "@/lib/settings";
import type { ModelMessage } from "../providers/provider";
import { pause } from "../base/abort";
import { compactionText } from "../prompts/compaction";
import { compile } from "./context/compile";
import { fitText } from "./fit-result";
import type { AgentHost } from "./host";
import { modelOf, type Prepared, requestWith, toldTo } from "./request";
import { retryDelayMs } from "./retry";
import { roomOf } from "./window";

/** null also when the signal fired. */
export async function summarise(
  host: AgentHost,
  focus: string | undefined,
  signal: AbortSignal,
): Promise<string | null> {
  const prepared = fitting(host, focus);
  if (prepared === null) return null;
  for (let attempt = 1; ; attempt += 1) {
    const answer = await oneAnswer(host, prepared, signal);
    if (signal.aborted) return null;
    if (answer.kind === "text") return answer.text;
    if (answer.kind === "none" || attempt > limits.summaryRetries) return null;
    if (!(await pause(retryDelayMs(attempt, answer.retryAfterMs), signal))) return null;
  }
}

type Answer =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "none" }
  | { readonly kind: "failed"; readonly retryAfterMs?: number };

/** A call in place of words is no summary: what a model calls here nobody asked for. */
async function oneAnswer(host: AgentHost, { request, tokens }: Prepared, signal: AbortSignal): Promise<Answer> {
  let text = "";
  let called = false;
  for await (const part of host.stream(request, signal)) {
    if (signal.aborted) break;
    if (part.type === "text") text += part.text;
    if (part.type === "call" || part.type === "input") called = true;
    if (part.type === "failed") {
      const { retryable, retryAfterMs } = part;
      return retryable ? { kind: "failed", ...(retryAfterMs === undefined ? {} : { retryAfterMs }) } : { kind: "none" };
    }
    if (part.type === "finish") {
      if (part.usage.promptTokens > 0) host.learn({ ...part.usage, estimatedPromptTokens: tokens });
      const said = text.trim();
      return said === "" || called || isCall(said) ? { kind: "none" } : { kind: "text", text: said };
    }
  }
  return { kind: "failed" };
}

/** Words that are nothing but a call, as models write them that call tools in their text. */
const isCall = (text: string): boolean =>
  /^(?:```\w*\s*)?(?:<tool|<function|\[TOOL_CALLS\]|Action:|\{\s*"(?:name|tool|function)")/.test(text);

/** How far results are shortened in this one request, as shares of the window, until it fits. */
const shares = [null, 1 / 32, 1 / 64, 1 / 128] as const;

/** null = not even with the shortest results. */
function fitting(host: AgentHost, focus: string | undefined): Prepared | null {
  const room = roomOf(host.modelFacts());
  const model = modelOf(host);
  const summaryTokens = Math.min(limits.summaryMaxTokens, Math.floor(room.tokens * limits.headShare));
  const ask: ModelMessage = { role: "user", text: askText(summaryTokens, focus) };
  const messages = compile(host.view(), { system: host.prompt().system, image: host.image });
  const output = summaryTokens + (model.think === false ? 0 : thinkingTokens(host, room.tokens));
  for (const share of shares) {
    const shortened = share === null ? messages : messages.map(shorter(Math.floor(room.tokens * share)));
    const prepared = requestWith(host, [...toldTo(model, shortened), ask], output);
    if (prepared.tokens + limits.summaryMinTokens <= room.most) return prepared;
  }
  return null;
}

/** `think` stays as it is, since it is part of the prompt: what is thought needs room beside the summary. */
const thinkingTokens = (host: AgentHost, window: number): number => {
  const { thinkMaxTokens } = host.settings();
  return Math.min(thinkMaxTokens === 0 ? limits.outputTokensMax : thinkMaxTokens, Math.floor(window / 4));
};

const shorter =
  (maxTokens: number) =>
  (message: ModelMessage): ModelMessage => {
    if (message.role !== "tool") return message;
    const { images: _images, ...bare } = message;
    return { ...bare, text: fitText(message.text, { bytes: limits.readBytes, keep: "both" }, maxTokens).text };
  };

/** Words a token: what a model keeps to is a number of words. */
const wordsPerToken = 0.5;

function askText(summaryTokens: number, focus: string | undefined): string {
  const ask = compactionText("ask", { words: Math.floor(summaryTokens * wordsPerToken) });
  return focus === undefined || focus.trim() === ""
    ? ask
    : `${ask}\n${compactionText("focus", { focus: focus.trim() })}`;
}
