/**
 * Reads and edits the text of `config.yaml`: values to settings, changed settings to values, comments and order kept. Pure; the
 * parser is the `yaml` package (YAML 1.2).
 */
import * as z from "zod/mini";
import {
  type Document,
  isAlias,
  isCollection,
  isMap,
  isPair,
  isScalar,
  type ErrorCode,
  LineCounter,
  type Pair,
  parseDocument,
} from "yaml";
import {
  type ConfigProblem,
  type ConfigSyntax,
  type ConfigUnit,
  type ConfigWanted,
  configKeys,
} from "@/lib/config-keys";
import { limits, type Settings, settingsDefaults } from "@/lib/settings";
import { settingsSchema } from "@/lib/settings-schema";

export interface ConfigText {
  /** Only valid values. */
  readonly settings: Partial<Settings>;
  readonly problems: readonly ConfigProblem[];
}

type Name = keyof Settings;

const isName = (name: string): name is Name => Object.hasOwn(settingsDefaults, name);
const names = Object.keys(settingsDefaults).filter(isName);
const nameByKey = new Map(names.map((name) => [configKeys[name].path.join("."), name]));
/** Keys of Gopi that are accepted and mean nothing here. */
const acceptedKeys = new Set(["tui.show_token_count", "tui.quiet_startup"]);
const sections = new Set([...names.map((name) => configKeys[name].path[0]), "extensions"]);

/** The settings in the text, and each problem with its line. With bad syntax there are no settings. */
export function readConfig(text: string): ConfigText {
  if (text.length > limits.configMaxChars)
    return {
      settings: {},
      problems: [{ code: "too_large", line: 0, column: 0, detail: `${limits.configMaxChars} characters at most` }],
    };
  const lines = new LineCounter();
  const document = parse(text, lines);
  const syntax = syntaxProblems(document);
  if (syntax.length > 0) return { settings: {}, problems: syntax };
  if (document.contents !== null && !isMap(document.contents))
    return {
      settings: {},
      problems: [
        {
          code: "bad_syntax",
          line: 1,
          column: 1,
          syntax: "sections",
          detail: "the file must be a list of sections such as `tools:`",
        },
      ],
    };
  const found: ConfigProblem[] = [];
  const settings = new Map<Name, unknown>();
  for (const section of pairsOf(document.contents)) readSection(document, section, settings, found, lines);
  return { settings: Object.fromEntries(settings), problems: found };
}

/** The problem of a text that turns the sandbox on where none works; null = it does not turn it on. */
export function sandboxProblem(text: string, why: string): ConfigProblem | null {
  const lines = new LineCounter();
  const document = parse(text, lines);
  const [section, name] = configKeys.sandbox.path;
  const pair = pairsOf(document.contents).find((one) => keyOf(one) === section);
  const key = pairsOf(pair?.value).find((one) => keyOf(one) === name);
  if (key === undefined || readConfig(text).settings.sandbox !== true) return null;
  return { code: "no_sandbox", key: `${section}.${name}`, detail: why, ...placeOf(key, lines) };
}

/**
 * The text with these settings written into it; a value that is the default is removed. Returns null when the text has bad syntax,
 * or would have it afterwards: it is never overwritten.
 */
export function editConfig(text: string, patch: Partial<Settings>): string | null {
  const document = parse(text, new LineCounter());
  if (syntaxProblems(document).length > 0 || (document.contents !== null && !isMap(document.contents))) return null;
  const isEmpty = document.contents === null;
  const present = readConfig(text).settings;
  for (const name of names) {
    const value = patch[name];
    // What the file says already keeps its form: "2m" does not become "120s".
    if (value === undefined || isEqual(value, present[name])) continue;
    const { path, unit } = configKeys[name];
    if (isEqual(value, settingsDefaults[name])) removeKey(document, path);
    else setKey(document, path, written(value, unit));
  }
  if (document.contents === null || (isMap(document.contents) && document.contents.items.length === 0))
    return isEmpty ? text : commentsOf(document);
  const edited = textOf(document);
  return edited !== null && says(edited, { ...present, ...patch }) ? edited : null;
}

/** null = an alias points to a value that was removed. */
function textOf(document: Document.Parsed): string | null {
  try {
    return document.toString({ lineWidth: 0 });
  } catch {
    return null;
  }
}

/** The text has these settings and no others: a value that an alias repeats would have changed them too. */
function says(text: string, settings: Partial<Settings>): boolean {
  const found = readConfig(text).settings;
  return names.every((name) =>
    isEqual(found[name] ?? settingsDefaults[name], settings[name] ?? settingsDefaults[name]),
  );
}

const parse = (text: string, lineCounter: LineCounter): Document.Parsed =>
  parseDocument(text.replace(/^\uFEFF/, ""), { lineCounter, prettyErrors: true, strict: true, uniqueKeys: true });

const syntaxProblems = (document: Document.Parsed): readonly ConfigProblem[] =>
  document.errors.map((error) => ({
    code: "bad_syntax" as const,
    line: error.linePos?.[0].line ?? 1,
    column: error.linePos?.[0].col ?? 1,
    syntax: syntaxOf(error.code),
    detail: error.message.split("\n")[0]?.replace(/ at line \d+, column \d+:?$/, ""),
  }));

function syntaxOf(code: ErrorCode): ConfigSyntax {
  if (code === "TAB_AS_INDENT") return "tab";
  if (code === "BAD_INDENT" || code === "BLOCK_AS_IMPLICIT_KEY" || code === "BLOCK_IN_FLOW") return "indent";
  if (code === "DUPLICATE_KEY") return "duplicate";
  if (code === "MISSING_CHAR" || code === "BAD_DQ_ESCAPE") return "quote";
  return code === "UNEXPECTED_TOKEN" ? "bracket" : "other";
}

const pairsOf = (map: unknown): readonly Pair[] => (isMap(map) ? map.items.filter(isPair) : []);
const keyOf = ({ key }: Pair): string => String(isScalar(key) ? key.value : key);

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
    const value = settingOf(node, configKeys[name].unit);
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

/** The line of a key, from 1. */
function placeOf({ key }: Pair, lines: LineCounter): { readonly line: number; readonly column: number } {
  const offset = isScalar(key) ? (key.range?.[0] ?? 0) : 0;
  const { line, col } = lines.linePos(offset);
  return { line, column: col };
}

const plainOf = (node: unknown): unknown => (isScalar(node) ? node.value : isCollection(node) ? node.toJSON() : node);

const unitSeconds = { ms: 0.001, s: 1, m: 60, h: 3_600 } as const;

/** The setting's own value; what cannot be one comes back as it is, for the schema to refuse. */
function settingOf(node: unknown, unit: ConfigUnit): unknown {
  const value = plainOf(node);
  if (unit === "plain") return value;
  if (unit === "share") return typeof value === "number" ? Math.round(value * 100) : value;
  const own = unit === "seconds" ? 1 : 60;
  if (typeof value === "number") return value;
  const match = /^(\d+(?:\.\d+)?)\s*(ms|s|m|h)$/.exec(typeof value === "string" ? value.trim() : "");
  const seconds = Number(match?.[1]) * secondsOf(match?.[2]);
  return Number.isFinite(seconds) ? seconds / own : value;
}

const secondsOf = (unit: string | undefined): number =>
  unit === "ms" || unit === "s" || unit === "m" || unit === "h" ? unitSeconds[unit] : Number.NaN;

function written(value: Settings[Name], unit: ConfigUnit): unknown {
  if (typeof value !== "number") return value;
  if (unit === "share") return value / 100;
  if (unit === "plain" || value < 0) return value;
  return `${value}${unit === "seconds" ? "s" : "m"}`;
}

/** A section without content, or with something that is no section, is begun again. */
function setKey(document: Document.Parsed, [section, name]: readonly [string, string], value: unknown): void {
  if (document.has(section) && !isMap(document.get(section))) document.set(section, document.createNode({}));
  document.setIn([section, name], value);
}

function removeKey(document: Document.Parsed, [section, name]: readonly [string, string]): void {
  if (!document.hasIn([section, name])) return;
  document.deleteIn([section, name]);
  const left = document.get(section);
  if (isMap(left) && left.items.length === 0 && !left.commentBefore && !left.comment) document.delete(section);
}

/** What is left of a file whose last setting was reset. */
const commentsOf = (document: Document.Parsed): string =>
  [document.commentBefore, document.comment]
    .flatMap((comment) => (!comment ? [] : comment.split("\n")))
    .map((line) => `#${line}\n`)
    .join("");

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

/** What a value must be, from the schema. */
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

const told = (wanted: ConfigWanted): Pick<ConfigProblem, "wanted" | "detail"> => ({
  wanted,
  detail: wantedText(wanted),
});

/** For the log: "a whole number from 1 to 600". */
function wantedText(wanted: ConfigWanted): string {
  switch (wanted.kind) {
    case "choice":
      return `one of ${wanted.values.join(", ")}`;
    case "boolean":
      return "true or false";
    case "list":
      return "a list of texts";
    case "text":
      return "a text";
    case "address":
      return "an address such as http://localhost:11434";
    case "section":
      return "a section with keys below it";
    case "number":
      return `a number from ${wanted.least} to ${wanted.most}`;
    case "whole":
      return `a whole number from ${wanted.least} to ${wanted.most}`;
    case "optional":
      return `a number from ${wanted.least} to ${wanted.most}, or nothing`;
    case "time":
      return `a time such as 90s or 2m, from ${wanted.least} to ${wanted.most} ${wanted.unit}`;
  }
}
