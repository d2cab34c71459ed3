/** The connection that the environment of the program makes: it has a fixed id, and its name in each language. */
import type { Connection, ConnectionPreset } from "@/lib/models";
import type { Words } from "./words";

/** Not saved and not removed: the server refuses. */
export const isOfEnvironment = ({ id }: Pick<Connection, "id">): boolean => id === "environment";

export const connectionName = (connection: Connection, words: Words): string =>
  isOfEnvironment(connection) ? words.connections.environment : connection.name;

/** What a service is called in this language. */
export function presetName({ id, name }: Pick<ConnectionPreset, "id" | "name">, { connections }: Words): string {
  if (id === "custom") return connections.custom;
  const names: Readonly<Record<string, string>> = connections.services;
  return names[id] ?? name;
}
