/**
 * Display names of connections and presets. The connection defined by environment variables has a fixed id and a
 * translated name.
 */
import type { Connection, ConnectionPreset } from "@/lib/models/models";
import type { FullMessages } from "./full-messages";
import type { Messages } from "./messages";

/** The environment connection cannot be saved or removed. */
export const isEnvironmentConnection = ({ id }: Pick<Connection, "id">): boolean => id === "environment";

export const connectionDisplayName = (connection: Connection, messages: Messages): string =>
  isEnvironmentConnection(connection) ? messages.connections.environment : connection.name;

/** Display name of a service in the current language. */
export function presetDisplayName(
  { id, name }: Pick<ConnectionPreset, "id" | "name">,
  { connectionSettings }: Pick<FullMessages, "connectionSettings">,
): string {
  if (id === "custom") return connectionSettings.custom;
  const names: Readonly<Record<string, string>> = connectionSettings.services;
  return names[id] ?? name;
}
