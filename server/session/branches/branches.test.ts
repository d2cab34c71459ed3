/** Tests of rewinds, forks, the tree and labels through the session's commands. */
import { describe, expect, test } from "vitest";
import { joinTextBlocks } from "@/lib/events/content";
import type { CommandId } from "@/lib/events/id";
import { canContinue, type MessageEntry, pathEntries, type SessionView } from "@/lib/view/view";
import type { ModelRequest } from "@/server/providers/provider";
import type { SendOptions } from "../core/services";
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
import { buildSessionTree } from "./session-tree";

const messages = (view: SessionView): readonly MessageEntry[] =>
  pathEntries(view).flatMap((entry) => (entry.kind === "message" ? [entry] : []));
const texts = (view: SessionView): readonly string[] =>
  messages(view).map((entry) =>
    joinTextBlocks(entry.blocks.flatMap((block) => (block.type === "input" ? [] : [block]))),
  );
const messageWithText = (session: Session, text: string): MessageEntry => {
  const found = messages(session.view).find(
    (entry) => joinTextBlocks(entry.blocks.flatMap((b) => (b.type === "text" ? [b] : []))) === text,
  );
  if (found === undefined) throw new Error(`no message ${text}`);
  return found;
};
const borderBefore = (session: Session, text: string): number => messageWithText(session, text).from ?? -1;
const usersIn = (request: ModelRequest | undefined): readonly string[] =>
  (request?.messages ?? []).flatMap((message) => (message.role === "user" ? [message.text] : []));
const expectValidLog = (harness: TestHarness, session: Session): void =>
  expect(auditLog(storedRows(harness, session.id))).toEqual([]);

async function resend(session: Session, text: string, options: SendOptions, id: CommandId = testCommandId()) {
  const sent = session.send(text, "prompt", id, options);
  if (!sent.ok) throw new Error(sent.error.code);
  return sent.value.done;
}

/** Creates a session with three prompts and their answers. */
async function threePrompts(): Promise<{ readonly harness: TestHarness; readonly session: Session }> {
  const harness = await makeTestHarness();
  const session = harness.session();
  harness.script(textAnswer("A1"), textAnswer("A2"), textAnswer("A3"));
  for (const text of ["one", "two", "three"]) await promptAndWait(session, text);
  return { harness, session };
}

describe("going back", () => {
  test("to before a message hides it and everything after it; the model gets only the context before it", async () => {
    const { harness, session } = await threePrompts();
    expect(session.rewind(borderBefore(session, "two"), testCommandId()).ok).toBe(true);
    expect(texts(session.view)).toEqual(["one", "A1"]);
    harness.script(textAnswer("B2"));
    await promptAndWait(session, "other");
    expect(harness.requests.at(-1)?.messages.map((message) => message.role)).toEqual([
      "system",
      "user",
      "assistant",
      "user",
    ]);
    expect(texts(session.view)).toEqual(["one", "A1", "other", "B2"]);
    expectValidLog(harness, session);
  });

  test("to the start sends the project again, to a later border does not", async () => {
    const { harness, session } = await threePrompts();
    const hasProjectContext = (text: string | undefined): boolean =>
      text?.includes("Project folder: /project") === true;
    session.rewind(borderBefore(session, "three"), testCommandId());
    harness.script(textAnswer("B"), textAnswer("C"));
    await promptAndWait(session, "later");
    expect(usersIn(harness.requests.at(-1)).map(hasProjectContext)).toEqual([true, false, false]);
    session.rewind(0, testCommandId());
    await promptAndWait(session, "anew");
    expect(usersIn(harness.requests.at(-1)).map(hasProjectContext)).toEqual([true]);
  });

  test("and back to the previous end restores everything", async () => {
    const { harness, session } = await threePrompts();
    const whole = pathEntries(session.view);
    session.rewind(borderBefore(session, "three"), testCommandId());
    session.rewind(borderBefore(session, "one"), testCommandId());
    const { left } = session.view;
    expect(texts(session.view)).toEqual([]);
    expect(session.rewind(left ?? -1, testCommandId()).ok).toBe(true);
    expect(pathEntries(session.view)).toEqual(whole);
    expect(session.view.left).toBeNull();
    expectValidLog(harness, session);
  });

  test("only to a border: a message in the middle, an unknown seq and a future seq are none", async () => {
    const { session } = await threePrompts();
    const none = { ok: false, error: { code: "not_border" } };
    for (const toSeq of [messageWithText(session, "two").seq, 1, session.view.seq + 1, session.view.seq + 9])
      expect(session.rewind(toSeq, testCommandId())).toEqual(none);
    expect(session.send("x", "prompt", testCommandId(), { rewindTo: messageWithText(session, "two").seq })).toEqual(
      none,
    );
  });

  test("is refused while the session runs, and output written meanwhile is kept", async () => {
    const { harness, session } = await threePrompts();
    const gate = makeGate();
    harness.script([gate, ...textAnswer("A4")]);
    const done = promptAndWait(session, "four");
    await gate.reached;
    const notIdle = { ok: false, error: { code: "not_idle" } };
    expect(session.rewind(0, testCommandId())).toEqual(notIdle);
    expect(session.send("x", "prompt", testCommandId(), { rewindTo: 0 })).toEqual(notIdle);
    gate.open();
    await done;
    expect(texts(session.view).at(-1)).toBe("A4");
    expect(session.view.queue).toEqual([]);
  });

  test("sent twice with one commandId happens once", async () => {
    const { session } = await threePrompts();
    const id = testCommandId();
    const first = session.rewind(0, id);
    expect(session.rewind(0, id)).toEqual(first);
    expect(session.view.seq).toBe(first.ok ? first.value.seq : -1);
  });

  test("survives a kill, with its redo", async () => {
    const { harness, session } = await threePrompts();
    const { border } = session.view;
    session.rewind(borderBefore(session, "two"), testCommandId());
    await harness.restart();
    const now = harness.reload(session);
    expect(texts(now.view)).toEqual(["one", "A1"]);
    expect(now.view.left).toBe(border);
    expect(now.rewind(border, testCommandId()).ok).toBe(true);
    expect(texts(now.view)).toEqual(["one", "A1", "two", "A2", "three", "A3"]);
  });

  test("into the middle of a run continues from there", async () => {
    const harness = await makeTestHarness();
    const session = harness.session("full");
    const gate = makeGate();
    harness.script([gate, ...callAnswer(["ls", {}])], textAnswer("Done."));
    const done = promptAndWait(session, "look");
    await gate.reached;
    session.send("and be quick", "steer", testCommandId());
    gate.open();
    await done;
    expect(session.rewind(borderBefore(session, "and be quick"), testCommandId()).ok).toBe(true);
    expect(texts(session.view)).toEqual(["look", ""]);
    expect(canContinue(session.view)).toBe(true);
    harness.script(textAnswer("Went on."));
    const resumed = session.resume(testCommandId());
    expect(resumed.ok && (await resumed.value.done)).toBe("done");
    expect(harness.requests.at(-1)?.messages.map((message) => message.role)).toEqual([
      "system",
      "user",
      "assistant",
      "tool",
    ]);
    expectValidLog(harness, session);
  });

  test("moves the shell to the folder in which the path's last command ended", async () => {
    const harness = await makeTestHarness();
    const session = harness.session("full");
    harness.script(callAnswer(["bash", { command: "mkdir -p sub && cd sub" }]), textAnswer("In."));
    await promptAndWait(session, "go into sub");
    harness.script(callAnswer(["bash", { command: "cd / && export SECRET=1" }]), textAnswer("Away."));
    await promptAndWait(session, "go away");
    session.rewind(borderBefore(session, "go away"), testCommandId());
    harness.script(callAnswer(["bash", { command: 'pwd; echo "[$SECRET]"' }]), textAnswer("Here."));
    await promptAndWait(session, "where are you");
    const output =
      messages(session.view)
        .flatMap((entry) => entry.calls)
        .at(-1)?.output ?? [];
    expect(joinTextBlocks(output)).toContain(`${harness.root}/sub\n[]`);
  });
});

describe("edit and send again", () => {
  test("is one commit: rewind, run, message; the title is kept and the redo restores the old branch", async () => {
    const { harness, session } = await threePrompts();
    const whole = pathEntries(session.view);
    const { border, seq } = session.view;
    harness.script(textAnswer("B1"));
    await resend(session, "one, better", { rewindTo: borderBefore(session, "one") });
    expect(texts(session.view)).toEqual(["one, better", "B1"]);
    expect(session.view.title).toBe("one");
    const written = storedRows(harness, session.id).slice(seq);
    expect(written.slice(0, 4).map(({ event }) => event.type)).toEqual([
      "rewind",
      "agent_start",
      "message_start",
      "message_end",
    ]);
    expect(new Set(written.slice(0, 4).map(({ at }) => at)).size).toBe(1);
    expect(session.rewind(border, testCommandId()).ok).toBe(true);
    expect(pathEntries(session.view)).toEqual(whole);
  });

  test("with another model changes it permanently and sends the same text again", async () => {
    const { harness, session } = await threePrompts();
    harness.script(textAnswer("B3"));
    await resend(session, "three", { rewindTo: borderBefore(session, "three"), model: { name: "larger" } });
    expect(harness.requests.at(-1)?.model).toBe("larger");
    expect(session.view.model?.model).toBe("larger");
    expect(texts(session.view)).toEqual(["one", "A1", "two", "A2", "three", "B3"]);
    expect(harness.store.sessions.get(session.id)?.model).toBe("larger");
  });

  test("sent twice with one commandId runs once", async () => {
    const { harness, session } = await threePrompts();
    const id = testCommandId();
    harness.script(textAnswer("B1"));
    const options = { rewindTo: borderBefore(session, "one") };
    await resend(session, "one, better", options, id);
    const { seq } = session.view;
    expect(await resend(session, "one, better", options, id)).toBeNull();
    expect(session.view.seq).toBe(seq);
  });

  test("of two racing tabs one wins; the other fails with not_idle", async () => {
    const { harness, session } = await threePrompts();
    harness.script(textAnswer("B"));
    const first = session.send("mine", "prompt", testCommandId(), { rewindTo: 0 });
    expect(session.rewind(0, testCommandId())).toEqual({ ok: false, error: { code: "not_idle" } });
    expect(session.send("yours", "prompt", testCommandId(), { rewindTo: 0 })).toEqual({
      ok: false,
      error: { code: "not_idle" },
    });
    expect(first.ok && (await first.value.done)).toBe("done");
    expect(texts(session.view)).toEqual(["mine", "B"]);
  });
});

describe("a fork", () => {
  test("starts as the parent was at the border, with the same rows, in mode Ask, and stores its origin", async () => {
    const { harness, session } = await threePrompts();
    session.update({ mode: "edits" }, testCommandId());
    const parentRows = storedRows(harness, session.id);
    const atSeq = borderBefore(session, "three");
    const forked = harness.registry().fork({ sessionId: session.id, atSeq, commandId: testCommandId() });
    if (!forked.ok) throw new Error(forked.error.code);
    const fork = forked.value;
    expect(texts(fork.view)).toEqual(["one", "A1", "two", "A2"]);
    expect(fork.view).toMatchObject({
      mode: "ask",
      queue: [],
      title: "one",
      parent: { sessionId: session.id, relation: "fork", atSeq },
    });
    expect(storedRows(harness, fork.id).slice(0, atSeq)).toEqual(parentRows.slice(0, atSeq));
    expect(storedRows(harness, session.id)).toEqual(parentRows);
    expect(harness.store.sessions.get(fork.id)).toMatchObject({
      title: "one",
      status: "idle",
      mode: "ask",
      lastSeq: fork.view.seq,
    });
    expect(harness.store.sessions.forks(session.id)).toEqual([{ sessionId: fork.id, title: "one", atSeq }]);
    harness.script(textAnswer("F"));
    await promptAndWait(fork, "on the fork");
    expect(usersIn(harness.requests.at(-1)).length).toBe(3);
    expect(texts(session.view).at(-1)).toBe("A3");
    expectValidLog(harness, fork);
  });

  test("of the same command is the same session, also after a restart; at an invalid border it fails", async () => {
    const { harness, session } = await threePrompts();
    const order = { sessionId: session.id, atSeq: borderBefore(session, "two"), commandId: testCommandId() };
    const first = harness.registry().fork(order);
    await harness.restart();
    const second = harness.registry().fork(order);
    expect(first.ok && second.ok && first.value.id === second.value.id).toBe(true);
    expect(harness.registry().fork({ ...order, atSeq: 2, commandId: testCommandId() })).toEqual({
      ok: false,
      error: { code: "not_border" },
    });
  });

  test("during a run closes what was open there, and the parent's run continues", async () => {
    const harness = await makeTestHarness();
    const session = harness.session("full");
    const gate = makeGate();
    harness.script(callAnswer(["ls", {}]), [gate, ...textAnswer("Done.")]);
    const done = promptAndWait(session, "look");
    await gate.reached;
    const atSeq = storedRows(harness, session.id).find(({ event }) => event.type === "turn_end")?.seq ?? -1;
    const forked = harness.registry().fork({ sessionId: session.id, atSeq, commandId: testCommandId() });
    if (!forked.ok) throw new Error(forked.error.code);
    expect(forked.value.idle).toBe(true);
    expect(forked.value.view).toMatchObject({ run: null, turn: null, mode: "ask" });
    expect(harness.store.sessions.get(forked.value.id)?.status).toBe("interrupted");
    expectValidLog(harness, forked.value);
    gate.open();
    expect(await done).toBe("done");
  });

  test("at the start has the project and the model, and no messages", async () => {
    const { harness, session } = await threePrompts();
    const forked = harness.registry().fork({ sessionId: session.id, atSeq: 0, commandId: testCommandId() });
    if (!forked.ok) throw new Error(forked.error.code);
    expect(texts(forked.value.view)).toEqual([]);
    expect(forked.value.view).toMatchObject({ cwd: harness.root, title: "one", model: { model: "scripted" } });
    harness.script(textAnswer("F"));
    await promptAndWait(forked.value, "hello");
    expect(usersIn(harness.requests.at(-1))[0]).toContain("Project folder: /project");
    expectValidLog(harness, forked.value);
  });

  test("does not reuse the receipts of its parent", async () => {
    const harness = await makeTestHarness();
    const session = harness.session();
    harness.script(textAnswer("A"));
    const id = testCommandId();
    await resend(session, "one", {}, id);
    const forked = harness
      .registry()
      .fork({ sessionId: session.id, atSeq: session.view.border, commandId: testCommandId() });
    if (!forked.ok) throw new Error(forked.error.code);
    harness.script(textAnswer("B"));
    expect(await resend(forked.value, "one", {}, id)).toBe("done");
  });
});

describe("the tree", () => {
  test("has one node per run of every branch, with its position", async () => {
    const { harness, session } = await threePrompts();
    const [one, two, three] = ["one", "two", "three"].map((text) => messageWithText(session, text));
    harness.script(textAnswer("B2"));
    await resend(session, "two, better", { rewindTo: two?.from ?? -1 });
    session.label(two?.seq ?? -1, " first try ", testCommandId());
    const { nodes, newest } = buildSessionTree(session.view, []);
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
    const harness = await makeTestHarness();
    const session = harness.session();
    const gate = makeGate();
    const long = `Well,\n\n  ${"x".repeat(113)}\u{1F600} and more`;
    harness.script(
      [{ type: "text", text: "First I look." }, ...callAnswer(["ls", {}])],
      textAnswer(long),
      callAnswer(["ls", {}]),
      [gate, ...textAnswer(" \n")],
    );
    await promptAndWait(session, "one");
    const model = session.view.model?.model;
    expect(model).toBeTruthy();
    const sent = session.send("two", "prompt", testCommandId());
    await gate.reached;
    const nodes = () => buildSessionTree(session.view, []).nodes.map((node) => [node.model, node.answer]);
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

  test("question and answer are without their Markdown", async () => {
    const harness = await makeTestHarness();
    const session = harness.session();
    harness.script(textAnswer("## The cause\n\n| Place | Now |\n| --- | --- |\n| `a.js` | **3** |"));
    await promptAndWait(session, "- Fix `a.js`\n- Run the tests");
    expect(buildSessionTree(session.view, []).nodes).toMatchObject([
      { text: "Fix a.js Run the tests", answer: "The cause Place · Now a.js · 3" },
    ]);
    expect(session.view.title).toBe("Fix a.js");
  });

  test("counts calls and changed files; an active run has no end", async () => {
    const harness = await makeTestHarness();
    const session = harness.session("full");
    const gate = makeGate();
    harness.script(callAnswer(["write", { path: "a.txt", content: "1\n2\n" }], ["ls", {}]), [
      gate,
      ...textAnswer("Done."),
    ]);
    const done = promptAndWait(session, "write");
    await gate.reached;
    expect(buildSessionTree(session.view, []).nodes).toMatchObject([
      { calls: 2, files: 1, added: 2, removed: 0, to: null },
    ]);
    gate.open();
    await done;
    expect(buildSessionTree(session.view, []).nodes).toMatchObject([{ to: session.view.border, end: "done" }]);
  });

  test("a label is removed by an empty one, and a future seq cannot have one", async () => {
    const { session } = await threePrompts();
    const { seq } = messageWithText(session, "one");
    session.label(seq, "start", testCommandId());
    expect(session.view.labels).toEqual({ [seq]: "start" });
    session.label(seq, " ", testCommandId());
    expect(session.view.labels).toEqual({});
    expect(session.label(session.view.seq + 1, "x", testCommandId())).toEqual({
      ok: false,
      error: { code: "not_found" },
    });
  });
});

describe("the queue", () => {
  /** A stopped session with two untaken messages. */
  async function stopped(): Promise<{ readonly harness: TestHarness; readonly session: Session }> {
    const harness = await makeTestHarness();
    const session = harness.session();
    harness.script([makeGate(), ...textAnswer("never")]);
    const done = promptAndWait(session, "one");
    await waitForView(session, (view) => view.turn !== null);
    session.send("first", "steer", testCommandId());
    session.send("second", "followUp", testCommandId());
    await session.abort();
    await done;
    return { harness, session };
  }

  test("waits for the user after Stop and after a restart, and a message can be sent by itself in one commit", async () => {
    const { harness, session } = await stopped();
    await harness.restart();
    const now = harness.reload(session);
    expect(now.view.queue.map(({ intent, text }) => [intent, text])).toEqual([
      ["followUp", "first"],
      ["followUp", "second"],
    ]);
    expect(now.idle).toBe(true);
    const [, second] = now.view.queue;
    if (second === undefined) throw new Error("the queue is empty");
    harness.script(textAnswer("To second."), textAnswer("To first."));
    const sent = now.send(second.text, "prompt", testCommandId(), { queuedId: second.id });
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
    harness.script(textAnswer("Yes."), textAnswer("Second, too."));
    const sent = session.send(first.text, "prompt", testCommandId(), { queuedId: first.id });
    const again = session.send(first.text, "prompt", testCommandId(), { queuedId: first.id });
    expect(again).toEqual({ ok: false, error: { code: "not_idle" } });
    if (sent.ok) await sent.value.done;
    expect(session.send(first.text, "prompt", testCommandId(), { queuedId: first.id })).toEqual({
      ok: false,
      error: { code: "gone" },
    });
  });

  test("a steer that races Stop is not lost: it is taken or stays queued", async () => {
    const harness = await makeTestHarness();
    const session = harness.session();
    harness.script([makeGate(), ...textAnswer("never")]);
    const done = promptAndWait(session, "one");
    await waitForView(session, (view) => view.turn !== null);
    const stop = session.abort();
    session.send("late", "steer", testCommandId());
    await stop;
    await done;
    expect(session.view.queue.map(({ intent, text }) => [intent, text])).toEqual([["followUp", "late"]]);
    expect(session.idle).toBe(true);
  });

  test("nothing of a stopped run is written after Stop has returned", async () => {
    const harness = await makeTestHarness();
    const session = harness.session("full");
    harness.script(callAnswer(["bash", { command: "echo begun; sleep 30" }]));
    const done = promptAndWait(session, "sleep");
    await waitForView(session, (view) =>
      messages(view).some((entry) => entry.calls.some((call) => call.live !== undefined)),
    );
    await session.abort();
    const { seq } = session.view;
    const late: unknown[] = [];
    session.subscribe((envelope) => late.push(envelope));
    await done;
    for (let turn = 0; turn < 50; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    expect(late).toEqual([]);
    expect(session.view.seq).toBe(seq);
    expectValidLog(harness, session);
  });

  test("an approval that is open during a fork belongs to the parent only", async () => {
    const harness = await makeTestHarness();
    const session = harness.session();
    harness.script(textAnswer("A1"), callAnswer(["write", { path: "a.txt", content: "a" }]), textAnswer("Written."));
    await promptAndWait(session, "one");
    const done = promptAndWait(session, "two");
    const [card] = await waitForCards(session);
    const forked = harness
      .registry()
      .fork({ sessionId: session.id, atSeq: borderBefore(session, "two"), commandId: testCommandId() });
    expect(forked.ok && texts(forked.value.view)).toEqual(["one", "A1"]);
    expect(card !== undefined && session.answer(card.approvalId, { option: "once" }, testTab)).toBe(true);
    expect(await done).toBe("done");
  });
});
