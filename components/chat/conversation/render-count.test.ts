/**
 * Counts what renders again while an answer streams: React skips a memoised row or block whose props are
 * identical, so the props that differ from one delta to the next are the renders.
 */
import { expect, test } from "vitest";
import type { DurableEvent, Envelope, LiveEvent } from "@/lib/events/event";
import { fold } from "@/lib/view/fold";
import { asId, type MessageId, type RunId, type SessionId, type TurnId } from "@/lib/events/id";
import { emptyView, pathEntries, type SessionView } from "@/lib/view/view";
import { ConversationRow } from "./conversation-row";
import { type ConversationItem, createItemBuilder } from "./conversation-items";
import { BlockView } from "../../ui/markdown/block-view";
import { advanceSplit, emptySplit, type MarkdownSplit } from "../../ui/markdown/markdown-split";

const sessionId = asId<SessionId>("s1");
const answer = asId<MessageId>("answer");
const durable = (view: SessionView, event: DurableEvent): SessionView =>
  fold(view, { v: 1, sessionId, seq: view.seq + 1, at: 1_000 + view.seq, event });
const live = (view: SessionView, event: LiveEvent): SessionView => {
  const envelope: Envelope = { v: 1, sessionId, after: view.seq, at: 2_000, event };
  return fold(view, envelope);
};

/** Forty questions with their answers, and an answer that has just begun. */
function longConversation(): SessionView {
  let view = emptyView(sessionId);
  const say = (event: DurableEvent): void => void (view = durable(view, event));
  for (let pair = 0; pair < 40; pair += 1) {
    const [question, old, runId] = [asId<MessageId>(`q${pair}`), asId<MessageId>(`a${pair}`), asId<RunId>(`r${pair}`)];
    say({ type: "agent_start", runId });
    say({ type: "message_start", messageId: question, role: "user" });
    say({ type: "message_end", messageId: question, blocks: [{ type: "text", text: "What?" }], stop: "done" });
    say({ type: "message_start", messageId: old, role: "assistant" });
    say({ type: "message_end", messageId: old, blocks: [{ type: "text", text: "That." }], stop: "done" });
    say({ type: "agent_end", runId, reason: "done" });
  }
  say({ type: "agent_start", runId: asId<RunId>("r") });
  say({ type: "turn_start", turnId: asId<TurnId>("t"), step: 1 });
  say({ type: "message_start", messageId: answer, role: "assistant" });
  return view;
}

const paragraph =
  "Some words with `code`, **weight** and a list behind them.\n\n- one\n- two\n\n```ts\nconst a = 1;\n```\n\n";
const streamed = paragraph.repeat(12);
const stepChars = 7;

const changedRows = (before: readonly ConversationItem[], now: readonly ConversationItem[]): number =>
  now.filter((item, index) => item !== before[index]).length;

interface RenderedBlock {
  readonly block: unknown;
  readonly finished: boolean;
}

/** The blocks as passed to `BlockView` by markdown.tsx. */
const renderedBlocks = ({ final, open }: MarkdownSplit): readonly RenderedBlock[] => [
  ...final.map((block) => ({ block, finished: true })),
  ...open.map((block, index) => ({ block, finished: index < open.length - 1 })),
];

test("rows and blocks are memoised", () => {
  const isMemo = { $$typeof: Symbol.for("react.memo") };
  expect(ConversationRow).toMatchObject(isMemo);
  expect(BlockView).toMatchObject(isMemo);
});

test("a delta renders one row, independent of the length of the conversation", () => {
  const toItems = createItemBuilder();
  let view = longConversation();
  let items = toItems(pathEntries(view));
  expect(items.length).toBeGreaterThan(80);
  for (let offset = 0; offset < streamed.length; offset += stepChars) {
    const text = streamed.slice(offset, offset + stepChars);
    view = live(view, { type: "message_delta", messageId: answer, block: 0, kind: "text", offset, text });
    const next = toItems(pathEntries(view));
    expect(changedRows(items, next)).toBe(1);
    items = next;
  }
  expect(items.at(-1)?.content).toMatchObject({ kind: "text", text: streamed });
});

test("a phase renders no row", () => {
  const toItems = createItemBuilder();
  const view = longConversation();
  const items = toItems(pathEntries(view));
  const next = live(view, { type: "phase", phase: "writing", sinceMs: 1, tokens: 5 });
  expect(changedRows(items, toItems(pathEntries(next)))).toBe(0);
});

test("a streaming text renders only its last blocks again, and each finished block once", () => {
  let split = emptySplit;
  let shown = renderedBlocks(split);
  let draws = 0;
  let steps = 0;
  for (let end = stepChars; end < streamed.length + stepChars; end += stepChars) {
    split = advanceSplit(split, streamed.slice(0, end), true);
    const next = renderedBlocks(split);
    const again = next.filter(
      ({ block, finished }, index) => block !== shown[index]?.block || finished !== shown[index]?.finished,
    );
    // Two blocks may still change each other, and a third is new.
    expect(again.length).toBeLessThanOrEqual(3);
    draws += again.length;
    steps += 1;
    shown = next;
  }
  expect(shown.length).toBeGreaterThan(30);
  expect(draws).toBeLessThan(2.5 * steps);
});
