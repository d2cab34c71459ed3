/**
 * Parses and edits the text of `config.yaml`: values to settings, changed settings to values; preserves comments and
 * order. Pure.
 */
import { upgradeSettingValue } from "@/lib/notices/notice-kinds";
import { isMap, isScalar, parse, stringify } from "yaml";
import {
  type ConfigProblem,
  type ConfigValueSpec,
  formatConfigKey,
  settingNames,
  settingOfKey,
  settingPaths,
} from "@/lib/settings/config-keys";
import { settingTable } from "@/lib/settings/setting-table";
import { type SettingName, type Settings, settingsDefaults } from "@/lib/settings/settings";
import {
  badValue,
  type ConfigDocument,
  type ConfigEntry,
  listEntries,
  parseConfigDocument,
  removeKey,
  serializeDocument,
  setKey,
  toFileValue,
  toSettingValue,
  unknownKey,
} from "./yaml-text";

interface ParsedConfig {
  /** Valid values only. */
  readonly settings: Partial<Settings>;
  readonly problems: readonly ConfigProblem[];
}

const sectionNames: ReadonlySet<string> = new Set(settingNames.flatMap(settingPaths).map(([section]) => section));
/** Version of the file's form; a file without one has this version. */
const configVersion = "1";

/** Parses the settings, and the problems with their lines. With bad syntax there are no settings. */
export function parseConfig(text: string): ParsedConfig {
  return readSettings(parseConfigDocument(text, "sections"));
}

function readSettings(parsed: ConfigDocument): ParsedConfig {
  const { document, problems } = parsed;
  if (problems.length > 0) return { settings: {}, problems };
  const found: ConfigProblem[] = [];
  const settings = new Map<SettingName, unknown>();
  for (const section of listEntries(parsed, document.contents)) parseSection(parsed, section, settings, found);
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
  const parsed = parseConfigDocument(text, "sections");
  const [section, name] = settingTable.sandbox.path;
  const values = listEntries(parsed, parsed.document.contents).find(({ key }) => key === section)?.pair.value;
  const found = listEntries(parsed, values).find(({ key }) => key === name);
  if (found === undefined || readSettings(parsed).settings.sandbox !== "always") return null;
  return { code: "no_sandbox", key: `${section}.${name}`, detail: reason, ...found.at };
}

/**
 * Returns the text with these settings written into it; a default value is removed. Returns null when the text has bad
 * syntax, or would have it afterwards, so such a file is never overwritten.
 */
export function editConfig(text: string, patch: Partial<Settings>): string | null {
  const parsed = parseConfigDocument(text, "sections");
  const { document, problems } = parsed;
  if (problems.length > 0) return null;
  const isEmpty = document.contents === null;
  const present = readSettings(parsed).settings;
  for (const name of settingNames) {
    const value = patch[name];
    // An unchanged value keeps its notation: "2m" does not become "120s".
    if (value === undefined || isEqual(value, present[name])) continue;
    const { path, unit } = settingTable[name];
    const paths = settingPaths(name);
    if (isEqual(value, settingsDefaults[name])) for (const one of paths) removeKey(document, one);
    else setKey(document, paths.find((one) => document.hasIn(one)) ?? path, toFileValue(value, unit));
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
  document: ConfigDocument,
  { key: title, at, pair: { value: section } }: ConfigEntry,
  settings: Map<SettingName, unknown>,
  problems: ConfigProblem[],
): void {
  if (title === "version") {
    const isKnown = isScalar(section) && String(section.value) === configVersion;
    if (!isKnown) problems.push(badValue(title, at, { kind: "choice", values: [configVersion] }));
    return;
  }
  if (!sectionNames.has(title)) return void problems.push(unknownKey(title, at));
  if (isScalar(section) ? section.value !== null : !isMap(section))
    problems.push(badValue(title, at, { kind: "section" }));
  for (const { key: ownKey, at: place, node } of listEntries(document, section)) {
    const key = `${title}.${ownKey}`;
    const name = settingOfKey(key);
    // A former key has no effect in a file that has the present one.
    const isRepeated =
      name !== undefined && key !== formatConfigKey(name) && document.document.hasIn(settingTable[name].path);
    if (name === undefined || isRepeated) {
      problems.push(unknownKey(key, place));
      continue;
    }
    const value = upgradeSettingValue(name, toSettingValue(node, settingTable[name].unit));
    if (settingTable[name].accepts(value)) settings.set(name, value);
    else problems.push(badValue(key, place, expectedValue(name)));
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
