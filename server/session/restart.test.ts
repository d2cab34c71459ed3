/**
 * Tests of a kill at every kind of moment: the view of the next process, what does not start by itself, and how the run
 * continues.
 */
import Database from "better-sqlite3";
import { once } from "node:events";
import { existsSync, readFileSync, watch, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { textOf } from "@/lib/content";
import { asId, type ApprovalId } from "@/lib/id";
import { canContinue, type MessageEntry, pathOf, type SessionView } from "@/lib/view";
import type { Session } from "./session";
import { auditLog } from "./test-audit";
import { ask, calls, cards, command, type House, makeGate, makeHouse, rowsOf, says, tab, until } from "./test-services";

const messages = (view: SessionView): readonly MessageEntry[] =>
  pathOf(view).flatMap((entry) => (entry.kind === "message" ? [entry] : []));
const allCalls = (view: SessionView) => messages(view).flatMap((entry) => entry.calls);
const lastEnd = (view: SessionView): string | undefined =>
  pathOf(view)
    .flatMap((entry) => (entry.kind === "run_end" ? [entry.reason] : []))
    .at(-1);
const honest = (harness: House, session: Session, mayWait = false): void =>
  expect(auditLog(rowsOf(harness, session.id), mayWait)).toEqual([]);
const none = asId<ApprovalId>("");
const results = (harness: House): readonly string[] =>
  (harness.requests.at(-1)?.messages ?? []).flatMap((message) => (message.role === "tool" ? [message.text] : []));
/** Resolves when the session has a checkpoint with this text: the database's WAL file changes with each. */
async function checkpointed(harness: House, session: Session, words: string): Promise<void> {
  const changes = watch(join(harness.home, "gopi.db-wal"));
  const isThere = (): boolean => harness.store.events.checkpoints(session.id).some((one) => one.body.includes(words));
  while (!isThere()) await once(changes, "change");
  changes.close();
}

describe("killed while the model streams", () => {
  test("the checkpointed text is present, marked interrupted, and Continue finishes it", async () => {
    const harness = await makeHouse();
    const session = harness.session();
    const gate = makeGate();
    harness.script([{ type: "thinking", text: "Hm." }, { type: "text", text: "Half an answer" }, gate]);
    void ask(session, "go");
    await checkpointed(harness, session, "Half an answer");
    harness.restart();
    const now = harness.again(session);
    expect(messages(now.view).at(-1)).toMatchObject({
      stop: "interrupted",
      blocks: [
        { type: "thinking", text: "Hm." },
        { type: "text", text: "Half an answer" },
      ],
    });
    expect(lastEnd(now.view)).toBe("interrupted");
    expect(harness.registry().row(session.id)?.status).toBe("interrupted");
    expect(harness.store.events.checkpoints(session.id)).toEqual([]);
    expect(now.idle).toBe(true);
    expect(canContinue(now.view)).toBe(true);
    harness.script(says(" and the rest."));
    const resumed = now.resume(command());
    expect(resumed.ok && (await resumed.value.done)).toBe("done");
    expect(harness.requests.at(-1)?.messages.slice(-2)).toEqual([
      { role: "assistant", text: "Half an answer" },
      { role: "user", text: "Continue." },
    ]);
    honest(harness, now);
  });

  test("the session keeps its time and its position in the list, also when it falls back from Full access", async () => {
    const harness = await makeHouse();
    const [cut, idle, newest] = [harness.session("full"), harness.session("full"), harness.session()];
    const gate = makeGate();
    harness.script(says("Hi."), [gate], says("New."), says("More."));
    await ask(idle, "hello");
    void ask(cut, "go");
    await gate.reached;
    const later = Math.max(...[cut, idle].map(({ id }) => harness.store.sessions.get(id)?.updatedAt ?? 0)) + 1;
    await expect.poll(() => Date.now()).toBeGreaterThan(later);
    await ask(newest, "hello");
    const times = () => {
      const { rows } = harness.store.sessions.list({ limit: 9 });
      return rows.map((row) => [row.id, row.updatedAt]);
    };
    const before = times();
    expect(before[0]?.[0]).toBe(newest.id);
    harness.restart();
    harness.registry().recoverAll();
    expect([cut, idle].map((session) => harness.again(session).view.mode)).toEqual(["ask", "ask"]);
    expect(lastEnd(harness.again(cut).view)).toBe("interrupted");
    expect(times()).toEqual(before);
    await ask(harness.again(idle), "and more");
    expect(times()[0]?.[0]).toBe(idle.id);
  });

  test("Continue is one command however often it is sent, and adds no message when the user spoke last", async () => {
    const harness = await makeHouse();
    const session = harness.session();
    const gate = makeGate();
    harness.script([gate]);
    void ask(session, "go");
    await gate.reached;
    harness.restart();
    const now = harness.again(session);
    harness.script(says("Here."));
    const id = command();
    const [first, second] = [now.resume(id), now.resume(id)];
    expect(first.ok && second.ok && first.value.seq === second.value.seq).toBe(true);
    expect(first.ok && (await first.value.done)).toBe("done");
    expect(harness.requests.at(-1)?.messages.filter((message) => message.role === "user")).toHaveLength(1);
    honest(harness, now);
  });

  test("queued messages stay queued, and nothing starts by itself", async () => {
    const harness = await makeHouse();
    const session = harness.session();
    const gate = makeGate();
    harness.script([gate]);
    void ask(session, "go");
    await gate.reached;
    session.send("later", "steer", command());
    const asked = harness.requests.length;
    harness.restart();
    harness.registry().recoverAll();
    const now = harness.again(session);
    expect(now.view.queue).toMatchObject([{ text: "later", intent: "followUp" }]);
    const { seq } = now.view;
    harness.registry().recoverAll();
    expect(harness.again(session).view.seq).toBe(seq);
    harness.restart();
    harness.registry().recoverAll();
    expect(harness.again(session).view.seq).toBe(seq);
    expect(harness.requests).toHaveLength(asked);
    honest(harness, now);
  });
});

describe("killed while a tool runs", () => {
  test("the outcome is unknown, the output so far is kept, and the model gets both on Continue", async () => {
    const harness = await makeHouse();
    const session = harness.session("full");
    harness.script(calls(["bash", { command: "echo begun; echo x >> log; sleep 60" }]));
    void ask(session, "go");
    await checkpointed(harness, session, "begun");
    harness.restart();
    await harness.registry().close();
    const now = harness.again(session);
    const [call] = allCalls(now.view);
    expect(call?.state).toBe("unknown");
    expect(textOf(call?.output ?? [])).toMatch(/^begun\n\[gopi-web was restarted/);
    expect(now.view.mode).toBe("ask");
    honest(harness, now);
  });

  test("the next command reports a new shell, and runs in the folder where the last one ended", async () => {
    const harness = await makeHouse();
    const session = harness.session("full");
    harness.script(calls(["bash", { command: "mkdir sub; cd sub; export A=1" }]), says("Ok."));
    await ask(session, "go");
    harness.restart();
    const now = harness.again(session);
    now.update({ mode: "full" }, command());
    harness.script(calls(["bash", { command: "pwd; echo [$A]" }]), calls(["bash", { command: "pwd" }]), says("Ok."));
    expect(await ask(now, "go on")).toBe("done");
    const [, second, third] = results(harness);
    expect(second).toContain(`${harness.root}/sub\n[]\n`);
    expect(second).toContain("The shell was started anew");
    expect(third).not.toContain("started anew");
  });

  test("a denied call whose end was not written is denied, not unknown", async () => {
    const harness = await makeHouse();
    const session = harness.session();
    harness.script(calls(["bash", { command: "touch a" }]));
    void ask(session, "go");
    const [card] = await cards(session);
    session.answer(card?.approvalId ?? none, { option: "deny", reason: "no" }, tab);
    harness.restart();
    const now = harness.again(session);
    expect(allCalls(now.view)).toMatchObject([{ state: "denied" }]);
    expect(textOf(allCalls(now.view)[0]?.output ?? [])).toContain("Reason: no");
    honest(harness, now);
  });
});

describe("killed while a card waits", () => {
  test("the same card is pending, nothing has run, and the answer resumes the run to its end", async () => {
    const harness = await makeHouse();
    const session = harness.session();
    harness.script(calls(["bash", { command: "echo x >> made.txt" }]));
    void ask(session, "go");
    const [card] = await cards(session);
    harness.restart();
    harness.registry().recoverAll();
    const now = harness.again(session);
    expect(await cards(now)).toEqual([card]);
    expect(harness.registry().row(session.id)?.status).toBe("waiting");
    expect(existsSync(join(harness.root, "made.txt"))).toBe(false);
    honest(harness, now, true);
    harness.script(says("Done."));
    expect(now.answer(card?.approvalId ?? none, { option: "once" }, tab)).toBe(true);
    expect(now.answer(card?.approvalId ?? none, { option: "once" }, tab)).toBe(false);
    await until(now, (view) => view.run === null);
    expect(lastEnd(now.view)).toBe("done");
    expect(readFileSync(join(harness.root, "made.txt"), "utf8")).toBe("x\n");
    expect(rowsOf(harness, session.id).filter(({ event }) => event.type === "approval_request")).toHaveLength(1);
    honest(harness, now);
  });

  test("with several cards: the first answer runs its call, the other cards stay the same, and all end in one run", async () => {
    const harness = await makeHouse();
    const session = harness.session();
    harness.script(
      calls(
        ["write", { path: "a.txt", content: "a" }],
        ["write", { path: "b.txt", content: "b" }],
        ["bash", { command: "touch c" }],
      ),
    );
    void ask(session, "go");
    const before = await cards(session, 3);
    harness.restart();
    const now = harness.again(session);
    harness.script(says("Done."));
    expect(now.answer(before[1]?.approvalId ?? none, { option: "once" }, tab)).toBe(true);
    await until(now, (view) => Object.keys(view.openCalls).length === 2);
    expect((await cards(now, 2)).map((card) => card.approvalId)).toEqual([
      before[0]?.approvalId,
      before[2]?.approvalId,
    ]);
    expect(existsSync(join(harness.root, "a.txt"))).toBe(false);
    now.answer(before[2]?.approvalId ?? none, { option: "deny" }, tab);
    now.answer(before[0]?.approvalId ?? none, { option: "once" }, tab);
    await until(now, (view) => view.run === null);
    expect(allCalls(now.view).map((call) => call.state)).toEqual(["ok", "ok", "denied"]);
    expect(results(harness)).toHaveLength(3);
    honest(harness, now);
  });

  test("two answers right after the restart both take effect", async () => {
    const harness = await makeHouse();
    const session = harness.session();
    harness.script(calls(["write", { path: "a.txt", content: "a" }], ["write", { path: "b.txt", content: "b" }]));
    void ask(session, "go");
    const [first, second] = await cards(session, 2);
    harness.restart();
    const now = harness.again(session);
    harness.script(says("Done."));
    now.answer(first?.approvalId ?? none, { option: "once" }, tab);
    now.answer(second?.approvalId ?? none, { option: "once" }, tab);
    await until(now, (view) => view.run === null);
    expect(allCalls(now.view).map((call) => call.state)).toEqual(["ok", "ok"]);
    honest(harness, now);
  });

  test("a file that changed meanwhile is shown again when the old card is answered", async () => {
    const harness = await makeHouse();
    writeFileSync(join(harness.root, "a.txt"), "one\n");
    const session = harness.session();
    harness.script(calls(["edit", { path: "a.txt", old_string: "one", new_string: "1" }]));
    void ask(session, "go");
    const [card] = await cards(session);
    harness.restart();
    writeFileSync(join(harness.root, "a.txt"), "zero\none\n");
    const now = harness.again(session);
    harness.script(says("Done."));
    now.answer(card?.approvalId ?? none, { option: "once" }, tab);
    const [renewed] = await cards(now);
    expect(renewed?.approvalId).not.toBe(card?.approvalId);
    expect(readFileSync(join(harness.root, "a.txt"), "utf8")).toBe("zero\none\n");
    now.answer(renewed?.approvalId ?? none, { option: "once" }, tab);
    await until(now, (view) => view.run === null);
    expect(readFileSync(join(harness.root, "a.txt"), "utf8")).toBe("zero\n1\n");
    honest(harness, now);
  });

  test("a prompt sent meanwhile is queued and taken when the run continues", async () => {
    const harness = await makeHouse();
    const session = harness.session();
    harness.script(calls(["bash", { command: "touch a" }]));
    void ask(session, "go");
    const [card] = await cards(session);
    harness.restart();
    const now = harness.again(session);
    now.send("and this", "prompt", command());
    expect(now.idle).toBe(true);
    harness.script(says("Both."));
    now.answer(card?.approvalId ?? none, { option: "once" }, tab);
    await until(now, (view) => view.run === null);
    expect(harness.requests.at(-1)?.messages.at(-1)).toEqual({ role: "user", text: "and this" });
    expect(now.view.queue).toEqual([]);
    honest(harness, now);
  });
});

describe("shutdown", () => {
  test("leaves a pending card, which is present after the next start", async () => {
    const harness = await makeHouse();
    const session = harness.session();
    harness.script(calls(["bash", { command: "touch a" }]));
    void ask(session, "go");
    const [card] = await cards(session);
    await harness.registry().close();
    expect(session.idle).toBe(true);
    harness.restart();
    const now = harness.again(session);
    expect(await cards(now)).toEqual([card]);
    harness.script(says("Done."));
    now.answer(card?.approvalId ?? none, { option: "once" }, tab);
    await until(now, (view) => view.run === null);
    honest(harness, now);
  });

  test("keeps all streamed text, and nothing runs in a closed session any more", async () => {
    const harness = await makeHouse();
    const session = harness.session();
    const gate = makeGate();
    harness.script([{ type: "text", text: "Every word" }, gate, ...says("")]);
    void ask(session, "go");
    await gate.reached;
    await harness.registry().close();
    const asked = harness.requests.length;
    expect(session.view.run).not.toBeNull();
    harness.restart();
    const now = harness.again(session);
    expect(messages(now.view).at(-1)).toMatchObject({ stop: "interrupted", blocks: [{ text: "Every word" }] });
    expect(harness.requests).toHaveLength(asked);
    honest(harness, now);
  });
});

describe("the registry", () => {
  test("releases an idle session and has one object for callers that still hold it", async () => {
    const harness = await makeHouse();
    const session = harness.session("full");
    harness.script(says("One."), says("Two."));
    await ask(session, "one");
    harness.registry().release(session.id);
    expect(await ask(session, "two")).toBe("done");
    expect(harness.again(session)).toBe(session);
    expect(harness.registry().running()).toEqual([]);
    expect(session.view.mode).toBe("full");
    honest(harness, session);
  });

  test("keeps a running session, also when it was released just before", async () => {
    const harness = await makeHouse();
    const session = harness.session();
    const gate = makeGate();
    harness.script([gate, ...says("One.")]);
    harness.registry().release(session.id);
    const done = ask(session, "one");
    await gate.reached;
    expect(harness.registry().running()).toEqual([session]);
    harness.registry().release(session.id);
    expect(harness.registry().running()).toEqual([session]);
    gate.open();
    await done;
    honest(harness, session);
  });

  test("keeps the most recently left sessions, with the variables of their shells", async () => {
    const harness = await makeHouse({ sessionsKept: 1 });
    const first = harness.session("full");
    harness.script(
      calls(["bash", { command: "export KEPT=yes" }]),
      says("One."),
      calls(["bash", { command: "echo kept: $KEPT" }]),
      says("Two."),
    );
    await ask(first, "one");
    harness.registry().release(first.id);
    await ask(harness.again(first), "two");
    expect(JSON.stringify(messages(first.view))).toContain("kept: yes");
  });

  test("keeps the shell of a session that is watched again, whatever else is left meanwhile", async () => {
    const harness = await makeHouse({ sessionsKept: 1 });
    const first = harness.session("full");
    harness.script(
      calls(["bash", { command: "export KEPT=yes" }]),
      says("One."),
      calls(["bash", { command: "echo kept: $KEPT" }]),
      says("Two."),
    );
    await ask(first, "one");
    harness.registry().release(first.id);
    harness.registry().watch(first.id);
    for (const other of [harness.session(), harness.session()]) harness.registry().release(other.id);
    await ask(harness.again(first), "two");
    expect(JSON.stringify(messages(first.view))).toContain("kept: yes");
  });

  test.each([
    ["an owner and a viewer, the viewer leaves first", 2, 1],
    ["an owner and three viewers, who all leave", 4, 3],
  ])("keeps the shell while a watcher is left: %s", async (_name, came, left) => {
    const harness = await makeHouse({ sessionsKept: 1 });
    const first = harness.session("full");
    harness.script(
      calls(["bash", { command: "export KEPT=yes" }]),
      says("One."),
      calls(["bash", { command: "echo kept: $KEPT" }]),
      says("Two."),
    );
    await ask(first, "one");
    for (let count = 0; count < came; count += 1) harness.registry().watch(first.id);
    for (let count = 0; count < left; count += 1) harness.registry().release(first.id);
    for (const other of [harness.session(), harness.session(), harness.session()]) harness.registry().release(other.id);
    await ask(harness.again(first), "two");
    expect(JSON.stringify(messages(first.view))).toContain("kept: yes");
    // The last release lets it go as before.
    for (let count = left; count < came; count += 1) harness.registry().release(first.id);
    for (const other of [harness.session(), harness.session()]) harness.registry().release(other.id);
    expect(harness.registry().running()).toEqual([]);
  });

  test("opens all other sessions when the log of one cannot be recovered, and that one later", async () => {
    const harness = await makeHouse();
    const broken = harness.session();
    const sound = harness.session();
    const gates = [makeGate(), makeGate()];
    for (const [index, session] of [broken, sound].entries()) {
      const gate = gates[index] ?? makeGate();
      harness.script([gate, ...says("One.")]);
      void ask(session, "one");
      await gate.reached;
    }
    harness.restart();
    const other = new Database(join(harness.home, "gopi.db"));
    other.exec(
      `CREATE TRIGGER refuse BEFORE INSERT ON events WHEN NEW.session_id = '${broken.id}' BEGIN SELECT RAISE(ABORT, 'no room'); END`,
    );
    harness.registry().recoverAll();
    expect(harness.registry().row(sound.id)?.status).toBe("interrupted");
    expect(harness.registry().row(broken.id)?.status).toBe("running");
    expect(harness.troubles.some((trouble) => trouble instanceof Error)).toBe(true);
    other.exec("DROP TRIGGER refuse");
    other.close();
    harness.again(broken);
    expect(harness.registry().row(broken.id)?.status).toBe("interrupted");
    for (const gate of gates) gate.open();
  });

  test("creates one session per command", async () => {
    const harness = await makeHouse();
    const commandId = command();
    const input = { projectId: harness.session().view.projectId, cwd: harness.root, mode: "ask", commandId } as const;
    const made = harness.registry().create(input);
    expect(harness.registry().create(input)).toBe(made);
    harness.restart();
    expect(harness.registry().create(input).id).toBe(made.id);
  });
});
