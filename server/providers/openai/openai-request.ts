/**
 * Builds the body of /chat/completions, with nothing that strict servers refuse. The key order never changes: a model
 * server reuses a byte-identical prefix. Pure.
 */
import type { Json, ReasoningField } from "@/lib/events/content";
import type { CallId } from "@/lib/events/id";
import { wireCallIds } from "../wire/request/call-ids";
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

/** Options that the form of messages depends on, besides the kind of server. */
type MessageOptions = Pick<ModelRequest, "provider" | "reasoning" | "callIds">;

interface MessageContext {
  readonly quirks: Quirks;
  /** The server that gets the messages. */
  readonly provider: string;
  readonly idOf: (callId: CallId) => string;
  /** Field without which the server refuses a call; undefined = none. */
  readonly required: ReasoningField | undefined;
}

/**
 * Returns the field that a server requires in each message: most likely the one it used last before it, else the first that it used
 * at all.
 */
function requiredFields(
  messages: readonly ModelMessage[],
  quirks: Quirks,
  { provider, reasoning: use }: MessageOptions,
): (message: ModelMessage) => ReasoningField | undefined {
  const ownField = (message: ModelMessage): ReasoningField | undefined =>
    message.role === "assistant" && message.reasoning?.server === provider ? message.reasoning.field : undefined;
  if (use !== "require") return () => quirks.requiredReasoning;
  const first = messages.map(ownField).find((field) => field !== undefined);
  let last = first ?? quirks.requiredReasoning ?? "reasoning_content";
  return (message) => (last = ownField(message) ?? last);
}

/**
 * Reasoning goes back in the field it came in. A server that requires some before a call accepts an empty one, but not a missing
 * field.
 */
function reasoningFields(
  { reasoning, calls = [] }: Extract<ModelMessage, { role: "assistant" }>,
  { provider, required }: Pick<MessageContext, "provider" | "required">,
): Fields {
  if (reasoning?.server === provider) return { [reasoning.field]: reasoning.text };
  if (required === undefined || (reasoning === undefined && calls.length === 0)) return {};
  return { [required]: reasoning?.text ?? "" };
}

function assistantMessage(
  message: Extract<ModelMessage, { role: "assistant" }>,
  { quirks, idOf, ...context }: MessageContext,
): Fields {
  const { text, calls = [] } = message;
  const back = reasoningFields(message, context);
  const toolCalls: readonly Json[] = calls.map(({ callId, name, input }) => ({
    id: idOf(callId),
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

function openAiMessage(message: ModelMessage, context: MessageContext): Fields {
  switch (message.role) {
    case "system":
      return { role: "system", content: message.text };
    case "user":
      return userMessage(message.text, context.quirks, message.images);
    case "assistant":
      return assistantMessage(message, context);
    case "tool":
      return { role: "tool", tool_call_id: context.idOf(message.callId), content: message.text };
  }
}

export function openAiMessages(
  messages: readonly ModelMessage[],
  quirks: Quirks,
  options: MessageOptions,
): readonly Json[] {
  const { provider } = options;
  const requiredIn = requiredFields(messages, quirks, options);
  const idOf = wireCallIds(messages, options);
  return alternateRoles(separateImages(messages)).map((message) =>
    openAiMessage(message, { quirks, provider, idOf, required: requiredIn(message) }),
  );
}

/** The fields of a thinking level; a template that can keep reasoning is asked to. */
function thinkFields({ think, reasoning }: ModelRequest, quirks: Quirks): Fields {
  const fields = quirks.think[`${think}`] ?? {};
  if (reasoning !== "preserve") return fields;
  const { chat_template_kwargs: template = {} } = fields;
  return { ...fields, chat_template_kwargs: { ...toObjectInput(template), preserve_thinking: true } };
}

function maxTokensField({ quirks, without }: OpenAiBodyOptions): Quirks["maxTokensField"] {
  if (!without.has("max_tokens")) return quirks.maxTokensField;
  return quirks.maxTokensField === "max_tokens" ? "max_completion_tokens" : "max_tokens";
}

export function openAiChatBody(request: ModelRequest, options: OpenAiBodyOptions): Fields {
  const { quirks, temperature, without } = options;
  return {
    model: request.model,
    messages: openAiMessages(request.messages, quirks, request),
    ...(request.tools.length > 0 && { tools: request.tools.map(wireTool) }),
    stream: true,
    ...(!without.has("stream_options") && { stream_options: { include_usage: true } }),
    [maxTokensField(options)]: options.outputTokens,
    ...(temperature !== undefined && !without.has("temperature") && { temperature }),
    ...(!without.has("think") && thinkFields(request, quirks)),
    // Only a llama-server holds answers.
    ...(request.held !== undefined && { reasoning_control: true }),
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
  if (Object.keys(thinkFields(request, quirks)).length === 0) absent.add("think");
  return new Set(optionalFields.filter((field) => !absent.has(field)));
}
