/**
 * Reads what an extension defines, without running anything: tools, slash commands, listeners, a gate, names of
 * variables. A part with an error is left out and named with its line; the others are used.
 */
import { isRecord, type Json } from "@/lib/events/content";
import {
  type ExtensionEvent,
  extensionEvents,
  extensionNameMaxChars,
  type ExtensionProblem,
} from "@/lib/tools/extensions";
import { findBuiltinTool } from "@/server/tools/arguments/foreign-names";
import { reduceSchema } from "@/server/tools/toolbox/reduce-schema";
import { type DocumentPath, type LocatedYaml, parseDefinitionYaml } from "@/server/base/parse-yaml";

/** A script: a file of the extension, and words that it gets as its arguments. */
export interface ScriptRun {
  readonly file: string;
  readonly arguments: readonly string[];
}

export interface ScriptTool {
  readonly name: string;
  readonly description: string;
  /** Reduced JSON Schema object. */
  readonly parameters: Json;
  readonly run: ScriptRun;
  readonly timeoutMs: number;
}

export interface ScriptCommand {
  readonly name: string;
  readonly description: string;
  readonly text:
    | { readonly kind: "prompt"; readonly prompt: string }
    | { readonly kind: "run"; readonly run: ScriptRun };
}

export interface ScriptListener {
  readonly events: readonly ExtensionEvent[];
  /** Wildcards that the event's subject must match; null = any. */
  readonly match: string | null;
  readonly run: ScriptRun;
  readonly isKept: boolean;
}

export interface ExtensionDefinition {
  readonly description: string;
  readonly variables: readonly string[];
  readonly tools: readonly ScriptTool[];
  readonly commands: readonly ScriptCommand[];
  readonly listeners: readonly ScriptListener[];
  readonly gate: ScriptRun | null;
}

interface ReadDefinition {
  readonly definition: ExtensionDefinition;
  readonly problems: readonly ExtensionProblem[];
}

export const emptyDefinition: ExtensionDefinition = {
  description: "",
  variables: [],
  tools: [],
  commands: [],
  listeners: [],
  gate: null,
};

export const scriptTimes = { defaultMs: 30_000, maxMs: 600_000 } as const;

/** A tool's name after that of the extension and two underscores has at most 64 characters. */
const maxToolNameChars = 64 - 2 - extensionNameMaxChars;
const toolName = new RegExp(`^[A-Za-z][A-Za-z0-9_-]{0,${maxToolNameChars - 1}}$`);
const commandName = /^[a-z][a-z0-9_-]{0,39}$/;
const variableName = /^[A-Za-z_][A-Za-z0-9_]{0,99}$/;
const maxParts = 50;
const maxTextChars = 16_384;
const maxRunWords = 32;

export interface DefinitionSource {
  /** YAML text. */
  readonly text: string;
  /** Path of its file, for problems. */
  readonly file: string;
  /** Line of the file in which `text` begins. */
  readonly firstLine: number;
  /** Names of all files of the extension, relative to its folder. */
  readonly files: ReadonlySet<string>;
  /** The file that a part runs which does not name one; null = each part has to. */
  readonly ownFile: string | null;
}

export function readDefinition(source: DefinitionSource): ReadDefinition {
  const yaml = parseDefinitionYaml(source.text);
  const [fault] = yaml.faults;
  const fatal = (kind: ExtensionProblem["kind"], line: number): ReadDefinition => ({
    definition: emptyDefinition,
    problems: [{ kind, file: source.file, line: source.firstLine + line - 1 }],
  });
  if (fault !== undefined) return fatal("broken_yaml", fault.line);
  const { value } = yaml;
  if (!isRecord(value)) return fatal("not_a_map", 1);
  const problems: ExtensionProblem[] = [];
  const reader = makeReader(source, yaml, (problem) => void problems.push(problem));
  const definition = readParts(reader, value);
  const { tools, commands, listeners, gate } = definition;
  if (problems.length === 0 && [...tools, ...commands, ...listeners].length === 0 && gate === null)
    return fatal("empty", 1);
  return { definition, problems };
}

type YamlRecord = { readonly [name: string]: unknown };

type Reader = ReturnType<typeof makeReader>;

function makeReader(source: DefinitionSource, yaml: LocatedYaml, add: (problem: ExtensionProblem) => void) {
  const note = (kind: ExtensionProblem["kind"], path: DocumentPath, detail?: string, limit?: number): null => {
    const line = source.firstLine + yaml.lineOf(path) - 1;
    add({
      kind,
      file: source.file,
      line,
      ...(detail === undefined ? {} : { detail }),
      ...(limit === undefined ? {} : { limit }),
    });
    return null;
  };
  const formatPath = (path: DocumentPath): string => path.filter((key) => typeof key === "string").join(".");
  return {
    note,
    checkKeys(record: YamlRecord, path: DocumentPath, allowed: readonly string[]): void {
      for (const key of Object.keys(record))
        if (!allowed.includes(key)) note("unknown_key", [...path, key], key.slice(0, 100));
    },
    /** null = it is not a text, which is noted; undefined = it is not given. */
    text(record: YamlRecord, key: string, path: DocumentPath): string | null | undefined {
      const value = record[key];
      if (value === undefined || value === null) return undefined;
      if (typeof value === "number" || typeof value === "boolean") return String(value);
      if (typeof value !== "string" || value.length > maxTextChars)
        return note("bad_value", [...path, key], formatPath([...path, key]));
      return value;
    },
    missing: (path: DocumentPath, key: string): null => note("missing_key", path, key),
    /** The records of a list; what is none is noted. */
    records(record: YamlRecord, key: string): readonly (readonly [YamlRecord, DocumentPath])[] {
      const value = record[key];
      if (value === undefined || value === null) return [];
      if (!Array.isArray(value)) {
        note("bad_value", [key], key);
        return [];
      }
      const items: readonly unknown[] = value;
      if (items.length > maxParts) note("bad_value", [key, maxParts], key, maxParts);
      return items.slice(0, maxParts).flatMap((item, index): readonly (readonly [YamlRecord, DocumentPath])[] => {
        if (isRecord(item)) return [[item, [key, index]]];
        note("bad_value", [key, index], key);
        return [];
      });
    },
    run(value: unknown, path: DocumentPath): ScriptRun | null {
      const words: readonly unknown[] = Array.isArray(value) ? value : value === undefined ? [source.ownFile] : [value];
      const [file, ...rest] = words;
      if (file === null && value === undefined) return note("missing_key", path, "run");
      if (!isText(file) || !rest.every(isText) || rest.length > maxRunWords)
        return note("bad_value", [...path, "run"], "run");
      const plain = file.replace(/^\.\//, "");
      if (!source.files.has(plain)) return note("no_file", [...path, "run"], file.slice(0, 200));
      return { file: plain, arguments: rest };
    },
  };
}

const isText = (value: unknown): value is string =>
  typeof value === "string" && value !== "" && !value.includes("\0") && value.length <= 1_000;

const rootKeys = ["description", "env", "tools", "commands", "on", "gate"];

function readParts(reader: Reader, record: YamlRecord): ExtensionDefinition {
  reader.checkKeys(record, [], rootKeys);
  const tools = reader.records(record, "tools").map(([one, path]) => readTool(reader, one, path));
  const commands = reader.records(record, "commands").map(([one, path]) => readCommand(reader, one, path));
  const listeners = reader.records(record, "on").map(([one, path]) => readListener(reader, one, path));
  return {
    description: reader.text(record, "description", []) ?? "",
    variables: readVariables(reader, record),
    tools: withoutRepeated(reader, tools),
    commands: withoutRepeated(reader, commands),
    listeners: listeners.flatMap((listener) => (listener === null ? [] : [listener])),
    gate: readGate(reader, record),
  };
}

interface Placed<T> {
  readonly part: T;
  readonly path: DocumentPath;
}

function withoutRepeated<T extends { readonly name: string }>(
  reader: Reader,
  placed: readonly (Placed<T> | null)[],
): readonly T[] {
  const names = new Set<string>();
  return placed.flatMap((one) => {
    if (one === null) return [];
    const { part, path } = one;
    if (!names.has(part.name)) {
      names.add(part.name);
      return [part];
    }
    reader.note("same_name", [...path, "name"], part.name);
    return [];
  });
}

/** The name and description that each tool and command has; null = noted. */
function readNamed(
  reader: Reader,
  record: YamlRecord,
  path: DocumentPath,
  pattern: RegExp,
): { readonly name: string; readonly description: string } | null {
  const name = reader.text(record, "name", path);
  const description = reader.text(record, "description", path);
  if (name === undefined) return reader.missing(path, "name");
  if (name === null || description === null) return null;
  if (!pattern.test(name)) return reader.note("bad_part_name", [...path, "name"], name.slice(0, 100));
  return { name, description: description ?? "" };
}

function readTool(reader: Reader, record: YamlRecord, path: DocumentPath): Placed<ScriptTool> | null {
  reader.checkKeys(record, path, ["name", "description", "parameters", "run", "timeout"]);
  const named = readNamed(reader, record, path, toolName);
  if (named === null) return null;
  if (findBuiltinTool(named.name) === named.name) return reader.note("built_in_name", [...path, "name"], named.name);
  if (named.description.trim() === "") return reader.missing(path, "description");
  const reduced = reduceSchema(record.parameters ?? { type: "object", properties: {} });
  if (!reduced.ok) return reader.note("bad_parameters", [...path, "parameters"], reduced.detail);
  const run = reader.run(record.run, path);
  const timeoutMs = readTimeout(reader, record, path);
  if (run === null || timeoutMs === null) return null;
  return { part: { ...named, parameters: reduced.parameters, run, timeoutMs }, path };
}

/** Seconds, up to the maximum. */
function readTimeout(reader: Reader, { timeout }: YamlRecord, path: DocumentPath): number | null {
  if (timeout === undefined || timeout === null) return scriptTimes.defaultMs;
  const isUsable = typeof timeout === "number" && timeout > 0 && timeout * 1_000 <= scriptTimes.maxMs;
  return isUsable
    ? Math.ceil(timeout * 1_000)
    : reader.note("bad_time", [...path, "timeout"], undefined, scriptTimes.maxMs / 1_000);
}

function readCommand(reader: Reader, record: YamlRecord, path: DocumentPath): Placed<ScriptCommand> | null {
  reader.checkKeys(record, path, ["name", "description", "prompt", "run"]);
  const named = readNamed(reader, record, path, commandName);
  if (named === null) return null;
  const prompt = reader.text(record, "prompt", path);
  if (prompt === null) return null;
  if (prompt !== undefined) return { part: { ...named, text: { kind: "prompt", prompt } }, path };
  const run = reader.run(record.run, path);
  return run === null ? null : { part: { ...named, text: { kind: "run", run } }, path };
}

const events: ReadonlySet<unknown> = new Set(extensionEvents);
const isEvent = (value: unknown): value is ExtensionEvent => events.has(value);

function readListener(reader: Reader, record: YamlRecord, path: DocumentPath): ScriptListener | null {
  reader.checkKeys(record, path, ["event", "match", "run", "keep"]);
  const { event, keep = false } = record;
  if (event === undefined) return reader.missing(path, "event");
  const named: readonly unknown[] = Array.isArray(event) ? event : [event];
  const unknownEvent = named.find((one) => !isEvent(one));
  if (named.length === 0 || unknownEvent !== undefined)
    return reader.note("bad_event", [...path, "event"], String(unknownEvent).slice(0, 100));
  const match = reader.text(record, "match", path);
  if (match === null) return null;
  if (typeof keep !== "boolean") return reader.note("bad_value", [...path, "keep"], "keep");
  const run = reader.run(record.run, path);
  return run === null ? null : { events: named.filter(isEvent), match: match ?? null, run, isKept: keep };
}

function readGate(reader: Reader, record: YamlRecord): ScriptRun | null {
  const { gate } = record;
  if (gate === undefined || gate === null) return null;
  if (!isRecord(gate)) return reader.note("bad_value", ["gate"], "gate");
  reader.checkKeys(gate, ["gate"], ["before_tool"]);
  if (gate.before_tool === undefined) return reader.missing(["gate"], "before_tool");
  return reader.run(gate.before_tool ?? undefined, ["gate"]);
}

function readVariables(reader: Reader, record: YamlRecord): readonly string[] {
  const { env } = record;
  if (env === undefined || env === null) return [];
  if (!Array.isArray(env)) {
    reader.note("bad_value", ["env"], "env");
    return [];
  }
  const names: readonly unknown[] = env;
  return names.flatMap((name, index) => {
    if (typeof name === "string" && variableName.test(name) && index < maxParts) return [name];
    reader.note("bad_variable", ["env", index], String(name).slice(0, 100));
    return [];
  });
}
