/**
 * User settings for one model or a family of models: their keys in `models.yaml` and which entries apply to a model.
 * The schema is in model-settings-schema.ts.
 */
import type * as z from "zod/mini";
import type { ConfigUnit } from "./setting-table";
import type { modelPatchSchema } from "./model-settings-schema";
import type { ModelNote } from "../models/models";
import { isSameModelName } from "../models/model-names";

/** "auto" = chosen by the program, overriding wildcards; absent = inherited. */
export type ModelPatch = z.infer<typeof modelPatchSchema>;
export type ModelSettingName = keyof ModelPatch;

export interface ModelEntry {
  /** Key in the file: `qwen3:8b`, `box/qwen3` for a model of the connection `box`, `qwen3*` for a family. */
  readonly name: string;
  readonly settings: ModelPatch;
}

/** Key and unit of each setting in the file. */
export const modelKeys: { readonly [Name in ModelSettingName]-?: { readonly key: string; readonly unit: ConfigUnit } } =
  {
    numCtx: { key: "context_window", unit: "plain" },
    toolMode: { key: "tool_calling", unit: "plain" },
    profile: { key: "instructions", unit: "plain" },
    think: { key: "think", unit: "plain" },
    keepThinking: { key: "keep_thinking", unit: "plain" },
    temperature: { key: "temperature", unit: "plain" },
    maxOutputTokens: { key: "max_output", unit: "plain" },
    keepAliveMinutes: { key: "keep_alive", unit: "minutes" },
  };

const isModelSettingName = (name: string): name is ModelSettingName => Object.hasOwn(modelKeys, name);
export const modelSettingNames: readonly ModelSettingName[] = Object.keys(modelKeys).filter(isModelSettingName);

/** Ranges of the numeric settings. */
export const modelBounds = {
  numCtx: { least: 256, most: 1_048_576 },
  temperature: { least: 0, most: 2 },
  maxOutputTokens: { least: 256, most: 16_384 },
  keepAliveMinutes: { least: -1, most: 1_440 },
} as const;

/** Context window sizes offered for numCtx, tokens. */
export const windowSteps = [4096, 8192, 16384, 32768, 65536, 131072] as const;

/** Converts a window from a command, where 0 = automatic, to a setting. */
export const toWindowSetting = (tokens: number): number | "auto" =>
  tokens === 0 ? "auto" : Math.max(tokens, modelBounds.numCtx.least);

/** Parses a temperature; a decimal comma is accepted. undefined = the server's default; null = not a temperature. */
export function parseTemperature(text: string): number | null | undefined {
  const plain = text.trim().replace(",", ".");
  if (plain === "") return undefined;
  if (!/^\d(?:\.\d{0,3})?$/.test(plain)) return null;
  const value = Number(plain);
  return value <= modelBounds.temperature.most ? value : null;
}

/** Name of the model in the file, in the notation of `--model`. */
export const formatModelName = ({ provider, name }: { readonly provider: string; readonly name: string }): string =>
  provider === "ollama" ? name : `${provider}/${name}`;

const isWildcard = (entry: string): boolean => entry.includes("*");

function entryMatches(entry: string, model: string): boolean {
  if (!isWildcard(entry)) return isSameModelName(entry, model);
  const parts = entry.split("*").map((part) => part.replace(/[.+?^${}()|[\]\\]/g, "\\$&"));
  return new RegExp(`^${parts.join(".*")}$`).test(model);
}

/** Merges the entries that match the model: longer wildcards override shorter ones, the exact name overrides all. */
export function modelSettingsFor(entries: readonly ModelEntry[], model: string): ModelPatch {
  const weight = ({ name }: ModelEntry): number => (isWildcard(name) ? name.length : Number.POSITIVE_INFINITY);
  return entries
    .filter(({ name }) => entryMatches(name, model))
    .toSorted((one, other) => (weight(one) === weight(other) ? 0 : weight(one) - weight(other)))
    .reduce<ModelPatch>((merged, { settings }) => ({ ...merged, ...settings }), {});
}

/** Merges only the wildcard entries that match the model. */
const inheritedModelSettings = (entries: readonly ModelEntry[], model: string): ModelPatch =>
  modelSettingsFor(
    entries.filter(({ name }) => isWildcard(name)),
    model,
  );

/**
 * Returns the model's own settings after `patch`. "auto" is stored only to override a wildcard; otherwise a missing key
 * means the same.
 */
export function patchModelSettings(entries: readonly ModelEntry[], model: string, patch: ModelPatch): ModelPatch {
  const own = entries.find(({ name }) => !isWildcard(name) && isSameModelName(name, model))?.settings ?? {};
  const inherited = inheritedModelSettings(entries, model);
  const stored = Object.entries({ ...own, ...patch }).filter(
    ([name, value]) =>
      value !== undefined && (value !== "auto" || (isModelSettingName(name) && inherited[name] !== undefined)),
  );
  return Object.fromEntries(stored);
}

/** Returns all entries after `patch` of one model. */
export function patchModelEntries(
  entries: readonly ModelEntry[],
  model: string,
  patch: ModelPatch,
): readonly ModelEntry[] {
  const settings = patchModelSettings(entries, model, patch);
  const isOwn = ({ name }: ModelEntry): boolean => !isWildcard(name) && isSameModelName(name, model);
  if (entries.some(isOwn)) return entries.map((entry) => (isOwn(entry) ? { ...entry, settings } : entry));
  return [...entries, { name: model, settings }];
}

/** Merges user settings into a note; "auto" removes a value that an earlier program version stored in the note. */
export function mergeSettingsIntoNote(note: ModelNote, patch: ModelPatch): ModelNote {
  // Most models of a long list have neither.
  if (Object.keys(patch).length === 0 && Object.keys(note).length === 0) return note;
  const { toolMode, ...rest } = patch;
  const { toolMode: noted, ...others } = note;
  const set = Object.fromEntries(Object.entries({ ...others, ...rest }).filter(([, value]) => value !== "auto"));
  if (toolMode === undefined) return noted === undefined ? set : { toolMode: noted, ...set };
  if (toolMode !== "auto") return { toolMode: { mode: toolMode, by: "user" }, ...set };
  return noted === undefined || noted.by === "user" ? set : { toolMode: noted, ...set };
}
