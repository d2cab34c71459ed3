/** Events of the user's decision about a call that an answer contains as text and that was not run. */
import { fail, ok, type Result } from "@/lib/events/error";
import type { DurableEvent } from "@/lib/events/event";
import type { CallId, MessageId, TurnId } from "@/lib/events/id";
import { findUndecidedCall } from "@/lib/view/unrun-calls";
import type { SessionView } from "@/lib/view/view";
import { randomId } from "@/server/base/id";

export type CallDecision = Omit<Extract<DurableEvent, { type: "call_decision" }>, "type">;

interface DecisionEvents {
  readonly decision: DurableEvent;
  /** The answer with the call, for a run; empty if it is not run. */
  readonly answer: readonly DurableEvent[];
}

/** Fails with gone if the call does not exist, is decided, or belongs to an older answer. */
export function decisionEvents(view: SessionView, decided: CallDecision): Result<DecisionEvents> {
  const call = findUndecidedCall(view, decided.of, decided.index);
  if (call === null) return fail("gone");
  const { name, input } = call;
  const messageId = randomId<MessageId>("m");
  return ok({
    decision: { type: "call_decision", ...decided },
    answer: decided.run
      ? [
          { type: "turn_start", turnId: randomId<TurnId>("t"), step: 1 },
          { type: "message_start", messageId, role: "assistant" },
          {
            type: "message_end",
            messageId,
            blocks: [{ type: "call", callId: randomId<CallId>("c"), name, input, raw: "" }],
            stop: "done",
          },
        ]
      : [],
  });
}
