/** Tokens that the parent had to read again after a subagent, from the usage of its next answer. */
import { expect, test } from "vitest";
import type { DurableEvent } from "@/lib/events/event";
import type { Usage } from "@/lib/events/content";
import { asId, type CallId, type MessageId, type RunId, type SessionId } from "@/lib/events/id";
import { fold } from "@/lib/view/fold";
import { emptyView, type SessionView } from "@/lib/view/view";
import { findReadAgain } from "./use-subagent";

const callId = asId<CallId>("c1");
const usage: Usage = {
  promptTokens: 9_000,
  estimatedPromptTokens: 9_000,
  outputTokens: 5,
  loadMs: 0,
  promptMs: 1,
  outputMs: 1,
};

const answer = (id: string, blocks: Extract<DurableEvent, { type: "message_end" }>["blocks"], used: Usage) =>
  [
    { type: "message_start", messageId: asId<MessageId>(id), role: "assistant" },
    { type: "message_end", messageId: asId<MessageId>(id), blocks, usage: used, stop: "done" },
  ] satisfies readonly DurableEvent[];

const viewOf = (next: Usage | null): SessionView =>
  [
    { type: "agent_start", runId: asId<RunId>("r1") } satisfies DurableEvent,
    ...answer("m1", [{ type: "call", callId, name: "spawn", input: {} }], { ...usage, cachedTokens: 1 }),
    ...(next === null ? [] : answer("m2", [{ type: "text", text: "done" }], next)),
  ].reduce<SessionView>(
    (view, event) => fold(view, { v: 1, sessionId: view.sessionId, seq: view.seq + 1, at: 1, event }),
    emptyView(asId<SessionId>("s1")),
  );

test.each<readonly [name: string, next: Usage | null, expected: number | null]>([
  ["there is no next request yet", null, null],
  ["the server reports the kept tokens", { ...usage, cachedTokens: 6_500 }, 2_500],
  ["everything was kept", { ...usage, cachedTokens: 9_000 }, 0],
  ["the kept tokens are an estimate", { ...usage, cachedTokens: 6_500, cachedAbout: true }, null],
  ["the server reports nothing", usage, null],
])("%s", (_name, next, expected) => {
  expect(findReadAgain(viewOf(next), callId)).toBe(expected);
});

test("without a loaded session there is nothing to show", () => {
  expect(findReadAgain(null, callId)).toBeNull();
});
