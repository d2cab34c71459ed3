/** Calls of a tab without an answer, and which of them a new connection sends again. */
import type { CommandInput, CommandName } from "@/lib/protocol/command";
import { type ErrorCode, fail } from "@/lib/events/error";
import type { CommandAnswer } from "@/lib/protocol/socket";

interface PendingCall {
  readonly name: CommandName;
  /** The session in the input; null = none. */
  readonly sessionId: string | null;
  readonly send: () => void;
  readonly fail: (code: ErrorCode) => void;
}

/** Sends a call; `again` sends it once more unless it was answered in the meantime. */
type SendCall = <N extends CommandName>(
  name: N,
  input: CommandInput<N>,
  finish: (answer: CommandAnswer<N>) => void,
  again: () => void,
) => void;

export interface PendingCalls {
  /** Resolves when the server answers, however long that takes. Never rejects. */
  readonly call: <N extends CommandName>(name: N, input: CommandInput<N>) => Promise<CommandAnswer<N>>;
  /** Restores the state of a new connection with `onOnline`, then sends the calls again. */
  readonly connected: (onOnline: () => void) => void;
  /** Resolves all calls with not_allowed. */
  readonly refuse: () => void;
  /** Forgets all calls: they are never answered. */
  readonly clear: () => void;
}

/** `isConnected` = calls are sent at once. */
export function createPendingCalls(isConnected: () => boolean, sendCall: SendCall): PendingCalls {
  const pending = new Set<PendingCall>();
  return {
    call: (name, input) =>
      new Promise((resolve) => {
        const finish: typeof resolve = (answer) => {
          pending.delete(one);
          resolve(answer);
        };
        const again = (): void => {
          if (pending.has(one) && isConnected()) one.send();
        };
        const one: PendingCall = {
          name,
          sessionId: inputSessionId(input),
          send: () => sendCall(name, input, finish, again),
          fail: (code) => finish(fail(code)),
        };
        pending.add(one);
        if (isConnected()) one.send();
      }),
    connected: (onOnline) => {
      const repeated = takeRepeatable(pending);
      onOnline();
      for (const one of repeated) one.send();
    },
    refuse: () => {
      for (const one of [...pending]) one.fail("not_allowed");
    },
    clear: () => pending.clear(),
  };
}

/**
 * Commands that a new connection does not send again: those with state per connection, which `onOnline` restores, and
 * input of a terminal, which would be typed twice or long after it was meant.
 */
const unrepeatedCommands: ReadonlySet<CommandName> = new Set<CommandName>([
  "session.close",
  "files.watch",
  "models.watch",
  "topic.subscribe",
  "topic.unsubscribe",
  "terminal.write",
  "terminal.open",
  "search.start",
  "search.cancel",
]);

/**
 * Returns the calls that the new connection sends again, in call order, and drops the others, which are answered with gone. An earlier close must
 * not follow the open sent by `onOnline`, and an open that was closed later must not join the session again.
 */
function takeRepeatable(pending: ReadonlySet<PendingCall>): readonly PendingCall[] {
  const closed = new Set<string | null>();
  const isOutdated = (one: PendingCall): boolean => {
    if (one.name === "session.close") closed.add(one.sessionId);
    return unrepeatedCommands.has(one.name) || (one.name === "session.open" && closed.has(one.sessionId));
  };
  const outdated = new Set([...pending].reverse().filter(isOutdated));
  for (const one of outdated) one.fail("gone");
  return [...pending];
}

/** Session id in an input. */
const inputSessionId = (input: object): string | null =>
  "sessionId" in input && typeof input.sessionId === "string" ? input.sessionId : null;
