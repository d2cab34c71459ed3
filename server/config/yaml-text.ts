/**
 * Shared functions for the YAML files of the home folder: parsing with line numbers, values with units, edits that
 * preserve comments and order, and descriptions of expected values. Pure; the parser is the `yaml` package (YAML 1.2).
 */
import { Document, isAlias, isCollection, isMap, isPair, isScalar, type Pair } from "yaml";
import type { ConfigProblem, ConfigSyntaxError, ConfigValueSpec } from "@/lib/settings/config-keys";
import type { ConfigUnit } from "@/lib/settings/setting-table";
import { limits } from "@/lib/settings/settings";
import { type LocatedYaml, parseYaml, type TextPosition, type YamlFault } from "@/server/base/parse-yaml";

export interface ConfigDocument extends Pick<LocatedYaml, "positionAt"> {
  readonly document: Document;
  /** Why no value of the text can be used. */
  readonly problems: readonly ConfigProblem[];
}

/** `syntax` = problem of a text that is not a map of sections. */
export function parseConfigDocument(text: string, syntax: ConfigSyntaxError): ConfigDocument {
  const isLarge = text.length > limits.configMaxChars;
  const { document, faults, positionAt } = parseYaml(isLarge ? "" : text.replace(/^\uFEFF/, ""));
  const problems = faults.map(toProblem);
  const contents = document?.contents ?? null;
  if (isLarge)
    problems.push({ code: "too_large", line: 0, column: 0, detail: `${limits.configMaxChars} characters at most` });
  else if (problems.length === 0 && contents !== null && !isMap(contents)) {
    const detail = "the file must be a list of sections, each with its settings indented below";
    problems.push({ code: "bad_syntax", line: 1, column: 1, syntax, detail });
  }
  return { document: document ?? new Document(), positionAt, problems };
}

const toProblem = ({ code, message, line, column }: YamlFault): ConfigProblem => ({
  code: "bad_syntax",
  line,
  column,
  syntax: syntaxKind(code),
  detail: message,
});

function syntaxKind(code: YamlFault["code"]): ConfigSyntaxError {
  if (code === "TAB_AS_INDENT") return "tab";
  if (code === "BAD_INDENT" || code === "BLOCK_AS_IMPLICIT_KEY" || code === "BLOCK_IN_FLOW") return "indent";
  if (code === "DUPLICATE_KEY") return "duplicate";
  if (code === "MISSING_CHAR" || code === "BAD_DQ_ESCAPE") return "quote";
  return code === "UNEXPECTED_TOKEN" ? "bracket" : "other";
}

/** A key of a map. */
export interface ConfigEntry {
  readonly key: string;
  /** Position of the key. */
  readonly at: TextPosition;
  readonly pair: Pair;
  /** The value; of an alias what it refers to. */
  readonly node: unknown;
}

/** Returns the entries of a map of the document; none for any other value. */
export const listEntries = (
  { document, positionAt }: Pick<ConfigDocument, "document" | "positionAt">,
  map: unknown,
): readonly ConfigEntry[] =>
  (isMap(map) ? map.items.filter(isPair) : []).map((pair) => {
    const { key, value } = pair;
    const offset = isScalar(key) || isAlias(key) ? (key.range?.[0] ?? 0) : 0;
    const node = isAlias(value) ? value.resolve(document) : value;
    return { key: String(isScalar(key) ? key.value : key), at: positionAt(offset), pair, node };
  });

export const unknownKey = (key: string, at: TextPosition): ConfigProblem => ({ code: "unknown_key", key, ...at });

export const badValue = (key: string, at: TextPosition, wanted: ConfigValueSpec): ConfigProblem => ({
  code: "bad_value",
  key,
  wanted,
  detail: formatWanted(wanted),
  ...at,
});

const plainValue = (node: unknown): unknown =>
  isScalar(node) ? node.value : isCollection(node) ? node.toJSON() : node;

const unitSeconds = { ms: 0.001, s: 1, m: 60, h: 3_600 } as const;

/**
 * Converts a value to the setting's unit; a value that cannot be converted is returned unchanged, for the schema to
 * reject.
 */
export function toSettingValue(node: unknown, unit: ConfigUnit): unknown {
  const value = plainValue(node);
  if (unit === "plain") return value;
  if (unit === "share") return typeof value === "number" ? Math.round(value * 100) : value;
  const own = unit === "seconds" ? 1 : 60;
  if (typeof value === "number") return value;
  const match = /^(\d+(?:\.\d+)?)\s*(ms|s|m|h)$/.exec(typeof value === "string" ? value.trim() : "");
  const seconds = Number(match?.[1]) * secondsPerUnit(match?.[2]);
  return Number.isFinite(seconds) ? seconds / own : value;
}

const secondsPerUnit = (unit: string | undefined): number =>
  unit === "ms" || unit === "s" || unit === "m" || unit === "h" ? unitSeconds[unit] : Number.NaN;

/** Converts a setting's value to the notation of the file. */
export function toFileValue(value: unknown, unit: ConfigUnit): unknown {
  if (typeof value !== "number") return value;
  if (unit === "share") return value / 100;
  if (unit === "plain" || value < 0) return value;
  return `${value}${unit === "seconds" ? "s" : "m"}`;
}

/** Sets a value. A section that is empty or not a map is replaced. */
export function setKey(document: Document, [section, name]: readonly [string, string], value: unknown): void {
  if (document.has(section) && !isMap(document.get(section))) document.set(section, document.createNode({}));
  document.setIn([section, name], value);
}

/** Removes a key, and its section with the last key unless the section has a comment. */
export function removeKey(document: Document, [section, name]: readonly [string, string]): void {
  if (!document.hasIn([section, name])) return;
  document.deleteIn([section, name]);
  const left = document.get(section);
  const pair = isMap(document.contents)
    ? document.contents.items.find(({ key }) => isScalar(key) && key.value === section)
    : undefined;
  const hasComment = isScalar(pair?.key) && Boolean(pair.key.commentBefore);
  if (isMap(left) && left.items.length === 0 && !left.commentBefore && !left.comment && !hasComment)
    document.delete(section);
}

/**
 * Serializes the document; only its comments once the last key is removed. null = an alias refers to a removed value.
 */
export function serializeDocument(document: Document): string | null {
  if (document.contents === null || (isMap(document.contents) && document.contents.items.length === 0))
    return documentComments(document);
  try {
    return document.toString({ lineWidth: 0 });
  } catch {
    return null;
  }
}

/** Comments of a file whose last setting was reset. */
const documentComments = (document: Document): string =>
  [document.commentBefore, document.contents?.commentBefore, document.contents?.comment, document.comment]
    .flatMap((comment) => (!comment ? [] : comment.split("\n")))
    .map((line) => `#${line}\n`)
    .join("");

/** Formats the expected value for the log: "a whole number from 1 to 600". */
const formatWanted = (wanted: ConfigValueSpec): string =>
  wanted.orAuto ? `${formatWantedKind(wanted)}, or auto` : formatWantedKind(wanted);

function formatWantedKind(wanted: ConfigValueSpec): string {
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
    case "wholes":
      return `a list of whole numbers from ${wanted.least} to ${wanted.most}`;
    case "optional":
      return `a number from ${wanted.least} to ${wanted.most}, or nothing`;
    case "time":
      return `a time such as 90s or 2m, from ${wanted.least} to ${wanted.most} ${wanted.unit}`;
  }
}
