/** Joins streamed text: consecutive deltas of one block or call become one. Order and offsets are kept. */
import { type Envelope, isDurable, type LiveEnvelope } from "./event";

export const isLive = (envelope: Envelope): envelope is LiveEnvelope => !isDurable(envelope);

/** Approximate size on the wire, characters. */
export const envelopeChars = (envelope: Envelope): number =>
  isLive(envelope) && "text" in envelope.event ? envelope.event.text.length : JSON.stringify(envelope).length;

/** Returns one envelope in place of two consecutive ones; null = both are sent. */
export function joinEnvelopes(first: Envelope, second: Envelope): Envelope | null {
  if (!isLive(first) || !isLive(second)) return null;
  const a = first.event;
  const b = second.event;
  if (a.type === "phase" || b.type === "phase") return a.type === b.type ? second : null;
  if (b.offset !== a.offset + a.text.length) return null;
  if (a.type === "message_delta" && b.type === "message_delta") {
    const same = a.messageId === b.messageId && a.block === b.block && a.kind === b.kind;
    return same ? { ...first, event: { ...a, text: a.text + b.text } } : null;
  }
  if (a.type === "tool_call_delta" && b.type === "tool_call_delta" && a.callId === b.callId) {
    return { ...first, event: { ...a, text: a.text + b.text } };
  }
  return null;
}
