/**
 * Ids of calls as a server gets them: its own unchanged, others by one rule. Works from the front, so that a request still
 * begins with the bytes of the previous one. Pure.
 */
import { createHash } from "node:crypto";
import type { CallIdForm } from "@/lib/events/event";
import type { CallId } from "@/lib/events/id";
import type { ModelMessage, ModelRequest } from "../../provider";

type Call = NonNullable<Extract<ModelMessage, { role: "assistant" }>["calls"]>[number];

const nineCharacters = /^[A-Za-z0-9]{9}$/;
const kimiNumber = /^functions\..+:(\d+)$/;

/** Nine characters that only this id has. */
const shortId = (id: string): string => createHash("sha256").update(id).digest("hex").slice(0, 9);

function makeIdRule(form: CallIdForm | undefined): (call: Call, own: string | undefined) => string {
  let next = 0;
  switch (form) {
    case undefined:
      return ({ callId }, own) => own ?? callId;
    case "nine":
      return ({ callId }, own) => (own !== undefined && nineCharacters.test(own) ? own : shortId(callId));
    case "kimi":
      return ({ name }, own) => {
        const id = own ?? `functions.${name}:${next}`;
        next = Math.max(next, Number(kimiNumber.exec(id)?.[1] ?? next) + 1);
        return id;
      };
  }
}

/** Returns the id of each call of a request. A server's id that occurs twice in one message names only the first call. */
export function wireCallIds(
  messages: readonly ModelMessage[],
  { provider, callIds }: Pick<ModelRequest, "provider" | "callIds">,
): (callId: CallId) => string {
  const rule = makeIdRule(callIds);
  const ids = new Map<CallId, string>();
  for (const message of messages) {
    if (message.role !== "assistant") continue;
    const used = new Set<string>();
    for (const call of message.calls ?? []) {
      const own = call.from?.server === provider && !used.has(call.from.id) ? call.from.id : undefined;
      if (own !== undefined) used.add(own);
      ids.set(call.callId, rule(call, own));
    }
  }
  return (callId) => ids.get(callId) ?? callId;
}
