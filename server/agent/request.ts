/** The next request of a session: the compiled conversation with its price in tokens. Called by ask before every answer, and by compactions. */
import type { Json } from "@/lib/content";
import { limits } from "@/lib/settings";
import { estimateTokens } from "@/lib/text/estimate-tokens";
import type { ModelState } from "@/lib/view";
import type { ModelMessage, ModelRequest } from "../providers/provider";
import { beside } from "./context/beside";
import { compile } from "./context/compile";
import { inTextMode } from "./context/text-mode";
import type { AgentHost, StoredPrompt } from "./host";
import { asCounted, roomOf } from "./window";

export interface Prepared {
  readonly request: ModelRequest;
  /** Of the whole prompt, in our estimate. */
  readonly tokens: number;
}

/** Throws when the session has no model, which is a bug of whoever started the run. */
export function modelOf(host: Pick<AgentHost, "view">): ModelState {
  const { model } = host.view();
  if (model === null) throw new Error("a run was started without a model");
  return model;
}

export function requestOf(host: AgentHost): Prepared {
  const { system } = host.prompt();
  return requestWith(host, toldTo(modelOf(host), compile(host.view(), { system, image: host.image })));
}

/** The same with these messages, already as the model is told them. An answer gets what is left of the window. */
export function requestWith(
  host: AgentHost,
  messages: readonly ModelMessage[],
  maxOutputTokens: number = limits.outputTokensMax,
): Prepared {
  const model = modelOf(host);
  const facts = host.modelFacts();
  const tokens = countTokens(messages) + toolTokens(host);
  const left = Math.floor(facts.window) - asCounted(tokens, roomOf(facts));
  return {
    tokens,
    request: {
      provider: model.provider,
      model: model.model,
      messages,
      tools: model.toolMode === "native" ? host.prompt().tools : [],
      numCtx: model.numCtx,
      think: model.think,
      keepAliveMinutes: host.settings().keepAliveMinutes,
      maxOutputTokens: Math.min(maxOutputTokens, Math.max(limits.windowReserveTokens, left)),
    },
  };
}

/** Messages as this model takes them: its calls may have to stand in its text. */
export const toldTo = (model: ModelState, messages: readonly ModelMessage[]): readonly ModelMessage[] =>
  model.toolMode === "native" ? messages : inTextMode(messages, model.toolMode);

/** Local estimate of a compiled conversation, tokens. An image counts as what Ollama counts it (field D27). */
export const countTokens = (messages: readonly ModelMessage[]): number =>
  messages.reduce((sum, message) => sum + tokensOf(message), 0);

/** A message that was counted once is the same object in the next request. */
const tokensOf = beside((message: ModelMessage): number => {
  const images = "images" in message ? (message.images?.length ?? 0) : 0;
  const own = limits.messageOverheadTokens + estimateTokens(message.text) + images * limits.imageTokens;
  if (message.role !== "assistant") return own;
  const calls = message.calls === undefined ? 0 : estimateTokens(JSON.stringify(message.calls.map(callAsSent)));
  return own + estimateTokens(message.thinking ?? "") + calls;
});

/** `raw` is told in the text or not at all. */
const callAsSent = ({
  callId,
  name,
  input,
}: {
  readonly callId: string;
  readonly name: string;
  readonly input: Json;
}) => ({
  callId,
  name,
  input,
});

/** Of the tool list that goes beside the messages; in text modes it is part of the system text. */
export const toolTokens = (host: AgentHost): number =>
  modelOf(host).toolMode === "native" ? tokensOfTools(host.prompt()) : 0;

const tokensOfTools = beside(({ tools }: StoredPrompt): number => estimateTokens(JSON.stringify(tools)));
