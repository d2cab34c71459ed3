/**
 * Parses and edits the text of `config.yaml`: values to settings, changed settings to values; preserves comments and
 * order. Pure.
 */
import * as z from "zod/mini";
import { type Document, isAlias, isMap, isScalar, type LineCounter, type Pair } from "yaml";
import { type ConfigProblem, type ConfigWanted, configKeys } from "@/lib/config-keys";
import { type Settings, settingsDefaults } from "@/lib/settings";
import { settingsSchema } from "@/lib/settings-schema";
import { keyOf, pairsOf, parsed, placeOf, removeKey, setKey, textOf, told, valueOf, written } from "./yaml-text";

export interface ConfigText {
  /** Valid values only. */
  readonly settings: Partial<Settings>;
  readonly problems: readonly ConfigProblem[];
}

type Name = keyof Settings;

const isName = (name: string): name is Name => Object.hasOwn(settingsDefaults, name);
const names = Object.keys(settingsDefaults).filter(isName);
const nameByKey = new Map(names.map((name) => [configKeys[name].path.join("."), name]));
/** Gopi keys that are accepted without effect. */
const acceptedKeys = new Set(["tui.show_token_count", "tui.quiet_startup"]);
const sections = new Set([...names.map((name) => configKeys[name].path[0]), "extensions"]);

/** Parses the settings, and the problems with their lines. With bad syntax there are no settings. */
export function readConfig(text: string): ConfigText {
  const { document, lines, problems } = parsed(text, "sections");
  if (problems.length > 0) return { settings: {}, problems };
  const found: ConfigProblem[] = [];
  const settings = new Map<Name, unknown>();
  for (const section of pairsOf(document.contents)) readSection(document, section, settings, found, lines);
  return { settings: Object.fromEntries(settings), problems: found };
}

/** Problem of a text that turns the sandbox on where none works; null = the text does not turn it on. */
export function sandboxProblem(text: string, why: string): ConfigProblem | null {
  const { document, lines } = parsed(text, "sections");
  const [section, name] = configKeys.sandbox.path;
  const pair = pairsOf(document.contents).find((one) => keyOf(one) === section);
  const key = pairsOf(pair?.value).find((one) => keyOf(one) === name);
  if (key === undefined || readConfig(text).settings.sandbox !== true) return null;
  return { code: "no_sandbox", key: `${section}.${name}`, detail: why, ...placeOf(key, lines) };
}

/**
 * Returns the text with these settings written into it; a default value is removed. Returns null when the text has bad
 * syntax, or would have it afterwards, so such a file is never overwritten.
 */
export function editConfig(text: string, patch: Partial<Settings>): string | null {
  const { document, problems } = parsed(text, "sections");
  if (problems.length > 0) return null;
  const isEmpty = document.contents === null;
  const present = readConfig(text).settings;
  for (const name of names) {
    const value = patch[name];
    // An unchanged value keeps its notation: "2m" does not become "120s".
    if (value === undefined || isEqual(value, present[name])) continue;
    const { path, unit } = configKeys[name];
    if (isEqual(value, settingsDefaults[name])) removeKey(document, path);
    else setKey(document, path, written(value, unit));
  }
  const edited = isEmpty && document.contents === null ? text : textOf(document);
  return edited !== null && says(edited, { ...present, ...patch }) ? edited : null;
}

/** True when the text has exactly these settings: editing a value that an alias repeats changes other settings too. */
function says(text: string, settings: Partial<Settings>): boolean {
  const found = readConfig(text).settings;
  return names.every((name) =>
    isEqual(found[name] ?? settingsDefaults[name], settings[name] ?? settingsDefaults[name]),
  );
}

function readSection(
  document: Document.Parsed,
  section: Pair,
  settings: Map<Name, unknown>,
  problems: ConfigProblem[],
  lines: LineCounter,
): void {
  const title = keyOf(section);
  if (!sections.has(title)) return void problems.push({ code: "unknown_key", key: title, ...placeOf(section, lines) });
  if (title === "extensions") return;
  if (isScalar(section.value) ? section.value.value !== null : !isMap(section.value))
    problems.push({
      code: "bad_value",
      key: title,
      ...told({ kind: "section" }),
      ...placeOf(section, lines),
    });
  for (const pair of pairsOf(section.value)) {
    const key = `${title}.${keyOf(pair)}`;
    const name = nameByKey.get(key);
    if (name === undefined) {
      if (!acceptedKeys.has(key)) problems.push({ code: "unknown_key", key, ...placeOf(pair, lines) });
      continue;
    }
    const node = isAlias(pair.value) ? pair.value.resolve(document) : pair.value;
    const value = valueOf(node, configKeys[name].unit);
    const parsed = settingsSchema.safeParse({ ...settingsDefaults, [name]: value });
    if (parsed.success) settings.set(name, parsed.data[name]);
    else
      problems.push({
        code: "bad_value",
        key,
        ...told(wantedOf(name)),
        ...placeOf(pair, lines),
      });
  }
}

const isEqual = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

const shapeSchema = z.object({
  properties: z.record(
    z.string(),
    z.object({
      type: z.optional(z.string()),
      minimum: z.optional(z.number()),
      maximum: z.optional(z.number()),
      enum: z.optional(z.array(z.string())),
      anyOf: z.optional(z.array(z.object({ minimum: z.optional(z.number()), maximum: z.optional(z.number()) }))),
    }),
  ),
});
let shapes: z.infer<typeof shapeSchema>["properties"] | null = null;

/** Expected form of a setting's value, derived from the schema. */
function wantedOf(name: Name): ConfigWanted {
  shapes ??= shapeSchema.parse(z.toJSONSchema(settingsSchema)).properties;
  const { type, minimum, maximum, anyOf, enum: choices } = shapes[name] ?? {};
  if (choices !== undefined) return { kind: "choice", values: choices };
  if (type === "boolean") return { kind: "boolean" };
  if (type === "array") return { kind: "list" };
  const [range] = anyOf ?? [];
  if (range?.minimum !== undefined && range.maximum !== undefined)
    return { kind: "optional", least: range.minimum, most: range.maximum };
  if (minimum === undefined || maximum === undefined) return { kind: name === "ollamaHost" ? "address" : "text" };
  const { unit } = configKeys[name];
  if (unit === "share") return { kind: "number", least: minimum / 100, most: maximum / 100 };
  if (unit === "plain") return { kind: "whole", least: minimum, most: maximum };
  return { kind: "time", least: minimum, most: maximum, unit };
}
