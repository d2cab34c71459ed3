/**
 * The texts the model is told, from the .md files beside this one. They are read when a session gets its model, never at start.
 * Source runs find them here; the build copies server/prompts/*.md to `prompts/` beside (or above) the bundle, where the others look.
 */
import { existsSync, readFileSync } from "node:fs";
import type { Json } from "@/lib/content";
import type { Profile, ToolMode } from "@/lib/event";

const read = new Map<string, string>();

/** The text of one file, without blank ends. Throws when it is missing, which is a broken installation. */
export function promptFile(name: string): string {
  const known = read.get(name);
  if (known !== undefined) return known;
  const places = [`./${name}`, `./prompts/${name}`, `../prompts/${name}`].map(
    (place) => new URL(place, import.meta.url),
  );
  const place = places.find((one) => existsSync(one));
  if (place === undefined) throw new Error(`the prompt file ${name} is missing from this installation`);
  const text = readFileSync(place, "utf8").replaceAll("\r\n", "\n").trim();
  read.set(name, text);
  return text;
}

const suffixes: Readonly<Record<Profile, string>> = { small: "-small", default: "", full: "-full" };

/** A tool as a text can tell it. `parameters` is a JSON Schema object of plain types. */
export interface TellableTool {
  readonly name: string;
  readonly description: string;
  readonly parameters: Json;
}

/**
 * The system text: the same bytes in every session and project with the same profile, mode and tools. In the text modes it has
 * the tools and how a call is written; natively the tools go beside it.
 */
export function promptFor(
  profile: Profile,
  mode: ToolMode = "native",
  tools: readonly TellableTool[] = [],
): { readonly system: string } {
  const calls = promptFile(`calls-${mode}.md`).replace("{{tools}}", () => tools.map(toolLine).join("\n"));
  return { system: `${promptFile(`system${suffixes[profile]}.md`)}\n\n${calls}` };
}

const typeWords: Readonly<Record<string, string>> = { integer: ": number", boolean: ": true/false" };

type JsonObject = { readonly [name: string]: Json };
const objectOf = (value: Json | undefined): JsonObject =>
  typeof value === "object" && value !== null && !isList(value) ? value : {};
const isList = (value: Json): value is readonly Json[] => Array.isArray(value);

/** `- read(path, offset?: number): Read a file` */
function toolLine({ name, description, parameters }: TellableTool): string {
  const { properties, required } = objectOf(parameters);
  const must = required !== undefined && isList(required) ? required : [];
  const words = Object.entries(objectOf(properties)).map(([parameter, schema]) => {
    const { type } = objectOf(schema);
    return `${parameter}${must.includes(parameter) ? "" : "?"}${typeWords[String(type)] ?? ""}`;
  });
  return `- ${name}(${words.join(", ")}): ${description.replaceAll(/\s+/g, " ")}`;
}

/** What a tool is said to do: the section of tools.md under its name. Throws when there is none, which a test rules out. */
export function toolText(name: string, profile: Profile): string {
  const section = promptFile(`tools${suffixes[profile]}.md`)
    .split(/^# /m)
    .find((one) => one.startsWith(`${name}\n`));
  if (section === undefined) throw new Error(`the tool ${name} has no description`);
  return section.slice(name.length + 1).trim();
}
