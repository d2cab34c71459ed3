/** Receipts of commands: a repeated command returns what it returned before. */
import type { CommandId, SessionId } from "@/lib/events/id";
import type { SessionServices } from "./services";
import type { Committed } from "./session-types";

export const makeReceipt = (commandId: CommandId) => (seq: number) => ({ commandId, result: { seq } });

/** What a command returned before; null = it is new. */
export function readReceipt(
  { store }: Pick<SessionServices, "store">,
  sessionId: SessionId,
  commandId: CommandId,
): Committed | null {
  const result = store.events.receipt(sessionId, commandId);
  return typeof result === "object" && result !== null && "seq" in result && typeof result.seq === "number"
    ? { seq: result.seq }
    : null;
}
