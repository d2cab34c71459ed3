/** Repairs the lists and the handshake of a server, so that the client accepts them. */
import type { McpListProblem } from "@/lib/tools/mcp";
import type { Json } from "@/lib/events/content";
import { cutText } from "@/server/tools/toolbox/foreign-text";
import { hasValidHeaderBindings } from "./header-bindings";
import { isJsonObject, type JsonObject } from "./messages";

/** Pages of one list, and its entries. */
const maxPages = 64;
const maxListEntries = 500;
/** A schema beyond these is left out: the first limit is that of the catalogue, the second protects the client. */
const maxSchemaChars = 65_536;
const maxSchemaLevels = 64;
const maxDescriptionChars = 4_096;
/** One list as JSON. */
const maxListChars = 2_000_000;

/** Member of a tool's `_meta`: why the model cannot call it; its input schema was left out. */
export const unusableKey = "gopi/unusable";
export const toolProblems = ["bytes", "levels", "headers", "task", "app"] as const;
export type ToolProblem = (typeof toolProblems)[number];

/** Why a list is incomplete: entries without a name, more entries or text than the limit, pages without an end. */
export type ListProblem = McpListProblem;

const listMembers = {
  "tools/list": "tools",
  "prompts/list": "prompts",
  "resources/list": "resources",
  "resources/templates/list": "resourceTemplates",
} as const;
export type ListMethod = keyof typeof listMembers;

export const isListMethod = (method: string): method is ListMethod => Object.hasOwn(listMembers, method);

interface ListRepair {
  /** The first page is requested. */
  begin(method: ListMethod): void;
  repair(method: ListMethod, result: Json): JsonObject;
  /** The list that was requested last, as far as its pages have arrived. */
  last(method: ListMethod): RepairedList;
}

export interface RepairedList {
  readonly entries: readonly JsonObject[];
  readonly problems: readonly ListProblem[];
}

/** Bounds lists over all their pages. */
export function makeListRepair(): ListRepair {
  const lists = new Map<
    ListMethod,
    { pages: number; chars: number; entries: readonly JsonObject[]; readonly problems: Set<ListProblem> }
  >();
  const begin = (method: ListMethod) => {
    const list = { pages: 0, chars: 0, entries: [], problems: new Set<ListProblem>() };
    lists.set(method, list);
    return list;
  };
  return {
    begin,
    repair(method, result) {
      const list = lists.get(method) ?? begin(method);
      const { entries, next, rest } = repairPage(result, listMembers[method]);
      const usable = repairEntries[method](entries);
      const counted = usable.slice(0, maxListEntries - list.entries.length);
      const { shown, chars } = takeWithin(counted, maxListChars - list.chars);
      list.chars += chars;
      list.pages += 1;
      list.entries = [...list.entries, ...shown];
      const isLarge = shown.length < counted.length;
      const isFull = counted.length < usable.length || (next !== undefined && list.entries.length >= maxListEntries);
      const isEndless = next !== undefined && list.pages >= maxPages;
      if (usable.length < entries.length) list.problems.add("unnamed");
      if (isLarge) list.problems.add("too_large");
      else if (isFull) list.problems.add("too_many");
      else if (isEndless) list.problems.add("too_many_pages");
      const hasNext = next !== undefined && !isLarge && !isFull && !isEndless;
      return { ...rest, [listMembers[method]]: shown, ...(hasNext ? { nextCursor: next } : {}) };
    },
    last(method) {
      const { entries = [], problems = [] } = lists.get(method) ?? {};
      return { entries, problems: [...problems] };
    },
  };
}

/** Returns the entries before the first one that exceeds the limit. */
function takeWithin(entries: readonly JsonObject[], maxChars: number): { shown: readonly JsonObject[]; chars: number } {
  let chars = 0;
  for (const [index, entry] of entries.entries()) {
    const size = JSON.stringify(entry).length;
    if (chars + size > maxChars) return { shown: entries.slice(0, index), chars };
    chars += size;
  }
  return { shown: entries, chars };
}

interface Page {
  readonly entries: readonly JsonObject[];
  /** Cursor of the next page; absent = it is the last one. */
  readonly next: string | undefined;
  readonly rest: JsonObject;
}

/** Reads one page of a list; a bare array is the list. */
function repairPage(result: Json, member: string): Page {
  const object = isJsonObject(result) ? result : { [member]: result };
  const { [member]: list, nextCursor, _meta, ttlMs, cacheScope, ...others } = object;
  const rest: JsonObject = {
    resultType: "complete",
    ...others,
    ttlMs: typeof ttlMs === "number" && Number.isInteger(ttlMs) && ttlMs >= 0 ? ttlMs : 0,
    cacheScope: cacheScope === "public" ? "public" : "private",
  };
  const entries = Array.isArray(list) ? list.filter(isJsonObject) : [];
  return { entries, next: typeof nextCursor === "string" && nextCursor !== "" ? nextCursor : undefined, rest };
}

/** Returns the entries that have what identifies them, with the members that are used here. */
const repairEntries: { readonly [Method in ListMethod]: (entries: readonly JsonObject[]) => readonly JsonObject[] } = {
  "tools/list": (tools) => tools.flatMap((tool) => (isText(tool.name) ? [repairTool(tool, tool.name)] : [])),
  "prompts/list": (prompts) =>
    prompts.flatMap(({ name, title, description, arguments: fields }) =>
      isText(name) ? [{ name, ...textMembers({ title, description }), arguments: repairPromptArguments(fields) }] : [],
    ),
  "resources/list": (resources) =>
    resources.flatMap(({ uri, name, title, description, mimeType }) =>
      isText(uri) ? [{ uri, name: isText(name) ? name : uri, ...textMembers({ title, description, mimeType }) }] : [],
    ),
  "resources/templates/list": (templates) =>
    templates.flatMap(({ uriTemplate, name, title, description, mimeType }) =>
      isText(uriTemplate)
        ? [{ uriTemplate, name: isText(name) ? name : uriTemplate, ...textMembers({ title, description, mimeType }) }]
        : [],
    ),
};

const isText = (value: Json | undefined): value is string => typeof value === "string" && value !== "";

const textMembers = (members: { readonly [name: string]: Json | undefined }): JsonObject =>
  Object.fromEntries(
    Object.entries(members).flatMap(([name, value]): readonly [string, Json][] =>
      isText(value) ? [[name, name === "description" ? cutText(value, maxDescriptionChars) : value]] : [],
    ),
  );

const repairPromptArguments = (fields: Json | undefined): Json =>
  (Array.isArray(fields) ? fields.filter(isJsonObject) : []).flatMap(({ name, description, required }) =>
    isText(name) ? [{ name, ...textMembers({ description }), required: required === true }] : [],
  );

function repairTool(tool: JsonObject, name: string): JsonObject {
  const { title, description, inputSchema, annotations } = tool;
  const problem = (isJsonObject(inputSchema) ? findSchemaProblem(inputSchema) : null) ?? findUseProblem(tool);
  return {
    name,
    ...textMembers({ title, description }),
    inputSchema: problem === null ? repairInputSchema(inputSchema) : { type: "object" },
    ...(isJsonObject(annotations) ? { annotations: repairAnnotations(annotations) } : {}),
    ...(problem === null ? {} : { _meta: { [unusableKey]: problem } }),
  };
}

/** MCP 2025-11-25 has tools that are called as tasks only; MCP Apps has tools for the page of an app, not for the model. */
function findUseProblem({ execution, _meta: meta }: JsonObject): ToolProblem | null {
  if (isJsonObject(execution) && execution.taskSupport === "required") return "task";
  const ui = isJsonObject(meta) && isJsonObject(meta.ui) ? meta.ui : {};
  return Array.isArray(ui.visibility) && !ui.visibility.includes("model") ? "app" : null;
}

function findSchemaProblem(schema: JsonObject): ToolProblem | null {
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

/** Completes the answer to `initialize`. */
export function repairHandshake(result: Json): Json {
  if (!isJsonObject(result)) return result;
  const { capabilities, serverInfo, instructions, ...rest } = result;
  const information = isJsonObject(serverInfo) ? serverInfo : {};
  return {
    ...rest,
    capabilities: isJsonObject(capabilities) ? onlyObjects(capabilities) : {},
    serverInfo: {
      name: typeof information.name === "string" ? information.name : "",
      version: typeof information.version === "string" ? information.version : "",
    },
    ...(typeof instructions === "string" ? { instructions } : {}),
  };
}

const onlyObjects = (capabilities: JsonObject): JsonObject =>
  Object.fromEntries(
    Object.entries(capabilities).flatMap(([name, value]): readonly [string, Json][] => {
      if (value === true) return [[name, {}]];
      return isJsonObject(value) ? [[name, value]] : [];
    }),
  );
