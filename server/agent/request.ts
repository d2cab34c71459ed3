/** The next request of a session: the compiled conversation with its price in tokens. Called by the loop before every answer. */
import { limits } from "@/lib/settings";
import { estimateTokens } from "@/lib/text/estimate-tokens";
import type { ModelMessage, ModelRequest } from "../providers/provider";
import { beside } from "./context/beside";
import { compile } from "./context/compile";
import type { AgentHost, StoredPrompt } from "./host";

/** Throws when the session has no model, which is a bug of whoever started the run. */
export function requestOf(host: AgentHost): { readonly request: ModelRequest; readonly promptTokens: number } {
  const view = host.view();
  const { model } = view;
  if (model === null) throw new Error("a run was started without a model");
  const prompt = host.prompt();
  const messages = compile(view, { system: prompt.system, image: host.image });
  return {
    promptTokens: countTokens(messages) + toolTokens(prompt),
    request: {
      provider: model.provider,
      model: model.model,
      messages,
      tools: model.toolMode === "native" ? prompt.tools : [],
      numCtx: model.numCtx,
      think: model.think,
      keepAliveMinutes: host.settings().keepAliveMinutes,
      maxOutputTokens: Math.min(limits.outputTokensMax, model.numCtx),
    },
  };
}

/** Local estimate of a compiled conversation, tokens. An image counts as what Ollama counts it (field D27). */
export const countTokens = (messages: readonly ModelMessage[]): number =>
  messages.reduce((sum, message) => sum + tokensOf(message), 0);

/** A message that was counted once is the same object in the next request. */
const tokensOf = beside((message: ModelMessage): number => {
  const images = "images" in message ? (message.images?.length ?? 0) : 0;
  const own = limits.messageOverheadTokens + estimateTokens(message.text) + images * limits.imageTokens;
  if (message.role !== "assistant") return own;
  const calls = message.calls === undefined ? 0 : estimateTokens(JSON.stringify(message.calls));
  return own + estimateTokens(message.thinking ?? "") + calls;
});

const toolTokens = beside(({ tools }: StoredPrompt): number => estimateTokens(JSON.stringify(tools)));
