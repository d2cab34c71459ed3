/** Tests of the first step of a compaction: the reasoning of earlier answers is left out before anything is summarized. */
import { expect, test } from "vitest";
import { pathEntries } from "@/lib/view/view";
import type { ModelMessage } from "@/server/providers/provider";
import type { Session } from "../core/session-types";
import { auditLog } from "../testing/test-audit";
import { isSummaryRequest } from "../testing/test-long-run";
import {
  makeTestHarness,
  promptAndWait,
  type ScriptedAnswer,
  storedRows,
  testCommandId,
  textAnswer,
  type TestHarness,
} from "../testing/test-harness";

const words = (count: number, turn: number): string =>
  Array.from({ length: count }, (_, at) => `idea ${turn}.${at} moves file ${at * 7}`).join(", ");
const thoughtful = (turn: number, thoughts: number): ScriptedAnswer => [
  { type: "thinking", text: words(thoughts, turn), field: "thinking" },
  ...textAnswer(`Answer ${turn}.`),
];
const compactions = (session: Session) =>
  pathEntries(session.view).flatMap((entry) => (entry.kind === "compaction" ? [entry] : []));
const reasoningOf = (message: ModelMessage): number =>
  message.role === "assistant" ? (message.reasoning?.text.length ?? 0) : 0;
const plain = (messages: readonly ModelMessage[]) => messages.map(({ role, text }) => ({ role, text }));

/** Sends prompts until the conversation was compacted. */
async function untilCompacted(harness: TestHarness, session: Session, count: number): Promise<void> {
  for (let turn = 1; compactions(session).length < count; turn += 1) {
    harness.script(thoughtful(turn, 60));
    await promptAndWait(session, `Question ${turn}.`);
  }
}

test("reasoning is left out first, once, and nothing is summarized", async () => {
  const harness = await makeTestHarness({ numCtx: 8_192, think: true });
  const session = harness.session();
  await untilCompacted(harness, session, 1);
  expect(compactions(session)).toMatchObject([{ state: "done", reasoningOnly: true, summary: "", why: "threshold" }]);
  expect(harness.requests.some(isSummaryRequest)).toBe(false);
  const [before, after] = harness.requests.slice(-2).map(({ messages }) => messages);
  expect((before ?? []).some((message) => reasoningOf(message) > 0)).toBe(true);
  expect((after ?? []).every((message) => reasoningOf(message) === 0)).toBe(true);
  expect(plain(after ?? []).slice(0, before?.length)).toEqual(plain(before ?? []));
  harness.script(textAnswer("Yes."));
  await promptAndWait(session, "And now?");
  const next = harness.requests.at(-1)?.messages ?? [];
  expect(next.slice(0, after?.length)).toEqual(after);
  expect(reasoningOf(next.at(-2) ?? { role: "user", text: "" })).toBeGreaterThan(0);
  expect(session.editSummary(compactions(session)[0]?.seq ?? 0, "Mine.", testCommandId())).toMatchObject({ ok: false });
  expect(auditLog(storedRows(harness, session.id))).toEqual([]);
});

test("what a compaction before left out stays left out", async () => {
  const harness = await makeTestHarness({ numCtx: 16_384, think: true });
  const session = harness.session();
  for (let turn = 1; turn <= 8; turn += 1) {
    harness.script(textAnswer(words(60, turn)));
    await promptAndWait(session, `Question ${turn}.`);
  }
  harness.script(textAnswer("We moved files."));
  const ended = session.compact(undefined, testCommandId());
  await (ended.ok ? ended.value.done : null);
  const [first] = compactions(session);
  await untilCompacted(harness, session, 2);
  const [, second] = compactions(session);
  expect(first?.state).toBe("done");
  const { head, summary } = first ?? {};
  expect(second).toMatchObject({ reasoningOnly: true, summary, head });
  expect(
    plain(harness.requests.at(-1)?.messages ?? [])
      .map(({ text }) => text)
      .join("\n"),
  ).not.toContain("idea 1.59");
});

test("the older part is summarized where that frees too little", async () => {
  const harness = await makeTestHarness({ numCtx: 8_192, think: true });
  const session = harness.session();
  harness.script(thoughtful(0, 20));
  await promptAndWait(session, "Question.");
  for (let turn = 1; compactions(session).length === 0; turn += 1) {
    harness.replaceScript(textAnswer(words(80, turn)), textAnswer(words(80, turn)));
    await promptAndWait(session, `Question ${turn}.`);
  }
  expect(compactions(session)[0]?.reasoningOnly).toBeUndefined();
  expect(harness.requests.some(isSummaryRequest)).toBe(true);
});
