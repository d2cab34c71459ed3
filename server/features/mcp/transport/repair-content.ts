/** Repairs the content of results: what is not readable becomes text. */
import { isJsonObject, type Json, type JsonObject } from "@/lib/events/content";
import type { ForeignContent, ForeignResult } from "@/server/tools/toolbox/foreign-result";

const text = (value: Json | undefined): string => (typeof value === "string" ? value : "");
const textBlock = (value: string): ForeignContent => ({ type: "text", text: value });

/**
 * Structured content replaces the other content where that has no text: with a text it is a copy of it for programs. A
 * result that is no object is its own content.
 */
export function repairToolResult(result: Json): ForeignResult {
  if (!isJsonObject(result))
    return { content: isContentList(result) ? repairContent(result) : [textBlock(asText(result))], isError: false };
  const content = repairContent(result.content);
  const structured = result.structuredContent ?? result.toolResult;
  const hasText = content.some((one) => one.type === "text" && one.text.trim() !== "");
  const added = structured === undefined || hasText ? [] : [textBlock(asText(structured))];
  return { content: [...content, ...added], isError: result.isError === true || result.isError === "true" };
}

const asText = (value: Json): string =>
  typeof value === "string" ? value : value === null ? "" : JSON.stringify(value);

const isContentList = (value: Json): boolean =>
  Array.isArray(value) && value.every((one) => isJsonObject(one) && typeof one.type === "string");

/** Accepts one block, a list, or a text. */
function repairContent(value: Json | undefined): readonly ForeignContent[] {
  if (value === undefined || value === null) return [];
  const blocks = Array.isArray(value) ? value : [value];
  return blocks.map((block) => {
    if (typeof block === "string") return textBlock(block);
    return isJsonObject(block) ? repairBlock(block) : textBlock(asText(block));
  });
}

function repairBlock(block: JsonObject): ForeignContent {
  const type = text(block.type);
  switch (type) {
    case "text":
      return textBlock(typeof block.text === "string" ? block.text : asText(block.text ?? null));
    case "image":
    case "audio":
      if (text(block.data) === "") return leftOut(type);
      return { type, data: text(block.data), mime: text(block.mimeType) };
    case "resource":
      return repairResource(block.resource);
    case "resource_link":
      return { type: "link", uri: text(block.uri), name: text(block.title) || text(block.name) };
    default:
      return leftOut(type === "" ? "content without a type" : type);
  }
}

const leftOut = (type: string): ForeignContent => textBlock(`[${type.slice(0, 60)} left out]`);

/** Repairs the content of a resource, embedded in a result or read by its address. */
function repairResource(resource: Json | undefined): ForeignContent {
  if (!isJsonObject(resource)) return leftOut("resource");
  const place = { uri: text(resource.uri), mime: text(resource.mimeType) };
  if (typeof resource.text === "string") return { type: "resource", ...place, text: resource.text };
  if (typeof resource.blob === "string" && resource.blob !== "") return { type: "blob", ...place, data: resource.blob };
  return leftOut("resource");
}

/** Returns the contents of a resource that was read. */
export const repairRead = (result: Json): readonly ForeignContent[] =>
  membersOf(result, "contents").map(repairResource);

/** Returns the contents of all messages of a prompt. */
export const repairPrompt = (result: Json): readonly ForeignContent[] =>
  membersOf(result, "messages").flatMap(({ content }) => repairContent(content));

function membersOf(result: Json, name: string): readonly JsonObject[] {
  const list = isJsonObject(result) ? result[name] : undefined;
  return Array.isArray(list) ? list.filter(isJsonObject) : [];
}
