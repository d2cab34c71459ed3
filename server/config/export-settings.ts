/**
 * Formats the settings, the options of single models, and the connections (names, addresses, models) as one text that another
 * gopi-web imports. Keys are never included.
 */
import { stringify } from "yaml";
import type { Connection } from "@/lib/models/models";
import { splitCredentials } from "@/lib/models/key-use";
import { type ModelEntry, modelSettingTable, modelSettingNames } from "@/lib/settings/model-settings";
import type { Settings } from "@/lib/settings/settings";
import { editConfig } from "./config-yaml";
import { unitOf } from "./models-yaml";
import { toFileValue } from "./yaml-text";

const exportHeader = `# Settings, model options and connections of gopi-web. Only values that differ from the defaults are listed.
# Keys are not part of this file; each is entered again after the import.
`;

export interface ExportedSettings {
  readonly settings: Settings;
  readonly models: readonly ModelEntry[];
  readonly connections: readonly Connection[];
}

export function formatExport({ settings, models, connections }: ExportedSettings): string {
  // Ids of connections have no meaning in another installation.
  const { connection: _id, connectionOrder: _ids, ...portable } = settings;
  const host = splitCredentials(settings.ollamaHost)?.address ?? settings.ollamaHost;
  const tables = { models: modelRows(models), connections: connections.map(toConnectionRow) };
  return exportHeader + (editConfig("", { ...portable, ollamaHost: host }) ?? "") + stringify(tables, { lineWidth: 0 });
}

const modelRows = (models: readonly ModelEntry[]) =>
  Object.fromEntries(
    models.map(({ name, settings }) => [
      name,
      Object.fromEntries(
        modelSettingNames
          .filter((setting) => settings[setting] !== undefined)
          .map((setting) => [modelSettingTable[setting].key, toFileValue(settings[setting], unitOf(setting))]),
      ),
    ]),
  );

type ExportedConnection = Omit<Connection, "id" | "key" | "local">;

const toConnectionRow = (connection: ExportedConnection) => {
  const { name, preset, baseUrl, model, numCtx, temperature, keyUse, sessionHeader, atOnce } = connection;
  return {
    name,
    preset,
    base_url: baseUrl,
    ...(model === "" ? {} : { model }),
    ...(numCtx === 0 ? {} : { window: numCtx }),
    temperature,
    session_header: sessionHeader,
    at_once: atOnce,
    ...(keyUse === undefined ? {} : { [keyUse.as === "password" ? "user" : "header"]: keyUse.name }),
  };
};

/** Whether an import of one would repeat the other. */
export const isSameConnection = (one: ExportedConnection, other: ExportedConnection): boolean =>
  JSON.stringify(toConnectionRow(one)) === JSON.stringify(toConnectionRow(other));
