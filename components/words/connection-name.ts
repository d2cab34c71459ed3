/**
 * Display names of connections and presets. The connection defined by environment variables has a fixed id and a
 * translated name.
 */
import type { Connection, ConnectionPreset } from "@/lib/models";
import type { Words } from "./words";

/** The environment connection cannot be saved or removed. */
export const isOfEnvironment = ({ id }: Pick<Connection, "id">): boolean => id === "environment";

export const connectionName = (connection: Connection, words: Words): string =>
  isOfEnvironment(connection) ? words.connections.environment : connection.name;

/** Display name of a service in the current language. */
export function presetName({ id, name }: Pick<ConnectionPreset, "id" | "name">, { connections }: Words): string {
  if (id === "custom") return connections.custom;
  const names: Readonly<Record<string, string>> = connections.services;
  return names[id] ?? name;
}
