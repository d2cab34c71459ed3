/** The connection that the environment of the program makes: it has a fixed id, and its name in each language. */
import type { Connection } from "@/lib/models";
import type { Words } from "./words";

/** Not saved and not removed: the server refuses. */
export const isOfEnvironment = ({ id }: Pick<Connection, "id">): boolean => id === "environment";

export const connectionName = (connection: Connection, words: Words): string =>
  isOfEnvironment(connection) ? words.connections.environment : connection.name;
