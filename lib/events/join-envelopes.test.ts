import { describe, expect, it } from "vitest";
import type { DurableEnvelope, LiveEnvelope, LiveEvent } from "./event";
import { asId, type CallId, type MessageId, type SessionId } from "./id";
import { envelopeChars, joinEnvelopes } from "./join-envelopes";

const sessionId = asId<SessionId>("s1");
const live = (event: LiveEvent, at = 1): LiveEnvelope => ({ v: 1, sessionId, at, after: 3, event });
const text = { type: "message_delta", messageId: asId<MessageId>("m1"), block: 0, kind: "text" } as const;
const output = { type: "tool_call_delta", callId: asId<CallId>("c1") } as const;
const first = live({ ...text, offset: 3, text: "ab" });
const firstOutput = live({ ...output, offset: 3, text: "ab" });
const durable: DurableEnvelope = { v: 1, sessionId, at: 1, seq: 4, event: { type: "hidden" } };
const phase = (sinceMs: number): LiveEnvelope => live({ type: "phase", phase: "writing", sinceMs });

describe("two envelopes", () => {
  it("with consecutive text of one block become one, with the offset and time of the first", () => {
    expect(joinEnvelopes(first, live({ ...text, offset: 5, text: "c" }, 2))).toEqual(
      live({ ...text, offset: 3, text: "abc" }),
    );
  });

  it("with consecutive output of one call become one", () => {
    expect(joinEnvelopes(firstOutput, live({ ...output, offset: 5, text: "c" }, 2))).toEqual(
      live({ ...output, offset: 3, text: "abc" }),
    );
  });

  it("with a phase each become the second one", () => {
    expect(joinEnvelopes(phase(1), phase(2))).toEqual(phase(2));
  });

  it.each([
    ["another block", first, live({ ...text, block: 1, offset: 5, text: "c" })],
    ["another message", first, live({ ...text, messageId: asId<MessageId>("m2"), offset: 5, text: "c" })],
    ["another kind of block", first, live({ ...text, kind: "thinking", offset: 5, text: "c" })],
    ["a gap", first, live({ ...text, offset: 6, text: "c" })],
    ["text that overlaps", first, live({ ...text, offset: 4, text: "c" })],
    ["text that begins again", first, live({ ...text, offset: 0, text: "c" })],
    ["another call", firstOutput, live({ ...output, callId: asId<CallId>("c2"), offset: 5, text: "c" })],
    ["a gap in the output", firstOutput, live({ ...output, offset: 6, text: "c" })],
    ["output after text", first, live({ ...output, offset: 5, text: "c" })],
    ["text after output", firstOutput, live({ ...text, offset: 5, text: "c" })],
    ["a phase after text", first, phase(1)],
    ["text after a phase", phase(1), first],
    ["a durable one after text", first, durable],
    ["text after a durable one", durable, first],
    ["two durable ones", durable, durable],
  ])("stay two: %s", (_what, one, other) => {
    expect(joinEnvelopes(one, other)).toBeNull();
  });
});

it("the size of streamed text is its length, that of others the length of their JSON", () => {
  expect(envelopeChars(first)).toBe(2);
  expect(envelopeChars(durable)).toBe(JSON.stringify(durable).length);
});
