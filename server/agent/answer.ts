/** Streams one answer of the model into one message: deltas as they come, message_end with the full value. Called by the loop. */
import type { Block, Usage } from "@/lib/content";
import type { MessageId } from "@/lib/id";
import type { AgentError } from "@/lib/error";
import type { ModelRequest } from "../providers/provider";
import type { AgentHost } from "./host";
import { makeOpenMessage } from "./open-message";

/** Why our side stopped an answer. `repeated_text` has in `facts.in` whether the thinking or the text ran in circles. */
export type CutCode = "think_limit" | "answer_now" | "repeated_text";

/** `usage` null = the server did not report any. */
export type AnswerEnd =
  | { readonly kind: "done"; readonly empty: boolean; readonly usage: Usage | null }
  | { readonly kind: "length"; readonly usage: Usage | null }
  | {
      readonly kind: "cut";
      readonly messageId: MessageId;
      readonly code: CutCode;
      readonly facts: NonNullable<AgentError["facts"]>;
    }
  | {
      readonly kind: "failed";
      readonly messageId: MessageId;
      readonly error: AgentError;
      readonly retryable: boolean;
      readonly retryAfterMs?: number;
    }
  | { readonly kind: "aborted" };

/** The message has been started (message_start is committed). It is ended here, unless the signal fired: then by whoever closes the run. */
export async function streamAnswer(
  host: AgentHost,
  messageId: MessageId,
  request: ModelRequest,
  estimatedPromptTokens: number,
  signal: AbortSignal,
): Promise<AnswerEnd> {
  const message = makeOpenMessage(host, messageId);
  for await (const part of host.stream(request, signal)) {
    if (signal.aborted) break;
    if (part.type === "finish") {
      const stop = part.stop;
      const blocks = message.blocks(stop === "done");
      const usage: Usage = { ...part.usage, estimatedPromptTokens };
      host.commit([{ type: "message_end", messageId, blocks, stop, usage }]);
      if (usage.promptTokens > 0) host.learn(usage);
      if (stop === "length") return { kind: "length", usage };
      return { kind: "done", empty: !blocks.some((block) => block.type === "call" || block.type === "text"), usage };
    }
    if (part.type === "failed") {
      host.commit([{ type: "message_end", messageId, blocks: message.blocks(false), stop: "error" }]);
      const { type: _type, ...failure } = part;
      return { kind: "failed", messageId, ...failure };
    }
    message.take(part);
  }
  return signal.aborted ? { kind: "aborted" } : endedEarly(host, messageId, message.blocks(false));
}

/** A stream that stops without finish or failed is a provider's bug or a closed connection: an error either way. */
function endedEarly(host: AgentHost, messageId: MessageId, blocks: readonly Block[]): AnswerEnd {
  host.commit([{ type: "message_end", messageId, blocks, stop: "error" }]);
  return { kind: "failed", messageId, error: { code: "incomplete" }, retryable: true };
}
