/** Ends the thinking of an answer in progress where a llama-server can. */
import { serverLimits } from "@/lib/settings/server-limits";
import { timeLimit } from "@/server/base/abort";
import type { OpenAiClients } from "./openai-client";
import { type Failure, type ModelPart, type ModelRequest, ProviderError } from "../provider";

type ThinkingEnder = (
  answerId: string,
  request: Pick<ModelRequest, "model" | "session">,
  signal: AbortSignal,
) => Promise<boolean>;

/** A server that lacks the path is not asked again. */
export function makeThinkingEnder(clients: Pick<OpenAiClients, "post">): ThinkingEnder {
  let isMissing = false;
  return async (id, { model, session }, signal) => {
    if (isMissing) return false;
    const request = { id, model, action: "reasoning_end" };
    const limit = timeLimit(serverLimits.serverAnswerMs, signal);
    try {
      const answer = await clients.post("/chat/completions/control", request, limit, session);
      return "success" in answer && answer.success === true;
    } catch (cause) {
      isMissing = cause instanceof ProviderError && cause.error.code === "wrong_address";
      return false;
    }
  };
}

/** Yields the parts, with a control before the first thinking. */
export async function* withThinkingControl(
  parts: AsyncGenerator<ModelPart, Failure | undefined>,
  endThinking: (signal: AbortSignal) => Promise<boolean>,
): AsyncGenerator<ModelPart, Failure | undefined> {
  let isSent = false;
  try {
    for (;;) {
      const next = await parts.next();
      if (next.done === true) return next.value;
      if (!isSent && next.value.type === "thinking") {
        isSent = true;
        yield { type: "control", endThinking };
      }
      yield next.value;
    }
  } finally {
    await parts.return(undefined);
  }
}
