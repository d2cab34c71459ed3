/** What the user set for single models, in memory: a change holds at once and is written into `models.yaml`. Made by model-access. */
import type { Result } from "@/lib/error";
import { entriesAfter, type ModelEntry, modelEntryName, type ModelPatch, settingsFor } from "@/lib/model-settings";
import type { ModelKey } from "./notes";

export interface Choices {
  of(model: ModelKey): ModelPatch;
  /** Holds at once. When it cannot be written, what is stored holds again, and the failure is given. */
  change(model: ModelKey, patch: ModelPatch): Promise<Result<null>>;
  /** What is stored holds from now on. */
  reload(): void;
}

export interface ChoicesOptions {
  /** Throws what the store throws. */
  read(): readonly ModelEntry[];
  /** By the model's name in the file. */
  write(model: string, patch: ModelPatch): Promise<Result<null>>;
  onChange(): void;
}

export function makeChoices({ read, write, onChange }: ChoicesOptions): Choices {
  /** null = to be read. */
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
