/**
 * System prompts and tool descriptions, from the .md files in this folder. They are read when a session selects its
 * model, never at start. The build copies server/prompts/*.md to `prompts/` next to or above the bundle.
 */
import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { isJsonObject, type Json, type JsonObject } from "@/lib/events/content";
import type { Profile, ToolMode } from "@/lib/events/event";

const promptCache = new Map<string, string>();

/** Returns the trimmed text of one file, cached. Throws if the file is missing, which means a broken installation. */
export function promptFile(name: string): string {
  const cached = promptCache.get(name);
  if (cached !== undefined) return cached;
  const text = readFileSync(promptUrl(name), "utf8").replaceAll("\r\n", "\n").trim();
  promptCache.set(name, text);
  return text;
}

/** Returns the folder of the skills that are shipped. Throws if it is missing, which means a broken installation. */
export const shippedSkillsFolder = (): string => fileURLToPath(promptUrl("skills"));

function promptUrl(name: string): URL {
  const candidates = [`./${name}`, `./prompts/${name}`, `../prompts/${name}`].map(
    (path) => new URL(path, import.meta.url),
  );
  const url = candidates.find((candidate) => existsSync(candidate));
  if (url === undefined) throw new Error(`the prompt file ${name} is missing from this installation`);
  return url;
}

const suffixes: Readonly<Record<Profile, string>> = { small: "-small", default: "", full: "-full" };

/** A tool as described in a prompt. `parameters` is a JSON Schema object. */
export interface PromptTool {
  readonly name: string;
  readonly description: string;
  readonly parameters: Json;
}

/** The rules that begin a system prompt, as they are shipped. */
export const shippedRules = (profile: Profile): string => promptFile(`system${suffixes[profile]}.md`);

/** Returns the description of the call format for the end of a system prompt; in the text modes with the tools. */
export const callFormat = (mode: ToolMode, tools: readonly PromptTool[]): string =>
  promptFile(`calls-${mode}.md`).replace("{{tools}}", () => tools.map(formatToolLine).join("\n"));

/**
 * Returns the system prompt: the same bytes in every session and project with the same profile, mode, tools and rules. In
 * the text modes it contains the tools and the call format; in native mode the tools are sent separately.
 */
export function buildSystemPrompt(
  profile: Profile,
  mode: ToolMode = "native",
  tools: readonly PromptTool[] = [],
  rules: string = shippedRules(profile),
): { readonly system: string } {
  return { system: `${rules}\n\n${callFormat(mode, tools)}` };
}

const typeWords: Readonly<Record<string, string>> = { integer: "number", number: "number", boolean: "true/false" };

const toJsonObject = (value: Json | undefined): JsonObject => (isJsonObject(value) ? value : {});
const isList = (value: Json): value is readonly Json[] => Array.isArray(value);

/** Formats a tool as `- read(path, offset?: number): Read a file`. */
function formatToolLine({ name, description, parameters }: PromptTool): string {
  return `- ${name}(${formatMembers(parameters)}): ${description.replaceAll(/\s+/g, " ")}`;
}

/** A member of an object schema; `type` as `formatToolLine` writes it. */
export interface SchemaMember {
  readonly name: string;
  readonly type: string;
  readonly required: boolean;
}

/** Returns the members of an object schema in its order. */
export function readSchemaMembers(schema: Json | undefined): readonly SchemaMember[] {
  const { properties, required } = toJsonObject(schema);
  const must = new Set(required !== undefined && isList(required) ? required : []);
  return Object.entries(toJsonObject(properties)).map(([name, value]) => ({
    name,
    type: formatType(value),
    required: must.has(name),
  }));
}

/** Quotes a text as JSON; characters that end a line or that are not visible are escaped too. */
const quoteText = (text: string): string =>
  JSON.stringify(text).replace(/[\p{C}\p{Zl}\p{Zp}]/gu, (character) =>
    Array.from(
      { length: character.length },
      (_, at) => `\\u${character.charCodeAt(at).toString(16).padStart(4, "0")}`,
    ).join(""),
  );

const plainName = /^[\p{L}\p{M}\p{N}_$@./-]+$/u;
const formatName = (name: string): string => (plainName.test(name) ? name : quoteText(name));

/** Formats members as `path, depth?: number, points: [{ x: number }]`. */
export const formatSchemaMembers = (members: readonly SchemaMember[]): string =>
  members
    .map(({ name, type, required }) => `${formatName(name)}${required ? "" : "?"}${type === "text" ? "" : `: ${type}`}`)
    .join(", ");

const formatMembers = (schema: Json | undefined): string => formatSchemaMembers(readSchemaMembers(schema));

const formatValue = (value: Json): string => (typeof value === "string" ? quoteText(value) : JSON.stringify(value));

/** Formats a type as `number`, `[text]`, `{ x: number }`, `"asc" | "desc"`, `text | number` or `any`. */
function formatType(schema: Json | undefined): string {
  const { type, items, anyOf, enum: values } = toJsonObject(schema);
  if (anyOf !== undefined && isList(anyOf)) return [...new Set(anyOf.map(formatType))].join(" | ");
  if (values !== undefined && isList(values)) return values.map(formatValue).join(" | ");
  if (type === "array") return `[${formatType(items)}]`;
  if (type === "object") return `{ ${formatMembers(schema)} }`.replace("{  }", "{}");
  return type === undefined ? "any" : (typeWords[String(type)] ?? "text");
}

/**
 * Returns a tool's description: the part for the profile of its section in tools.md. Throws if it is missing, which a
 * test rules out.
 */
export function toolDescription(name: string, profile: Profile): string {
  const text = findSection(findSection(promptFile("tools.md"), "#", name) ?? "", "##", profile);
  if (text === undefined) throw new Error(`the tool ${name} has no description`);
  return text.trim();
}

/** Describes a tool of this program that is in the catalogue, in a sentence. Throws if there is none, which a test rules out. */
export const catalogueToolDescription = (name: string): string => promptSection("catalogue-tools.md", name);

/**
 * Returns the section of a file of prompts with its `{{placeholders}}` replaced by `values`. Throws if the section is
 * missing, which a test rules out.
 */
export function promptSection(
  file: string,
  name: string,
  values: Readonly<Record<string, string | number>> = {},
): string {
  const text = findSection(promptFile(file), "#", name);
  if (text === undefined) throw new Error(`the words for ${name} are missing`);
  return text.trim().replace(/\{\{(\w+)\}\}/g, (_whole, key: string) => String(values[key] ?? ""));
}

/** Returns the text below the heading `# NAME` up to the next heading of its level. */
function findSection(text: string, level: "#" | "##", name: string): string | undefined {
  const section = text.split(new RegExp(`^${level} `, "m")).find((one) => one.startsWith(`${name}\n`));
  return section?.slice(name.length + 1);
}
