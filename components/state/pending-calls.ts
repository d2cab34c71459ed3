/** The calls of a tab that have no answer yet, and what becomes of them when the connection is a new one. Used by both connections. */
import type { CommandName } from "@/lib/command";

export interface PendingCall {
  readonly name: CommandName;
  /** The session it is about; null = none. */
  readonly sessionId: string | null;
  readonly send: () => void;
  /** Answers it with not_allowed. */
  readonly refuse: () => void;
  /** Answers it with gone: it meant the connection that was lost. */
  readonly drop: () => void;
}

/** What the server keeps for one connection only: the next one begins without it, and `onOnline` says what holds now. */
const ofOneConnection: ReadonlySet<CommandName> = new Set<CommandName>([
  "session.close",
  "files.watch",
  "models.watch",
]);

/**
 * The calls that the new connection sends again, in the order they were made; the others are dropped. A close of before must not
 * follow the open that `onOnline` sends, and an open that was closed later must not join the session again.
 */
export function withoutOutdated(pending: ReadonlySet<PendingCall>): readonly PendingCall[] {
  const closed = new Set<string | null>();
  const isOutdated = (one: PendingCall): boolean => {
    if (one.name === "session.close") closed.add(one.sessionId);
    return ofOneConnection.has(one.name) || (one.name === "session.open" && closed.has(one.sessionId));
  };
  const outdated = new Set([...pending].reverse().filter(isOutdated));
  for (const one of outdated) one.drop();
  return [...pending];
}

/** The session that an input names. */
export const sessionOf = (input: object): string | null =>
  "sessionId" in input && typeof input.sessionId === "string" ? input.sessionId : null;
