import { describe, expect, test } from "vitest";
import type { Result } from "@/lib/events/error";
import { asId, type ClientId, type ProjectId, type SessionId } from "@/lib/events/id";
import { modes } from "@/lib/permissions/policy";
import { type RemoteRight, remoteRights } from "@/lib/permissions/remote-rights";
import { pathEntries, pendingApprovals } from "@/lib/view/view";
import {
  callAnswer,
  makeTestHarness,
  testCommandId,
  textAnswer,
  waitForCards,
  waitForView,
} from "../testing/test-harness";
import { makeRemoteSessions, type RemoteSessions } from "./remote-sessions";

const ada = { kind: "channel", name: "Ada" } as const;
const codeOf = (result: Result<unknown>): string => (result.ok ? "ok" : result.error.code);

/** A session that waits for a card, and the sessions as Ada uses them by each right. */
async function waitingSession() {
  const harness = await makeTestHarness();
  const session = harness.session();
  const { projectId } = session.view;
  harness.script(callAnswer(["bash", { command: "touch made.txt" }]), textAnswer("Done."));
  session.send("go", "prompt", testCommandId());
  const [card] = await waitForCards(session);
  if (card === undefined) throw new Error("no card");
  const as = (right: RemoteRight, mayUse: (id: ProjectId) => boolean = (id) => id === projectId): RemoteSessions =>
    makeRemoteSessions(harness.sessions(), { id: asId<ClientId>("ada"), origin: ada, right, mayUse });
  return { harness, session, projectId, card, as };
}

/** Each member with valid input; the answer is a denial. */
const calls: Readonly<
  Record<
    string,
    (sessions: RemoteSessions, waiting: Awaited<ReturnType<typeof waitingSession>>) => Promise<Result<unknown>>
  >
> = {
  get: async (sessions, { session }) => sessions.get(session.id),
  open: async (sessions, { session }) => sessions.open(session.id),
  list: async (sessions, { projectId }) => sessions.list({ projectId }),
  create: (sessions, { projectId }) => sessions.create({ projectId, commandId: testCommandId() }),
  send: (sessions, { session }) =>
    sessions.send({ sessionId: session.id, commandId: testCommandId(), text: "more", intent: "steer" }),
  setMode: async (sessions, { session }) =>
    sessions.setMode({ sessionId: session.id, commandId: testCommandId(), mode: "plan" }),
  answer: (sessions, { session, card }) =>
    sessions.answer({ sessionId: session.id, approvalId: card.approvalId, option: "deny", reason: "no" }),
  resume: (sessions, { session }) => sessions.resume({ sessionId: session.id, commandId: testCommandId() }),
  stop: (sessions, { session }) => sessions.stop(session.id),
};

const needed: Readonly<Record<string, RemoteRight>> = { get: "look", open: "look", list: "look", answer: "answer" };

describe("by right", () => {
  test.each(remoteRights.flatMap((right) => Object.keys(calls).map((name) => [right, name] as const)))(
    "%s: %s",
    async (right, name) => {
      const waiting = await waitingSession();
      const isAllowed = remoteRights.indexOf(right) >= remoteRights.indexOf(needed[name] ?? "talk");
      const answer = await calls[name]?.(waiting.as(right), waiting);
      // There is nothing to continue while a card waits.
      const expected = name === "resume" ? "not_idle" : "ok";
      expect(answer && codeOf(answer)).toBe(isAllowed ? expected : "not_allowed");
      const elsewhere = waiting.as("answer", () => false);
      const hidden = await calls[name]?.(elsewhere, waiting);
      expect(hidden && codeOf(hidden)).toBe("not_found");
      await waiting.session.abort();
    },
  );
});

test.each(modes)("%s: starts no run with more rights than Ask mode has", async (mode) => {
  const { harness, session, as } = await waitingSession();
  await session.abort();
  session.update({ mode }, testCommandId());
  harness.script(textAnswer("Hello."));
  const sent = await as("answer").send({
    sessionId: session.id,
    commandId: testCommandId(),
    text: "hi",
    intent: "prompt",
  });
  expect(codeOf(sent)).toBe(mode === "ask" || mode === "plan" ? "ok" : "not_allowed");
  await waitForView(session, (view) => view.run === null);
});

test("creates sessions in Ask mode, whatever the default of the settings is", async () => {
  const { harness, session, projectId, as } = await waitingSession();
  await session.abort();
  harness.settings.current = { ...harness.settings.current, mode: "edits" };
  const created = await as("talk").create({ projectId, commandId: testCommandId() });
  const { row } = created.ok ? created.value : { row: undefined };
  expect(harness.sessions().open(row?.id ?? asId<SessionId>("none"))).toMatchObject({
    value: { snapshot: { mode: "ask" } },
  });
});

test("an answer counts once, for its approval only, and has the name of who gave it", async () => {
  const { session, card, as } = await waitingSession();
  const answer = { sessionId: session.id, approvalId: card.approvalId, option: "once" } as const;
  const both = await Promise.all([as("answer").answer(answer), as("answer").answer({ ...answer, option: "deny" })]);
  expect(both.map((one) => one.ok && one.value.won)).toEqual([true, false]);
  await waitForView(session, (view) => view.run === null);
  expect(pendingApprovals(session.view)).toEqual([]);
  const answered = pathEntries(session.view).flatMap((entry) => (entry.kind === "message" ? entry.calls : []));
  expect(answered[0]?.approvals[0]?.response).toMatchObject({ option: "once", origin: ada });
});

test("its messages have its name", async () => {
  const { harness, session, as } = await waitingSession();
  await session.abort();
  harness.script(textAnswer("Hello."));
  await as("talk").send({ sessionId: session.id, commandId: testCommandId(), text: "hi", intent: "prompt" });
  await waitForView(session, (view) => view.run === null && pathEntries(view).length > 2);
  const last = pathEntries(session.view).findLast((entry) => entry.kind === "message" && entry.role === "user");
  expect(last).toMatchObject({ origin: ada });
});

test("a mode that the user changes while a message is prepared counts", async () => {
  const { harness, session, as } = await waitingSession();
  await session.abort();
  const { seq } = session.view;
  const sending = as("talk").send({ sessionId: session.id, commandId: testCommandId(), text: "hi", intent: "prompt" });
  session.update({ mode: "full" }, testCommandId());
  expect(codeOf(await sending)).toBe("not_allowed");
  expect(
    harness.store.events
      .read(session.id)
      .filter((row) => row.seq > seq)
      .map(({ event }) => event.type),
  ).toEqual(["session_update"]);
});
