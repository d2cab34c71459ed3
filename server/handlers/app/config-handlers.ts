/** Commands of the config family: the settings file, and importing configuration of other tools. */
import { homedir } from "node:os";
import type { ConfigImport } from "@/lib/settings/foreign-config";
import { fail, ok, type Result } from "@/lib/events/error";
import type { ForeignConfig } from "@/server/config/foreign-config";
import type { CommandInput } from "@/lib/protocol/command";
import { type Connections, isFixedConnection } from "@/server/models/connections/connections";
import type { HandlerTable } from "../handlers";
import type { CoreServices } from "../core-services";

export const configHandlers = (services: CoreServices) => {
  const { config, environment, store } = services;
  const { modelsFile, connections } = services.access;
  return {
    "config.read": () => config.file(),
    "config.write": ({ text, before }) => config.writeText(text, before),
    "config.read_models": () => modelsFile.file(),
    "config.write_models": ({ text, before }) => modelsFile.writeText(text, before),
    "config.import_preview": async (source) => {
      const found = await parseImport(source, services);
      return found.ok ? ok(withoutKeys(found.value)) : found;
    },
    "config.import": async (source) => {
      const found = await parseImport(source, services);
      if (!found.ok) return found;
      const writable = await modelsFile.ready();
      if (found.value.models.length > 0 && !writable.ok) return writable;
      const added = saveAllConnections(found.value.connections, connections);
      if (!added.ok) return added;
      if (Object.keys(found.value.settings).length > 0) {
        const written = await config.write(found.value.settings);
        if (!written.ok) {
          for (const id of added.value) connections.remove(id);
          return written;
        }
      }
      const stored = found.value.models.length === 0 ? ok(null) : await modelsFile.add(found.value.models);
      return stored.ok ? ok(withoutKeys(found.value)) : stored;
    },
    "config.find_imports": async () => {
      const { findForeignFiles } = await import("@/server/config/foreign-homes");
      return ok({ files: await findForeignFiles(environment.HOME ?? homedir()) });
    },
    "config.export": async () => {
      const { formatExport } = await import("@/server/config/export-settings");
      const text = formatExport({
        settings: store.settings.read(),
        models: store.modelSettings.read(),
        connections: connections.list().filter(({ id }) => !isFixedConnection(id)),
      });
      return ok({ name: "gopi-web-settings.yaml", text });
    },
  } satisfies Partial<HandlerTable>;
};

/** Saves all connections or none; returns their ids or the first failure. */
function saveAllConnections(found: ForeignConfig["connections"], connections: Connections): Result<readonly string[]> {
  const ids: string[] = [];
  for (const { hasKey, key, ...connection } of found) {
    const saved = connections.save(hasKey ? { ...connection, key } : connection);
    if (!saved.ok) {
      for (const id of ids) connections.remove(id);
      return saved;
    }
    ids.push(saved.value.id);
  }
  return ok(ids);
}

async function readImport(
  { text = "", file }: CommandInput<"config.import">,
  { environment }: CoreServices,
): Promise<Result<string>> {
  if (file === undefined) return ok(text);
  const { readForeignFile } = await import("@/server/config/foreign-homes");
  return readForeignFile(environment.HOME ?? homedir(), file);
}

async function parseImport(
  source: CommandInput<"config.import">,
  services: CoreServices,
): Promise<Result<ForeignConfig>> {
  const { parseForeignConfig } = await import("@/server/config/foreign-config");
  const text = await readImport(source, services);
  if (!text.ok) return text;
  const read = parseForeignConfig(text.value, services.access.connections.presets());
  if (!read.ok) return read;
  const { connections: added, settings, models } = read.value;
  if (added.length + Object.keys(settings).length + models.length === 0) return fail("bad_import");
  const found = await withoutUnavailableSandbox(read.value, services);
  const { isSameConnection } = await import("@/server/config/export-settings");
  const present = services.access.connections.list();
  return ok({
    ...found,
    connections: added.filter((one) => one.hasKey || !present.some((other) => isSameConnection(one, other))),
    models: await services.access.modelsFile.selectChanges(models),
  });
}

/** Removes the sandbox setting if this machine cannot run one. */
async function withoutUnavailableSandbox(
  found: ForeignConfig,
  { store, sandbox }: CoreServices,
): Promise<ForeignConfig> {
  const { sandbox: wanted, ...settings } = found.settings;
  if (wanted !== "always" || store.settings.read().sandbox === "always" || (await sandbox.state()).works) return found;
  return { ...found, settings, noSandbox: true };
}

const withoutKeys = ({ connections, ...found }: ForeignConfig): ConfigImport => ({
  ...found,
  connections: connections.map(({ key: _key, ...connection }) => connection),
});
