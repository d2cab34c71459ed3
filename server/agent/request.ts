/** Builds the next request of a session: the compiled conversation with its size in tokens. */
import { limits } from "@/lib/settings";
import type { ModelMessage, ModelRequest } from "../providers/provider";
import { compile } from "./context/compile";
import type { AgentHost } from "./host";
import { type Grown, grownSince, modelOf, type PromptSize, promptSize, tokensOf, toldTo } from "./prompt-size";
import { roomOf } from "./window";

export interface Prepared extends PromptSize {
  readonly request: ModelRequest;
  /** Probable size of the whole prompt in tokens of the server. */
  readonly tokens: number;
  /** Upper bound of the size: content without a server count may cost more. */
  readonly most: number;
}

export function requestOf(host: AgentHost): Prepared {
  const { system } = host.prompt();
  const messages = toldTo(modelOf(host), compile(host.view(), { system, image: host.image }));
  return requestWith(host, messages, grownSince(host));
}

/**
 * Builds a request from messages already rendered for the mode. `grown` = the server's count of their start, null =
 * none. The answer gets the rest of the window.
 */
export function requestWith(
  host: AgentHost,
  messages: readonly ModelMessage[],
  grown: Grown | null,
  maxOutputTokens: number = limits.outputTokensMax,
): Prepared {
  const model = modelOf(host);
  const budget = roomOf(host.modelFacts());
  const size = promptSize(host, messages, grown);
  const tokens = tokensOf(size, budget.scale);
  return {
    ...size,
    tokens,
    most: tokensOf(size, budget.cautious),
    request: {
      provider: model.provider,
      model: model.model,
      messages,
      tools: model.toolMode === "native" ? host.prompt().tools : [],
      numCtx: model.numCtx,
      think: model.think,
      keepAliveMinutes: host.settings().keepAliveMinutes,
      maxOutputTokens: Math.min(maxOutputTokens, Math.max(limits.windowReserveTokens, budget.tokens - tokens)),
      stallMs: stallMsOf(host.settings().stallSeconds),
    },
  };
}

/** Maximum delay of a Node timer; used as "no limit". */
const timerMaxMs = 2 ** 31 - 1;

const stallMsOf = (seconds: number): number => (seconds === 0 ? timerMaxMs : seconds * 1_000);
