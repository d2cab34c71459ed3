/** Tests of the times of runs in the log after a kill, a restart, a fork and Stop. The clock is simulated. */
import { beforeEach, describe, expect, test, vi } from "vitest";
import { asId, type ApprovalId } from "@/lib/events/id";
import { type Entry, pathEntries, type SessionView } from "@/lib/view/view";
import { closeRun } from "@/server/agent/loop/close-run";
import { callPrefix, messagePrefix } from "./checkpoints";
import {
  promptAndWait,
  callAnswer,
  waitForCards,
  testCommandId,
  makeGate,
  makeTestHarness,
  textAnswer,
  testTab,
  waitForView,
} from "../testing/test-harness";

let time = 1_000_000;
beforeEach(() => {
  vi.spyOn(Date, "now").mockImplementation(() => time);
  return () => void vi.restoreAllMocks();
});
const advanceTime = (ms: number): void => void (time += ms);
const none = asId<ApprovalId>("");

type RunEndEntry = Extract<Entry, { kind: "run_end" }>;
const lastRun = (view: SessionView): RunEndEntry | undefined =>
  pathEntries(view).findLast((entry): entry is RunEndEntry => entry.kind === "run_end");
/** Working and waiting time of the newest run, ms. */
const runTimes = (view: SessionView): readonly number[] => {
  const end = lastRun(view);
  return end === undefined ? [] : [end.at - end.startedAt - end.waitedMs, end.waitedMs];
};
const callsOf = (view: SessionView) =>
  pathEntries(view).flatMap((entry) => (entry.kind === "message" ? entry.calls : []));

describe("a killed run", () => {
  test("worked until its newest checkpoint, however much later it is recovered", async () => {
    const harness = await makeTestHarness();
    const session = harness.session();
    const gate = makeGate();
    harness.script([{ type: "text", text: "Half an answer" }, gate]);
    void promptAndWait(session, "go");
    await gate.reached;
    advanceTime(3_500);
    const [open = ""] = Object.keys(session.view.openMessages);
    harness.store.events.checkpoint(session.id, messagePrefix + open, "[]", Date.now());
    await harness.restart();
    advanceTime(86_400_000);
    expect(runTimes(harness.reload(session).view)).toEqual([3_500, 0]);
  });

  test("does not count checkpoints of ended entries", async () => {
    const harness = await makeTestHarness();
    const session = harness.session();
    const gate = makeGate();
    harness.script([gate]);
    void promptAndWait(session, "go");
    await gate.reached;
    harness.store.events.checkpoint(session.id, `${messagePrefix}ended`, "[]", time + 9_000);
    await harness.restart();
    advanceTime(86_400_000);
    expect(runTimes(harness.reload(session).view)).toEqual([0, 0]);
  });
});

describe("a run that waits for the user", () => {
  test("counts the restart as waiting, and continues with its own time", async () => {
    const harness = await makeTestHarness();
    const session = harness.session();
    harness.script(callAnswer(["bash", { command: "touch a" }]));
    void promptAndWait(session, "go");
    const [card] = await waitForCards(session);
    advanceTime(10_000);
    await harness.restart();
    advanceTime(33_000);
    const now = harness.reload(session);
    const gate = makeGate();
    harness.script([gate, ...textAnswer("Done.")]);
    now.answer(card?.approvalId ?? none, { option: "once" }, testTab);
    await gate.reached;
    advanceTime(2_300);
    gate.open();
    await waitForView(now, (view) => view.run === null);
    expect(runTimes(now.view)).toEqual([2_300, 43_000]);
    expect(callsOf(now.view)).toMatchObject([{ state: "ok", tookMs: 0 }]);
  });

  test("counts the waiting time of each of several cards, also when it is stopped at the last", async () => {
    const harness = await makeTestHarness();
    const session = harness.session();
    harness.script(callAnswer(["bash", { command: "touch a" }]), callAnswer(["bash", { command: "touch b" }]));
    void promptAndWait(session, "go");
    const [first] = await waitForCards(session);
    advanceTime(20_000);
    session.answer(first?.approvalId ?? none, { option: "once" }, testTab);
    await waitForView(session, (view) => view.run?.steps === 2);
    await waitForCards(session);
    advanceTime(5_000);
    await session.abort();
    expect(runTimes(session.view)).toEqual([0, 25_000]);
    expect(callsOf(session.view).map((call) => call.tookMs)).toEqual([0, 0]);
  });
});

test("a fork from the middle of a run ends that run at the time of the border, not of the copy", async () => {
  const harness = await makeTestHarness();
  const session = harness.session();
  harness.script(callAnswer(["ls", { path: "." }]), textAnswer("Done."));
  await promptAndWait(session, "go");
  const border = harness.store.events.read(session.id).find(({ event }) => event.type === "turn_end")?.seq ?? 0;
  advanceTime(86_400_000);
  const forked = harness.registry().fork({ sessionId: session.id, atSeq: border, commandId: testCommandId() });
  expect(forked.ok && runTimes(forked.value.view)).toEqual([0, 0]);
});

test("an interrupted command ran until then, without the time of its card", async () => {
  const harness = await makeTestHarness();
  const session = harness.session();
  harness.script(callAnswer(["bash", { command: "touch begun; sleep 60" }]));
  void promptAndWait(session, "go");
  const [card] = await waitForCards(session);
  advanceTime(60_000);
  session.answer(card?.approvalId ?? none, { option: "once" }, testTab);
  await waitForView(session, () => callsOf(session.view)[0]?.state === "running");
  advanceTime(7_000);
  const [callId = ""] = Object.keys(session.view.openCalls);
  expect(closeRun(session.view, { reason: "aborted", at: time })).toMatchObject([
    { type: "tool_call_end", callId, tookMs: 7_000 },
    { type: "turn_end" },
    { type: "agent_end" },
  ]);
  harness.store.events.checkpoint(session.id, callPrefix + callId, "begun", time);
  await harness.restart();
  advanceTime(86_400_000);
  const now = harness.reload(session);
  expect(callsOf(now.view)).toMatchObject([{ state: "unknown", tookMs: 7_000 }]);
  expect(runTimes(now.view)).toEqual([7_000, 60_000]);
});
