/** Reads a server's lists of tools, prompts and resources, within limits; a broken entry does not remove others. */
import type { Steps } from "@/lib/async/steps";
import { isJsonObject, type Json, type JsonObject } from "@/lib/events/content";
import type { McpListProblem } from "@/lib/tools/mcp";
import type { SecretMask } from "@/server/security/redaction/mask-secrets";
import { cutText } from "@/server/tools/toolbox/foreign-text";
import { maskDefinition } from "./mask-content";
import { hasValidHeaderBindings } from "./transport/header-bindings";

/** Pages of one list, and its entries. */
const maxPages = 64;
const maxListEntries = 500;
/** A schema beyond these is left out: the first limit is that of the catalogue, the second protects the client. */
const maxSchemaChars = 65_536;
const maxSchemaLevels = 64;
const maxDescriptionChars = 4_096;
/** One list as JSON. */
const maxListChars = 2_000_000;

export interface McpTool {
  /** As the server calls it. */
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** JSON Schema of the server, `type` is object. */
  readonly inputSchema: JsonObject;
  /** Hints of the tool about itself (`readOnlyHint` …); they give no right. */
  readonly annotations: JsonObject;
  /** Why the model cannot call it; its schema was left out. Null = it can. */
  readonly unusable: "bytes" | "levels" | "headers" | "task" | "app" | null;
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

export interface McpList<T> {
  readonly entries: readonly T[];
  /** Why it is incomplete: entries without a name, more entries or text than the limit, pages without an end. */
  readonly problems: readonly McpListProblem[];
}

/** A list that servers have. */
export interface ListKind<T> {
  readonly method: "tools/list" | "prompts/list" | "resources/list";
  /** Member of a page. */
  readonly member: string;
  /** Null = the entry has not what identifies it. */
  repair(entry: JsonObject): T | null;
  /** Masks what is shown; all else stays as the server sent it. */
  mask(entry: T, mask: SecretMask): Steps<T>;
}

export const toolList: ListKind<McpTool> = {
  method: "tools/list",
  member: "tools",
  repair: (tool) => (text(tool.name) === "" ? null : repairTool(tool)),
  *mask(tool, mask) {
    return {
      ...tool,
      title: yield* mask(tool.title),
      description: yield* mask(tool.description),
      inputSchema: yield* maskDefinition(tool.inputSchema, mask),
      annotations: yield* maskDefinition(tool.annotations, mask),
    };
  },
};

export const resourceList: ListKind<McpResource> = {
  method: "resources/list",
  member: "resources",
  repair({ uri, name, title, description, mimeType }) {
    if (text(uri) === "") return null;
    return {
      uri: text(uri),
      name: text(title) || text(name) || text(uri),
      description: shortText(description),
      mime: text(mimeType),
    };
  },
  *mask(resource, mask) {
    const { name, description } = resource;
    return { ...resource, name: yield* mask(name), description: yield* mask(description) };
  },
};

export const promptList: ListKind<McpPrompt> = {
  method: "prompts/list",
  member: "prompts",
  repair({ name, title, description, arguments: fields }) {
    if (text(name) === "") return null;
    return {
      name: text(name),
      title: text(title),
      description: shortText(description),
      arguments: (Array.isArray(fields) ? fields.filter(isJsonObject) : [])
        .filter((field) => text(field.name) !== "")
        .map((field) => ({
          name: text(field.name),
          description: shortText(field.description),
          required: field.required === true,
        })),
    };
  },
  *mask(prompt, mask) {
    const fields: McpPromptArgument[] = [];
    for (const field of prompt.arguments) fields.push({ ...field, description: yield* mask(field.description) });
    const { title, description } = prompt;
    return { ...prompt, title: yield* mask(title), description: yield* mask(description), arguments: fields };
  },
};

const text = (value: Json | undefined): string => (typeof value === "string" ? value : "");
const shortText = (value: Json | undefined): string => cutText(text(value), maxDescriptionChars);

/** Reads the pages of one list. */
interface ListReader<T> {
  /** Returns the cursor of the next page; undefined = the list ends, or has reached a limit. */
  add(page: Json): string | undefined;
  list(): McpList<T>;
}

export function makeListReader<T>({ member, repair }: ListKind<T>): ListReader<T> {
  const entries: T[] = [];
  const problems = new Set<McpListProblem>();
  let pages = 0;
  let chars = 0;
  return {
    add(page) {
      // A bare array is the list.
      const { [member]: found, nextCursor } = isJsonObject(page) ? page : { [member]: page };
      const written = Array.isArray(found) ? found.filter(isJsonObject) : [];
      const usable = written.map(repair).filter((entry) => entry !== null);
      const next = text(nextCursor);
      pages += 1;
      if (usable.length < written.length) problems.add("unnamed");
      const counted = usable.slice(0, maxListEntries - entries.length);
      for (const entry of counted) {
        chars += JSON.stringify(entry).length;
        if (chars > maxListChars) return void problems.add("too_large");
        entries.push(entry);
      }
      const isFull = counted.length < usable.length || (next !== "" && entries.length >= maxListEntries);
      if (isFull) return void problems.add("too_many");
      if (next !== "" && pages >= maxPages) return void problems.add("too_many_pages");
      return next === "" ? undefined : next;
    },
    list: () => ({ entries, problems: [...problems] }),
  };
}

export function* maskList<T>({ mask }: ListKind<T>, list: McpList<T>, secrets: SecretMask): Steps<McpList<T>> {
  const entries: T[] = [];
  for (const entry of list.entries) entries.push(yield* mask(entry, secrets));
  return { ...list, entries };
}

function repairTool(tool: JsonObject): McpTool {
  const { inputSchema, annotations } = tool;
  const unusable = (isJsonObject(inputSchema) ? findSchemaProblem(inputSchema) : null) ?? findUseProblem(tool);
  return {
    name: text(tool.name),
    title: text(tool.title),
    description: shortText(tool.description),
    inputSchema: unusable === null ? repairInputSchema(inputSchema) : { type: "object" },
    annotations: isJsonObject(annotations) ? repairAnnotations(annotations) : {},
    unusable,
  };
}

/** MCP 2025-11-25 has tools that are called as tasks only; MCP Apps has tools for the page of an app, not for the model. */
function findUseProblem({ execution, _meta: meta }: JsonObject): McpTool["unusable"] {
  if (isJsonObject(execution) && execution.taskSupport === "required") return "task";
  const ui = isJsonObject(meta) && isJsonObject(meta.ui) ? meta.ui : {};
  return Array.isArray(ui.visibility) && !ui.visibility.includes("model") ? "app" : null;
}

function findSchemaProblem(schema: JsonObject): McpTool["unusable"] {
  let level: readonly Json[] = [schema];
  for (let levels = 0; level.length > 0; levels += 1) {
    if (levels > maxSchemaLevels) return "levels";
    level = level.flatMap((value) => (typeof value === "object" && value !== null ? Object.values(value) : []));
  }
  if (JSON.stringify(schema).length > maxSchemaChars) return "bytes";
  return hasValidHeaderBindings(schema) ? null : "headers";
}

function repairInputSchema(schema: Json | undefined): JsonObject {
  if (!isJsonObject(schema) || (schema.type !== undefined && schema.type !== "object")) return { type: "object" };
  const { properties, required, $schema, ...rest } = schema;
  return {
    ...rest,
    type: "object",
    ...(typeof $schema === "string" ? { $schema } : {}),
    ...(isJsonObject(properties) ? { properties } : {}),
    ...(Array.isArray(required) ? { required: required.filter((name) => typeof name === "string") } : {}),
  };
}

const repairAnnotations = (annotations: JsonObject): JsonObject =>
  Object.fromEntries(
    Object.entries(annotations).filter(([name, value]) =>
      name === "title" ? typeof value === "string" : name.endsWith("Hint") && typeof value === "boolean",
    ),
  );
