/** A kill at every kind of moment: what the next process shows, what it never does by itself, and how the run goes on. */
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
const honest = (house: House, session: Session, mayWait = false): void =>
  expect(auditLog(rowsOf(house, session.id), mayWait)).toEqual([]);
const none = asId<ApprovalId>("");
const results = (house: House): readonly string[] =>
  (house.requests.at(-1)?.messages ?? []).flatMap((message) => (message.role === "tool" ? [message.text] : []));
/** Resolves when the session has a checkpoint with these words: the database's log changes with each. */
async function checkpointed(house: House, session: Session, words: string): Promise<void> {
  const changes = watch(join(house.home, "gopi.db-wal"));
  const isThere = (): boolean => house.store.events.checkpoints(session.id).some((one) => one.body.includes(words));
  while (!isThere()) await once(changes, "change");
  changes.close();
}

describe("killed while the model streams", () => {
  test("the checkpointed text is there, marked interrupted, and Continue finishes it", async () => {
    const house = await makeHouse();
    const session = house.session();
    const gate = makeGate();
    house.script([{ type: "thinking", text: "Hm." }, { type: "text", text: "Half an answer" }, gate]);
    void ask(session, "go");
    await checkpointed(house, session, "Half an answer");
    house.restart();
    const now = house.again(session);
    expect(messages(now.view).at(-1)).toMatchObject({
      stop: "interrupted",
      blocks: [
        { type: "thinking", text: "Hm." },
        { type: "text", text: "Half an answer" },
      ],
    });
    expect(lastEnd(now.view)).toBe("interrupted");
    expect(house.registry().row(session.id)?.status).toBe("interrupted");
    expect(house.store.events.checkpoints(session.id)).toEqual([]);
    expect(now.idle).toBe(true);
    expect(canContinue(now.view)).toBe(true);
    house.script(says(" and the rest."));
    const resumed = now.resume(command());
    expect(resumed.ok && (await resumed.value.done)).toBe("done");
    expect(house.requests.at(-1)?.messages.slice(-2)).toEqual([
      { role: "assistant", text: "Half an answer" },
      { role: "user", text: "Continue." },
    ]);
    honest(house, now);
  });

  test("the session keeps its time and its place in the list, also when it falls back from Full access", async () => {
    const house = await makeHouse();
    const [cut, idle, newest] = [house.session("full"), house.session("full"), house.session()];
    const gate = makeGate();
    house.script(says("Hi."), [gate], says("New."), says("More."));
    await ask(idle, "hello");
    void ask(cut, "go");
    await gate.reached;
    const later = Math.max(...[cut, idle].map(({ id }) => house.store.sessions.get(id)?.updatedAt ?? 0)) + 1;
    await expect.poll(() => Date.now()).toBeGreaterThan(later);
    await ask(newest, "hello");
    const times = () => {
      const { rows } = house.store.sessions.list({ limit: 9 });
      return rows.map((row) => [row.id, row.updatedAt]);
    };
    const before = times();
    expect(before[0]?.[0]).toBe(newest.id);
    house.restart();
    house.registry().recoverAll();
    expect([cut, idle].map((session) => house.again(session).view.mode)).toEqual(["ask", "ask"]);
    expect(lastEnd(house.again(cut).view)).toBe("interrupted");
    expect(times()).toEqual(before);
    await ask(house.again(idle), "and more");
    expect(times()[0]?.[0]).toBe(idle.id);
  });

  test("Continue is one command however often it is sent, and adds no word when the user spoke last", async () => {
    const house = await makeHouse();
    const session = house.session();
    const gate = makeGate();
    house.script([gate]);
    void ask(session, "go");
    await gate.reached;
    house.restart();
    const now = house.again(session);
    house.script(says("Here."));
    const id = command();
    const [first, second] = [now.resume(id), now.resume(id)];
    expect(first.ok && second.ok && first.value.seq === second.value.seq).toBe(true);
    expect(first.ok && (await first.value.done)).toBe("done");
    expect(house.requests.at(-1)?.messages.filter((message) => message.role === "user")).toHaveLength(1);
    honest(house, now);
  });

  test("what waited in the queue waits on, and nothing starts by itself", async () => {
    const house = await makeHouse();
    const session = house.session();
    const gate = makeGate();
    house.script([gate]);
    void ask(session, "go");
    await gate.reached;
    session.send("later", "steer", command());
    const asked = house.requests.length;
    house.restart();
    house.registry().recoverAll();
    const now = house.again(session);
    expect(now.view.queue).toMatchObject([{ text: "later", intent: "followUp" }]);
    const { seq } = now.view;
    house.registry().recoverAll();
    expect(house.again(session).view.seq).toBe(seq);
    house.restart();
    house.registry().recoverAll();
    expect(house.again(session).view.seq).toBe(seq);
    expect(house.requests).toHaveLength(asked);
    honest(house, now);
  });
});

describe("killed while a tool runs", () => {
  test("the outcome is unknown, the output so far is kept, and the model is told on Continue", async () => {
    const house = await makeHouse();
    const session = house.session("full");
    house.script(calls(["bash", { command: "echo begun; echo x >> log; sleep 60" }]));
    void ask(session, "go");
    await checkpointed(house, session, "begun");
    house.restart();
    await house.registry().close();
    const now = house.again(session);
    const [call] = allCalls(now.view);
    expect(call?.state).toBe("unknown");
    expect(textOf(call?.output ?? [])).toMatch(/^begun\n\[gopi-web was restarted/);
    expect(now.view.mode).toBe("ask");
    honest(house, now);
  });

  test("the next command says that the shell is new, and stands where the last one left it", async () => {
    const house = await makeHouse();
    const session = house.session("full");
    house.script(calls(["bash", { command: "mkdir sub; cd sub; export A=1" }]), says("Ok."));
    await ask(session, "go");
    house.restart();
    const now = house.again(session);
    now.update({ mode: "full" }, command());
    house.script(calls(["bash", { command: "pwd; echo [$A]" }]), calls(["bash", { command: "pwd" }]), says("Ok."));
    expect(await ask(now, "go on")).toBe("done");
    const [, second, third] = results(house);
    expect(second).toContain(`${house.root}/sub\n[]\n`);
    expect(second).toContain("The shell was started anew");
    expect(third).not.toContain("started anew");
  });

  test("a denied call whose end was not written is denied, not unknown", async () => {
    const house = await makeHouse();
    const session = house.session();
    house.script(calls(["bash", { command: "touch a" }]));
    void ask(session, "go");
    const [card] = await cards(session);
    session.answer(card?.approvalId ?? none, { option: "deny", reason: "no" }, tab);
    house.restart();
    const now = house.again(session);
    expect(allCalls(now.view)).toMatchObject([{ state: "denied" }]);
    expect(textOf(allCalls(now.view)[0]?.output ?? [])).toContain("Reason: no");
    honest(house, now);
  });
});

describe("killed while a card waits", () => {
  test("the same card is there, nothing has run, and the answer resumes the run to its end", async () => {
    const house = await makeHouse();
    const session = house.session();
    house.script(calls(["bash", { command: "echo x >> made.txt" }]));
    void ask(session, "go");
    const [card] = await cards(session);
    house.restart();
    house.registry().recoverAll();
    const now = house.again(session);
    expect(await cards(now)).toEqual([card]);
    expect(house.registry().row(session.id)?.status).toBe("waiting");
    expect(existsSync(join(house.root, "made.txt"))).toBe(false);
    honest(house, now, true);
    house.script(says("Done."));
    expect(now.answer(card?.approvalId ?? none, { option: "once" }, tab)).toBe(true);
    expect(now.answer(card?.approvalId ?? none, { option: "once" }, tab)).toBe(false);
    await until(now, (view) => view.run === null);
    expect(lastEnd(now.view)).toBe("done");
    expect(readFileSync(join(house.root, "made.txt"), "utf8")).toBe("x\n");
    expect(rowsOf(house, session.id).filter(({ event }) => event.type === "approval_request")).toHaveLength(1);
    honest(house, now);
  });

  test("with two cards: the first answer runs its call, the other card stays the same, and both end in one run", async () => {
    const house = await makeHouse();
    const session = house.session();
    house.script(
      calls(
        ["write", { path: "a.txt", content: "a" }],
        ["write", { path: "b.txt", content: "b" }],
        ["bash", { command: "touch c" }],
      ),
    );
    void ask(session, "go");
    const before = await cards(session, 3);
    house.restart();
    const now = house.again(session);
    house.script(says("Done."));
    expect(now.answer(before[1]?.approvalId ?? none, { option: "once" }, tab)).toBe(true);
    await until(now, (view) => Object.keys(view.openCalls).length === 2);
    expect((await cards(now, 2)).map((card) => card.approvalId)).toEqual([
      before[0]?.approvalId,
      before[2]?.approvalId,
    ]);
    expect(existsSync(join(house.root, "a.txt"))).toBe(false);
    now.answer(before[2]?.approvalId ?? none, { option: "deny" }, tab);
    now.answer(before[0]?.approvalId ?? none, { option: "once" }, tab);
    await until(now, (view) => view.run === null);
    expect(allCalls(now.view).map((call) => call.state)).toEqual(["ok", "ok", "denied"]);
    expect(results(house)).toHaveLength(3);
    honest(house, now);
  });

  test("both answers given at once right after the restart are both heard", async () => {
    const house = await makeHouse();
    const session = house.session();
    house.script(calls(["write", { path: "a.txt", content: "a" }], ["write", { path: "b.txt", content: "b" }]));
    void ask(session, "go");
    const [first, second] = await cards(session, 2);
    house.restart();
    const now = house.again(session);
    house.script(says("Done."));
    now.answer(first?.approvalId ?? none, { option: "once" }, tab);
    now.answer(second?.approvalId ?? none, { option: "once" }, tab);
    await until(now, (view) => view.run === null);
    expect(allCalls(now.view).map((call) => call.state)).toEqual(["ok", "ok"]);
    honest(house, now);
  });

  test("a file that changed meanwhile is shown anew when the old card is answered", async () => {
    const house = await makeHouse();
    writeFileSync(join(house.root, "a.txt"), "one\n");
    const session = house.session();
    house.script(calls(["edit", { path: "a.txt", old_string: "one", new_string: "1" }]));
    void ask(session, "go");
    const [card] = await cards(session);
    house.restart();
    writeFileSync(join(house.root, "a.txt"), "zero\none\n");
    const now = house.again(session);
    house.script(says("Done."));
    now.answer(card?.approvalId ?? none, { option: "once" }, tab);
    const [renewed] = await cards(now);
    expect(renewed?.approvalId).not.toBe(card?.approvalId);
    expect(readFileSync(join(house.root, "a.txt"), "utf8")).toBe("zero\none\n");
    now.answer(renewed?.approvalId ?? none, { option: "once" }, tab);
    await until(now, (view) => view.run === null);
    expect(readFileSync(join(house.root, "a.txt"), "utf8")).toBe("zero\n1\n");
    honest(house, now);
  });

  test("a prompt sent meanwhile waits in the queue and is taken when the run goes on", async () => {
    const house = await makeHouse();
    const session = house.session();
    house.script(calls(["bash", { command: "touch a" }]));
    void ask(session, "go");
    const [card] = await cards(session);
    house.restart();
    const now = house.again(session);
    now.send("and this", "prompt", command());
    expect(now.idle).toBe(true);
    house.script(says("Both."));
    now.answer(card?.approvalId ?? none, { option: "once" }, tab);
    await until(now, (view) => view.run === null);
    expect(house.requests.at(-1)?.messages.at(-1)).toEqual({ role: "user", text: "and this" });
    expect(now.view.queue).toEqual([]);
    honest(house, now);
  });
});

describe("the end of the program", () => {
  test("parks a waiting card, which is there after the next start", async () => {
    const house = await makeHouse();
    const session = house.session();
    house.script(calls(["bash", { command: "touch a" }]));
    void ask(session, "go");
    const [card] = await cards(session);
    await house.registry().close();
    expect(session.idle).toBe(true);
    house.restart();
    const now = house.again(session);
    expect(await cards(now)).toEqual([card]);
    house.script(says("Done."));
    now.answer(card?.approvalId ?? none, { option: "once" }, tab);
    await until(now, (view) => view.run === null);
    honest(house, now);
  });

  test("parks a stream with all its text, and nothing runs in a parked session any more", async () => {
    const house = await makeHouse();
    const session = house.session();
    const gate = makeGate();
    house.script([{ type: "text", text: "Every word" }, gate, ...says("")]);
    void ask(session, "go");
    await gate.reached;
    await house.registry().close();
    const asked = house.requests.length;
    expect(session.view.run).not.toBeNull();
    house.restart();
    const now = house.again(session);
    expect(messages(now.view).at(-1)).toMatchObject({ stop: "interrupted", blocks: [{ text: "Every word" }] });
    expect(house.requests).toHaveLength(asked);
    honest(house, now);
  });
});

describe("the registry", () => {
  test("lets an idle session go and has one object for whoever still holds it", async () => {
    const house = await makeHouse();
    const session = house.session("full");
    house.script(says("One."), says("Two."));
    await ask(session, "one");
    house.registry().release(session.id);
    expect(await ask(session, "two")).toBe("done");
    expect(house.again(session)).toBe(session);
    expect(house.registry().running()).toEqual([]);
    expect(session.view.mode).toBe("full");
    honest(house, session);
  });

  test("keeps what runs, also when it was let go just before", async () => {
    const house = await makeHouse();
    const session = house.session();
    const gate = makeGate();
    house.script([gate, ...says("One.")]);
    house.registry().release(session.id);
    const done = ask(session, "one");
    await gate.reached;
    expect(house.registry().running()).toEqual([session]);
    house.registry().release(session.id);
    expect(house.registry().running()).toEqual([session]);
    gate.open();
    await done;
    honest(house, session);
  });

  test("keeps the last sessions that were left, with the variables of their shells", async () => {
    const house = await makeHouse({ sessionsKept: 1 });
    const first = house.session("full");
    house.script(
      calls(["bash", { command: "export KEPT=yes" }]),
      says("One."),
      calls(["bash", { command: "echo kept: $KEPT" }]),
      says("Two."),
    );
    await ask(first, "one");
    house.registry().release(first.id);
    await ask(house.again(first), "two");
    expect(JSON.stringify(messages(first.view))).toContain("kept: yes");
  });

  test("keeps the shell of a session that is looked at again, whatever else is left meanwhile", async () => {
    const house = await makeHouse({ sessionsKept: 1 });
    const first = house.session("full");
    house.script(
      calls(["bash", { command: "export KEPT=yes" }]),
      says("One."),
      calls(["bash", { command: "echo kept: $KEPT" }]),
      says("Two."),
    );
    await ask(first, "one");
    house.registry().release(first.id);
    house.registry().watch(first.id);
    for (const other of [house.session(), house.session()]) house.registry().release(other.id);
    await ask(house.again(first), "two");
    expect(JSON.stringify(messages(first.view))).toContain("kept: yes");
  });

  test.each([
    ["an owner and a viewer, the viewer leaves first", 2, 1],
    ["an owner and three viewers, who all leave", 4, 3],
  ])("keeps the shell while anybody is left: %s", async (_name, came, left) => {
    const house = await makeHouse({ sessionsKept: 1 });
    const first = house.session("full");
    house.script(
      calls(["bash", { command: "export KEPT=yes" }]),
      says("One."),
      calls(["bash", { command: "echo kept: $KEPT" }]),
      says("Two."),
    );
    await ask(first, "one");
    for (let count = 0; count < came; count += 1) house.registry().watch(first.id);
    for (let count = 0; count < left; count += 1) house.registry().release(first.id);
    for (const other of [house.session(), house.session(), house.session()]) house.registry().release(other.id);
    await ask(house.again(first), "two");
    expect(JSON.stringify(messages(first.view))).toContain("kept: yes");
    // The last one to leave lets it go as before.
    for (let count = left; count < came; count += 1) house.registry().release(first.id);
    for (const other of [house.session(), house.session()]) house.registry().release(other.id);
    expect(house.registry().running()).toEqual([]);
  });

  test("opens all other sessions when the log of one cannot be made honest, and that one later", async () => {
    const house = await makeHouse();
    const broken = house.session();
    const sound = house.session();
    const gates = [makeGate(), makeGate()];
    for (const [index, session] of [broken, sound].entries()) {
      const gate = gates[index] ?? makeGate();
      house.script([gate, ...says("One.")]);
      void ask(session, "one");
      await gate.reached;
    }
    house.restart();
    const other = new Database(join(house.home, "gopi.db"));
    other.exec(
      `CREATE TRIGGER refuse BEFORE INSERT ON events WHEN NEW.session_id = '${broken.id}' BEGIN SELECT RAISE(ABORT, 'no room'); END`,
    );
    house.registry().recoverAll();
    expect(house.registry().row(sound.id)?.status).toBe("interrupted");
    expect(house.registry().row(broken.id)?.status).toBe("running");
    expect(house.troubles.some((trouble) => trouble instanceof Error)).toBe(true);
    other.exec("DROP TRIGGER refuse");
    other.close();
    house.again(broken);
    expect(house.registry().row(broken.id)?.status).toBe("interrupted");
    for (const gate of gates) gate.open();
  });

  test("makes one session of one command", async () => {
    const house = await makeHouse();
    const commandId = command();
    const input = { projectId: house.session().view.projectId, cwd: house.root, mode: "ask", commandId } as const;
    const made = house.registry().create(input);
    expect(house.registry().create(input)).toBe(made);
    house.restart();
    expect(house.registry().create(input).id).toBe(made.id);
  });
});
