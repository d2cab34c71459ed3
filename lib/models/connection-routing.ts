/**
 * Routes requests of a connection to model hosts behind one address: the header with the session's id, and their number at once.
 * Pure.
 */
import { isKeyUseValid } from "./key-use";
import type { Connection } from "./models";

/** Sent to addresses of this machine and its network, unless the connection names another header. */
export const defaultSessionHeader = "x-session-id";

/** Most answers at once of one connection. */
export const answersAtOnceMax = 32;

/** Returns whether a header can carry the session's id: not one that every request has, nor the one with the key. */
export const isSessionHeaderValid = (name: string, { keyUse }: Pick<Connection, "keyUse">): boolean =>
  isKeyUseValid({ as: "header", name }) &&
  !["authorization", "x-conversation-id", keyUse?.as === "header" ? keyUse.name.toLowerCase() : ""].includes(
    name.toLowerCase(),
  );

/** Returns the header that carries the session's id; empty = none is sent. */
export const sentSessionHeader = ({ sessionHeader, local }: Pick<Connection, "sessionHeader" | "local">): string =>
  sessionHeader ?? (local ? defaultSessionHeader : "");
