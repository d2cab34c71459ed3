import { expect, test } from "vitest";
import type { Block } from "../events/content";
import { asId } from "../events/id";
import { testSessionId } from "../testing/test-log";
import { append } from "../testing/test-view";
import { type FindHit, findInConversation, resolveMatch, countMatches } from "./find";
import { emptyView } from "./view";

const hits: readonly FindHit[] = [
  { seq: 3, excerpt: "", count: 2 },
  { seq: 9, excerpt: "", count: 1 },
  { seq: 12, excerpt: "", count: 4 },
];

test("counts every match of every entry", () => {
  expect(countMatches(hits)).toBe(7);
  expect(countMatches([])).toBe(0);
});

test.each([
  [0, { seq: 3, nth: 0 }],
  [1, { seq: 3, nth: 1 }],
  [2, { seq: 9, nth: 0 }],
  [3, { seq: 12, nth: 0 }],
  [6, { seq: 12, nth: 3 }],
  [7, null],
])("match %d is %j", (index, match) => {
  expect(resolveMatch(hits, index)).toEqual(match);
});

const image: Block = { type: "image", mime: "image/png", blob: asId("b1") };
const view = append(
  emptyView(testSessionId),
  { type: "agent_start", runId: asId("r1") },
  { type: "message_start", messageId: asId("m1"), role: "user" },
  { type: "message_end", messageId: asId("m1"), blocks: [{ type: "text", text: "A plan, a PLAN." }], stop: "done" },
  { type: "message_start", messageId: asId("m2"), role: "assistant" },
  {
    type: "message_end",
    messageId: asId("m2"),
    blocks: [
      { type: "thinking", text: "a hidden plan" },
      { type: "call", callId: asId("c1"), name: "read", input: { path: "plan.md" } },
    ],
    stop: "done",
  },
  {
    type: "tool_call_end",
    callId: asId("c1"),
    outcome: "ok",
    output: [{ type: "text", text: `${"x".repeat(60)}\n\tthe plan of\n today${"y".repeat(60)}` }, image],
    facts: {},
    tookMs: 1,
  },
  { type: "compaction_start", tokensBefore: 9 },
  { type: "compaction_end", head: [], summary: "The plans.", keepFromSeq: 1, tokensAfter: 1 },
);

test("finds messages, targets and outputs of calls and summaries, ignoring case, oldest first", () => {
  expect(findInConversation(view, "Plan", 9)).toEqual({
    hits: [
      { seq: 2, count: 2, excerpt: "A plan, a PLAN." },
      { seq: 4, count: 2, excerpt: `plan.md ${"x".repeat(36)}` },
      { seq: 7, count: 1, excerpt: "The plans." },
    ],
    more: false,
  });
  expect(findInConversation(view, "the plan of", 9).hits).toEqual([
    { seq: 4, count: 1, excerpt: `${"x".repeat(38)} the plan of today${"y".repeat(33)}` },
  ]);
  expect(findInConversation(view, "hidden", 9).hits).toEqual([]);
});

test("reports at most the given number of hits, and whether there are more", () => {
  expect(findInConversation(view, "plan", 2)).toMatchObject({ hits: [{ seq: 2 }, { seq: 4 }], more: true });
  expect(findInConversation(view, "plan", 3)).toMatchObject({ more: false });
  expect(findInConversation(view, "", 3)).toEqual({ hits: [], more: false });
});

test("does not find what a rewind hid", () => {
  expect(findInConversation(append(view, { type: "rewind", toSeq: 3 }), "plan", 9).hits).toMatchObject([{ seq: 2 }]);
});
