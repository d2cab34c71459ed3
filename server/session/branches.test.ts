/** Tests of rewinds, forks, the tree and labels through the session's commands. */
import { describe, expect, test } from "vitest";
import { textOf } from "@/lib/content";
import type { CommandId } from "@/lib/id";
import { canContinue, type MessageEntry, pathOf, type SessionView } from "@/lib/view";
import type { ModelRequest } from "../providers/provider";
import type { SendOptions } from "./services";
import type { Session } from "./session";
import { auditLog } from "./test-audit";
import { ask, calls, cards, command, type House, makeGate, makeHouse, rowsOf, says, tab, until } from "./test-services";
import { treeOf } from "./tree";

const messages = (view: SessionView): readonly MessageEntry[] =>
  pathOf(view).flatMap((entry) => (entry.kind === "message" ? [entry] : []));
const texts = (view: SessionView): readonly string[] =>
  messages(view).map((entry) => textOf(entry.blocks.flatMap((block) => (block.type === "input" ? [] : [block]))));
const said = (session: Session, text: string): MessageEntry => {
  const found = messages(session.view).find(
    (entry) => textOf(entry.blocks.flatMap((b) => (b.type === "text" ? [b] : []))) === text,
  );
  if (found === undefined) throw new Error(`no message ${text}`);
  return found;
};
const before = (session: Session, text: string): number => said(session, text).from ?? -1;
const usersIn = (request: ModelRequest | undefined): readonly string[] =>
  (request?.messages ?? []).flatMap((message) => (message.role === "user" ? [message.text] : []));
const honest = (harness: House, session: Session): void => expect(auditLog(rowsOf(harness, session.id))).toEqual([]);

async function resend(session: Session, text: string, options: SendOptions, id: CommandId = command()) {
  const sent = session.send(text, "prompt", id, options);
  if (!sent.ok) throw new Error(sent.error.code);
  return sent.value.done;
}

/** Creates a session with three prompts and their answers. */
async function talk(): Promise<{ readonly harness: House; readonly session: Session }> {
  const harness = await makeHouse();
  const session = harness.session();
  harness.script(says("A1"), says("A2"), says("A3"));
  for (const text of ["one", "two", "three"]) await ask(session, text);
  return { harness, session };
}

describe("going back", () => {
  test("to before a message hides it and everything after it; the model gets only the context before it", async () => {
    const { harness, session } = await talk();
    expect(session.rewind(before(session, "two"), command()).ok).toBe(true);
    expect(texts(session.view)).toEqual(["one", "A1"]);
    harness.script(says("B2"));
    await ask(session, "other");
    expect(harness.requests.at(-1)?.messages.map((message) => message.role)).toEqual([
      "system",
      "user",
      "assistant",
      "user",
    ]);
    expect(texts(session.view)).toEqual(["one", "A1", "other", "B2"]);
    honest(harness, session);
  });

  test("to the start sends the project again, to a later border does not", async () => {
    const { harness, session } = await talk();
    const tells = (text: string | undefined): boolean => text?.includes("Project folder: /project") === true;
    session.rewind(before(session, "three"), command());
    harness.script(says("B"), says("C"));
    await ask(session, "later");
    expect(usersIn(harness.requests.at(-1)).map(tells)).toEqual([true, false, false]);
    session.rewind(0, command());
    await ask(session, "anew");
    expect(usersIn(harness.requests.at(-1)).map(tells)).toEqual([true]);
  });

  test("and back to the previous end restores everything", async () => {
    const { harness, session } = await talk();
    const whole = pathOf(session.view);
    session.rewind(before(session, "three"), command());
    session.rewind(before(session, "one"), command());
    const { left } = session.view;
    expect(texts(session.view)).toEqual([]);
    expect(session.rewind(left ?? -1, command()).ok).toBe(true);
    expect(pathOf(session.view)).toEqual(whole);
    expect(session.view.left).toBeNull();
    honest(harness, session);
  });

  test("only to a border: a message in the middle, an unknown seq and a future seq are none", async () => {
    const { session } = await talk();
    const none = { ok: false, error: { code: "not_border" } };
    for (const toSeq of [said(session, "two").seq, 1, session.view.seq + 1, session.view.seq + 9])
      expect(session.rewind(toSeq, command())).toEqual(none);
    expect(session.send("x", "prompt", command(), { rewindTo: said(session, "two").seq })).toEqual(none);
  });

  test("is refused while the session runs, and output written meanwhile is kept", async () => {
    const { harness, session } = await talk();
    const gate = makeGate();
    harness.script([gate, ...says("A4")]);
    const done = ask(session, "four");
    await gate.reached;
    const notIdle = { ok: false, error: { code: "not_idle" } };
    expect(session.rewind(0, command())).toEqual(notIdle);
    expect(session.send("x", "prompt", command(), { rewindTo: 0 })).toEqual(notIdle);
    gate.open();
    await done;
    expect(texts(session.view).at(-1)).toBe("A4");
    expect(session.view.queue).toEqual([]);
  });

  test("sent twice with one commandId happens once", async () => {
    const { session } = await talk();
    const id = command();
    const first = session.rewind(0, id);
    expect(session.rewind(0, id)).toEqual(first);
    expect(session.view.seq).toBe(first.ok ? first.value : -1);
  });

  test("survives a kill, with its redo", async () => {
    const { harness, session } = await talk();
    const { border } = session.view;
    session.rewind(before(session, "two"), command());
    harness.restart();
    const now = harness.again(session);
    expect(texts(now.view)).toEqual(["one", "A1"]);
    expect(now.view.left).toBe(border);
    expect(now.rewind(border, command()).ok).toBe(true);
    expect(texts(now.view)).toEqual(["one", "A1", "two", "A2", "three", "A3"]);
  });

  test("into the middle of a run continues from there", async () => {
    const harness = await makeHouse();
    const session = harness.session("full");
    const gate = makeGate();
    harness.script([gate, ...calls(["ls", {}])], says("Done."));
    const done = ask(session, "look");
    await gate.reached;
    session.send("and be quick", "steer", command());
    gate.open();
    await done;
    expect(session.rewind(before(session, "and be quick"), command()).ok).toBe(true);
    expect(texts(session.view)).toEqual(["look", ""]);
    expect(canContinue(session.view)).toBe(true);
    harness.script(says("Went on."));
    const resumed = session.resume(command());
    expect(resumed.ok && (await resumed.value.done)).toBe("done");
    expect(harness.requests.at(-1)?.messages.map((message) => message.role)).toEqual([
      "system",
      "user",
      "assistant",
      "tool",
    ]);
    honest(harness, session);
  });

  test("moves the shell to the folder in which the path's last command ended", async () => {
    const harness = await makeHouse();
    const session = harness.session("full");
    harness.script(calls(["bash", { command: "mkdir -p sub && cd sub" }]), says("In."));
    await ask(session, "go into sub");
    harness.script(calls(["bash", { command: "cd / && export SECRET=1" }]), says("Away."));
    await ask(session, "go away");
    session.rewind(before(session, "go away"), command());
    harness.script(calls(["bash", { command: 'pwd; echo "[$SECRET]"' }]), says("Here."));
    await ask(session, "where are you");
    const output =
      messages(session.view)
        .flatMap((entry) => entry.calls)
        .at(-1)?.output ?? [];
    expect(textOf(output)).toContain(`${harness.root}/sub\n[]`);
  });
});

describe("edit and send again", () => {
  test("is one commit: rewind, run, message; the title is kept and the redo restores the old branch", async () => {
    const { harness, session } = await talk();
    const whole = pathOf(session.view);
    const { border, seq } = session.view;
    harness.script(says("B1"));
    await resend(session, "one, better", { rewindTo: before(session, "one") });
    expect(texts(session.view)).toEqual(["one, better", "B1"]);
    expect(session.view.title).toBe("one");
    const written = rowsOf(harness, session.id).slice(seq);
    expect(written.slice(0, 4).map(({ event }) => event.type)).toEqual([
      "rewind",
      "agent_start",
      "message_start",
      "message_end",
    ]);
    expect(new Set(written.slice(0, 4).map(({ at }) => at)).size).toBe(1);
    expect(session.rewind(border, command()).ok).toBe(true);
    expect(pathOf(session.view)).toEqual(whole);
  });

  test("with another model changes it permanently and sends the same text again", async () => {
    const { harness, session } = await talk();
    harness.script(says("B3"));
    await resend(session, "three", { rewindTo: before(session, "three"), model: { name: "larger" } });
    expect(harness.requests.at(-1)?.model).toBe("larger");
    expect(session.view.model?.model).toBe("larger");
    expect(texts(session.view)).toEqual(["one", "A1", "two", "A2", "three", "B3"]);
    expect(harness.registry().row(session.id)?.model).toBe("larger");
  });

  test("sent twice with one commandId runs once", async () => {
    const { harness, session } = await talk();
    const id = command();
    harness.script(says("B1"));
    const options = { rewindTo: before(session, "one") };
    await resend(session, "one, better", options, id);
    const { seq } = session.view;
    expect(await resend(session, "one, better", options, id)).toBeNull();
    expect(session.view.seq).toBe(seq);
  });

  test("of two racing tabs one wins; the other fails with not_idle", async () => {
    const { harness, session } = await talk();
    harness.script(says("B"));
    const first = session.send("mine", "prompt", command(), { rewindTo: 0 });
    expect(session.rewind(0, command())).toEqual({ ok: false, error: { code: "not_idle" } });
    expect(session.send("yours", "prompt", command(), { rewindTo: 0 })).toEqual({
      ok: false,
      error: { code: "not_idle" },
    });
    expect(first.ok && (await first.value.done)).toBe("done");
    expect(texts(session.view)).toEqual(["mine", "B"]);
  });
});

describe("a fork", () => {
  test("starts as the parent was at the border, with the same rows, in mode Ask, and stores its origin", async () => {
    const { harness, session } = await talk();
    session.update({ mode: "edits" }, command());
    const parentRows = rowsOf(harness, session.id);
    const atSeq = before(session, "three");
    const made = harness.registry().fork({ sessionId: session.id, atSeq, commandId: command() });
    if (!made.ok) throw new Error(made.error.code);
    const fork = made.value;
    expect(texts(fork.view)).toEqual(["one", "A1", "two", "A2"]);
    expect(fork.view).toMatchObject({
      mode: "ask",
      queue: [],
      title: "one",
      forkedFrom: { parentId: session.id, atSeq },
    });
    expect(rowsOf(harness, fork.id).slice(0, atSeq)).toEqual(parentRows.slice(0, atSeq));
    expect(rowsOf(harness, session.id)).toEqual(parentRows);
    expect(harness.registry().row(fork.id)).toMatchObject({
      title: "one",
      status: "idle",
      mode: "ask",
      lastSeq: fork.view.seq,
    });
    expect(harness.store.sessions.forks(session.id)).toEqual([{ sessionId: fork.id, title: "one", atSeq }]);
    harness.script(says("F"));
    await ask(fork, "on the fork");
    expect(usersIn(harness.requests.at(-1)).length).toBe(3);
    expect(texts(session.view).at(-1)).toBe("A3");
    honest(harness, fork);
  });

  test("of the same command is the same session, also after a restart; at an invalid border it fails", async () => {
    const { harness, session } = await talk();
    const order = { sessionId: session.id, atSeq: before(session, "two"), commandId: command() };
    const first = harness.registry().fork(order);
    harness.restart();
    const second = harness.registry().fork(order);
    expect(first.ok && second.ok && first.value.id === second.value.id).toBe(true);
    expect(harness.registry().fork({ ...order, atSeq: 2, commandId: command() })).toEqual({
      ok: false,
      error: { code: "not_border" },
    });
  });

  test("during a run closes what was open there, and the parent's run continues", async () => {
    const harness = await makeHouse();
    const session = harness.session("full");
    const gate = makeGate();
    harness.script(calls(["ls", {}]), [gate, ...says("Done.")]);
    const done = ask(session, "look");
    await gate.reached;
    const atSeq = rowsOf(harness, session.id).find(({ event }) => event.type === "turn_end")?.seq ?? -1;
    const made = harness.registry().fork({ sessionId: session.id, atSeq, commandId: command() });
    if (!made.ok) throw new Error(made.error.code);
    expect(made.value.idle).toBe(true);
    expect(made.value.view).toMatchObject({ run: null, turn: null, mode: "ask" });
    expect(harness.registry().row(made.value.id)?.status).toBe("interrupted");
    honest(harness, made.value);
    gate.open();
    expect(await done).toBe("done");
  });

  test("at the start has the project and the model, and no messages", async () => {
    const { harness, session } = await talk();
    const made = harness.registry().fork({ sessionId: session.id, atSeq: 0, commandId: command() });
    if (!made.ok) throw new Error(made.error.code);
    expect(texts(made.value.view)).toEqual([]);
    expect(made.value.view).toMatchObject({ cwd: harness.root, title: "one", model: { model: "scripted" } });
    harness.script(says("F"));
    await ask(made.value, "hello");
    expect(usersIn(harness.requests.at(-1))[0]).toContain("Project folder: /project");
    honest(harness, made.value);
  });

  test("does not reuse the receipts of its parent", async () => {
    const harness = await makeHouse();
    const session = harness.session();
    harness.script(says("A"));
    const id = command();
    await resend(session, "one", {}, id);
    const made = harness.registry().fork({ sessionId: session.id, atSeq: session.view.border, commandId: command() });
    if (!made.ok) throw new Error(made.error.code);
    harness.script(says("B"));
    expect(await resend(made.value, "one", {}, id)).toBe("done");
  });
});

describe("the tree", () => {
  test("has one node per run of every branch, with its position", async () => {
    const { harness, session } = await talk();
    const [one, two, three] = ["one", "two", "three"].map((text) => said(session, text));
    harness.script(says("B2"));
    await resend(session, "two, better", { rewindTo: two?.from ?? -1 });
    session.label(two?.seq ?? -1, " first try ", command());
    const { nodes, newest } = treeOf(session.view, []);
    expect(nodes.map(({ text, onPath }) => [text, onPath])).toEqual([
      ["one", true],
      ["two", false],
      ["three", false],
      ["two, better", true],
    ]);
    const [first, second, third, fourth] = nodes;
    expect([first?.parent, second?.parent, third?.parent, fourth?.parent]).toEqual([
      null,
      first?.seq,
      second?.seq,
      first?.seq,
    ]);
    expect(nodes.map(({ from }) => from)).toEqual([one?.from, two?.from, three?.from, two?.from]);
    expect(nodes.map(({ label }) => label)).toEqual([undefined, "first try", undefined, undefined]);
    expect(newest).toBe(fourth?.to);
    expect(nodes.every(({ to }) => to !== null && session.isBorder(to))).toBe(true);
  });

  test("contains the model of each run and the start of its last answer on one line", async () => {
    const harness = await makeHouse();
    const session = harness.session();
    const gate = makeGate();
    const long = `Well,\n\n  ${"x".repeat(113)}\u{1F600} and more`;
    harness.script([{ type: "text", text: "First I look." }, ...calls(["ls", {}])], says(long), calls(["ls", {}]), [
      gate,
      ...says(" \n"),
    ]);
    await ask(session, "one");
    const model = session.view.model?.model;
    expect(model).toBeTruthy();
    const sent = session.send("two", "prompt", command());
    await gate.reached;
    const nodes = () => treeOf(session.view, []).nodes.map((node) => [node.model, node.answer]);
    // 6 + 113 characters; the next character is a surrogate pair, and the limit falls inside it.
    const wanted = [
      [model, `Well, ${"x".repeat(113)}`],
      [model, undefined],
    ];
    expect(nodes()).toEqual(wanted);
    gate.open();
    if (sent.ok) await sent.value.done;
    expect(nodes()).toEqual(wanted);
  });

  test("counts calls and changed files; an active run has no end", async () => {
    const harness = await makeHouse();
    const session = harness.session("full");
    const gate = makeGate();
    harness.script(calls(["write", { path: "a.txt", content: "1\n2\n" }], ["ls", {}]), [gate, ...says("Done.")]);
    const done = ask(session, "write");
    await gate.reached;
    expect(treeOf(session.view, []).nodes).toMatchObject([{ calls: 2, files: 1, added: 2, removed: 0, to: null }]);
    gate.open();
    await done;
    expect(treeOf(session.view, []).nodes).toMatchObject([{ to: session.view.border, end: "done" }]);
  });

  test("a label is removed by an empty one, and a future seq cannot have one", async () => {
    const { session } = await talk();
    const { seq } = said(session, "one");
    session.label(seq, "start", command());
    expect(session.view.labels).toEqual({ [seq]: "start" });
    session.label(seq, " ", command());
    expect(session.view.labels).toEqual({});
    expect(session.label(session.view.seq + 1, "x", command())).toEqual({ ok: false, error: { code: "not_found" } });
  });
});

describe("the queue", () => {
  /** A stopped session with two untaken messages. */
  async function stopped(): Promise<{ readonly harness: House; readonly session: Session }> {
    const harness = await makeHouse();
    const session = harness.session();
    harness.script([makeGate(), ...says("never")]);
    const done = ask(session, "one");
    await until(session, (view) => view.turn !== null);
    session.send("first", "steer", command());
    session.send("second", "followUp", command());
    await session.abort();
    await done;
    return { harness, session };
  }

  test("waits for the user after Stop and after a restart, and a message can be sent by itself in one commit", async () => {
    const { harness, session } = await stopped();
    harness.restart();
    const now = harness.again(session);
    expect(now.view.queue.map(({ intent, text }) => [intent, text])).toEqual([
      ["followUp", "first"],
      ["followUp", "second"],
    ]);
    expect(now.idle).toBe(true);
    const [, second] = now.view.queue;
    if (second === undefined) throw new Error("the queue is empty");
    harness.script(says("To second."), says("To first."));
    const sent = now.send(second.text, "prompt", command(), { queuedId: second.id });
    expect(now.view.queue.map(({ text }) => text)).toEqual(["first"]);
    expect(sent.ok && (await sent.value.done)).toBe("done");
    // The other one follows by itself, as after any run.
    expect(texts(now.view).filter((text) => text.startsWith("To"))).toEqual(["To second.", "To first."]);
    expect(now.view.queue).toEqual([]);
  });

  test("sends a message once when two tabs press Send", async () => {
    const { harness, session } = await stopped();
    const [first] = session.view.queue;
    if (first === undefined) throw new Error("the queue is empty");
    harness.script(says("Yes."), says("Second, too."));
    const sent = session.send(first.text, "prompt", command(), { queuedId: first.id });
    const again = session.send(first.text, "prompt", command(), { queuedId: first.id });
    expect(again).toEqual({ ok: false, error: { code: "not_idle" } });
    if (sent.ok) await sent.value.done;
    expect(session.send(first.text, "prompt", command(), { queuedId: first.id })).toEqual({
      ok: false,
      error: { code: "gone" },
    });
  });

  test("a steer that races Stop is not lost: it is taken or stays queued", async () => {
    const harness = await makeHouse();
    const session = harness.session();
    harness.script([makeGate(), ...says("never")]);
    const done = ask(session, "one");
    await until(session, (view) => view.turn !== null);
    const stop = session.abort();
    session.send("late", "steer", command());
    await stop;
    await done;
    expect(session.view.queue.map(({ intent, text }) => [intent, text])).toEqual([["followUp", "late"]]);
    expect(session.idle).toBe(true);
  });

  test("nothing of a stopped run is written after Stop has returned", async () => {
    const harness = await makeHouse();
    const session = harness.session("full");
    harness.script(calls(["bash", { command: "echo begun; sleep 30" }]));
    const done = ask(session, "sleep");
    await until(session, (view) => messages(view).some((entry) => entry.calls.some((call) => call.live !== undefined)));
    await session.abort();
    const { seq } = session.view;
    const late: unknown[] = [];
    session.subscribe((envelope) => late.push(envelope));
    await done;
    for (let turn = 0; turn < 50; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    expect(late).toEqual([]);
    expect(session.view.seq).toBe(seq);
    honest(harness, session);
  });

  test("an approval that is open during a fork belongs to the parent only", async () => {
    const harness = await makeHouse();
    const session = harness.session();
    harness.script(says("A1"), calls(["write", { path: "a.txt", content: "a" }]), says("Written."));
    await ask(session, "one");
    const done = ask(session, "two");
    const [card] = await cards(session);
    const made = harness
      .registry()
      .fork({ sessionId: session.id, atSeq: before(session, "two"), commandId: command() });
    expect(made.ok && texts(made.value.view)).toEqual(["one", "A1"]);
    expect(card !== undefined && session.answer(card.approvalId, { option: "once" }, tab)).toBe(true);
    expect(await done).toBe("done");
  });
});
