/**
 * User settings for one model or a family of models: their table and which entries of `models.yaml` apply to a model.
 * The schema is in model-settings-schema.ts.
 */
import type * as z from "zod/mini";
import type { ConfigValueSpec } from "./config-keys";
import type { modelPatchSchema } from "./model-settings-schema";
import type { ModelNote } from "../models/models";
import { thinkLevels } from "../models/thinking";
import { toolCallings } from "./settings";
import { isSameModelName } from "../models/model-names";

/** "auto" = chosen by the program, overriding wildcards; absent = inherited. */
export type ModelPatch = z.infer<typeof modelPatchSchema>;

export interface ModelEntry {
  /** Key in the file: `qwen3:8b`, `box/qwen3` for a model of the connection `box`, `qwen3*` for a family. */
  readonly name: string;
  readonly settings: ModelPatch;
}

/** The settings, one row each: the key in the file and the values that are allowed there. */
export const modelSettingTable = {
  /** Context window of new sessions, tokens. */
  numCtx: { key: "context_window", wanted: { kind: "whole", least: 256, most: 1_048_576, orAuto: true } },
  /** Tool calling format of new sessions. */
  toolMode: { key: "tool_calling", wanted: { kind: "choice", values: toolCallings } },
  /** Length of the instructions in new sessions. */
  profile: { key: "instructions", wanted: { kind: "choice", values: ["auto", "small", "default", "full"] } },
  /** Thinking in new sessions. */
  think: { key: "think", wanted: { kind: "choice", values: ["auto", "true", "false", ...thinkLevels] } },
  /** Whether the chat template is asked to keep the thinking of all turns, in new sessions. */
  keepThinking: { key: "keep_thinking", wanted: { kind: "choice", values: ["auto", "true", "false"] } },
  /** From the next request on. */
  temperature: { key: "temperature", wanted: { kind: "number", least: 0, most: 2, orAuto: true } },
  /** Maximum tokens of one answer, from the next request on. */
  maxOutputTokens: { key: "max_output", wanted: { kind: "whole", least: 256, most: 16_384, orAuto: true } },
  /** Time for which the model stays loaded after an answer; -1 = indefinitely. Sent to Ollama only. */
  keepAliveMinutes: {
    key: "keep_alive",
    wanted: { kind: "time", least: -1, most: 1_440, unit: "minutes", orAuto: true },
  },
} as const satisfies { readonly [Name in string]: { readonly key: string; readonly wanted: ConfigValueSpec } };

export type ModelSettingName = keyof typeof modelSettingTable;

const isModelSettingName = (name: string): name is ModelSettingName => Object.hasOwn(modelSettingTable, name);
export const modelSettingNames: readonly ModelSettingName[] = Object.keys(modelSettingTable).filter(isModelSettingName);

/** Context window sizes offered for numCtx, tokens. */
export const windowSteps = [4096, 8192, 16384, 32768, 65536, 131072] as const;

/** Converts a window from a command, where 0 = automatic, to a setting. */
export const toWindowSetting = (tokens: number): number | "auto" =>
  tokens === 0 ? "auto" : Math.max(tokens, modelSettingTable.numCtx.wanted.least);

/** Parses a temperature; a decimal comma is accepted. undefined = the server's default; null = not a temperature. */
export function parseTemperature(text: string): number | null | undefined {
  const plain = text.trim().replace(",", ".");
  if (plain === "") return undefined;
  if (!/^\d(?:\.\d{0,3})?$/.test(plain)) return null;
  const value = Number(plain);
  return value <= modelSettingTable.temperature.wanted.most ? value : null;
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
