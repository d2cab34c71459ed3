/** Events of a call that a step of a workflow makes. */
import type { Json } from "@/lib/events/content";
import type { DurableEvent, RemoteOrigin } from "@/lib/events/event";
import type { CallId, CommandId, MessageId, TurnId } from "@/lib/events/id";
import { randomId } from "@/server/base/id";

export interface StepCall {
  readonly name: string;
  readonly input: Json;
  readonly origin: RemoteOrigin;
}

/** The answer with the call. Its origin marks it as a message that the model does not get. */
export function stepCallEvents({ name, input, origin }: StepCall, commandId: CommandId): readonly DurableEvent[] {
  const messageId = randomId<MessageId>("m");
  return [
    { type: "turn_start", turnId: randomId<TurnId>("t"), step: 1 },
    { type: "message_start", messageId, role: "assistant", commandId, origin },
    {
      type: "message_end",
      messageId,
      blocks: [{ type: "call", callId: randomId<CallId>("c"), name, input }],
      stop: "done",
    },
  ];
}
