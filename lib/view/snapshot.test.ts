import { describe, expect, test } from "vitest";
import type { Block } from "../events/content";
import type { DurableEvent } from "../events/event";
import { asId, type BlobId, type CallId } from "../events/id";
import { testSessionId } from "../testing/test-log";
import { append } from "../testing/test-view";
import { activeCompaction, createSessionSnapshot, inlineOutputChars, pageBefore } from "./snapshot";
import { emptyView, type SessionView } from "./view";

const empty = emptyView(testSessionId);
const text = (words: string): Block => ({ type: "text", text: words });
const image: Block = { type: "image", mime: "image/png", blob: asId<BlobId>("b1") };
const callId = asId<CallId>("c1");
const done: DurableEvent = { type: "compaction_end", head: [], summary: "s", keepFromSeq: 1, tokensAfter: 1 };
const begin: DurableEvent = { type: "compaction_start", tokensBefore: 9 };
const failure: DurableEvent = { type: "error", error: { code: "server_error" } };
const errors = (count: number): readonly DurableEvent[] => Array.from({ length: count }, () => failure);

const answerWithCall: readonly DurableEvent[] = [
  { type: "message_start", messageId: asId("m1"), role: "assistant" },
  {
    type: "message_end",
    messageId: asId("m1"),
    blocks: [{ type: "call", callId, name: "bash", input: {} }],
    stop: "done",
  },
];

describe("the output of a call", () => {
  const withOutput = (...output: readonly Block[]): SessionView =>
    append(
      empty,
      ...answerWithCall,
      { type: "tool_call_end", callId, outcome: "ok", output, facts: {}, tookMs: 1 },
      failure,
    );
  const half = "x".repeat(inlineOutputChars / 2);

  test.each<[string, readonly Block[], readonly Block[], number | undefined]>([
    ["is whole at the limit", [text(half), text(half)], [text(half), text(half)], undefined],
    ["is cut beyond it", [text(`${half}${half}y`)], [text(half + half)], inlineOutputChars + 1],
    [
      "is cut over all its texts, and its images stay",
      [text(half), image, text(`${half}y`), text("z")],
      [text(half), image, text(half)],
      inlineOutputChars + 2,
    ],
  ])("%s", (_name, output, shown, chars) => {
    const view = withOutput(...output);
    for (const entries of [createSessionSnapshot(view).entries, pageBefore(view, view.seq).entries]) {
      const call = entries[0]?.kind === "message" ? entries[0].calls[0] : undefined;
      expect([call?.output, call?.outputChars]).toEqual([shown, chars]);
    }
  });
});

test("a long output of a failed command comes with the lines that tell the failure", () => {
  const output = [text(`${"passed\n".repeat(inlineOutputChars)}Error: broken\n${"passed\n".repeat(9)}`)];
  const failureLines = (exit: number) => {
    const view = append(
      empty,
      ...answerWithCall,
      { type: "tool_call_start", callId, messageId: asId("m1"), kind: "shell", target: "npm test", facts: {} },
      { type: "tool_call_end", callId, outcome: "ok", output, facts: { exit }, tookMs: 1 },
    );
    const [entry] = createSessionSnapshot(view).entries;
    return entry?.kind === "message" ? entry.calls[0]?.failureLines : null;
  };
  expect(failureLines(1)).toContain("Error: broken");
  expect(failureLines(0)).toBeUndefined();
});

describe("a window of entries", () => {
  const view = append(empty, ...errors(5));
  const seqs = ({ entries }: { readonly entries: readonly { readonly seq: number }[] }) =>
    entries.map(({ seq }) => seq);

  test("begins at its first entry, or at 0 when nothing is before it", () => {
    expect(createSessionSnapshot(view, 3)).toMatchObject({ heldFrom: 3 });
    expect(createSessionSnapshot(view, 5)).toMatchObject({ heldFrom: 0 });
    expect(seqs(pageBefore(view, 3, 2))).toEqual([1, 2]);
    expect(pageBefore(view, 3, 2).heldFrom).toBe(0);
    expect(pageBefore(view, 4, 2)).toMatchObject({ heldFrom: 2, entries: [{ seq: 2 }, { seq: 3 }] });
  });

  test("also has the entries that are open and the compaction at which the context starts, in order", () => {
    const long = append(empty, begin, done, begin, ...errors(1), begin, ...errors(6));
    expect(seqs(createSessionSnapshot(long, 2))).toEqual([1, 10, 11]);
    const open = append(
      long,
      { type: "message_start", messageId: asId("m1"), role: "assistant" },
      begin,
      { type: "message_start", messageId: asId("m2"), role: "user" },
      { type: "message_end", messageId: asId("m2"), blocks: [], stop: "done" },
    );
    expect(seqs(createSessionSnapshot(open, 1))).toEqual([1, 12, 13, 14]);
    expect(seqs(pageBefore(open, 14, 3))).toEqual([11]);
  });
});

test("the context starts at the newest compaction of the path that is done, or at the edit of its summary", () => {
  const view = append(empty, begin, done);
  expect(activeCompaction(empty)).toBeNull();
  expect(activeCompaction(append(empty, begin))).toBeNull();
  expect(activeCompaction(view)).toMatchObject({ seq: 1 });
  expect(activeCompaction(append(view, begin))).toMatchObject({ seq: 1 });
  expect(activeCompaction(append(view, begin, failure))).toMatchObject({ seq: 1 });
  expect(activeCompaction(append(view, begin, done))).toMatchObject({ seq: 3 });
  expect(activeCompaction(append(view, { type: "rewind", toSeq: 0 }))).toBeNull();
  const edited = append(view, { type: "compaction_update", of: 1, summary: "t", head: [] });
  expect(activeCompaction(edited)).toMatchObject({ kind: "compaction_update", seq: 3 });
  expect(activeCompaction(append(edited, { type: "rewind", toSeq: 2 }))).toMatchObject({ seq: 1 });
});
