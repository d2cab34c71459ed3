/** What a server offers, read from its repaired lists. */
import type { Json } from "@/lib/events/content";
import { isJsonObject, type JsonObject } from "./transport/messages";
import { type ToolProblem, toolProblems, unusableKey } from "./transport/repair-lists";

export interface McpTool {
  /** As the server calls it. */
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** JSON Schema of the server, `type` is object. */
  readonly inputSchema: JsonObject;
  /** What it says of itself (`readOnlyHint` …); gives no right. */
  readonly annotations: JsonObject;
  /** Why the model cannot call it; its schema was left out. Null = it can. */
  readonly unusable: ToolProblem | null;
}

export interface McpResource {
  readonly uri: string;
  readonly name: string;
  readonly description: string;
  readonly mime: string;
}

interface McpPromptArgument {
  readonly name: string;
  readonly description: string;
  readonly required: boolean;
}

export interface McpPrompt {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly arguments: readonly McpPromptArgument[];
}

const text = (value: Json | undefined): string => (typeof value === "string" ? value : "");
const object = (value: Json | undefined): JsonObject => (isJsonObject(value) ? value : {});

export function toMcpTool({ name, title, description, inputSchema, annotations, _meta }: JsonObject): McpTool {
  const unusable = object(_meta)[unusableKey];
  return {
    name: text(name),
    title: text(title),
    description: text(description),
    inputSchema: object(inputSchema),
    annotations: object(annotations),
    unusable: toolProblems.find((one) => one === unusable) ?? null,
  };
}

export const toMcpResource = ({ uri, name, title, description, mimeType }: JsonObject): McpResource => ({
  uri: text(uri),
  name: text(title) === "" ? text(name) : text(title),
  description: text(description),
  mime: text(mimeType),
});

export const toMcpPrompt = ({ name, title, description, arguments: fields }: JsonObject): McpPrompt => ({
  name: text(name),
  title: text(title),
  description: text(description),
  arguments: (Array.isArray(fields) ? fields : []).map(object).map((field) => ({
    name: text(field.name),
    description: text(field.description),
    required: field.required === true,
  })),
});
