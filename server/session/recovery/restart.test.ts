/**
 * Tests of a kill at every kind of moment: the view of the next process, what does not start by itself, and how the run
 * continues.
 */
import Database from "better-sqlite3";
import { once } from "node:events";
import { existsSync, readFileSync, watch, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { joinTextBlocks } from "@/lib/events/content";
import { asId, type ApprovalId } from "@/lib/events/id";
import { canContinue, type MessageEntry, pathEntries, type SessionView } from "@/lib/view/view";
import type { Session } from "../core/session-types";
import { auditLog } from "../testing/test-audit";
import {
  promptAndWait,
  callAnswer,
  waitForCards,
  testCommandId,
  type TestHarness,
  makeGate,
  makeTestHarness,
  storedRows,
  textAnswer,
  testTab,
  waitForView,
} from "../testing/test-harness";

const messages = (view: SessionView): readonly MessageEntry[] =>
  pathEntries(view).flatMap((entry) => (entry.kind === "message" ? [entry] : []));
const allCalls = (view: SessionView) => messages(view).flatMap((entry) => entry.calls);
const lastEnd = (view: SessionView): string | undefined =>
  pathEntries(view)
    .flatMap((entry) => (entry.kind === "run_end" ? [entry.reason] : []))
    .at(-1);
const expectValidLog = (harness: TestHarness, session: Session, mayWait = false): void =>
  expect(auditLog(storedRows(harness, session.id), mayWait)).toEqual([]);
const none = asId<ApprovalId>("");
const results = (harness: TestHarness): readonly string[] =>
  (harness.requests.at(-1)?.messages ?? []).flatMap((message) => (message.role === "tool" ? [message.text] : []));
/** Resolves when the session has a checkpoint with this text: the database's WAL file changes with each. */
async function waitForCheckpoint(harness: TestHarness, session: Session, words: string): Promise<void> {
  const changes = watch(join(harness.home, "gopi.db-wal"));
  const isThere = (): boolean => harness.store.events.checkpoints(session.id).some((one) => one.body.includes(words));
  while (!isThere()) await once(changes, "change");
  changes.close();
}

describe("killed while the model streams", () => {
  test("the checkpointed text is present, marked interrupted, and Continue finishes it", async () => {
    const harness = await makeTestHarness();
    const session = harness.session();
    const gate = makeGate();
    harness.script([{ type: "thinking", text: "Hm." }, { type: "text", text: "Half an answer" }, gate]);
    void promptAndWait(session, "go");
    await waitForCheckpoint(harness, session, "Half an answer");
    await harness.restart();
    const now = harness.reload(session);
    expect(messages(now.view).at(-1)).toMatchObject({
      stop: "interrupted",
      blocks: [
        { type: "thinking", text: "Hm." },
        { type: "text", text: "Half an answer" },
      ],
    });
    expect(lastEnd(now.view)).toBe("interrupted");
    expect(harness.store.sessions.get(session.id)?.status).toBe("interrupted");
    expect(harness.store.events.checkpoints(session.id)).toEqual([]);
    expect(now.idle).toBe(true);
    expect(canContinue(now.view)).toBe(true);
    harness.script(textAnswer(" and the rest."));
    const resumed = now.resume(testCommandId());
    expect(resumed.ok && (await resumed.value.done)).toBe("done");
    expect(harness.requests.at(-1)?.messages.slice(-2)).toEqual([
      { role: "assistant", text: "Half an answer" },
      { role: "user", text: "Continue." },
    ]);
    expectValidLog(harness, now);
  });

  test("the session keeps its time and its position in the list, also when it falls back from Full access", async () => {
    const harness = await makeTestHarness();
    const [cut, idle, newest] = [harness.session("full"), harness.session("full"), harness.session()];
    const gate = makeGate();
    harness.script(textAnswer("Hi."), [gate], textAnswer("New."), textAnswer("More."));
    await promptAndWait(idle, "hello");
    void promptAndWait(cut, "go");
    await gate.reached;
    const later = Math.max(...[cut, idle].map(({ id }) => harness.store.sessions.get(id)?.updatedAt ?? 0)) + 1;
    await expect.poll(() => Date.now()).toBeGreaterThan(later);
    await promptAndWait(newest, "hello");
    const times = () => {
      const { rows } = harness.store.sessions.list({ limit: 9 });
      return rows.map((row) => [row.id, row.updatedAt]);
    };
    const before = times();
    expect(before[0]?.[0]).toBe(newest.id);
    await harness.restart();
    harness.registry().recoverAll();
    expect([cut, idle].map((session) => harness.reload(session).view.mode)).toEqual(["ask", "ask"]);
    expect(lastEnd(harness.reload(cut).view)).toBe("interrupted");
    expect(times()).toEqual(before);
    await promptAndWait(harness.reload(idle), "and more");
    expect(times()[0]?.[0]).toBe(idle.id);
  });

  test("Continue is one command however often it is sent, and adds no message when the user spoke last", async () => {
    const harness = await makeTestHarness();
    const session = harness.session();
    const gate = makeGate();
    harness.script([gate]);
    void promptAndWait(session, "go");
    await gate.reached;
    await harness.restart();
    const now = harness.reload(session);
    harness.script(textAnswer("Here."));
    const id = testCommandId();
    const [first, second] = [now.resume(id), now.resume(id)];
    expect(first.ok && second.ok && first.value.seq === second.value.seq).toBe(true);
    expect(first.ok && (await first.value.done)).toBe("done");
    expect(harness.requests.at(-1)?.messages.filter((message) => message.role === "user")).toHaveLength(1);
    expectValidLog(harness, now);
  });

  test("queued messages stay queued, and nothing starts by itself", async () => {
    const harness = await makeTestHarness();
    const session = harness.session();
    const gate = makeGate();
    harness.script([gate]);
    void promptAndWait(session, "go");
    await gate.reached;
    session.send("later", "steer", testCommandId());
    const requestCount = harness.requests.length;
    await harness.restart();
    harness.registry().recoverAll();
    const now = harness.reload(session);
    expect(now.view.queue).toMatchObject([{ text: "later", intent: "followUp" }]);
    const { seq } = now.view;
    harness.registry().recoverAll();
    expect(harness.reload(session).view.seq).toBe(seq);
    await harness.restart();
    harness.registry().recoverAll();
    expect(harness.reload(session).view.seq).toBe(seq);
    expect(harness.requests).toHaveLength(requestCount);
    expectValidLog(harness, now);
  });
});

describe("killed while a tool runs", () => {
  test("the outcome is unknown, the output so far is kept, and the model gets both on Continue", async () => {
    const harness = await makeTestHarness();
    const session = harness.session("full");
    harness.script(callAnswer(["bash", { command: "echo begun; echo x >> log; sleep 60" }]));
    void promptAndWait(session, "go");
    await waitForCheckpoint(harness, session, "begun");
    await harness.restart();
    await harness.registry().close();
    const now = harness.reload(session);
    const [call] = allCalls(now.view);
    expect(call?.state).toBe("unknown");
    expect(joinTextBlocks(call?.output ?? [])).toMatch(/^begun\n\[gopi-web was restarted/);
    expect(now.view.mode).toBe("ask");
    expectValidLog(harness, now);
  });

  test("the next command reports a new shell, and runs in the folder where the last one ended", async () => {
    const harness = await makeTestHarness();
    const session = harness.session("full");
    harness.script(callAnswer(["bash", { command: "mkdir sub; cd sub; export A=1" }]), textAnswer("Ok."));
    await promptAndWait(session, "go");
    await harness.restart();
    const now = harness.reload(session);
    now.update({ mode: "full" }, testCommandId());
    harness.script(
      callAnswer(["bash", { command: "pwd; echo [$A]" }]),
      callAnswer(["bash", { command: "pwd" }]),
      textAnswer("Ok."),
    );
    expect(await promptAndWait(now, "go on")).toBe("done");
    const [, second, third] = results(harness);
    expect(second).toContain(`${harness.root}/sub\n[]\n`);
    expect(second).toContain("The shell was started anew");
    expect(third).not.toContain("started anew");
  });

  test("a denied call whose end was not written is denied, not unknown", async () => {
    const harness = await makeTestHarness();
    const session = harness.session();
    harness.script(callAnswer(["bash", { command: "touch a" }]));
    void promptAndWait(session, "go");
    const [card] = await waitForCards(session);
    session.answer(card?.approvalId ?? none, { option: "deny", reason: "no" }, testTab);
    await harness.restart();
    const now = harness.reload(session);
    expect(allCalls(now.view)).toMatchObject([{ state: "denied" }]);
    expect(joinTextBlocks(allCalls(now.view)[0]?.output ?? [])).toContain("Reason: no");
    expectValidLog(harness, now);
  });
});

describe("killed while a card waits", () => {
  test("the same card is pending, nothing has run, and the answer resumes the run to its end", async () => {
    const harness = await makeTestHarness();
    const session = harness.session();
    harness.script(callAnswer(["bash", { command: "echo x >> made.txt" }]));
    void promptAndWait(session, "go");
    const [card] = await waitForCards(session);
    await harness.restart();
    harness.registry().recoverAll();
    const now = harness.reload(session);
    expect(await waitForCards(now)).toEqual([card]);
    expect(harness.store.sessions.get(session.id)?.status).toBe("waiting");
    expect(existsSync(join(harness.root, "made.txt"))).toBe(false);
    expectValidLog(harness, now, true);
    harness.script(textAnswer("Done."));
    expect(now.answer(card?.approvalId ?? none, { option: "once" }, testTab)).toBe(true);
    expect(now.answer(card?.approvalId ?? none, { option: "once" }, testTab)).toBe(false);
    await waitForView(now, (view) => view.run === null);
    expect(lastEnd(now.view)).toBe("done");
    expect(readFileSync(join(harness.root, "made.txt"), "utf8")).toBe("x\n");
    expect(storedRows(harness, session.id).filter(({ event }) => event.type === "approval_request")).toHaveLength(1);
    expectValidLog(harness, now);
  });

  test("with several cards: the first answer runs its call, the other cards stay the same, and all end in one run", async () => {
    const harness = await makeTestHarness();
    const session = harness.session();
    harness.script(
      callAnswer(
        ["write", { path: "a.txt", content: "a" }],
        ["write", { path: "b.txt", content: "b" }],
        ["bash", { command: "touch c" }],
      ),
    );
    void promptAndWait(session, "go");
    const before = await waitForCards(session, 3);
    await harness.restart();
    const now = harness.reload(session);
    harness.script(textAnswer("Done."));
    expect(now.answer(before[1]?.approvalId ?? none, { option: "once" }, testTab)).toBe(true);
    await waitForView(now, (view) => Object.keys(view.openCalls).length === 2);
    expect((await waitForCards(now, 2)).map((card) => card.approvalId)).toEqual([
      before[0]?.approvalId,
      before[2]?.approvalId,
    ]);
    expect(existsSync(join(harness.root, "a.txt"))).toBe(false);
    now.answer(before[2]?.approvalId ?? none, { option: "deny" }, testTab);
    now.answer(before[0]?.approvalId ?? none, { option: "once" }, testTab);
    await waitForView(now, (view) => view.run === null);
    expect(allCalls(now.view).map((call) => call.state)).toEqual(["ok", "ok", "denied"]);
    expect(results(harness)).toHaveLength(3);
    expectValidLog(harness, now);
  });

  test("two answers right after the restart both take effect", async () => {
    const harness = await makeTestHarness();
    const session = harness.session();
    harness.script(callAnswer(["write", { path: "a.txt", content: "a" }], ["write", { path: "b.txt", content: "b" }]));
    void promptAndWait(session, "go");
    const [first, second] = await waitForCards(session, 2);
    await harness.restart();
    const now = harness.reload(session);
    harness.script(textAnswer("Done."));
    now.answer(first?.approvalId ?? none, { option: "once" }, testTab);
    now.answer(second?.approvalId ?? none, { option: "once" }, testTab);
    await waitForView(now, (view) => view.run === null);
    expect(allCalls(now.view).map((call) => call.state)).toEqual(["ok", "ok"]);
    expectValidLog(harness, now);
  });

  test("a file that changed meanwhile is shown again when the old card is answered", async () => {
    const harness = await makeTestHarness();
    writeFileSync(join(harness.root, "a.txt"), "one\n");
    const session = harness.session();
    harness.script(callAnswer(["edit", { path: "a.txt", old_string: "one", new_string: "1" }]));
    void promptAndWait(session, "go");
    const [card] = await waitForCards(session);
    await harness.restart();
    writeFileSync(join(harness.root, "a.txt"), "zero\none\n");
    const now = harness.reload(session);
    harness.script(textAnswer("Done."));
    now.answer(card?.approvalId ?? none, { option: "once" }, testTab);
    const [renewed] = await waitForCards(now);
    expect(renewed?.approvalId).not.toBe(card?.approvalId);
    expect(readFileSync(join(harness.root, "a.txt"), "utf8")).toBe("zero\none\n");
    now.answer(renewed?.approvalId ?? none, { option: "once" }, testTab);
    await waitForView(now, (view) => view.run === null);
    expect(readFileSync(join(harness.root, "a.txt"), "utf8")).toBe("zero\n1\n");
    expectValidLog(harness, now);
  });

  test("a prompt sent meanwhile is queued and taken when the run continues", async () => {
    const harness = await makeTestHarness();
    const session = harness.session();
    harness.script(callAnswer(["bash", { command: "touch a" }]));
    void promptAndWait(session, "go");
    const [card] = await waitForCards(session);
    await harness.restart();
    const now = harness.reload(session);
    now.send("and this", "prompt", testCommandId());
    expect(now.idle).toBe(true);
    harness.script(textAnswer("Both."));
    now.answer(card?.approvalId ?? none, { option: "once" }, testTab);
    await waitForView(now, (view) => view.run === null);
    expect(harness.requests.at(-1)?.messages.at(-1)).toEqual({ role: "user", text: "and this" });
    expect(now.view.queue).toEqual([]);
    expectValidLog(harness, now);
  });
});

describe("shutdown", () => {
  test("leaves a pending card, which is present after the next start", async () => {
    const harness = await makeTestHarness();
    const session = harness.session();
    harness.script(callAnswer(["bash", { command: "touch a" }]));
    void promptAndWait(session, "go");
    const [card] = await waitForCards(session);
    await harness.registry().close();
    expect(session.idle).toBe(true);
    await harness.restart();
    const now = harness.reload(session);
    expect(await waitForCards(now)).toEqual([card]);
    harness.script(textAnswer("Done."));
    now.answer(card?.approvalId ?? none, { option: "once" }, testTab);
    await waitForView(now, (view) => view.run === null);
    expectValidLog(harness, now);
  });

  test("keeps all streamed text, and nothing runs in a closed session any more", async () => {
    const harness = await makeTestHarness();
    const session = harness.session();
    const gate = makeGate();
    harness.script([{ type: "text", text: "Every word" }, gate, ...textAnswer("")]);
    void promptAndWait(session, "go");
    await gate.reached;
    await harness.registry().close();
    const requestCount = harness.requests.length;
    expect(session.view.run).not.toBeNull();
    await harness.restart();
    const now = harness.reload(session);
    expect(messages(now.view).at(-1)).toMatchObject({ stop: "interrupted", blocks: [{ text: "Every word" }] });
    expect(harness.requests).toHaveLength(requestCount);
    expectValidLog(harness, now);
  });
});

describe("the registry", () => {
  test("releases an idle session and has one object for callers that still hold it", async () => {
    const harness = await makeTestHarness();
    const session = harness.session("full");
    harness.script(textAnswer("One."), textAnswer("Two."));
    await promptAndWait(session, "one");
    harness.registry().release(session.id);
    expect(await promptAndWait(session, "two")).toBe("done");
    expect(harness.reload(session)).toBe(session);
    expect(harness.registry().running()).toEqual([]);
    expect(session.view.mode).toBe("full");
    expectValidLog(harness, session);
  });

  test("keeps a running session, also when it was released just before", async () => {
    const harness = await makeTestHarness();
    const session = harness.session();
    const gate = makeGate();
    harness.script([gate, ...textAnswer("One.")]);
    harness.registry().release(session.id);
    const done = promptAndWait(session, "one");
    await gate.reached;
    expect(harness.registry().running()).toEqual([session]);
    harness.registry().release(session.id);
    expect(harness.registry().running()).toEqual([session]);
    gate.open();
    await done;
    expectValidLog(harness, session);
  });

  test("keeps the most recently left sessions, with the variables of their shells", async () => {
    const harness = await makeTestHarness({ sessionsKept: 1 });
    const first = harness.session("full");
    harness.script(
      callAnswer(["bash", { command: "export KEPT=yes" }]),
      textAnswer("One."),
      callAnswer(["bash", { command: "echo kept: $KEPT" }]),
      textAnswer("Two."),
    );
    await promptAndWait(first, "one");
    harness.registry().release(first.id);
    await promptAndWait(harness.reload(first), "two");
    expect(JSON.stringify(messages(first.view))).toContain("kept: yes");
  });

  test("keeps the shell of a session that is watched again, whatever else is left meanwhile", async () => {
    const harness = await makeTestHarness({ sessionsKept: 1 });
    const first = harness.session("full");
    harness.script(
      callAnswer(["bash", { command: "export KEPT=yes" }]),
      textAnswer("One."),
      callAnswer(["bash", { command: "echo kept: $KEPT" }]),
      textAnswer("Two."),
    );
    await promptAndWait(first, "one");
    harness.registry().release(first.id);
    harness.registry().watch(first.id);
    for (const other of [harness.session(), harness.session()]) harness.registry().release(other.id);
    await promptAndWait(harness.reload(first), "two");
    expect(JSON.stringify(messages(first.view))).toContain("kept: yes");
  });

  test.each([
    ["an owner and a viewer, the viewer leaves first", 2, 1],
    ["an owner and three viewers, who all leave", 4, 3],
  ])("keeps the shell while a watcher is left: %s", async (_name, watchers, left) => {
    const harness = await makeTestHarness({ sessionsKept: 1 });
    const first = harness.session("full");
    harness.script(
      callAnswer(["bash", { command: "export KEPT=yes" }]),
      textAnswer("One."),
      callAnswer(["bash", { command: "echo kept: $KEPT" }]),
      textAnswer("Two."),
    );
    await promptAndWait(first, "one");
    for (let count = 0; count < watchers; count += 1) harness.registry().watch(first.id);
    for (let count = 0; count < left; count += 1) harness.registry().release(first.id);
    for (const other of [harness.session(), harness.session(), harness.session()]) harness.registry().release(other.id);
    await promptAndWait(harness.reload(first), "two");
    expect(JSON.stringify(messages(first.view))).toContain("kept: yes");
    // The last release lets it go as before.
    for (let count = left; count < watchers; count += 1) harness.registry().release(first.id);
    for (const other of [harness.session(), harness.session()]) harness.registry().release(other.id);
    expect(harness.registry().running()).toEqual([]);
  });

  test("opens all other sessions when the log of one cannot be recovered, and that one later", async () => {
    const harness = await makeTestHarness();
    const broken = harness.session();
    const sound = harness.session();
    const gates = [makeGate(), makeGate()];
    for (const [index, session] of [broken, sound].entries()) {
      const gate = gates[index] ?? makeGate();
      harness.script([gate, ...textAnswer("One.")]);
      void promptAndWait(session, "one");
      await gate.reached;
    }
    await harness.restart();
    const other = new Database(join(harness.home, "gopi.db"));
    other.exec(
      `CREATE TRIGGER refuse BEFORE INSERT ON events WHEN NEW.session_id = '${broken.id}' BEGIN SELECT RAISE(ABORT, 'no room'); END`,
    );
    harness.registry().recoverAll();
    expect(harness.store.sessions.get(sound.id)?.status).toBe("interrupted");
    expect(harness.store.sessions.get(broken.id)?.status).toBe("running");
    expect(harness.storeErrors.some((trouble) => trouble instanceof Error)).toBe(true);
    other.exec("DROP TRIGGER refuse");
    other.close();
    harness.reload(broken);
    expect(harness.store.sessions.get(broken.id)?.status).toBe("interrupted");
    for (const gate of gates) gate.open();
  });

  test("creates one session per command", async () => {
    const harness = await makeTestHarness();
    const commandId = testCommandId();
    const input = { projectId: harness.session().view.projectId, cwd: harness.root, mode: "ask", commandId } as const;
    const created = harness.registry().create(input);
    expect(harness.registry().create(input)).toBe(created);
    await harness.restart();
    expect(harness.registry().create(input).id).toBe(created.id);
  });
});
