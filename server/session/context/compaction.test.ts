/** Tests of compaction in a session: on request, at the threshold, on a refusal; its summary, its event, its end. */
import { neverAborted } from "@/server/base/abort";
import { describe, expect, test } from "vitest";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { joinTextBlocks } from "@/lib/events/content";
import type { DurableEvent } from "@/lib/events/event";
import { activeCompaction } from "@/lib/view/snapshot";
import { pathEntries, type SessionView } from "@/lib/view/view";
import { lastContextText } from "@/server/agent/context/compile";
import { countTokens } from "@/server/agent/context/prompt-size";
import type { ModelRequest } from "@/server/providers/provider";
import type { Session } from "../core/session-types";
import { auditLog } from "../testing/test-audit";
import { isSummaryRequest } from "../testing/test-long-run";
import {
  type ScriptedAnswer,
  promptAndWait,
  callAnswer,
  testCommandId,
  failureAnswer,
  type TestHarness,
  makeGate,
  makeTestHarness,
  storedRows,
  truncatedAnswer,
  textAnswer,
  waitForView,
} from "../testing/test-harness";

const expectValidLog = (harness: TestHarness, session: Session): void =>
  expect(auditLog(storedRows(harness, session.id))).toEqual([]);
const eventsOf = <T extends DurableEvent["type"]>(harness: TestHarness, session: Session, type: T) =>
  storedRows(harness, session.id).flatMap(({ event }) => (isA(event, type) ? [event] : []));
const isA = <T extends DurableEvent["type"]>(
  event: DurableEvent,
  type: T,
): event is Extract<DurableEvent, { type: T }> => event.type === type;
const errors = (view: SessionView): readonly string[] =>
  pathEntries(view).flatMap((entry) => (entry.kind === "error" ? [entry.error.code] : []));
const messageJson = (request: ModelRequest | undefined): string => JSON.stringify(request?.messages ?? []).slice(0, -1);
const messageTexts = (request: ModelRequest | undefined): string =>
  (request?.messages ?? []).map((message) => message.text).join("\n");

/** Long enough that a summary of some of them is shorter. */
const answerOf = (turn: number): string =>
  [`Answer ${turn}.`, ...Array.from({ length: 40 }, (_, at) => `Rule ${turn}.${at} moves file ${at * 7}.`)].join(" ");

/** Creates a session with `turns` prompts and answers. */
async function sessionWithTurns(harness: TestHarness, turns: number): Promise<Session> {
  const session = harness.session();
  for (let turn = 1; turn <= turns; turn += 1) {
    harness.script(textAnswer(answerOf(turn)));
    await promptAndWait(session, `Question ${turn}.`);
  }
  return session;
}

describe("/compact", () => {
  test("requests the summary after the unchanged conversation, and the next request starts with its head", async () => {
    const harness = await makeTestHarness();
    const session = await sessionWithTurns(harness, 6);
    session.update({ mode: "plan" }, testCommandId());
    harness.script(textAnswer("The summary."));
    const started = session.compact("the questions", testCommandId());
    expect(started.ok && (await started.value.done)).toBe("done");
    const [last, summary] = harness.requests.slice(-2);
    expect(summary !== undefined && isSummaryRequest(summary)).toBe(true);
    expect(messageJson(summary).startsWith(messageJson(last))).toBe(true);
    expect(summary?.tools).toEqual(last?.tools);
    expect(summary?.think).toBe(last?.think);
    expect(summary?.numCtx).toBe(last?.numCtx);
    expect(messageTexts(summary)).toContain("the questions");
    expect(eventsOf(harness, session, "compaction_start")).toMatchObject([{ why: "user", focus: "the questions" }]);
    const [end] = eventsOf(harness, session, "compaction_end");
    expect(end?.mechanical).toBeUndefined();
    expect(joinTextBlocks(end?.head ?? [])).toMatch(/Question 1\.[\s\S]*The summary\.$/);

    harness.script(textAnswer("Answer 7."));
    await promptAndWait(session, "Question 7.");
    const next = harness.requests.at(-1);
    expect(next?.messages[1]).toMatchObject({ role: "user" });
    expect(next?.messages[1]?.text).toContain("The summary.");
    expect(next?.messages.slice(2, -1).map((message) => message.text)).toEqual(
      [3, 4, 5, 6].flatMap((turn) => [`Question ${turn}.`, answerOf(turn)]),
    );
    expect(messageTexts(next).split("Project folder:")).toHaveLength(2);
    expect(messageTexts(next).split("Mode: plan")).toHaveLength(2);
    expectValidLog(harness, session);
  });

  test("that would not shorten the prompt reports it and changes nothing, before and after the summary", async () => {
    const harness = await makeTestHarness();
    const short = harness.session();
    for (const turn of [1, 2, 3, 4, 5, 6]) {
      harness.script(textAnswer("Yes."));
      await promptAndWait(short, `Question ${turn}.`);
    }
    const requestCount = harness.requests.length;
    const { seq } = short.view;
    expect(short.compact(undefined, testCommandId())).toMatchObject({ ok: false, error: { code: "no_gain" } });
    expect([harness.requests.length, short.view.seq]).toEqual([requestCount, seq]);

    const session = await sessionWithTurns(harness, 6);
    harness.script(textAnswer(Array.from({ length: 900 }, (_, at) => `Story ${at} is long.`).join(" ")));
    const before = messageJson(harness.requests.at(-1));
    const started = session.compact(undefined, testCommandId());
    expect(started.ok && (await started.value.done)).toBe("done");
    expect(errors(session.view)).toEqual(["no_gain"]);
    expect(session.view.openCompaction).toBeNull();
    expect(activeCompaction(session.view)).toBeNull();
    harness.script(textAnswer("Next."));
    await promptAndWait(session, "Next?");
    expect(messageJson(harness.requests.at(-1)).startsWith(before)).toBe(true);
    expectValidLog(harness, session);
  });

  test("fails when nothing would be summarized and during a run, and returns the same when repeated", async () => {
    const harness = await makeTestHarness();
    const empty = harness.session();
    expect(empty.compact(undefined, testCommandId())).toMatchObject({ ok: false, error: { code: "no_summary" } });
    const session = await sessionWithTurns(harness, 4);
    expect(session.compact(undefined, testCommandId())).toMatchObject({ ok: false, error: { code: "no_summary" } });
    const gate = makeGate();
    harness.script([gate, ...textAnswer(answerOf(5))]);
    const done = promptAndWait(session, "Question 5.");
    await gate.reached;
    expect(session.compact(undefined, testCommandId())).toMatchObject({ ok: false, error: { code: "not_idle" } });
    gate.open();
    await done;
    harness.script(textAnswer("Sum."));
    const id = testCommandId();
    const first = session.compact(undefined, id);
    const again = session.compact(undefined, id);
    expect(first.ok && again.ok && first.value.seq === again.value.seq).toBe(true);
    expect(first.ok && (await first.value.done)).toBe("done");
    const requests = harness.requests.length;
    const later = session.compact(undefined, id);
    expect(later.ok && (await later.value.done)).toBeNull();
    expect(harness.requests).toHaveLength(requests);
    expectValidLog(harness, session);
  });

  test("queues a prompt sent meanwhile and runs it afterwards; nothing else starts", async () => {
    const harness = await makeTestHarness();
    const session = await sessionWithTurns(harness, 6);
    const gate = makeGate();
    harness.script([gate, ...textAnswer("The summary.")], textAnswer("Ran."));
    const started = session.compact(undefined, testCommandId());
    await gate.reached;
    expect(session.idle).toBe(false);
    expect(session.send("And now this.", "prompt", testCommandId()).ok).toBe(true);
    expect(session.changeModel({ name: "other" }, testCommandId())).toMatchObject({ error: { code: "not_idle" } });
    expect(session.resume(testCommandId())).toMatchObject({ error: { code: "not_idle" } });
    expect(session.view.queue).toMatchObject([{ text: "And now this." }]);
    gate.open();
    await (started.ok ? started.value.done : null);
    await waitForView(session, (view) => view.run === null && view.queue.length === 0);
    expect(messageTexts(harness.requests.at(-1))).toContain("The summary.");
    expect(harness.requests.at(-1)?.messages.at(-1)?.text).toBe("And now this.");
    expectValidLog(harness, session);
  });

  test("is ended by Stop; messages sent meanwhile wait for the user", async () => {
    const harness = await makeTestHarness();
    const session = await sessionWithTurns(harness, 6);
    const gate = makeGate();
    harness.script([gate, ...textAnswer("never")]);
    const started = session.compact(undefined, testCommandId());
    await gate.reached;
    session.send("Later.", "prompt", testCommandId());
    await session.abort();
    expect(started.ok && (await started.value.done)).toBe("aborted");
    expect(errors(session.view)).toEqual(["aborted"]);
    expect(session.view).toMatchObject({
      openCompaction: null,
      run: null,
      queue: [{ text: "Later.", intent: "followUp" }],
    });
    expect(activeCompaction(session.view)).toBeNull();
    expectValidLog(harness, session);
    harness.script(textAnswer("Next."), textAnswer("Late."));
    expect(await promptAndWait(session, "Next.")).toBe("done");
    expectValidLog(harness, session);
  });

  test("interrupted by a kill gives an error after the restart, once, and nothing is lost", async () => {
    const harness = await makeTestHarness();
    const session = await sessionWithTurns(harness, 6);
    const gate = makeGate();
    harness.script([gate, ...textAnswer("never")]);
    session.compact(undefined, testCommandId());
    await gate.reached;
    await harness.restart();
    const now = harness.reload(session);
    expect(errors(now.view)).toEqual(["interrupted"]);
    expect(now.view.openCompaction).toBeNull();
    const { seq } = now.view;
    await harness.restart();
    expect(harness.reload(session).view.seq).toBe(seq);
    expectValidLog(harness, now);
  });
});

describe("a summary that the model does not give", () => {
  test.each<[string, readonly ScriptedAnswer[]]>([
    ["a call in its place", [callAnswer(["ls", {}])]],
    ["a call written as text", [textAnswer('{"name": "ls", "arguments": {}}')]],
    ["nothing", [textAnswer("  \n")]],
    [
      "refusals of the server, until nothing is left to shorten",
      [failureAnswer("window_full", false), failureAnswer("window_full", false)],
    ],
    ["a server that stays away", [failureAnswer("connection_lost", true), failureAnswer("connection_lost", true)]],
  ])("is generated by the program: %s", async (_name, answers) => {
    const harness = await makeTestHarness();
    const session = await sessionWithTurns(harness, 6);
    harness.script(...answers);
    const started = session.compact(undefined, testCommandId());
    expect(started.ok && (await started.value.done)).toBe("done");
    expect(harness.requests).toHaveLength(6 + answers.length);
    const [end] = eventsOf(harness, session, "compaction_end");
    expect(end).toMatchObject({ mechanical: true });
    expect(end?.summary).toContain("Steps taken so far: 6.");
    expect(pathEntries(session.view).some((entry) => entry.kind === "message" && entry.calls.length > 0)).toBe(false);
    expectValidLog(harness, session);
  });
});

test("a summary request whose reasoning the server refuses is sent again without it, and so is what follows", async () => {
  const harness = await makeTestHarness();
  const session = await sessionWithTurns(harness, 6);
  harness.script(
    [{ type: "failed", error: { code: "server_error", facts: { history: "reasoning_unwanted" } }, retryable: false }],
    textAnswer("Six answers."),
    textAnswer("Yes."),
  );
  const started = session.compact(undefined, testCommandId());
  expect(started.ok && (await started.value.done)).toBe("done");
  expect(eventsOf(harness, session, "compaction_end")).toMatchObject([{ summary: "Six answers." }]);
  await promptAndWait(session, "And?");
  expect(harness.requests.slice(6).map(({ reasoning }) => reasoning)).toEqual([undefined, "drop", "drop"]);
  expectValidLog(harness, session);
});

test("a summary request waits as the server requests, and that is no failure", async () => {
  const harness = await makeTestHarness();
  const session = await sessionWithTurns(harness, 6);
  const failure = (retryAfterMs: number): ScriptedAnswer => [
    { type: "failed", error: { code: "server_busy" }, retryable: true, retryAfterMs },
  ];
  harness.script(failure(1), failure(1_000), textAnswer("Six answers."));
  const started = session.compact(undefined, testCommandId());
  expect(started.ok && (await started.value.done)).toBe("done");
  expect(eventsOf(harness, session, "compaction_end")).toMatchObject([{ summary: "Six answers." }]);
  harness.script(textAnswer("Yes."));
  await promptAndWait(session, "And?");
  harness.script(failure(700_000));
  const again = session.compact(undefined, testCommandId());
  expect(again.ok && (await again.value.done)).toBe("done");
  expect(eventsOf(harness, session, "compaction_end").at(-1)).toMatchObject({ mechanical: true });
});

describe("a summary request that the server refuses as too long", () => {
  const refusal = (tokens: number, window: number): ScriptedAnswer => [
    { type: "failed", error: { code: "window_full", facts: { tokens, window } }, retryable: false },
  ];
  const sizeOf = ({ messages }: ModelRequest): number => countTokens(messages);

  test("is shortened by the numbers of the refusal and sent again", async () => {
    const harness = await makeTestHarness();
    writeFileSync(join(harness.root, "notes.txt"), "Words that say little, and some more of them.\n".repeat(2_000));
    const session = harness.session("full");
    harness.script(
      ...[1, 200, 400, 600].map((offset) => callAnswer(["read", { path: "notes.txt", offset }])),
      textAnswer("Read."),
    );
    expect(await promptAndWait(session, "Read the notes.")).toBe("done");
    harness.script(refusal(20_000, 16_384), refusal(17_000, 16_384), textAnswer("The summary."));
    const started = session.compact(undefined, testCommandId());
    expect(started.ok && (await started.value.done)).toBe("done");
    const sizes = harness.requests.slice(-3).map(sizeOf);
    expect(harness.requests.slice(-3).every(isSummaryRequest)).toBe(true);
    expect(sizes[1]).toBeLessThan((sizes[0] ?? 0) * 0.9);
    expect(sizes[2]).toBeLessThan((sizes[1] ?? 0) * 0.9);
    const [end] = eventsOf(harness, session, "compaction_end");
    expect(end?.mechanical).toBeUndefined();
    expect(end?.summary).toBe("The summary.");
    expectValidLog(harness, session);
  });
});

describe("the edit of a summary", () => {
  test("replaces the summary in the head and nothing else; only for the effective summary, only when idle", async () => {
    const harness = await makeTestHarness();
    const session = await sessionWithTurns(harness, 6);
    harness.script(textAnswer("The summary."));
    const started = session.compact(undefined, testCommandId());
    await (started.ok ? started.value.done : null);
    const compactionSeq = pathEntries(session.view).find((entry) => entry.kind === "compaction")?.seq ?? 0;
    const before = joinTextBlocks(activeCompaction(session.view)?.head ?? []);
    const id = testCommandId();
    expect(session.editSummary(compactionSeq, "My own words.", id)).toMatchObject({ ok: true });
    expect(session.editSummary(compactionSeq, "My own words.", id)).toEqual({
      ok: true,
      value: { seq: session.view.seq },
    });
    expect(joinTextBlocks(activeCompaction(session.view)?.head ?? [])).toBe(
      before.replace("The summary.", "My own words."),
    );
    expect(lastContextText(session.view, "project")).not.toBeNull();
    expect(session.editSummary(compactionSeq - 1, "x", testCommandId())).toMatchObject({
      ok: false,
      error: { code: "gone" },
    });
    const gate = makeGate();
    harness.script([gate, ...textAnswer("Ok.")]);
    const done = promptAndWait(session, "Go on.");
    await gate.reached;
    expect(session.editSummary(compactionSeq, "x", testCommandId())).toMatchObject({
      ok: false,
      error: { code: "not_idle" },
    });
    gate.open();
    await done;
    expect(messageTexts(harness.requests.at(-1))).toContain("My own words.");
    expect(messageTexts(harness.requests.at(-1))).not.toContain("The summary.");
    expectValidLog(harness, session);
  });

  test("keeps the first request through any number of compactions", async () => {
    const harness = await makeTestHarness();
    const session = await sessionWithTurns(harness, 6);
    for (const round of [1, 2, 3]) {
      harness.script(textAnswer(`Summary ${round}.`));
      const started = session.compact(undefined, testCommandId());
      expect(started.ok && (await started.value.done)).toBe("done");
      for (const turn of [1, 2, 3, 4, 5]) {
        harness.script(textAnswer(answerOf(turn)));
        await promptAndWait(session, `Round ${round}, question ${turn}.`);
      }
      expect(messageTexts(harness.requests.at(-1))).toContain("Question 1.");
      expect(messageTexts(harness.requests.at(-1))).toContain(`Summary ${round}.`);
      expect(messageTexts(harness.requests.at(-1))).not.toContain(`Summary ${round - 1}.`);
      expect(messageTexts(harness.requests.at(-1)).split("Project folder:")).toHaveLength(2);
    }
    expectValidLog(harness, session);
  });
});

describe("inside a run", () => {
  const bulky = (step: number): ScriptedAnswer => callAnswer(["bash", { command: `seq ${step} ${step + 150}` }]);

  test("Stop while the summary is written ends the run; Continue resumes and compacts then", async () => {
    const harness = await makeTestHarness({ numCtx: 4_096 });
    const session = harness.session("full");
    const gate = makeGate();
    let held = true;
    for (let step = 0; step < 9; step += 1) harness.script(bulky(step));
    const watch = session.subscribe((envelope) => {
      if (!("seq" in envelope) || envelope.event.type !== "compaction_start" || !held) return;
      held = false;
      harness.replaceScript([gate, ...textAnswer("never")]);
    });
    const done = promptAndWait(session, "Count.");
    await gate.reached;
    watch();
    await session.abort();
    expect(await done).toBe("aborted");
    expect(errors(session.view)).toEqual(["aborted"]);
    expectValidLog(harness, session);
    harness.replaceScript(textAnswer("The summary."), textAnswer("Counted."));
    expect(await promptAndWait(session, "Go on.")).toBe("done");
    expect(eventsOf(harness, session, "compaction_end")).toHaveLength(1);
    expect(messageTexts(harness.requests.at(-1))).toContain("The summary.");
    expectValidLog(harness, session);
  });

  test("an answer truncated by the window is requested again, once, if a compaction frees space", async () => {
    const harness = await makeTestHarness({ numCtx: 4_096 });
    const session = harness.session("full");
    for (let step = 0; step < 4; step += 1) harness.script(bulky(step * 200));
    harness.script(truncatedAnswer("Half of"), textAnswer("The summary."), textAnswer("All of it."));
    expect(await promptAndWait(session, "Write it.")).toBe("done");
    expect(eventsOf(harness, session, "retry")).toMatchObject([{ attempt: 1, of: 1, error: { code: "output_limit" } }]);
    expect(eventsOf(harness, session, "compaction_start")).toMatchObject([{ why: "window" }]);
    expect(messageTexts(harness.requests.at(-1))).toContain("Half of");
    harness.script(truncatedAnswer("Half again"));
    expect(await promptAndWait(session, "More.")).toBe("limit");
    expect(errors(session.view)).toEqual(["output_limit"]);
    expectValidLog(harness, session);
  });

  test("a smaller model in the middle of a session compacts before its first request", async () => {
    let window = 16_384;
    const harness = await makeTestHarness({ facts: () => ({ window, tokenRatio: 1 }) });
    const session = harness.session("full");
    for (let step = 0; step < 6; step += 1) harness.script(bulky(step * 200));
    harness.script(textAnswer("Counted."));
    expect(await promptAndWait(session, "Count.")).toBe("done");
    window = 4_096;
    expect(session.changeModel({ name: "small" }, testCommandId()).ok).toBe(true);
    harness.script(textAnswer("The summary."), textAnswer("Ok."));
    expect(await promptAndWait(session, "And now?")).toBe("done");
    expect(eventsOf(harness, session, "compaction_start")).toMatchObject([{ why: "threshold" }]);
    expect(eventsOf(harness, session, "compaction_end")[0]?.tokensAfter).toBeLessThan(4_096 * 0.56);
    expectValidLog(harness, session);
  });
});

describe("a server that refuses by its own count", () => {
  const refusal = (facts: { tokens?: number; window?: number }): ScriptedAnswer => [
    { type: "failed", error: { code: "window_full", facts }, retryable: false },
  ];

  test.each([{ tokens: 4_300, window: 4_096 }, { window: 4_096 }, {}])(
    "its numbers apply from then on, and the run continues by itself: %j",
    async (facts) => {
      const harness = await makeTestHarness();
      const session = harness.session("full");
      for (let step = 0; step < 5; step += 1)
        harness.script(callAnswer(["bash", { command: `seq ${step} ${step + 90}` }]));
      harness.script(refusal(facts), textAnswer("The summary."), textAnswer("Counted."));
      expect(await promptAndWait(session, "Count.")).toBe("done");
      expect(eventsOf(harness, session, "retry")).toMatchObject([
        { attempt: 1, of: 1, error: { code: "window_full" } },
      ]);
      expect(eventsOf(harness, session, "compaction_start")).toMatchObject([{ why: "window" }]);
      expect(harness.requests.map((request) => request.numCtx)).toEqual(harness.requests.map(() => 16_384));
      expectValidLog(harness, session);
    },
  );

  test("twice ends with the limit and the server's numbers", async () => {
    const harness = await makeTestHarness();
    const session = harness.session("full");
    for (let step = 0; step < 5; step += 1)
      harness.script(callAnswer(["bash", { command: `seq ${step} ${step + 90}` }]));
    harness.script(
      refusal({ tokens: 4_300, window: 4_096 }),
      textAnswer("Sum."),
      refusal({ tokens: 4_200, window: 4_096 }),
    );
    expect(await promptAndWait(session, "Count.")).toBe("limit");
    expect(pathEntries(session.view).at(-2)).toMatchObject({
      kind: "error",
      error: { code: "window_full", facts: { window: 4_096 } },
    });
    expectValidLog(harness, session);
  });
});

describe("the report of a request's parts", () => {
  test("has every part, and adds up to the sent request", async () => {
    const harness = await makeTestHarness();
    const session = harness.session();
    expect(await session.context(neverAborted)).toMatchObject({ ok: false, error: { code: "no_model" } });
    harness.script(callAnswer(["ls", {}]), textAnswer("Nothing here."));
    await promptAndWait(session, "What is here?");
    const report = await session.context(neverAborted);
    if (!report.ok) throw new Error(report.error.code);
    const { parts, total, window, tools, system, compactAt } = report.value;
    expect(parts.reduce((sum, { tokens }) => sum + tokens, 0)).toBe(total);
    expect(parts.every(({ tokens }) => tokens >= 0)).toBe(true);
    expect(parts.find(({ part }) => part === "summary")?.tokens).toBe(0);
    expect(parts.find(({ part }) => part === "snapshot")?.tokens).toBeGreaterThan(5);
    expect(window).toEqual({ inForce: 16_384, asked: 16_384 });
    expect(compactAt).toBe(Math.floor(16_384 * 0.6));
    expect(system).toBe(harness.requests[0]?.messages[0]?.text);
    expect(tools.map((tool) => tool.name)).toEqual(harness.requests[0]?.tools.map((tool) => tool.name));
    const kinds = report.value.pieces.map(({ kind }) => kind);
    expect(kinds).toEqual(["environment", "message", "answer", "result", "answer"]);
    expect(report.value.pieces[3]).toMatchObject({ name: "ls" });
    session.update({ mode: "plan" }, testCommandId());
    const changed = await session.context(neverAborted);
    const pending = changed.ok ? changed.value.pieces.filter(({ kind }) => kind === "pending") : [];
    expect(pending).toMatchObject([{ text: expect.stringMatching(/^Mode: plan\./) }]);
    const used = session.view.usage?.estimatedPromptTokens ?? 0;
    expect(total).toBeGreaterThan(used);
    expect(total).toBeLessThan(used + 40);
  });
});
