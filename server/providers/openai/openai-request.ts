/**
 * Builds the body of /chat/completions, with nothing that strict servers refuse. The key order never changes: a model
 * server reuses a byte-identical prefix. Pure.
 */
import type { Json } from "@/lib/events/content";
import { toObjectInput } from "../wire/request/call-input";
import type { Fields, Quirks } from "../presets";
import type { ModelMessage, ModelRequest } from "../provider";
import { wireTool } from "../wire/request/wire-tool";
import { alternateRoles } from "../wire/request/turn-order";

/** Fields a server may refuse; the answer does not depend on them. */
export const optionalFields = ["stream_options", "temperature", "think", "max_tokens"] as const;
export type OptionalField = (typeof optionalFields)[number];

export interface OpenAiBodyOptions {
  readonly quirks: Quirks;
  readonly temperature: number | undefined;
  /** Fields refused before; for max_tokens the alternative field name is used. */
  readonly without: ReadonlySet<OptionalField>;
  /** tokens */
  readonly outputTokens: number;
}

const signatures = [
  ["iVBOR", "image/png"],
  ["/9j/", "image/jpeg"],
  ["R0lGOD", "image/gif"],
  ["UklGR", "image/webp"],
] as const;

/** Messages hold images as bare base64; the API requires their MIME type. */
const detectMime = (base64: string): string =>
  signatures.find(([start]) => base64.startsWith(start))?.[1] ?? "image/png";

function imagePart(image: string, { imageTypes }: Quirks): Json {
  const mime = detectMime(image);
  if (imageTypes === undefined || imageTypes.includes(mime))
    return { type: "image_url", image_url: { url: `data:${mime};base64,${image}` } };
  return { type: "text", text: `(an image of type ${mime}, which this model server cannot read)` };
}

function userMessage(text: string, quirks: Quirks, images: readonly string[] = []): Fields {
  if (images.length === 0) return { role: "user", content: text };
  const words = text === "" ? [] : [{ type: "text", text }];
  return { role: "user", content: [...words, ...images.map((image) => imagePart(image, quirks))] };
}

function assistantMessage(message: Extract<ModelMessage, { role: "assistant" }>, quirks: Quirks): Fields {
  const { text, thinking, calls = [] } = message;
  const field = quirks.thinkingField;
  // A server that requires the thinking before a call accepts an empty one, but not a missing field.
  const isSentBack = field !== undefined && (thinking !== undefined || calls.length > 0);
  const back: Fields = isSentBack ? { [field]: thinking ?? "" } : {};
  const toolCalls: readonly Json[] = calls.map(({ callId, name, input }) => ({
    id: callId,
    type: "function",
    function: { name, arguments: JSON.stringify(toObjectInput(input)) },
    ...quirks.callFields,
  }));
  const content = text === "" && calls.length > 0 ? quirks.emptyContent : text;
  const wire: Fields = { role: "assistant", content, ...back };
  return toolCalls.length === 0 ? wire : { ...wire, tool_calls: toolCalls };
}

/** Tool messages hold text only in this API: images follow the last result as a user message. */
function separateImages(messages: readonly ModelMessage[]): readonly ModelMessage[] {
  const apart: ModelMessage[] = [];
  let images: readonly string[] = [];
  const giveImages = (): void => {
    if (images.length > 0) apart.push({ role: "user", text: "", images });
    images = [];
  };
  for (const message of messages) {
    if (message.role !== "tool") giveImages();
    else images = [...images, ...(message.images ?? [])];
    apart.push(message);
  }
  giveImages();
  return apart;
}

function openAiMessage(message: ModelMessage, quirks: Quirks): Fields {
  switch (message.role) {
    case "system":
      return { role: "system", content: message.text };
    case "user":
      return userMessage(message.text, quirks, message.images);
    case "assistant":
      return assistantMessage(message, quirks);
    case "tool":
      return { role: "tool", tool_call_id: message.callId, content: message.text };
  }
}

export const openAiMessages = (messages: readonly ModelMessage[], quirks: Quirks): readonly Json[] =>
  alternateRoles(separateImages(messages)).map((message) => openAiMessage(message, quirks));

function maxTokensField({ quirks, without }: OpenAiBodyOptions): Quirks["maxTokensField"] {
  if (!without.has("max_tokens")) return quirks.maxTokensField;
  return quirks.maxTokensField === "max_tokens" ? "max_completion_tokens" : "max_tokens";
}

export function openAiChatBody(request: ModelRequest, options: OpenAiBodyOptions): Fields {
  const { quirks, temperature, without } = options;
  return {
    model: request.model,
    messages: openAiMessages(request.messages, quirks),
    ...(request.tools.length > 0 && { tools: request.tools.map(wireTool) }),
    stream: true,
    ...(!without.has("stream_options") && { stream_options: { include_usage: true } }),
    [maxTokensField(options)]: options.outputTokens,
    ...(temperature !== undefined && !without.has("temperature") && { temperature }),
    ...(!without.has("think") && quirks.think[`${request.think}`]),
    ...quirks.requestFields,
  };
}

/** Optional fields that ollamaChatBody puts into this body; max_tokens under either name counts once. */
export function sentFields(
  request: ModelRequest,
  { quirks, temperature, without }: OpenAiBodyOptions,
): ReadonlySet<OptionalField> {
  const absent = new Set(without);
  if (temperature === undefined) absent.add("temperature");
  if (quirks.think[`${request.think}`] === undefined) absent.add("think");
  return new Set(optionalFields.filter((field) => !absent.has(field)));
}
