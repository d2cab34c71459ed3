/**
 * Requests a short text beside the conversation, such as a title, from the session's own model. The request continues the
 * conversation with the same thinking and tools, so that the server's prompt cache applies, and is not sent where the cache
 * does not hold the conversation. Neither instruction nor answer is stored in it.
 */
import type { Result } from "@/lib/events/error";
import type { TokenScale } from "@/lib/text/estimate-tokens";
import type { ModelMessage } from "@/server/providers/provider";
import { buildRequestFrom, type PreparedRequest } from "../context/build-request";
import { compileMessages } from "../context/compile";
import { contextBudget } from "../context/context-budget";
import { findCountedPrefix, renderForMode, requireRunModel } from "../context/prompt-size";
import type { AgentHost } from "../host";
import { readSideAnswer, type SideAnswer } from "./read-side-answer";

export interface SideRequest {
  /** Returns the instruction, of at most `maxTokens` tokens of this scale; null = it needs more. */
  ask(maxTokens: number, scale: TokenScale): string | null;
  /** Most tokens of the answer. */
  readonly answerTokens: number;
  /** Further output of a model that thinks: the end of its thinking is requested at its start, where its server can do that. */
  readonly thinkingTokens: number;
}

/** Share of the window for the instruction. */
export const askShare = 1 / 4;

/**
 * Returns the answer; null = none was requested: it would cost the session its cache, or the window has no room for it. Fails
 * with busy while the server works, and like `readSideAnswer`.
 */
export async function requestBeside(
  host: AgentHost,
  side: SideRequest,
  signal: AbortSignal,
): Promise<Result<SideAnswer> | null> {
  const budget = contextBudget(host.modelFacts());
  const room = budget.promptMax - prepare(host, side, "").tokens - outputTokens(host, side);
  const ask = side.ask(Math.floor(Math.min(room, budget.tokens * askShare)), budget.scale);
  if (ask === null) return null;
  const { request, tokens } = prepare(host, side, ask);
  if (budget.promptMax - tokens < request.maxOutputTokens) return null;
  const use = host.cacheUse(request);
  if (use === "busy") return { ok: false, error: { code: "busy" } };
  if (use !== "continues") return null;
  const reading = { tools: host.tools(), mode: requireRunModel(host).toolMode };
  return readSideAnswer(host.stream(request, signal), reading, signal);
}

const outputTokens = (host: AgentHost, { answerTokens, thinkingTokens }: SideRequest): number =>
  answerTokens + (requireRunModel(host).think === false ? 0 : thinkingTokens);

function prepare(host: AgentHost, side: SideRequest, text: string): PreparedRequest {
  const model = requireRunModel(host);
  const ask: ModelMessage = { role: "user", text };
  const messages = compileMessages(host.view(), { system: host.prompt().system, image: host.image });
  const counted = findCountedPrefix(host);
  return buildRequestFrom(
    host,
    [...renderForMode(model, messages), ask],
    counted === null ? null : { ...counted, since: [...counted.since, ask] },
    outputTokens(host, side),
  );
}
