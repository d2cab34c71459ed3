/**
 * Parses and edits the text of `models.yaml`: one section for each model or family, with its settings below. Preserves
 * comments and order. Pure.
 */
import { isMap, isScalar } from "yaml";
import type { ConfigProblem } from "@/lib/settings/config-keys";
import {
  type ModelEntry,
  type ModelPatch,
  type ModelSettingName,
  modelSettingNames,
  modelSettingTable,
  patchModelSettings,
} from "@/lib/settings/model-settings";
import { modelPatchSchema } from "@/lib/settings/model-settings-schema";
import { isSameModelName } from "@/lib/models/model-names";
import type { ConfigUnit } from "@/lib/settings/setting-table";
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

interface ParsedModels {
  /** Valid values only. */
  readonly entries: readonly ModelEntry[];
  readonly problems: readonly ConfigProblem[];
  /** Settings with an invalid value. */
  readonly bad: readonly { readonly entry: string; readonly name: ModelSettingName }[];
}

const nameByKey = new Map<string, ModelSettingName>(
  modelSettingNames.map((name) => [modelSettingTable[name].key, name]),
);
const modelNameMaxChars = 200;

export const unitOf = (name: ModelSettingName): ConfigUnit => {
  const { wanted } = modelSettingTable[name];
  return wanted.kind === "time" ? wanted.unit : "plain";
};

/** Parses the entries, and the problems with their lines. With bad syntax there are no entries. */
export function parseModelEntries(text: string): ParsedModels {
  return readEntries(parseConfigDocument(text, "models"));
}

function readEntries(parsed: ConfigDocument): ParsedModels {
  const { document, problems } = parsed;
  if (problems.length > 0) return { entries: [], problems, bad: [] };
  const sections = listEntries(parsed, document.contents);
  const star = sections.find(({ pair }) => !isScalar(pair.key));
  if (star !== undefined)
    return {
      entries: [],
      problems: [{ code: "bad_syntax", syntax: "star", ...star.at, detail: "put the name in quotes" }],
      bad: [],
    };
  const read = sections.map((section) => parseEntry(parsed, section));
  return {
    entries: read.flatMap(({ entry }) => (entry === null ? [] : [entry])),
    problems: read.flatMap((one) => one.problems),
    bad: read.flatMap((one) => one.bad.map((name) => ({ entry: one.title, name }))),
  };
}

interface ParsedEntry {
  readonly title: string;
  readonly entry: ModelEntry | null;
  readonly problems: readonly ConfigProblem[];
  readonly bad: readonly ModelSettingName[];
}

function parseEntry(document: ConfigDocument, { key: title, at, node: section }: ConfigEntry): ParsedEntry {
  const refuse = (problem: ConfigProblem): ParsedEntry => ({ title, entry: null, problems: [problem], bad: [] });
  if (title === "" || title.length > modelNameMaxChars)
    return refuse(badValue(title.slice(0, 20), at, { kind: "text" }));
  const isEmpty = section === null || section === undefined || (isScalar(section) && section.value === null);
  if (!isEmpty && !isMap(section)) return refuse(badValue(title, at, { kind: "section" }));
  const problems: ConfigProblem[] = [];
  const bad: ModelSettingName[] = [];
  let settings: ModelPatch = {};
  for (const { key, at: place, node } of listEntries(document, section)) {
    const name = nameByKey.get(key);
    if (name === undefined) {
      problems.push(unknownKey(key, place));
      continue;
    }
    const checked = modelPatchSchema.safeParse({ [name]: toSettingValue(node, unitOf(name)) });
    if (checked.success) settings = { ...settings, ...checked.data };
    else {
      bad.push(name);
      problems.push(badValue(key, place, modelSettingTable[name].wanted));
    }
  }
  return { title, entry: { name: title, settings }, problems, bad };
}

/**
 * Returns the text with these settings of one model written into it; an automatic value is removed unless a wildcard
 * entry sets another one. Returns null when the text has bad syntax, or would have it afterwards, so such a file is
 * never overwritten.
 */
export function editModels(text: string, model: string, patch: ModelPatch): string | null {
  const parsed = parseConfigDocument(text, "models");
  const { document } = parsed;
  const { entries, problems } = readEntries(parsed);
  if (problems.some(({ code }) => code === "bad_syntax" || code === "too_large")) return null;
  const isEmpty = document.contents === null;
  const found = entries.find(({ name }) => !name.includes("*") && isSameModelName(name, model));
  const title = found?.name ?? model;
  const after = patchModelSettings(entries, model, patch);
  for (const name of modelSettingNames) {
    const value = after[name];
    if (patch[name] === undefined || JSON.stringify(value) === JSON.stringify(found?.settings[name])) continue;
    const { key } = modelSettingTable[name];
    if (value === undefined) removeKey(document, [title, key]);
    else setKey(document, [title, key], toFileValue(value, unitOf(name)));
  }
  const edited = isEmpty && document.contents === null ? text : serializeDocument(document);
  return edited !== null && hasExactEntry(edited, entries, { name: title, settings: after }) ? edited : null;
}

/**
 * Returns the text with these entries written into it, other settings of the same models unchanged. Returns null when the text has
 * bad syntax, or would not have these values afterwards.
 */
export function addModels(text: string, added: readonly ModelEntry[]): string | null {
  const parsed = parseConfigDocument(text, "models");
  if (readEntries(parsed).problems.some(({ code }) => code === "bad_syntax" || code === "too_large")) return null;
  for (const { name, settings } of added)
    for (const setting of modelSettingNames) {
      const { key } = modelSettingTable[setting];
      if (settings[setting] !== undefined)
        setKey(parsed.document, [name, key], toFileValue(settings[setting], unitOf(setting)));
    }
  const edited = serializeDocument(parsed.document);
  return edited !== null && changedModels(added, parseModelEntries(edited).entries).length === 0 ? edited : null;
}

/** Returns the entries of which a setting is missing in `present` or differs there. */
export const changedModels = (entries: readonly ModelEntry[], present: readonly ModelEntry[]): readonly ModelEntry[] =>
  entries.filter(({ name, settings }) => {
    const own = present.find((one) => one.name === name)?.settings ?? {};
    return modelSettingNames.some((setting) => settings[setting] !== undefined && settings[setting] !== own[setting]);
  });

/**
 * True when the text has this entry and the others are unchanged: editing a value that an alias repeats changes other
 * entries too.
 */
function hasExactEntry(text: string, before: readonly ModelEntry[], changed: ModelEntry): boolean {
  const { entries } = parseModelEntries(text);
  const wanted = [...before.filter(({ name }) => name !== changed.name), changed];
  return wanted.every(({ name, settings }) => {
    const found = entries.find((entry) => entry.name === name)?.settings ?? {};
    return modelSettingNames.every((each) => JSON.stringify(found[each]) === JSON.stringify(settings[each]));
  });
}
