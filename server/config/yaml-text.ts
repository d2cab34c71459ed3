/**
 * Shared functions for the YAML files of the home folder: parsing with line numbers, values with units, edits that
 * preserve comments and order, and descriptions of expected values. Pure; the parser is the `yaml` package (YAML 1.2).
 */
import { Document, isAlias, isCollection, isMap, isPair, isScalar, LineCounter, type Pair } from "yaml";
import type { ConfigProblem, ConfigSyntaxError, ConfigValueSpec } from "@/lib/settings/config-keys";
import type { ConfigUnit } from "@/lib/settings/setting-table";
import { limits } from "@/lib/settings/settings";
import { parseBoundedYaml, type YamlFault } from "@/server/base/yaml-document";

export interface ParsedYaml {
  readonly document: Document;
  readonly lines: LineCounter;
  /** Why no value of the text can be used. */
  readonly problems: readonly ConfigProblem[];
}

/** `syntax` = problem of a text that is not a map of sections. */
export function parseYaml(text: string, syntax: ConfigSyntaxError): ParsedYaml {
  if (text.length > limits.configMaxChars) {
    const detail = `${limits.configMaxChars} characters at most`;
    const problem = { code: "too_large" as const, line: 0, column: 0, detail };
    return { document: new Document(), lines: new LineCounter(), problems: [problem] };
  }
  const { document, lines, faults } = parseBoundedYaml(text.replace(/^\uFEFF/, ""));
  if (document === null || faults.length > 0)
    return { document: document ?? new Document(), lines, problems: faults.map((fault) => toProblem(fault, lines)) };
  if (document.contents === null || isMap(document.contents)) return { document, lines, problems: [] };
  const detail = "the file must be a list of sections, each with its settings indented below";
  return { document, lines, problems: [{ code: "bad_syntax", line: 1, column: 1, syntax, detail }] };
}

function toProblem({ code, message, offset }: YamlFault, lines: LineCounter): ConfigProblem {
  const { line, col } = lines.linePos(offset);
  return { code: "bad_syntax", line, column: col, syntax: syntaxKind(code), detail: message };
}

function syntaxKind(code: YamlFault["code"]): ConfigSyntaxError {
  if (code === "TAB_AS_INDENT") return "tab";
  if (code === "BAD_INDENT" || code === "BLOCK_AS_IMPLICIT_KEY" || code === "BLOCK_IN_FLOW") return "indent";
  if (code === "DUPLICATE_KEY") return "duplicate";
  if (code === "MISSING_CHAR" || code === "BAD_DQ_ESCAPE") return "quote";
  return code === "UNEXPECTED_TOKEN" ? "bracket" : "other";
}

export const mapPairs = (map: unknown): readonly Pair[] => (isMap(map) ? map.items.filter(isPair) : []);
export const pairKey = ({ key }: Pair): string => String(isScalar(key) ? key.value : key);

/** Position of a key, 1-based. */
export function keyPosition({ key }: Pair, lines: LineCounter): { readonly line: number; readonly column: number } {
  const offset = isScalar(key) || isAlias(key) ? (key.range?.[0] ?? 0) : 0;
  const { line, col } = lines.linePos(offset);
  return { line, column: col };
}

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
  const pair = mapPairs(document.contents).find((one) => pairKey(one) === section);
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

export const describeWanted = (wanted: ConfigValueSpec): Pick<ConfigProblem, "wanted" | "detail"> => ({
  wanted,
  detail: formatWanted(wanted),
});

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
