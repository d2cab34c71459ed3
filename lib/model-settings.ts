/**
 * What a user may set for one model or a family, its keys in `models.yaml`, and which entries hold for a model. The page of a model
 * shows the same settings. Pure data and decisions; the schema is in model-settings-schema.ts.
 */
import type * as z from "zod/mini";
import type { ConfigUnit } from "./config-keys";
import type { modelPatchSchema } from "./model-settings-schema";
import type { ModelNote } from "./models";

/** "auto" = what the program would choose, whatever a wildcard says; absent = nothing is said. */
export type ModelPatch = z.infer<typeof modelPatchSchema>;
export type ModelSettingName = keyof ModelPatch;

export interface ModelEntry {
  /** As in the file: `qwen3:8b`, `box/qwen3` for a model of the connection `box`, `qwen3*` for a family. */
  readonly name: string;
  readonly settings: ModelPatch;
}

/** Key and unit in the file. */
export const modelKeys: { readonly [Name in ModelSettingName]-?: { readonly key: string; readonly unit: ConfigUnit } } =
  {
    numCtx: { key: "context_window", unit: "plain" },
    toolMode: { key: "tool_calling", unit: "plain" },
    profile: { key: "instructions", unit: "plain" },
    think: { key: "think", unit: "plain" },
    temperature: { key: "temperature", unit: "plain" },
    maxOutputTokens: { key: "max_output", unit: "plain" },
    keepAliveMinutes: { key: "keep_alive", unit: "minutes" },
  };

const isName = (name: string): name is ModelSettingName => Object.hasOwn(modelKeys, name);
export const modelSettingNames: readonly ModelSettingName[] = Object.keys(modelKeys).filter(isName);

/** What the numbers may be. */
export const modelBounds = {
  numCtx: { least: 256, most: 1_048_576 },
  temperature: { least: 0, most: 2 },
  maxOutputTokens: { least: 256, most: 16_384 },
  keepAliveMinutes: { least: -1, most: 1_440 },
} as const;

/** A window as commands name it: 0 is the automatic one. */
export const windowSetting = (tokens: number): number | "auto" =>
  tokens === 0 ? "auto" : Math.max(tokens, modelBounds.numCtx.least);

/** The model's name in the file: that of `--model`. */
export const modelEntryName = ({ provider, name }: { readonly provider: string; readonly name: string }): string =>
  provider === "ollama" ? name : `${provider}/${name}`;

const isWildcard = (entry: string): boolean => entry.includes("*");

/** Both name one model; a name without a tag is `:latest`, as Ollama reads it. */
export const isSameEntry = (entry: string, model: string): boolean => entry === model || `${entry}:latest` === model;

function isFor(entry: string, model: string): boolean {
  if (!isWildcard(entry)) return isSameEntry(entry, model);
  const parts = entry.split("*").map((part) => part.replace(/[.+?^${}()|[\]\\]/g, "\\$&"));
  return new RegExp(`^${parts.join(".*")}$`).test(model);
}

/** The entries for this model merged: a longer wildcard counts more than a shorter one, the model's own name most. */
export function settingsFor(entries: readonly ModelEntry[], model: string): ModelPatch {
  const weight = ({ name }: ModelEntry): number => (isWildcard(name) ? name.length : Number.POSITIVE_INFINITY);
  return entries
    .filter(({ name }) => isFor(name, model))
    .toSorted((one, other) => (weight(one) === weight(other) ? 0 : weight(one) - weight(other)))
    .reduce<ModelPatch>((merged, { settings }) => ({ ...merged, ...settings }), {});
}

/** What the wildcards alone say. */
export const inheritedFor = (entries: readonly ModelEntry[], model: string): ModelPatch =>
  settingsFor(
    entries.filter(({ name }) => isWildcard(name)),
    model,
  );

/**
 * The model's own settings after a change. "auto" is kept only where a wildcard says something else: everywhere else a missing key
 * means the same.
 */
export function ownAfter(entries: readonly ModelEntry[], model: string, patch: ModelPatch): ModelPatch {
  const own = entries.find(({ name }) => !isWildcard(name) && isSameEntry(name, model))?.settings ?? {};
  const inherited = inheritedFor(entries, model);
  const kept = Object.entries({ ...own, ...patch }).filter(
    ([name, value]) => value !== undefined && (value !== "auto" || (isName(name) && inherited[name] !== undefined)),
  );
  return Object.fromEntries(kept);
}

/** The entries after a change of one model. */
export function entriesAfter(entries: readonly ModelEntry[], model: string, patch: ModelPatch): readonly ModelEntry[] {
  const settings = ownAfter(entries, model, patch);
  const isOwn = ({ name }: ModelEntry): boolean => !isWildcard(name) && isSameEntry(name, model);
  if (entries.some(isOwn)) return entries.map((entry) => (isOwn(entry) ? { ...entry, settings } : entry));
  return [...entries, { name: model, settings }];
}

/** A note with what the user set; "auto" leaves out what an earlier version of the program kept in the note itself. */
export function withSettings(note: ModelNote, patch: ModelPatch): ModelNote {
  const { toolMode, ...rest } = patch;
  const { toolMode: noted, ...others } = note;
  const set = Object.fromEntries(Object.entries({ ...others, ...rest }).filter(([, value]) => value !== "auto"));
  if (toolMode === undefined) return noted === undefined ? set : { toolMode: noted, ...set };
  if (toolMode !== "auto") return { toolMode: { mode: toolMode, by: "user" }, ...set };
  return noted === undefined || noted.by === "user" ? set : { toolMode: noted, ...set };
}
