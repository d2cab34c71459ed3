/** Calls of a tab without an answer, and which of them a new connection sends again. */
import type { CommandName } from "@/lib/protocol/command";

export interface PendingCall {
  readonly name: CommandName;
  /** The session in the input; null = none. */
  readonly sessionId: string | null;
  readonly send: () => void;
  /** Resolves the call with not_allowed. */
  readonly refuse: () => void;
  /** Resolves the call with gone: it referred to the lost connection. */
  readonly drop: () => void;
}

/** Commands with state per connection: a new connection starts without that state, and `onOnline` restores it. */
const connectionScopedCommands: ReadonlySet<CommandName> = new Set<CommandName>([
  "session.close",
  "files.watch",
  "models.watch",
]);

/**
 * Returns the calls that the new connection sends again, in call order, and drops the others. An earlier close must
 * not follow the open sent by `onOnline`, and an open that was closed later must not join the session again.
 */
export function takeRepeatable(pending: ReadonlySet<PendingCall>): readonly PendingCall[] {
  const closed = new Set<string | null>();
  const isOutdated = (one: PendingCall): boolean => {
    if (one.name === "session.close") closed.add(one.sessionId);
    return connectionScopedCommands.has(one.name) || (one.name === "session.open" && closed.has(one.sessionId));
  };
  const outdated = new Set([...pending].reverse().filter(isOutdated));
  for (const one of outdated) one.drop();
  return [...pending];
}

/** Session id in an input. */
export const inputSessionId = (input: object): string | null =>
  "sessionId" in input && typeof input.sessionId === "string" ? input.sessionId : null;
