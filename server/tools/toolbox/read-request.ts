/**
 * Reads the input of a call of the toolbox, in the forms in which models write it, into what is requested of the
 * catalogue. Pure.
 */
import { isJsonObject, type Json } from "@/lib/events/content";
import { toNameKey } from "@/lib/text/name-key";
import { callFields, takeField } from "../arguments/foreign-names";
import type { ToolArguments } from "../arguments/parameter-shapes";
import { readJsonText, readWrittenInput } from "../written-json/read-written-input";
import { parseWrittenCall } from "./call-text";
import type { Catalogue, CatalogueTool } from "./catalogue";
import { shapesOf } from "./example-call";
import { explainName, findSourceId, findTool, findToolByName } from "./find-tool";

export type ToolboxRequest =
  | { readonly kind: "catalogue" }
  | { readonly kind: "search"; readonly words: string }
  | { readonly kind: "source"; readonly id: string; readonly page: number }
  /** `input` undefined = none was written. */
  | { readonly kind: "tool"; readonly tool: CatalogueTool; readonly input: Json | undefined }
  | { readonly kind: "parameters"; readonly tool: CatalogueTool }
  | { readonly kind: "unknown"; readonly name: string; readonly input: Json | undefined }
  /** Several calls in one: `first` is the first of them. */
  | { readonly kind: "several"; readonly first: ToolboxRequest }
  | { readonly kind: "unreadable" };

const nameKeys = ["tool", "tool_name", "name", "tool_call", "tool_calls", "call", ...callFields.name];
const inputKeys = callFields.input;
const searchKeys = ["search", "query", "q", "words", "keywords", "find", "search_query"];
const sourceKeys = ["source", "server", "server_name", "mcp_server", "namespace"];
/** Fields of a call that are no input. */
const ignoredFields = new Set(["type", "id", "call_id", "tool_call_id"]);
/** Names that models invent for what the toolbox does itself. */
const searchNames = /^(?:search|find)(?:_tools?)?$|^tools?_search$/;
const listNames = /^(?:list|help|tools|catalog|catalogue|list_(?:all_)?tools|tools_list|get_tools)$/;
const describeNames =
  /^(?:describe|parameters|schema|show|info|(?:describe|show)_tool|get_(?:tool_)?(?:schema|parameters))$/;

/** Wrappers are read to this depth. */
const maxDepth = 5;

export function readToolboxRequest(input: Json, catalogue: Catalogue, depth = 0): ToolboxRequest {
  if (depth > maxDepth) return { kind: "unreadable" };
  if (typeof input === "string") return readText(input, catalogue, depth);
  if (input === null) return { kind: "catalogue" };
  if (Array.isArray(input)) return readList(input, catalogue, depth);
  return isJsonObject(input) ? readFields(input, catalogue, depth) : { kind: "unreadable" };
}

function readList(list: readonly Json[], catalogue: Catalogue, depth: number): ToolboxRequest {
  const [first, ...others] = list;
  if (first === undefined) return { kind: "catalogue" };
  const request = readToolboxRequest(first, catalogue, depth + 1);
  return others.length === 0 ? request : { kind: "several", first: request };
}

/** A text: JSON, a name, a call, else words to search for. */
function readText(text: string, catalogue: Catalogue, depth: number): ToolboxRequest {
  const trimmed = text.trim();
  if (trimmed === "") return { kind: "catalogue" };
  const parsed = readJsonText(trimmed);
  if (parsed !== undefined) return readToolboxRequest(parsed, catalogue, depth + 1);
  const call = parseWrittenCall(trimmed);
  if (call !== null)
    return toNameKey(call.name) === "toolbox"
      ? readToolboxRequest(call.input, catalogue, depth + 1)
      : readNamed(call.name, call.input, {}, catalogue, depth);
  if (/^[[{"]/.test(trimmed)) return { kind: "unreadable" };
  const isName = /^[`']?[^\s]+[_.:/][^\s]+$/.test(trimmed) || findTarget(trimmed, catalogue);
  return isName ? readNamed(trimmed, undefined, {}, catalogue, depth) : { kind: "search", words: trimmed };
}

const findTarget = (name: string, catalogue: Catalogue): boolean =>
  findTool(name, catalogue) !== undefined || findSourceId(name, catalogue) !== undefined;

/** The texts and numbers of a value, joined by blanks. */
const toWords = (value: Json): string =>
  typeof value === "object" && value !== null
    ? Object.values(value).map(toWords).join(" ").trim()
    : String(value ?? "");

function readFields(fields: ToolArguments, catalogue: Catalogue, depth: number): ToolboxRequest {
  const named = takeField(fields, nameKeys);
  if (named === undefined) return readUnnamed(fields, catalogue, depth);
  const { value: written, rest } = named;
  const name = typeof written === "string" ? (readJsonText(written) ?? written) : written;
  // The whole call in the field of the name, or a part of it.
  if (isJsonObject(name)) return readToolboxRequest({ ...rest, ...name }, catalogue, depth + 1);
  if (typeof name !== "string") return readToolboxRequest(name, catalogue, depth + 1);
  const input = takeField(rest, inputKeys);
  return readNamed(name, readInput(input?.value), input?.rest ?? rest, catalogue, depth);
}

/** Fields without the name of a tool: a search, a source, a wrapper, or a tool's name as the name of a field. */
function readUnnamed(fields: ToolArguments, catalogue: Catalogue, depth: number): ToolboxRequest {
  const source = takeField(fields, sourceKeys);
  const search = takeField(fields, searchKeys);
  if (search !== undefined) return { kind: "search", words: toWords([source?.value ?? "", search.value]) };
  if (typeof source?.value === "string") return readNamed(source.value, undefined, source.rest, catalogue, depth);
  const wrapped = takeField(fields, ["toolbox", ...inputKeys]);
  if (wrapped !== undefined) return readToolboxRequest(wrapped.value, catalogue, depth + 1);
  const name = Object.keys(fields).find((one) => findTool(one, catalogue) !== undefined);
  if (name !== undefined) {
    const { [name]: input, ...beside } = fields;
    return readNamed(name, readInput(input), beside, catalogue, depth);
  }
  const isEmpty = Object.values(fields).every((value) => value === null || value === "");
  return isEmpty ? { kind: "catalogue" } : { kind: "unreadable" };
}

/** An input that was written: JSON in a text or alone in a list is the object; null and an empty text are none. */
function readInput(value: Json | undefined): Json | undefined {
  return value === undefined || value === null || value === "" ? undefined : readWrittenInput(value);
}

/** A call by name. `beside` are the fields that are neither name nor input. */
function readNamed(
  written: string,
  input: Json | undefined,
  beside: ToolArguments,
  catalogue: Catalogue,
  depth: number,
): ToolboxRequest {
  const name = written.trim().replace(/^[`'"<]+|[`'">]+$/g, "");
  const source = takeField(beside, sourceKeys);
  const whole = typeof source?.value === "string" ? `${source.value}__${name}` : name;
  const inSource = source === undefined || whole === name ? undefined : findToolByName(whole, catalogue);
  if (inSource !== undefined) return toToolRequest(inSource, input, source?.rest ?? beside, catalogue);
  // A tool of that name of another source is another tool.
  if (whole !== name && explainName(whole, catalogue) !== null && findToolByName(name, catalogue) === undefined)
    return { kind: "unknown", name: whole, input };
  const tool = findTool(name, catalogue);
  if (tool !== undefined) return toToolRequest(tool, input, beside, catalogue);
  const id = findSourceId(name, catalogue);
  if (id !== undefined) return readInSource(id, input, beside, catalogue);
  if (toNameKey(name) === "toolbox") return readToolboxRequest(input ?? beside, catalogue, depth + 1);
  const call = parseWrittenCall(name);
  if (call !== null && call.name !== name) return readNamed(call.name, call.input, beside, catalogue, depth + 1);
  return readInventedName(name, input, beside, catalogue);
}

/** A source's name: its tools, a search, or one of its tools in another field. */
function readInSource(
  id: string,
  input: Json | undefined,
  beside: ToolArguments,
  catalogue: Catalogue,
): ToolboxRequest {
  const inside = isJsonObject(input) ? input : {};
  for (const fields of [inside, beside]) {
    const { value: name, rest = fields } = takeField(fields, nameKeys) ?? {};
    const tool = typeof name === "string" ? findToolOfSource(id, name, catalogue) : undefined;
    if (tool === undefined) continue;
    const inner = takeField(rest, inputKeys);
    const written = readInput(inner?.value) ?? (fields === beside ? input : undefined);
    return toToolRequest(tool, written, inner?.rest ?? rest, catalogue);
  }
  const search = takeField(inside, searchKeys) ?? takeField(beside, searchKeys);
  if (search !== undefined) return { kind: "search", words: toWords([id, search.value]) };
  const page = Number(toWords(takeField({ ...beside, ...inside }, ["page"])?.value ?? 1));
  return { kind: "source", id, page: Number.isFinite(page) ? page : 1 };
}

const findToolOfSource = (id: string, name: string, catalogue: Catalogue): CatalogueTool | undefined =>
  findToolByName(`${id}__${name}`, catalogue) ?? findToolByName(name, catalogue);

/** A tool of the catalogue with the input that was written anywhere. */
function toToolRequest(
  tool: CatalogueTool,
  input: Json | undefined,
  beside: ToolArguments,
  catalogue: Catalogue,
): ToolboxRequest {
  const inner = unwrapRepeatedCall(tool, input, catalogue);
  const others = selectMembers(tool, beside);
  const count = Object.keys(others).length;
  if (inner === undefined) return { kind: "tool", tool, input: count === 0 ? undefined : others };
  if (count === 0) return { kind: "tool", tool, input: inner };
  if (isJsonObject(inner)) return { kind: "tool", tool, input: { ...others, ...inner } };
  const [missing] = [...shapesOf(tool)].filter(([name, shape]) => shape.required && !Object.hasOwn(others, name));
  return { kind: "tool", tool, input: { ...others, [missing?.[0] ?? "input"]: inner } };
}

/** The input inside an input that is the whole call again. */
function unwrapRepeatedCall(tool: CatalogueTool, input: Json | undefined, catalogue: Catalogue): Json | undefined {
  if (!isJsonObject(input)) return input;
  const named = takeField(input, nameKeys);
  if (typeof named?.value !== "string" || shapesOf(tool).has(named.name) || findTool(named.value, catalogue) !== tool)
    return input;
  const inner = takeField(named.rest, inputKeys);
  return inner === undefined ? named.rest : readInput(inner.value);
}

/** Fields beside the input that are members of it and have a value: those the tool declares, all if it declares none. */
function selectMembers(tool: CatalogueTool, beside: ToolArguments): ToolArguments {
  const declared = new Set([...shapesOf(tool).keys()].map(toNameKey));
  const isMember = (name: string): boolean =>
    declared.size === 0 ? !ignoredFields.has(name) : declared.has(toNameKey(name));
  return Object.fromEntries(
    Object.entries(beside).filter(([name, value]) => isMember(name) && value !== null && value !== ""),
  );
}

/** A name that is none of the catalogue: one for what the toolbox does itself, or an unknown tool. */
function readInventedName(
  name: string,
  input: Json | undefined,
  beside: ToolArguments,
  catalogue: Catalogue,
): ToolboxRequest {
  const key = toNameKey(name);
  const fields = isJsonObject(input) ? input : beside;
  const [first] =
    typeof input === "string" ? [input] : Object.values(fields).filter((value) => typeof value === "string");
  const words = takeField(beside, searchKeys)?.value ?? (searchNames.test(key) ? first : undefined);
  if (words !== undefined) return { kind: "search", words: toWords(words) };
  if (listNames.test(key) || key === "") {
    const id = first === undefined ? undefined : findSourceId(first, catalogue);
    return id === undefined ? { kind: "catalogue" } : { kind: "source", id, page: 1 };
  }
  const described = describeNames.test(key) && first !== undefined ? findTool(first, catalogue) : undefined;
  return described === undefined ? { kind: "unknown", name, input } : { kind: "parameters", tool: described };
}
