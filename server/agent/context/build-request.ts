/** Builds the next request of a session: the compiled conversation with its size in tokens. */
import { serverLimits } from "@/lib/settings/server-limits";
import { limits } from "@/lib/settings/settings";
import type { ModelMessage, ModelRequest } from "@/server/providers/provider";
import { compileMessages } from "./compile";
import type { AgentHost } from "../host";
import {
  type CountedPrefix,
  findCountedPrefix,
  requireRunModel,
  type PromptSize,
  measurePrompt,
  promptTokens,
  renderForMode,
} from "./prompt-size";
import { contextBudget } from "./context-budget";

export interface PreparedRequest extends PromptSize {
  readonly request: ModelRequest;
  /** Probable size of the whole prompt in tokens of the server. */
  readonly tokens: number;
  /** Upper bound of the size: content without a server count may cost more. */
  readonly maxTokens: number;
}

export function buildRequest(host: AgentHost): PreparedRequest {
  const { system } = host.prompt();
  const messages = renderForMode(requireRunModel(host), compileMessages(host.view(), { system, image: host.image }));
  return buildRequestFrom(host, messages, findCountedPrefix(host));
}

/**
 * Builds a request from messages already rendered for the mode. `grown` = the server's count of their start, null =
 * none. The answer gets the rest of the window.
 */
export function buildRequestFrom(
  host: AgentHost,
  messages: readonly ModelMessage[],
  grown: CountedPrefix | null,
  maxOutputTokens: number = serverLimits.outputTokensMax,
): PreparedRequest {
  const model = requireRunModel(host);
  const budget = contextBudget(host.modelFacts());
  const size = measurePrompt(host, messages, grown);
  const tokens = promptTokens(size, budget.scale);
  return {
    ...size,
    tokens,
    maxTokens: promptTokens(size, budget.cautious),
    request: {
      provider: model.provider,
      model: model.model,
      messages,
      tools: model.toolMode === "native" ? host.prompt().tools : [],
      numCtx: model.numCtx,
      think: model.think,
      ...(model.reasoning === undefined ? {} : { reasoning: model.reasoning }),
      ...(model.callIds === undefined ? {} : { callIds: model.callIds }),
      keepAliveMinutes: host.settings().keepAliveMinutes,
      maxOutputTokens: Math.min(maxOutputTokens, Math.max(limits.windowReserveTokens, budget.tokens - tokens)),
      stallMs: toStallMs(host.settings().stallSeconds),
    },
  };
}

/** The request with the server's own count of its prompt. */
export function withCount(host: AgentHost, prepared: PreparedRequest, tokens: number): PreparedRequest {
  const left = contextBudget(host.modelFacts()).tokens - tokens;
  const maxOutputTokens = Math.min(serverLimits.outputTokensMax, Math.max(limits.windowReserveTokens, left));
  return { ...prepared, tokens, maxTokens: tokens, request: { ...prepared.request, maxOutputTokens } };
}

/** Maximum delay of a Node timer; used as "no limit". */
const timerMaxMs = 2 ** 31 - 1;

/** Converts the setting of the time without a sign of life to milliseconds. */
export const toStallMs = (seconds: number): number => (seconds === 0 ? timerMaxMs : seconds * 1_000);
