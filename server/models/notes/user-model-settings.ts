/**
 * The user's settings for single models, cached in memory: a change applies at once and is written to `models.yaml`.
 */
import type { Result } from "@/lib/events/error";
import {
  patchModelEntries,
  type ModelEntry,
  formatModelName,
  type ModelPatch,
  modelSettingsFor,
} from "@/lib/settings/model-settings";
import type { ModelKey } from "./model-note-cache";

export interface UserModelSettings {
  of(model: ModelKey): ModelPatch;
  /** Applies at once. If writing fails, the stored settings apply again and the failure is returned. */
  change(model: ModelKey, patch: ModelPatch): Promise<Result<null>>;
  /** Discards the cache and reads the stored settings. */
  reload(): void;
}

interface UserModelSettingsOptions {
  /** Throws store errors. */
  read(): readonly ModelEntry[];
  /** `model` is the name in the file. */
  write(model: string, patch: ModelPatch): Promise<Result<null>>;
  onChange(): void;
}

export function makeUserModelSettings({ read, write, onChange }: UserModelSettingsOptions): UserModelSettings {
  /** null = not read yet */
  let entries: readonly ModelEntry[] | null = null;
  const all = (): readonly ModelEntry[] => (entries ??= read());
  const reload = (): void => {
    entries = null;
    onChange();
  };
  return {
    of: (model) => modelSettingsFor(all(), formatModelName(model)),
    async change(model, patch) {
      const name = formatModelName(model);
      entries = patchModelEntries(all(), name, patch);
      onChange();
      const written = await write(name, patch);
      if (!written.ok) reload();
      return written;
    },
    reload,
  };
}
