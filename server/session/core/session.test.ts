/** Tests of sessions through their commands: commands in, the stored log out. */
import { describe, expect, test } from "vitest";
import { joinTextBlocks } from "@/lib/events/content";
import { asId, type ApprovalId } from "@/lib/events/id";
import { settingsDefaults } from "@/lib/settings/settings";
import { type MessageEntry, pathEntries, type SessionView } from "@/lib/view/view";
import type { ModelRequest } from "@/server/providers/provider";
import type { Session } from "./session-types";
import { auditLog } from "../testing/test-audit";
import {
  promptAndWait,
  callAnswer,
  waitForCards,
  testCommandId,
  failureAnswer,
  type TestHarness,
  makeGate,
  makeTestHarness,
  storedRows,
  truncatedAnswer,
  textAnswer,
  testTab,
  waitForView,
} from "../testing/test-harness";
import { queueMaxEntries } from "./queue";

const messages = (view: SessionView): readonly MessageEntry[] =>
  pathEntries(view).flatMap((entry) => (entry.kind === "message" ? [entry] : []));
const texts = (view: SessionView): readonly string[] =>
  messages(view).map((entry) => {
    const own = entry.blocks.flatMap((block) => (block.type === "input" ? [] : [block]));
    return `${entry.role}: ${joinTextBlocks(own)}`;
  });
const ends = (view: SessionView): readonly string[] =>
  pathEntries(view).flatMap((entry) => (entry.kind === "run_end" ? [entry.reason] : []));
const errors = (view: SessionView): readonly string[] =>
  pathEntries(view).flatMap((entry) => (entry.kind === "error" ? [entry.error.code] : []));
const allCalls = (view: SessionView) => messages(view).flatMap((entry) => entry.calls);
const resultsIn = (request: ModelRequest | undefined): readonly string[] =>
  (request?.messages ?? []).flatMap((message) => (message.role === "tool" ? [message.text] : []));
const usersIn = (request: ModelRequest | undefined): readonly string[] =>
  (request?.messages ?? []).flatMap((message) => (message.role === "user" ? [message.text] : []));
const expectValidLog = (harness: TestHarness, session: Session, mayWait = false): void =>
  expect(auditLog(storedRows(harness, session.id), mayWait)).toEqual([]);

describe("a prompt", () => {
  test("starts a run, is answered, and everything is stored", async () => {
    const harness = await makeTestHarness();
    const session = harness.session();
    harness.script(textAnswer("Hello."));
    expect(await promptAndWait(session, "hi\nthere")).toBe("done");
    expect(texts(session.view)).toEqual(["user: hi\nthere", "assistant: Hello."]);
    expect(session.view.title).toBe("hi");
    expect(harness.store.sessions.get(session.id)).toMatchObject({
      status: "idle",
      title: "hi",
      lastSeq: session.view.seq,
    });
    expectValidLog(harness, session);
  });

  test("sent twice with one commandId runs once and returns the same", async () => {
    const harness = await makeTestHarness();
    const session = harness.session();
    harness.script(textAnswer("Once."));
    const id = testCommandId();
    const first = session.send("hi", "prompt", id);
    const second = session.send("hi", "prompt", id);
    if (!first.ok || !second.ok) throw new Error("refused");
    expect(second.value.seq).toBe(first.value.seq);
    expect(await second.value.done).toBe("done");
    const later = session.send("hi", "prompt", id);
    expect(later.ok && (await later.value.done)).toBe(null);
    expect(texts(session.view)).toEqual(["user: hi", "assistant: Once."]);
    expect(harness.requests).toHaveLength(1);
  });

  test("of two racing tabs loses neither text: the second becomes a steer of the next turn", async () => {
    const harness = await makeTestHarness();
    const session = harness.session();
    const gate = makeGate();
    harness.script([gate, ...textAnswer("One.")], textAnswer("Two."));
    const done = promptAndWait(session, "first");
    await gate.reached;
    expect(session.send("second", "prompt", testCommandId()).ok).toBe(true);
    expect(session.view.queue).toMatchObject([{ text: "second", intent: "steer" }]);
    gate.open();
    expect(await done).toBe("done");
    expect(texts(session.view)).toEqual(["user: first", "assistant: One.", "user: second", "assistant: Two."]);
    expect(session.view.queue).toEqual([]);
    expect(ends(session.view)).toEqual(["done"]);
    expectValidLog(harness, session);
  });

  test("sent by a listener at the end of a run starts a run of its own, and events stay in order", async () => {
    const harness = await makeTestHarness();
    const session = harness.session();
    harness.script(textAnswer("One."), textAnswer("Two."));
    const seqs: number[] = [];
    let next: ReturnType<typeof promptAndWait> | undefined;
    session.subscribe((envelope) => {
      if ("seq" in envelope && envelope.event.type === "agent_end") next ??= promptAndWait(session, "again");
    });
    session.subscribe((envelope) => ("seq" in envelope ? seqs.push(envelope.seq) : 0));
    expect(await promptAndWait(session, "first")).toBe("done");
    expect(session.idle).toBe(false);
    expect(await next).toBe("done");
    expect(session.idle).toBe(true);
    expect(seqs).toEqual(seqs.toSorted((a, b) => a - b));
    expect(ends(session.view)).toEqual(["done", "done"]);
    expectValidLog(harness, session);
  });
});

describe("the model", () => {
  test("cannot change during a run; an applied change returns the same when repeated", async () => {
    const harness = await makeTestHarness();
    const session = harness.session();
    const gate = makeGate();
    const id = testCommandId();
    const changed = session.changeModel({ name: "first" }, id);
    harness.script([gate, ...textAnswer("One.")]);
    const done = promptAndWait(session, "one");
    await gate.reached;
    expect(session.changeModel({ name: "second" }, testCommandId())).toMatchObject({
      ok: false,
      error: { code: "not_idle" },
    });
    expect(session.changeModel({ name: "first" }, id)).toEqual(changed);
    expect(session.view.model?.model).toBe("first");
    gate.open();
    await done;
  });
});

describe("the queue", () => {
  test("a steer is taken at the next turn boundary, a follow-up after the end, in one run", async () => {
    const harness = await makeTestHarness();
    const session = harness.session();
    const gate = makeGate();
    harness.script([gate, ...callAnswer(["ls", {}])], textAnswer("Steered."), textAnswer("Followed."));
    const done = promptAndWait(session, "go");
    await gate.reached;
    session.send("after", "followUp", testCommandId());
    session.send("now", "steer", testCommandId());
    gate.open();
    expect(await done).toBe("done");
    expect(texts(session.view)).toEqual([
      "user: go",
      "assistant: ",
      "user: now",
      "assistant: Steered.",
      "user: after",
      "assistant: Followed.",
    ]);
    expect(ends(session.view)).toEqual(["done"]);
    expectValidLog(harness, session);
  });

  test("is edited and emptied by id, once per command, and taken messages cannot be changed", async () => {
    const harness = await makeTestHarness();
    const session = harness.session();
    const gate = makeGate();
    harness.script([gate, ...textAnswer("A.")], textAnswer("B."));
    const done = promptAndWait(session, "go");
    await gate.reached;
    session.send("keep", "followUp", testCommandId());
    session.send("drop", "followUp", testCommandId());
    const [keep, drop] = session.view.queue;
    if (keep === undefined || drop === undefined) throw new Error("not queued");
    const id = testCommandId();
    expect(session.unqueue(drop.id, id)).toBe(true);
    expect(session.unqueue(drop.id, id)).toBe(true);
    expect(session.unqueue(drop.id, testCommandId())).toBe(false);
    expect(session.requeue(keep.id, "kept", testCommandId())).toBe(true);
    gate.open();
    await done;
    expect(session.requeue(keep.id, "late", testCommandId())).toBe(false);
    expect(texts(session.view)).toContain("user: kept");
    expectValidLog(harness, session);
  });

  test("steers left over by a stop become follow-ups that wait for the user", async () => {
    const harness = await makeTestHarness();
    const session = harness.session();
    const gate = makeGate();
    harness.script([gate, ...textAnswer("never")]);
    const done = promptAndWait(session, "go");
    await gate.reached;
    session.send("left", "steer", testCommandId());
    await session.abort();
    expect(await done).toBe("aborted");
    expect(session.view.queue).toMatchObject([{ text: "left", intent: "followUp" }]);
    harness.script(textAnswer("New."), textAnswer("Left."));
    expect(await promptAndWait(session, "new")).toBe("done");
    expect(texts(session.view).slice(-4)).toEqual(["user: new", "assistant: New.", "user: left", "assistant: Left."]);
    expectValidLog(harness, session);
  });

  test("fails with too_many at its limit", async () => {
    const harness = await makeTestHarness();
    const session = harness.session();
    const gate = makeGate();
    harness.script([gate, ...textAnswer("x")]);
    void promptAndWait(session, "go");
    await gate.reached;
    for (let count = 0; count < queueMaxEntries; count += 1) session.send("more", "followUp", testCommandId());
    expect(session.send("too much", "followUp", testCommandId())).toMatchObject({
      ok: false,
      error: { code: "too_many" },
    });
    await session.abort();
  });
});

describe("Stop", () => {
  const stopped = async (harness: TestHarness, session: Session, done: Promise<unknown>): Promise<void> => {
    await Promise.all([session.abort(), session.abort()]);
    expect(await done).toBe("aborted");
    expect(session.idle).toBe(true);
    expect(ends(session.view)).toEqual(["aborted"]);
    expectValidLog(harness, session);
    const before = session.view.seq;
    await session.abort();
    expect(session.view.seq).toBe(before);
  };

  test("during the stream keeps the text so far", async () => {
    const harness = await makeTestHarness();
    const session = harness.session();
    const gate = makeGate();
    harness.script([{ type: "text", text: "Half an" }, gate, ...textAnswer(" answer")]);
    const done = promptAndWait(session, "go");
    await gate.reached;
    await stopped(harness, session, done);
    expect(texts(session.view)).toEqual(["user: go", "assistant: Half an"]);
    expect(messages(session.view).at(-1)?.stop).toBe("aborted");
    // The first answer has its estimated counts, of which speed and context meter are shown.
    expect(session.view.usage).toMatchObject({ promptTokens: 0, outputTokens: 3 });
    expect(session.view.usage?.estimatedPromptTokens).toBeGreaterThan(0);
  });

  test("during a command ends its processes, and the card shows stopped with the output", async () => {
    const harness = await makeTestHarness();
    const session = harness.session("full");
    harness.script(callAnswer(["bash", { command: "echo begun; sleep 60 & sleep 60" }]));
    const done = promptAndWait(session, "go");
    await waitForView(session, (view) => allCalls(view).some((call) => call.live?.tail.includes("begun") === true));
    await stopped(harness, session, done);
    const [call] = allCalls(session.view);
    expect(call?.state).toBe("aborted");
    expect(joinTextBlocks(call?.output ?? [])).toContain("begun");
  });

  test("while a card is pending runs nothing", async () => {
    const harness = await makeTestHarness();
    const session = harness.session();
    harness.script(callAnswer(["bash", { command: "touch made" }], ["write", { path: "b.txt", content: "b" }]));
    const done = promptAndWait(session, "go");
    const [first] = await waitForCards(session, 2);
    await stopped(harness, session, done);
    expect(allCalls(session.view).map((call) => call.state)).toEqual(["aborted", "aborted"]);
    expect(session.answer(first?.approvalId ?? asId<ApprovalId>(""), { option: "once" }, testTab)).toBe(false);
    await expectNoFile(harness, "made");
  });

  test("during the pause before a retry does not wait for it", async () => {
    const harness = await makeTestHarness();
    const session = harness.session();
    harness.script([{ type: "failed", error: { code: "server_busy" }, retryable: true, retryAfterMs: 60_000 }]);
    const done = promptAndWait(session, "go");
    await waitForView(session, (view) => pathEntries(view).some((entry) => entry.kind === "retry"));
    await stopped(harness, session, done);
  });

  test("right after the prompt, before any request", async () => {
    const harness = await makeTestHarness();
    const session = harness.session();
    const done = promptAndWait(session, "go");
    await stopped(harness, session, done);
    expect(harness.requests).toEqual([]);
  });

  test("of a session waiting since a restart closes it", async () => {
    const harness = await makeTestHarness();
    const session = harness.session();
    harness.script(callAnswer(["bash", { command: "touch made" }]));
    void promptAndWait(session, "go");
    await waitForCards(session);
    await harness.restart();
    const now = harness.reload(session);
    expect(now.view.run).not.toBeNull();
    await now.abort();
    expect(ends(now.view)).toEqual(["aborted"]);
    expectValidLog(harness, now);
  });
});

async function expectNoFile(harness: TestHarness, name: string): Promise<void> {
  const { readdirSync } = await import("node:fs");
  expect(readdirSync(harness.root)).not.toContain(name);
}

describe("a run's limits and failures", () => {
  test("the step limit pauses with a reason, and Continue resumes from there", async () => {
    const harness = await makeTestHarness();
    harness.settings.current = { ...harness.settings.current, maxSteps: 2 };
    const session = harness.session();
    harness.script(callAnswer(["ls", {}]), callAnswer(["ls", {}]));
    expect(await promptAndWait(session, "go")).toBe("limit");
    expect(errors(session.view)).toEqual(["step_limit"]);
    harness.script(textAnswer("Done."));
    const resumed = session.resume(testCommandId());
    expect(resumed.ok && (await resumed.value.done)).toBe("done");
    expect(usersIn(harness.requests.at(-1))).toHaveLength(1);
    expect(resultsIn(harness.requests.at(-1))).toHaveLength(2);
    expect(session.resume(testCommandId())).toMatchObject({ ok: false, error: { code: "not_idle" } });
    expectValidLog(harness, session);
  });

  test("a transient failure is retried, visibly, and no call is run twice", async () => {
    const harness = await makeTestHarness();
    const session = harness.session("full");
    harness.script(
      callAnswer(["bash", { command: "echo x >> log" }]),
      failureAnswer("connection_lost", true, [
        { type: "text", text: "I will " },
        { type: "call", name: "ls", input: {} },
      ]),
      failureAnswer("server_busy", true),
      textAnswer("Done."),
    );
    expect(await promptAndWait(session, "go")).toBe("done");
    const retries = pathEntries(session.view).flatMap((entry) => (entry.kind === "retry" ? [entry] : []));
    expect(retries).toMatchObject([
      { attempt: 1, of: settingsDefaults.retries, delayMs: 1, error: { code: "connection_lost" } },
      { attempt: 2, error: { code: "server_busy" } },
    ]);
    expect(allCalls(session.view)).toHaveLength(1);
    expect(harness.requests).toHaveLength(4);
    expect(texts(session.view)).toContain("assistant: I will");
    expectValidLog(harness, session);
  });

  test("a wait that the server requests is held, shown, and no failure of the server", async () => {
    const harness = await makeTestHarness();
    harness.settings.current = { ...harness.settings.current, retries: 1 };
    const session = harness.session();
    const busy = { code: "server_busy", facts: { status: 429, position: 3 } } as const;
    harness.script(
      failureAnswer("connection_lost", true),
      [{ type: "failed", error: busy, retryable: true, retryAfterMs: 1_000 }],
      textAnswer("Done."),
    );
    expect(await promptAndWait(session, "go")).toBe("done");
    const retries = pathEntries(session.view).flatMap((entry) => (entry.kind === "retry" ? [entry] : []));
    expect(retries).toMatchObject([
      { attempt: 1, of: 1, error: { code: "connection_lost" } },
      { attempt: 1, of: 1, delayMs: 1_000, error: { ...busy, facts: { ...busy.facts, waitMs: 1_000 } } },
    ]);
    expectValidLog(harness, session);
  });

  test("a longer wait than ten minutes ends the run with the time", async () => {
    const harness = await makeTestHarness();
    const session = harness.session();
    harness.script([{ type: "failed", error: { code: "server_error" }, retryable: true, retryAfterMs: 5_400_000 }]);
    expect(await promptAndWait(session, "go")).toBe("error");
    const [error] = pathEntries(session.view).flatMap((entry) => (entry.kind === "error" ? [entry] : []));
    const [start] = pathEntries(session.view).flatMap((entry) => (entry.kind === "run_start" ? [entry] : []));
    const { retryAt = 0 } = error?.error.code === "server_busy" ? (error.error.facts ?? {}) : {};
    // The time of the entry is read after that of the error.
    expect(retryAt - 5_400_000).toBeGreaterThanOrEqual(start?.at ?? Number.NaN);
    expect(retryAt - 5_400_000).toBeLessThanOrEqual(error?.at ?? Number.NaN);
    expect(harness.requests).toHaveLength(1);
  });

  test("after the last retry the error stays; a permanent failure is not retried", async () => {
    const harness = await makeTestHarness();
    const session = harness.session();
    harness.script(
      ...Array.from({ length: settingsDefaults.retries + 1 }, () => failureAnswer("server_unreachable", true)),
    );
    expect(await promptAndWait(session, "go")).toBe("error");
    expect(errors(session.view)).toEqual(["server_unreachable"]);
    harness.script(failureAnswer("model_missing", false));
    expect(await promptAndWait(session, "again")).toBe("error");
    expect(errors(session.view)).toEqual(["server_unreachable", "model_missing"]);
    expect(harness.store.sessions.get(session.id)?.status).toBe("error");
    expectValidLog(harness, session);
  });

  test.each([
    ["an answer at the output limit", truncatedAnswer("cut off"), "limit", "output_limit"],
    ["an empty answer", textAnswer("  \n"), "error", "empty_answer"],
  ])("%s is reported with its own code", async (_name, answer, reason, code) => {
    const harness = await makeTestHarness();
    const session = harness.session();
    harness.script(answer);
    expect(await promptAndWait(session, "go")).toBe(reason);
    expect(errors(session.view)).toEqual([code]);
    expectValidLog(harness, session);
  });

  test("a stream that just ends is incomplete, and retried", async () => {
    const harness = await makeTestHarness();
    const session = harness.session();
    harness.script([{ type: "text", text: "so" }], textAnswer("Whole."));
    expect(await promptAndWait(session, "go")).toBe("done");
    expect(pathEntries(session.view)).toMatchObject([
      {},
      {},
      { stop: "error" },
      { kind: "retry", error: { code: "incomplete" } },
      {},
      {},
    ]);
    expectValidLog(harness, session);
  });

  test("a message over the window ends at the limit and sends no request", async () => {
    const harness = await makeTestHarness({ numCtx: 2_048 });
    const session = harness.session();
    expect(await promptAndWait(session, "many words ".repeat(2_000))).toBe("limit");
    expect(errors(session.view)).toEqual(["message_too_large"]);
    expect(harness.requests).toEqual([]);
    expectValidLog(harness, session);
  });

  test("an unexpected error in a run is reported as internal and leaves nothing open", async () => {
    const harness = await makeTestHarness();
    const session = harness.session();
    expect(await promptAndWait(session, "no answer is scripted")).toBe("error");
    expect(errors(session.view)).toEqual(["internal"]);
    expect(harness.storeErrors).toEqual([]);
    expectValidLog(harness, session);
  });
});

describe("the prefix law", () => {
  const wire = (request: ModelRequest): string => JSON.stringify(request.messages).slice(0, -1);

  test("each request starts with the previous one: over tools, turns, a mode, a restart and a new prompt", async () => {
    const harness = await makeTestHarness();
    const session = harness.session();
    harness.script(
      callAnswer(["ls", {}], ["find", { pattern: "*.ts" }]),
      callAnswer(["read", { path: "nothing" }]),
      textAnswer("One."),
    );
    await promptAndWait(session, "first");
    session.update({ mode: "plan" }, testCommandId());
    harness.script(
      failureAnswer("connection_lost", true, [{ type: "text", text: "Well, " }]),
      callAnswer(["write", { path: "a", content: "b" }]),
      textAnswer("Two."),
    );
    await promptAndWait(session, "second");
    await harness.restart();
    const now = harness.reload(session);
    harness.script(callAnswer(["bash", { command: "ls" }]), textAnswer("Three."));
    await promptAndWait(now, "third");
    expect(harness.requests).toHaveLength(8);
    for (const [index, request] of harness.requests.entries()) {
      const before = harness.requests[index - 1];
      if (before !== undefined) expect(wire(request).startsWith(wire(before))).toBe(true);
      expect(request.tools).toEqual(harness.requests[0]?.tools);
    }
    const sentText = JSON.stringify(harness.requests.at(-1)?.messages);
    expect(sentText.split("Project folder:")).toHaveLength(2);
    expect(sentText.split("Mode: plan")).toHaveLength(2);
    expectValidLog(harness, now);
  });

  test("a mode changed during a run is reported at the end of the next result, once", async () => {
    const harness = await makeTestHarness();
    const session = harness.session();
    const gate = makeGate();
    harness.script([gate, ...callAnswer(["ls", {}], ["ls", { depth: 2 }])], textAnswer("Ok."), textAnswer("Still."));
    const done = promptAndWait(session, "go");
    await gate.reached;
    session.update({ mode: "edits" }, testCommandId());
    gate.open();
    await done;
    expect(resultsIn(harness.requests[1]).filter((result) => result.includes("Mode: accept edits"))).toHaveLength(1);
    await promptAndWait(session, "more");
    expect(JSON.stringify(harness.requests[2]?.messages).split("Mode: accept edits")).toHaveLength(2);
  });
});
