/** Counts the tokens of a prompt on the server that reads it, by the paths of llama-server and vLLM. */
import { serverLimits } from "@/lib/settings/server-limits";
import { timeLimit } from "@/server/base/abort";
import type { OpenAiClients } from "./openai-client";
import type { Fields } from "../presets";
import { ProviderError } from "../provider";

/** Servers with paths that count. */
export type CountingServer = "llamacpp" | "vllm";

/** null = the server reported no count. */
type Count = (body: Fields, session: string | undefined, signal: AbortSignal) => Promise<number | null>;

const numberIn = (answer: object, name: string): number | null => {
  const value: unknown = Object.entries(answer).find(([key]) => key === name)?.[1];
  return typeof value === "number" && value > 0 ? value : null;
};

/** `body` is that of a request for an answer, `session` the id that it is sent with. A path that the server lacks is not requested again. */
export function makePromptCounts({ post }: Pick<OpenAiClients, "post">) {
  const countChat: Count = async (body, session, signal) =>
    numberIn(await post("/chat/completions/input_tokens", body, signal, session), "input_tokens");
  const countTemplate: Count = async (body, session, signal) => {
    const filled = await post("//apply-template", body, signal, session);
    if (!("prompt" in filled) || typeof filled.prompt !== "string") return null;
    const request = { model: body.model, content: filled.prompt, add_special: true, parse_special: true };
    const answer = await post("//tokenize", request, signal, session);
    return "tokens" in answer && Array.isArray(answer.tokens) ? answer.tokens.length : null;
  };
  const countVllm: Count = async ({ model, messages, tools, chat_template_kwargs }, session, signal) => {
    const request = { model, messages, ...(tools && { tools }), ...(chat_template_kwargs && { chat_template_kwargs }) };
    return numberIn(await post("//tokenize", request, signal, session), "count");
  };
  const ways: Record<CountingServer, Count[]> = { llamacpp: [countChat, countTemplate], vllm: [countVllm] };
  /** Resolves with null if the server does not count within some seconds. */
  return async (
    server: CountingServer,
    body: Fields,
    session: string | undefined,
    signal: AbortSignal,
  ): Promise<number | null> => {
    const limit = timeLimit(serverLimits.serverAnswerMs, signal);
    for (let way = ways[server][0]; way !== undefined; way = ways[server][0]) {
      try {
        return await way(body, session, limit);
      } catch (cause) {
        if (!(cause instanceof ProviderError) || cause.error.code !== "wrong_address") return null;
        ways[server] = ways[server].filter((one) => one !== way);
      }
    }
    return null;
  };
}
