/** Per-model settings: the values of the last applied `models.yaml`. */
import type Database from "better-sqlite3";
import * as z from "zod/mini";
import type { ModelEntry } from "@/lib/settings/model-settings";
import { modelPatchSchema } from "@/lib/settings/model-settings-schema";
import { parseJson } from "@/server/base/parse-json";
import { withStoreErrors } from "../core/store-error";

export interface ModelSettingsStore {
  /** Returns the entries; invalid ones are omitted. Throws StoreError. */
  read(): readonly ModelEntry[];
  /** sha256 of the applied file; null = none. Throws StoreError. */
  fileHash(): string | null;
  /** Stores entries and hash together. Throws StoreError. */
  write(entries: readonly ModelEntry[], fileHash: string): void;
}

/** Key in the settings table; setting names contain no dot. */
const settingsRowKey = "models.yaml";

const rowSchema = z.object({ fileHash: z.string(), entries: z.array(z.unknown()) });
const entrySchema = z.object({ name: z.string(), settings: modelPatchSchema });

export const createModelSettings = (database: Database.Database): ModelSettingsStore => {
  const readRow = (): z.infer<typeof rowSchema> | null => {
    const found = database
      .prepare<[string], { value: string }>("SELECT value FROM settings WHERE key = ?")
      .get(settingsRowKey)?.value;
    const parsed = rowSchema.safeParse(parseJson(found ?? ""));
    return parsed.success ? parsed.data : null;
  };
  return {
    read: () =>
      withStoreErrors(database.name, () =>
        (readRow()?.entries ?? []).flatMap((entry) => {
          const parsed = entrySchema.safeParse(entry);
          return parsed.success ? [parsed.data] : [];
        }),
      ),
    fileHash: () => withStoreErrors(database.name, () => readRow()?.fileHash ?? null),
    write: (entries, fileHash) =>
      withStoreErrors(database.name, () => {
        database
          .prepare<[string, string]>(
            "INSERT INTO settings (key, value) VALUES (?, ?) ON CONFLICT DO UPDATE SET value = excluded.value",
          )
          .run(settingsRowKey, JSON.stringify({ fileHash, entries }));
      }),
  };
};
