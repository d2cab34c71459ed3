/** The frontmatter of a SKILL.md: read leniently, without aliases and without any value that is not a text. Pure. */
import { isAlias, isMap, isScalar, type YAMLMap } from "yaml";
import type { SkillWarning } from "@/lib/tools/skills";
import { type LocatedYaml, parseYaml } from "@/server/base/parse-yaml";

interface SkillFrontmatter {
  /** Absent = not given. */
  readonly name?: string;
  readonly description?: string;
  readonly compatibility?: string;
  /** The author wants that only the user puts it into use. */
  readonly isManual: boolean;
  readonly warnings: readonly SkillWarning[];
}

/** A failure is a problem of the skill. */
type ReadFrontmatter =
  | { readonly ok: true; readonly value: SkillFrontmatter }
  | { readonly ok: false; readonly problem: SkillWarning };

interface ParsedMap extends Pick<LocatedYaml, "lineOf"> {
  /** Its repeated keys. */
  readonly faults: LocatedYaml["faults"];
  readonly map: YAMLMap;
}

/** Values that are read. Others, which other programs use, are left alone. */
const textKeys = ["name", "description", "compatibility"] as const;

const tabIndent = /^[ ]*\t/m;
/** A line that begins with a key of the map. */
const keyLine = /^[A-Za-z][\w-]*:(?=[ \t]|$)/m;
/** One line `key: value` whose value is a text that may have to be quoted: it begins neither a list, map nor quotation. */
const plainValue = /^([A-Za-z][\w-]*):[ \t]+([^\s"'|>[\]{}].*)\s*$/;
/** Keys that are tried one by one. */
const maxTriedKeys = 100;

/** Reads `text`, whose first line is line `firstLine` of its file. */
export function readFrontmatter(text: string, firstLine: number): ReadFrontmatter {
  const warnings: SkillWarning[] = [];
  const tabs = tabIndent.exec(text);
  if (tabs !== null) warnings.push({ kind: "tabs", line: firstLine + countBreaks(text.slice(0, tabs.index)) });
  const spaced = text.replace(/^[ \t]+/gm, (indent) => indent.replaceAll("\t", "  "));
  let parsed = parseMap(spaced);
  if (!("map" in parsed)) {
    const quoted = quoteBrokenValues(spaced);
    const again = parseMap(quoted.text);
    const line = firstLine + (quoted.line ?? parsed.line) - 1;
    if (!("map" in again)) return { ok: false, problem: { kind: "broken_yaml", line } };
    warnings.push({ kind: "quoted", line });
    parsed = again;
  }
  const { map, faults } = parsed;
  const lineOf = (key: string): number => firstLine + parsed.lineOf([key]) - 1;
  for (const { line } of faults) warnings.push({ kind: "duplicate_key", line: firstLine + line - 1 });
  const texts: Partial<Record<(typeof textKeys)[number], string>> = {};
  for (const key of textKeys) {
    const node = map.get(key, true);
    const place = { line: lineOf(key), detail: key };
    if (isAlias(node)) warnings.push({ kind: "alias", ...place });
    else if (isScalar(node)) {
      if (node.value !== null) texts[key] = toText(node.value, node.source).trim();
    } else if (node !== undefined) warnings.push({ kind: "not_text_value", ...place });
  }
  if (map.has("allowed-tools")) warnings.push({ kind: "allowed_tools", line: lineOf("allowed-tools") });
  return { ok: true, value: { ...texts, isManual: map.get("disable-model-invocation") === true, warnings } };
}

/** Numbers and dates as they are written. */
const toText = (value: unknown, source: string | undefined): string =>
  typeof value === "string" ? value : (source ?? String(value));

const countBreaks = (text: string): number => text.split("\n").length - 1;

/** Each key may be parsed once more alone. */
const maxLexemes = 3_000;

/** Parses a map, in which a key may be repeated; else the line of the first error, from 1. */
function parseMap(text: string): ParsedMap | { readonly line: number } {
  const { document, faults, lineOf } = parseYaml(text, maxLexemes);
  const broken = faults.find(({ code }) => code !== "DUPLICATE_KEY");
  const map = document?.contents;
  return broken === undefined && isMap(map) ? { map, faults, lineOf } : { line: broken?.line ?? 1 };
}

interface QuotedText {
  readonly text: string;
  /** The line of the first key that cannot be read as it is written, from 1; null = each can be read alone. */
  readonly line: number | null;
}

/** Puts the values that cannot be read alone into quotes, if they are a text in one line. */
function quoteBrokenValues(text: string): QuotedText {
  const keys: string[] = [];
  for (const line of text.split("\n")) {
    if (keys.length === 0 || keyLine.test(line)) keys.push(line);
    else keys.push(`${keys.pop() ?? ""}\n${line}`);
  }
  if (keys.length > maxTriedKeys) return { text, line: null };
  let broken: number | null = null;
  let line = 1;
  const written = keys.map((key) => {
    const from = line;
    line += countBreaks(key) + 1;
    if (!keyLine.test(key) || "map" in parseMap(key)) return key;
    const [, name, value] = plainValue.exec(key) ?? [];
    const isPlain = name !== undefined && value !== undefined && !value.includes("\n");
    broken ??= from;
    return isPlain ? `${name}: ${JSON.stringify(value.trimEnd())}${"\n".repeat(countBreaks(key))}` : key;
  });
  return { text: written.join("\n"), line: broken };
}
