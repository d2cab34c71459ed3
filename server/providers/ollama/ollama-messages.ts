/**
 * Builds the bodies of /api/chat and /api/generate. The key order never changes: a model server reuses a byte-identical
 * prefix. Pure.
 */
import type { Json } from "@/lib/events/content";
import type { Think } from "@/lib/events/event";
import type { CallId } from "@/lib/events/id";
import { wireCallIds } from "../wire/request/call-ids";
import { toObjectInput } from "../wire/request/call-input";
import type { ModelMessage, ModelRequest } from "../provider";
import { wireTool } from "../wire/request/wire-tool";
import { alternateRoles } from "../wire/request/turn-order";

/** Wire form of one message; byte-identical wherever it appears. */
export function ollamaMessage(
  message: ModelMessage,
  idOf: (callId: CallId) => string,
): { readonly [name: string]: Json } {
  switch (message.role) {
    case "system":
      return { role: "system", content: message.text };
    case "user":
      return { role: "user", content: message.text, ...imagesField(message.images) };
    case "assistant": {
      const calls = (message.calls ?? []).map(({ callId, name, input }) => ({
        id: idOf(callId),
        function: { name, arguments: toObjectInput(input) },
      }));
      return {
        role: "assistant",
        content: message.text,
        ...(message.reasoning !== undefined && { thinking: message.reasoning.text }),
        ...(calls.length > 0 && { tool_calls: calls }),
      };
    }
    case "tool":
      return {
        role: "tool",
        tool_name: message.name,
        tool_call_id: idOf(message.callId),
        content: message.text,
        ...imagesField(message.images),
      };
  }
}

function ollamaMessages(request: Pick<ModelRequest, "provider" | "messages" | "callIds">) {
  const idOf = wireCallIds(request.messages, request);
  return alternateRoles(request.messages).map((message) => ollamaMessage(message, idOf));
}

const imagesField = (images: readonly string[] | undefined): { readonly images?: readonly string[] } =>
  images === undefined || images.length === 0 ? {} : { images };

/** Minutes in Ollama's form: a duration, or a negative number for "never unload". */
export const formatKeepAlive = (minutes: number): string | number => (minutes < 0 ? -1 : `${minutes}m`);

/**
 * `think` is the level requested now, which may be lower than the request's. Never lets the server truncate or shift
 * the context. `temperature` null = the model's default; it is a sampling option, so a change does not reload the
 * model.
 */
export const ollamaChatBody = (request: ModelRequest, think: Think, temperature: number | null = null) => ({
  model: request.model,
  messages: ollamaMessages(request),
  ...(request.tools.length > 0 && { tools: request.tools.map(wireTool) }),
  stream: true,
  think,
  truncate: false,
  shift: false,
  keep_alive: formatKeepAlive(request.keepAliveMinutes),
  options: {
    num_ctx: request.numCtx,
    num_predict: request.maxOutputTokens,
    ...(temperature !== null && { temperature }),
  },
});

/** Loads a model without a prompt, with the same load options as ollamaChatBody, so that ollamaChatBody does not reload it. */
export const warmBody = (model: string, numCtx: number, keepAliveMinutes: number) => ({
  model,
  prompt: "",
  stream: false as const,
  truncate: false,
  shift: false,
  keep_alive: formatKeepAlive(keepAliveMinutes),
  options: { num_ctx: numCtx },
});

/** Unloads a model from memory. */
export const unloadBody = (model: string) => ({ model, prompt: "", stream: false as const, keep_alive: 0 });
