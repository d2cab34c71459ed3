/** The settings of single models in force: the values of the `models.yaml` that was applied last. Called by features/config and model-access. */
import type Database from "better-sqlite3";
import * as z from "zod/mini";
import type { ModelEntry } from "@/lib/model-settings";
import { modelPatchSchema } from "@/lib/model-settings-schema";
import { guarded } from "./store-error";

export interface ModelChoiceStore {
  /** Throws StoreError. An entry that cannot be read (any more) is left out. */
  read(): readonly ModelEntry[];
  /** sha256 of the file whose values these are; null = there was none. Throws StoreError. */
  fileHash(): string | null;
  /** Both at once. Throws StoreError. */
  write(entries: readonly ModelEntry[], fileHash: string): void;
}

/** A row of the settings; no setting has a dot in its name. */
const row = "models.yaml";

const rowSchema = z.object({ fileHash: z.string(), entries: z.array(z.unknown()) });
const entrySchema = z.object({ name: z.string(), settings: modelPatchSchema });

export const createModelChoices = (database: Database.Database): ModelChoiceStore => {
  const kept = (): z.infer<typeof rowSchema> | null => {
    const found = database
      .prepare<[string], { value: string }>("SELECT value FROM settings WHERE key = ?")
      .get(row)?.value;
    const parsed = rowSchema.safeParse(found === undefined ? null : parsedText(found));
    return parsed.success ? parsed.data : null;
  };
  return {
    read: () =>
      guarded(database.name, () =>
        (kept()?.entries ?? []).flatMap((entry) => {
          const parsed = entrySchema.safeParse(entry);
          return parsed.success ? [parsed.data] : [];
        }),
      ),
    fileHash: () => guarded(database.name, () => kept()?.fileHash ?? null),
    write: (entries, fileHash) =>
      guarded(database.name, () => {
        database
          .prepare<[string, string]>(
            "INSERT INTO settings (key, value) VALUES (?, ?) ON CONFLICT DO UPDATE SET value = excluded.value",
          )
          .run(row, JSON.stringify({ fileHash, entries }));
      }),
  };
};

function parsedText(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
