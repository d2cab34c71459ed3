/**
 * Our request as the body of /api/chat. Key order never changes: a model server reuses what is byte for byte the same.
 * Pure; called by ollama.
 */
import type { Json } from "@/lib/content";
import type { Think } from "@/lib/event";
import { objectInput } from "./call-input";
import type { ModelMessage, ModelRequest, ToolSchema } from "./provider";
import { inTurns } from "./turn-order";

/** One message, byte for byte the same wherever it stands. */
export function wireMessage(message: ModelMessage): { readonly [name: string]: Json } {
  switch (message.role) {
    case "system":
      return { role: "system", content: message.text };
    case "user":
      return { role: "user", content: message.text, ...imagesOf(message.images) };
    case "assistant":
      return {
        role: "assistant",
        content: message.text,
        ...(message.thinking === undefined ? {} : { thinking: message.thinking }),
        ...(message.calls === undefined || message.calls.length === 0
          ? {}
          : {
              tool_calls: message.calls.map(({ callId, name, input }) => ({
                id: callId,
                function: { name, arguments: objectInput(input) },
              })),
            }),
      };
    case "tool":
      return {
        role: "tool",
        tool_name: message.name,
        tool_call_id: message.callId,
        content: message.text,
        ...imagesOf(message.images),
      };
  }
}

const imagesOf = (images: readonly string[] | undefined): { readonly images?: readonly string[] } =>
  images === undefined || images.length === 0 ? {} : { images };

const wireTool = ({ name, description, parameters }: ToolSchema): Json => ({
  type: "function",
  function: { name, description, parameters },
});

/** Minutes as Ollama reads them: a duration, or a negative number for ever. */
export const keepAliveOf = (minutes: number): string | number => (minutes < 0 ? -1 : `${minutes}m`);

/**
 * `think` is what is asked of this model now, which may be less than the request's. The window is never cut or
 * shifted silently. `temperature` null = the model's own; it is an option of sampling, so a change does not reload the model.
 */
export const chatBody = (request: ModelRequest, think: Think, temperature: number | null = null) => ({
  model: request.model,
  messages: inTurns(request.messages).map(wireMessage),
  ...(request.tools.length === 0 ? {} : { tools: request.tools.map(wireTool) }),
  stream: true,
  think,
  truncate: false,
  shift: false,
  keep_alive: keepAliveOf(request.keepAliveMinutes),
  options: {
    num_ctx: request.numCtx,
    num_predict: request.maxOutputTokens,
    ...(temperature === null ? {} : { temperature }),
  },
});

/** Loads a model without asking it anything: the options that would reload it are those of chatBody. */
export const warmBody = (model: string, numCtx: number, keepAliveMinutes: number) => ({
  model,
  prompt: "",
  stream: false,
  truncate: false,
  shift: false,
  keep_alive: keepAliveOf(keepAliveMinutes),
  options: { num_ctx: numCtx },
});

/** Puts a model out of memory. */
export const unloadBody = (model: string) => ({ model, prompt: "", stream: false, keep_alive: 0 });
