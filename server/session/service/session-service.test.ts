import { describe, expect, test } from "vitest";
import type { CommandInput } from "@/lib/protocol/command";
import type { Result } from "@/lib/events/error";
import { asId, type BlobId, type ClientId, type ProjectId, type QueuedId, type SessionId } from "@/lib/events/id";
import { pathEntries } from "@/lib/view/view";
import { makeModelRig } from "@/server/models/integration/test-model-rig";
import {
  callAnswer,
  type TestHarness,
  makeGate,
  makeTestHarness,
  promptAndWait,
  storedRows,
  testCommandId,
  textAnswer,
  waitForCards,
  waitForView,
} from "../testing/test-harness";
import type { SessionClient } from "./session-service";
import { queueMaxEntries } from "../core/queue";

const cli = { kind: "cli" } as const;
const tab: SessionClient = { id: asId<ClientId>("tab") };
const terminal: SessionClient = { id: asId<ClientId>("run"), origin: cli };
const codeOf = (result: Result<unknown>): string => (result.ok ? "ok" : result.error.code);
type SendInput = Omit<CommandInput<"session.send">, "sessionId" | "commandId">;
const prompt: SendInput = { text: "hi", intent: "prompt" };
const image = { blob: asId<BlobId>("b"), mime: "image/png" };

/** A session that has answered once. */
async function answeredSession() {
  const harness = await makeTestHarness();
  const session = harness.session();
  harness.script(textAnswer("One."));
  await promptAndWait(session, "go");
  return { harness, session };
}

/** A run that waits for the model. */
async function begin(harness: TestHarness, id: SessionId) {
  const gate = makeGate();
  harness.script([gate, ...textAnswer("Two.")], textAnswer("Three."));
  await harness.sessions().send({ sessionId: id, commandId: testCommandId(), ...prompt }, tab);
  await gate.reached;
  return gate;
}

describe("a prompt to an idle session", () => {
  test.each<readonly [code: string, what: string, more: Partial<SendInput>]>([
    ["ok", "is sent", {}],
    ["ok", "replaces what came after a border", { rewindTo: 0 }],
    ["ok", "switches to a model", { model: "other" }],
    ["not_border", "goes back to a border only", { rewindTo: 2 }],
    ["gone", "replaces only a message that still waits", { queuedId: asId<QueuedId>("q") }],
    ["no_vision", "has no images for a model without vision", { images: [image] }],
  ])("%s: %s", async (code, _what, more) => {
    const { harness, session } = await answeredSession();
    const { seq } = session.view;
    harness.script(textAnswer("Two."));
    const answer = await harness
      .sessions()
      .send({ sessionId: session.id, commandId: testCommandId(), ...prompt, ...more }, tab);
    expect(codeOf(answer)).toBe(code);
    if (code !== "ok") expect(harness.store.sessions.get(session.id)?.lastSeq).toBe(seq);
    await waitForView(session, (view) => view.run === null);
  });

  test("starts nothing in a session that does not exist, is deleted, or is deleted meanwhile", async () => {
    const { harness, session } = await answeredSession();
    const sessions = harness.sessions();
    const { seq } = session.view;
    const send = (sessionId: SessionId) => sessions.send({ sessionId, commandId: testCommandId(), ...prompt }, tab);
    expect(codeOf(await send(asId<SessionId>("none")))).toBe("not_found");
    const [sent] = await Promise.all([send(session.id), sessions.remove(session.id)]);
    expect(codeOf(sent)).toBe("in_bin");
    expect(codeOf(await send(session.id))).toBe("in_bin");
    expect(storedRows(harness, session.id).at(-1)?.seq).toBe(seq);
    expect(codeOf(sessions.restore(session.id))).toBe("ok");
    harness.script(textAnswer("Two."));
    expect(codeOf(await send(session.id))).toBe("ok");
    await waitForView(session, (view) => view.run === null);
  });
});

describe("a prompt during a run", () => {
  test("is queued, up to a limit, and has no options of an idle session", async () => {
    const { harness, session } = await answeredSession();
    const gate = await begin(harness, session.id);
    const sessions = harness.sessions();
    const send = async (more: Partial<SendInput> = {}) =>
      codeOf(await sessions.send({ sessionId: session.id, commandId: testCommandId(), ...prompt, ...more }, tab));
    expect([await send({ rewindTo: 0 }), await send({ model: "other" })]).toEqual(["not_idle", "not_idle"]);
    for (let count = 0; count < queueMaxEntries; count += 1) expect(await send()).toBe("ok");
    expect([await send(), session.view.queue.length]).toEqual(["too_many", queueMaxEntries]);
    gate.open();
    await waitForView(session, (view) => view.run === null);
  });
});

test.each([
  ["no_model", { models: [] }, {}],
  ["model_missing", {}, { model: "none:1b" }],
  ["ok", {}, { model: "scripted" }],
] as const)("%s: the model list is loaded before a model is chosen", async (code, script, more) => {
  const { sessions, projects, root: folder } = await makeModelRig({ turns: [{ text: "One." }], ...script });
  const opened = await projects.open(folder);
  if (!opened.ok) throw new Error(opened.error.code);
  const created = await sessions.create({ projectId: opened.value.project.id, commandId: testCommandId() }, tab);
  if (!created.ok) throw new Error(created.error.code);
  const sent = await sessions.send(
    { sessionId: created.value.row.id, commandId: testCommandId(), ...prompt, ...more },
    tab,
  );
  expect(codeOf(sent)).toBe(code);
  await sessions.stop(created.value.row.id);
});

test("a session is created in a project, and in Full access only where the user trusts the folder", async () => {
  const harness = await makeTestHarness();
  const sessions = harness.sessions();
  const { projectId } = harness.session().view;
  const create = async (mode: "ask" | "full", client = tab, id: ProjectId = projectId) =>
    codeOf(await sessions.create({ projectId: id, commandId: testCommandId(), mode }, client));
  expect(await create("ask", tab, asId<ProjectId>("none"))).toBe("not_found");
  expect([await create("ask"), await create("full"), await create("full", terminal)]).toEqual([
    "ok",
    "untrusted",
    "ok",
  ]);
  const on = { sessionId: harness.session().id, mode: "full" } as const;
  expect(codeOf(sessions.update({ ...on, commandId: testCommandId() }, tab))).toBe("untrusted");
  expect(codeOf(sessions.update({ ...on, commandId: testCommandId() }, terminal))).toBe("ok");
  harness.store.projects.setTrust(projectId, 1);
  expect([await create("full"), codeOf(sessions.update({ ...on, commandId: testCommandId() }, tab))]).toEqual([
    "ok",
    "ok",
  ]);
});

describe("the origin", () => {
  test("of a prompt, a steer and an answer is stored and survives a restart; the browser's has none", async () => {
    const harness = await makeTestHarness();
    const session = harness.session();
    const sessions = harness.sessions();
    const send = (text: string, client = tab) =>
      sessions.send({ sessionId: session.id, commandId: testCommandId(), text, intent: "prompt" }, client);
    harness.script(callAnswer(["bash", { command: "echo a > a" }]), textAnswer("Done."), textAnswer("Again."));
    await send("from the terminal", terminal);
    const [card] = await waitForCards(session);
    await send("a steer of the terminal", terminal);
    await send("a steer of the browser");
    expect(session.view.queue.map(({ origin }) => origin)).toEqual([cli, undefined]);
    const order = { sessionId: session.id, approvalId: card?.approvalId ?? asId(""), option: "once" } as const;
    expect(await sessions.answer(order, terminal)).toEqual({ ok: true, value: { won: true } });
    expect(await sessions.answer(order, tab)).toEqual({ ok: true, value: { won: false } });
    await waitForView(session, (view) => view.run === null);
    await harness.restart();
    const messages = pathEntries(harness.reload(session).view).filter((entry) => entry.kind === "message");
    expect(messages.filter(({ role }) => role === "user").map(({ origin }) => origin)).toEqual([cli, cli, undefined]);
    expect(messages.flatMap(({ calls }) => calls)[0]?.approvals[0]?.response).toMatchObject({
      by: terminal.id,
      origin: cli,
    });
    const bodies = storedRows(harness, session.id).map(({ event }) => JSON.stringify(event));
    expect(bodies.filter((body) => body.includes('"origin"')).length).toBe(5);
  });

  test("of a client that this version does not have is kept", async () => {
    const { harness, session } = await answeredSession();
    const origin = { kind: "channel", name: "a later one" };
    const start = { type: "message_start", messageId: "m", role: "user", origin };
    const end = { type: "message_end", messageId: "m", blocks: [], stop: "done" };
    const events = [start, end];
    const from = session.view.seq;
    const rows = events.map((event, index) => ({
      seq: from + 1 + index,
      at: 1,
      event: JSON.parse(JSON.stringify(event)),
    }));
    harness.store.events.commit({ sessionId: session.id, rows });
    await harness.restart();
    const entry = pathEntries(harness.reload(session).view).at(-1);
    expect(entry).toMatchObject({ kind: "message", origin });
  });
});

test("only a message of a workflow that begins like the use of a skill is sent as it is", async () => {
  const { harness, session } = await answeredSession();
  const send = async (client: SessionClient) =>
    codeOf(
      await harness
        .sessions()
        .send({ sessionId: session.id, commandId: testCommandId(), ...prompt, text: "/skill:none do it" }, client),
    );
  expect(await send(tab)).toBe("not_found");
  harness.script(textAnswer("Two."));
  expect(await send({ ...tab, origin: { kind: "workflow", name: "w" } })).toBe("ok");
  await waitForView(session, (view) => view.run === null);
});
