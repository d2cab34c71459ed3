/**
 * Parses and edits the text of `config.yaml`: values to settings, changed settings to values; preserves comments and
 * order. Pure.
 */
import { upgradeSettingValue } from "@/lib/notices/notice-kinds";
import { type Document, isAlias, isMap, isScalar, type LineCounter, type Pair, parse, stringify } from "yaml";
import { type ConfigProblem, type ConfigValueSpec, settingNames, settingOfKey } from "@/lib/settings/config-keys";
import { settingTable } from "@/lib/settings/setting-table";
import { type SettingName, type Settings, settingsDefaults } from "@/lib/settings/settings";
import {
  pairKey,
  mapPairs,
  type ParsedYaml,
  parseYaml,
  keyPosition,
  removeKey,
  setKey,
  serializeDocument,
  describeWanted,
  toSettingValue,
  toFileValue,
} from "./yaml-text";

export interface ParsedConfig {
  /** Valid values only. */
  readonly settings: Partial<Settings>;
  readonly problems: readonly ConfigProblem[];
}

const sectionNames: ReadonlySet<string> = new Set(settingNames.map((name) => settingTable[name].path[0]));
/** Version of the file's form; a file without one has this version. */
const configVersion = "1";

/** Parses the settings, and the problems with their lines. With bad syntax there are no settings. */
export function parseConfig(text: string): ParsedConfig {
  return readSettings(parseYaml(text, "sections"));
}

function readSettings({ document, lines, problems }: ParsedYaml): ParsedConfig {
  if (problems.length > 0) return { settings: {}, problems };
  const found: ConfigProblem[] = [];
  const settings = new Map<SettingName, unknown>();
  for (const section of mapPairs(document.contents)) parseSection(document, section, settings, found, lines);
  return { settings: Object.fromEntries(settings), problems: found };
}

/** Parses the value of one setting as the file has it, where a list may lack its brackets: `90s`, `rm, sudo`. */
export function parseSettingText(name: SettingName, text: string): ParsedConfig {
  const [section, key] = settingTable[name].path;
  return parseConfig(stringify({ [section]: { [key]: parseSettingValue(name, text) } }));
}

/** A text that is no valid value is returned unchanged, for the schema to reject. */
function parseSettingValue(name: SettingName, text: string): unknown {
  const { kind } = expectedValue(name);
  if (kind === "text" || kind === "address" || kind === "choice") return text;
  const isWithoutBrackets = !/^\s*\[/.test(text);
  if (kind === "list" && isWithoutBrackets)
    return text
      .split(",")
      .map((item) => item.trim())
      .filter((item) => item !== "");
  try {
    return parse(kind === "wholes" && isWithoutBrackets ? `[${text}]` : text);
  } catch {
    return text;
  }
}

/** Problem of a text that turns the sandbox on where none works; null = the text does not turn it on. */
export function sandboxProblem(text: string, reason: string): ConfigProblem | null {
  const parsed = parseYaml(text, "sections");
  const { document, lines } = parsed;
  const [section, name] = settingTable.sandbox.path;
  const pair = mapPairs(document.contents).find((one) => pairKey(one) === section);
  const key = mapPairs(pair?.value).find((one) => pairKey(one) === name);
  if (key === undefined || readSettings(parsed).settings.sandbox !== "always") return null;
  return { code: "no_sandbox", key: `${section}.${name}`, detail: reason, ...keyPosition(key, lines) };
}

/**
 * Returns the text with these settings written into it; a default value is removed. Returns null when the text has bad
 * syntax, or would have it afterwards, so such a file is never overwritten.
 */
export function editConfig(text: string, patch: Partial<Settings>): string | null {
  const parsed = parseYaml(text, "sections");
  const { document, problems } = parsed;
  if (problems.length > 0) return null;
  const isEmpty = document.contents === null;
  const present = readSettings(parsed).settings;
  for (const name of settingNames) {
    const value = patch[name];
    // An unchanged value keeps its notation: "2m" does not become "120s".
    if (value === undefined || isEqual(value, present[name])) continue;
    const { path, unit } = settingTable[name];
    if (isEqual(value, settingsDefaults[name])) removeKey(document, path);
    else setKey(document, path, toFileValue(value, unit));
  }
  const edited = isEmpty && document.contents === null ? text : serializeDocument(document);
  return edited !== null && hasExactSettings(edited, { ...present, ...patch }) ? edited : null;
}

/** True when the text has exactly these settings: editing a value that an alias repeats changes other settings too. */
function hasExactSettings(text: string, settings: Partial<Settings>): boolean {
  const found = parseConfig(text).settings;
  return settingNames.every((name) =>
    isEqual(found[name] ?? settingsDefaults[name], settings[name] ?? settingsDefaults[name]),
  );
}

function parseSection(
  document: Document,
  section: Pair,
  settings: Map<SettingName, unknown>,
  problems: ConfigProblem[],
  lines: LineCounter,
): void {
  const title = pairKey(section);
  if (title === "version") {
    const isKnown = isScalar(section.value) && String(section.value.value) === configVersion;
    const wanted = describeWanted({ kind: "choice", values: [configVersion] });
    if (!isKnown) problems.push({ code: "bad_value", key: title, ...wanted, ...keyPosition(section, lines) });
    return;
  }
  if (!sectionNames.has(title))
    return void problems.push({ code: "unknown_key", key: title, ...keyPosition(section, lines) });
  if (isScalar(section.value) ? section.value.value !== null : !isMap(section.value))
    problems.push({
      code: "bad_value",
      key: title,
      ...describeWanted({ kind: "section" }),
      ...keyPosition(section, lines),
    });
  for (const pair of mapPairs(section.value)) {
    const key = `${title}.${pairKey(pair)}`;
    const name = settingOfKey(key);
    if (name === undefined) {
      problems.push({ code: "unknown_key", key, ...keyPosition(pair, lines) });
      continue;
    }
    const node = isAlias(pair.value) ? pair.value.resolve(document) : pair.value;
    const value = upgradeSettingValue(name, toSettingValue(node, settingTable[name].unit));
    if (settingTable[name].accepts(value)) settings.set(name, value);
    else
      problems.push({
        code: "bad_value",
        key,
        ...describeWanted(expectedValue(name)),
        ...keyPosition(pair, lines),
      });
  }
}

const isEqual = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

/** The form of a setting's value in the file. */
function expectedValue(name: SettingName): ConfigValueSpec {
  const { allowed, unit } = settingTable[name];
  switch (allowed.kind) {
    case "list":
      return { kind: "list" };
    case "integers":
      return { kind: "wholes", least: allowed.least, most: allowed.most };
    case "temperature":
      return { kind: "optional", least: allowed.least, most: allowed.most };
    case "integer": {
      const { least, most } = allowed;
      if (unit === "share") return { kind: "number", least: least / 100, most: most / 100 };
      return unit === "plain" ? { kind: "whole", least, most } : { kind: "time", least, most, unit };
    }
    default:
      return allowed;
  }
}
