/**
 * The user's settings for single models, cached in memory: a change applies at once and is written to `models.yaml`.
 */
import type { Result } from "@/lib/error";
import { entriesAfter, type ModelEntry, modelEntryName, type ModelPatch, settingsFor } from "@/lib/model-settings";
import type { ModelKey } from "./notes";

export interface Choices {
  of(model: ModelKey): ModelPatch;
  /** Applies at once. If writing fails, the stored settings apply again and the failure is returned. */
  change(model: ModelKey, patch: ModelPatch): Promise<Result<null>>;
  /** Discards the cache and reads the stored settings. */
  reload(): void;
}

export interface ChoicesOptions {
  /** Throws store errors. */
  read(): readonly ModelEntry[];
  /** `model` is the name in the file. */
  write(model: string, patch: ModelPatch): Promise<Result<null>>;
  onChange(): void;
}

export function makeChoices({ read, write, onChange }: ChoicesOptions): Choices {
  /** null = not read yet */
  let entries: readonly ModelEntry[] | null = null;
  const all = (): readonly ModelEntry[] => (entries ??= read());
  const reload = (): void => {
    entries = null;
    onChange();
  };
  return {
    of: (model) => settingsFor(all(), modelEntryName(model)),
    async change(model, patch) {
      const name = modelEntryName(model);
      entries = entriesAfter(all(), name, patch);
      onChange();
      const written = await write(name, patch);
      if (!written.ok) reload();
      return written;
    },
    reload,
  };
}
