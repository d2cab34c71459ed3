/** User settings: changed values are stored in the table, the others are the defaults of lib/settings/settings.ts. */
import type Database from "better-sqlite3";
import { parseSettings } from "@/lib/settings/config-keys";
import { type Settings, settingsDefaults } from "@/lib/settings/settings";
import { withStoreErrors, StoreError } from "./core/store-error";

export interface SettingsStore {
  /** Returns the settings; an invalid stored value falls back to its default. Throws StoreError. */
  read(): Settings;
  /**
   * Changes the keys of `patch`; returns the resulting settings. Throws StoreError: bad_input, with nothing written.
   */
  write(patch: Partial<Settings>): Settings;
  /** Replaces all settings. Throws StoreError: bad_input, with nothing written. */
  replace(settings: Settings): Settings;
  /** sha256 of the `config.yaml` whose values are stored; null = none. Throws StoreError. */
  fileHash(): string | null;
  setFileHash(hash: string): void;
}

/** Key of the row with the file hash; setting names contain no dot. */
const fileHashKey = "config.yaml";

export const createSettings = (database: Database.Database): SettingsStore => {
  const select = database.prepare<[], { key: string; value: string }>("SELECT key, value FROM settings");
  const upsert = database.prepare<[string, string]>(
    "INSERT INTO settings (key, value) VALUES (?, ?) ON CONFLICT DO UPDATE SET value = excluded.value",
  );

  const read = (): Settings =>
    select
      .all()
      .reduce<Settings>((settings, { key, value }) => applyStoredValue(settings, key, value), settingsDefaults);

  const write = database.transaction((patch: Partial<Settings>): Settings => {
    const { settings, bad } = parseSettings(patch);
    if (bad.length > 0) throw new StoreError("bad_input", bad.join(", "));
    for (const [key, value] of Object.entries(settings)) upsert.run(key, JSON.stringify(value));
    return read();
  });

  const readHash = (): string | null => {
    const row = select.all().find(({ key }) => key === fileHashKey);
    const hash: unknown = row === undefined ? null : JSON.parse(row.value);
    return typeof hash === "string" ? hash : null;
  };

  return {
    read: () => withStoreErrors(database.name, read),
    write: (patch) => withStoreErrors(database.name, () => write.immediate(patch)),
    replace: (settings) => withStoreErrors(database.name, () => write.immediate(settings)),
    fileHash: () => withStoreErrors(database.name, readHash),
    setFileHash: (hash) => withStoreErrors(database.name, () => void upsert.run(fileHashKey, JSON.stringify(hash))),
  };
};

/** Applies one stored value; an invalid one is ignored without affecting the others. */
const applyStoredValue = (settings: Settings, key: string, value: string): Settings => {
  try {
    return { ...settings, ...parseSettings({ [key]: JSON.parse(value) }).settings };
  } catch {
    return settings;
  }
};
