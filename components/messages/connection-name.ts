/**
 * Display names of connections and presets. The connections of the environment and of the built-in engine have fixed ids
 * and translated names.
 */
import { engineConnectionId } from "@/lib/models/engine";
import type { Connection, ConnectionPreset } from "@/lib/models/models";
import type { FullMessages } from "./full-messages";
import type { Messages } from "./messages";

/** The environment connection cannot be saved or removed. */
export const isEnvironmentConnection = ({ id }: Pick<Connection, "id">): boolean => id === "environment";

/** The connection of the built-in engine is set up in the settings of models. */
export const isEngineConnection = ({ id }: Pick<Connection, "id">): boolean => id === engineConnectionId;

export function connectionDisplayName(connection: Pick<Connection, "id" | "name">, { connections }: Messages): string {
  if (isEngineConnection(connection)) return connections.engine;
  return isEnvironmentConnection(connection) ? connections.environment : connection.name;
}

/** Display name of a service in the current language. */
export function presetDisplayName(
  { id, name }: Pick<ConnectionPreset, "id" | "name">,
  { connectionSettings }: Pick<FullMessages, "connectionSettings">,
): string {
  if (id === "custom") return connectionSettings.custom;
  const names: Readonly<Record<string, string>> = connectionSettings.services;
  return names[id] ?? name;
}
