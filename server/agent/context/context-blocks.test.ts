/** The rules of context sources: order, what the context still contains, and what a compaction or a rewind removed. */
import { describe, expect, test } from "vitest";
import type { Block } from "@/lib/events/content";
import type { DurableEvent } from "@/lib/events/event";
import { asId, type BlobId, type MessageId } from "@/lib/events/id";
import { testSessionId } from "@/lib/testing/test-log";
import { append } from "@/lib/testing/test-view";
import { emptyView, type SessionView } from "@/lib/view/view";
import { emptyCatalogue } from "@/server/tools/toolbox/make-catalogue";
import { currentText, dueContext, sourcesAt } from "./context-blocks";
import type { ContextFacts, ContextSource } from "./context-source";

const modelSource: ContextSource = {
  topic: "model",
  kind: "notice",
  order: { message: 5, result: 50, compaction: 30 },
  resend: "when_changed",
  text: ({ view }) => (view.model === null ? null : `Model: ${view.model.model}.`),
};

const source = (parts: Partial<ContextSource>): ContextSource => ({
  topic: "project",
  kind: "notice",
  order: { message: 10 },
  resend: "when_due",
  text: () => "text",
  ...parts,
});

const withModel = (view: SessionView, model: string): SessionView => ({
  ...view,
  model: {
    provider: "p",
    model,
    toolMode: "native",
    numCtx: 8_192,
    think: false,
    profile: "small",
    prompt: asId<BlobId>("b"),
  },
});

const message = (id: string, blocks: readonly Block[]): readonly DurableEvent[] => [
  { type: "message_start", messageId: asId<MessageId>(id), role: "user" },
  { type: "message_end", messageId: asId<MessageId>(id), blocks, stop: "done" },
];
const facts = (view: SessionView): ContextFacts => ({
  view,
  message: "hi",
  tool: null,
  window: () => 1_000,
  project: { snapshot: () => null, isTreePending: () => false, tree: () => null },
  catalogue: () => emptyCatalogue,
  guides: [],
  usedTools: () => new Set(),
  evictedPins: () => [],
  shell: { isRestarted: false, isReplaced: false },
});
const due = (sources: readonly ContextSource[], view = emptyView(testSessionId)): readonly string[] =>
  dueContext(sources, "message", facts(view)).map(({ text }) => text);

describe("context sources", () => {
  test("are sent in the order of the place, and only where they have one", () => {
    const late = source({ order: { message: 2, result: 1 }, text: ({ before }) => `late after ${before.join()}` });
    const early = source({ topic: "mode", order: { message: 1, result: 2 }, text: () => "early" });
    const result = source({ order: { result: 3 }, text: () => "result only" });
    const all = [result, late, early];
    expect(due(all)).toEqual(["early", "late after mode"]);
    expect(sourcesAt(all, "result")).toEqual([late, early, result]);
    expect(sourcesAt(all, "compaction")).toEqual([]);
  });

  test("when_changed: a text is sent again when it changed, and when a rewind removed it", () => {
    const start = withModel(emptyView(testSessionId), "a");
    expect(due([modelSource], start)).toEqual(["Model: a."]);
    const sent = append(start, ...message("m1", dueContext([modelSource], "message", facts(start))));
    expect(due([modelSource], sent)).toEqual([]);
    expect(due([modelSource], withModel(sent, "b"))).toEqual(["Model: b."]);
    expect(due([modelSource], append(sent, { type: "rewind", toSeq: 0 }))).toEqual(["Model: a."]);
  });

  test("when_changed: an assumed text is not sent until another one was", () => {
    const assumed = { ...modelSource, assumed: "Model: a." };
    const start = withModel(emptyView(testSessionId), "a");
    expect(due([assumed], start)).toEqual([]);
    const changed = append(start, ...message("m1", dueContext([assumed], "message", facts(withModel(start, "b")))));
    expect(due([assumed], changed)).toEqual(["Model: a."]);
  });

  test("when_absent: a text is sent once, and again after a compaction that removed it", () => {
    let count = 0;
    const once = source({ resend: "when_absent", text: () => `text ${(count += 1)}` });
    const start = emptyView(testSessionId);
    const sent = append(start, ...message("m1", dueContext([once], "message", facts(start))));
    expect(due([once], sent)).toEqual([]);
    const compacted = append(
      sent,
      { type: "compaction_start", tokensBefore: 1 },
      { type: "compaction_end", head: [], summary: "", keepFromSeq: 4, tokensAfter: 1 },
    );
    expect(due([once], compacted)).toEqual(["text 2"]);
  });

  test("when_due: a text is sent every time it is due, also if it is the same", () => {
    const start = emptyView(testSessionId);
    const sent = append(start, ...message("m1", dueContext([source({})], "message", facts(start))));
    expect(due([source({})], sent)).toEqual(["text"]);
    expect(due([source({ text: () => null })], sent)).toEqual([]);
  });

  test("get their share of the window, or the limit a compaction gives", () => {
    const shared = source({ share: (window) => window / 10, text: ({ maxTokens }) => `${maxTokens()}` });
    expect(due([shared, source({ order: { message: 11 }, text: ({ maxTokens }) => `${maxTokens()}` })])).toEqual([
      "100",
      "Infinity",
    ]);
    expect(currentText(shared, facts(emptyView(testSessionId)), 84)).toBe("84");
  });
});
