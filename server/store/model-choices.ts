/** Per-model settings: the values of the last applied `models.yaml`. */
import type Database from "better-sqlite3";
import * as z from "zod/mini";
import type { ModelEntry } from "@/lib/model-settings";
import { modelPatchSchema } from "@/lib/model-settings-schema";
import { guarded } from "./store-error";

export interface ModelChoiceStore {
  /** Returns the entries; invalid ones are omitted. Throws StoreError. */
  read(): readonly ModelEntry[];
  /** sha256 of the applied file; null = none. Throws StoreError. */
  fileHash(): string | null;
  /** Stores entries and hash together. Throws StoreError. */
  write(entries: readonly ModelEntry[], fileHash: string): void;
}

/** Key in the settings table; setting names contain no dot. */
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
