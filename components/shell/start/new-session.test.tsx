// @vitest-environment happy-dom
import { act, screen } from "@testing-library/react";
import { expect, test } from "vitest";
import type { ErrorCode } from "@/lib/events/error";
import { asId, type ProjectId, type SessionId } from "@/lib/events/id";
import type { ModelServerState } from "@/lib/models/models";
import type { AppClient } from "../../state/client";
import { readDraft, writeDraft } from "../../chat/composer/drafts/drafts";
import { connectClient, renderForUser } from "../frame/test-dom";
import { usePath } from "../navigation/router";
import { NewSession } from "./new-session";

const projectId = asId<ProjectId>("p1");
const sessionId = asId<SessionId>("s1");
const row = {
  id: sessionId,
  projectId,
  cwd: "/work",
  title: "",
  status: "idle",
  mode: "ask",
  model: "",
  createdAt: 0,
  updatedAt: 0,
  lastSeq: 1,
  added: 0,
  removed: 0,
};

const models: ModelServerState = {
  status: "ready",
  host: "http://127.0.0.1:11434",
  models: [
    { name: "tiny", digest: "d", size: 1, parameters: "1B", contextLength: 8_192, capabilities: [], cloud: false },
  ],
  loaded: [],
  canStart: false,
};

/** Shows the new session at its address only: its field saves its text as long as it is shown. */
const Page = () => (usePath() === "/" ? <NewSession projectId={projectId} /> : null);

/** Sends a first message, which the server answers with an error when `refuse` is called. */
async function sendRefused(code: ErrorCode) {
  let refuse = (): void => {};
  const refused = new Promise<void>((resolve) => {
    refuse = resolve;
  });
  const server = await connectClient((name) => {
    if (name === "session.create") return { ok: true, value: { row } };
    if (name === "session.list") return { ok: true, value: { rows: [], more: false } };
    if (name === "project.open") return { ok: false, error: { code: "not_found" } };
    if (name === "session.open") return { ok: false, error: { code: "not_found" } };
    if (name !== "session.send") return undefined;
    return refused.then(() => ({ ok: false, error: { code } }));
  });
  server.client.serverState.merge({ models });
  const user = await renderForUser(server.client, <Page />);
  await user.type(await screen.findByRole("textbox"), "/skill:none do it{Enter}");
  await expect.poll(() => server.inputsOf("session.send")).toHaveLength(1);
  return { ...server, refuse };
}

/** Shows the field of the session, which records what is put into it. */
function showField(client: AppClient): readonly string[] {
  const inserted: string[] = [];
  const nothing = (): void => undefined;
  client.handles.conversation = {
    sessionId,
    insert: (text) => inserted.push(text) > 0,
    attach: nothing,
    offer: nothing,
    focusComposer: nothing,
    focusApproval: () => false,
    find: nothing,
  };
  return inserted;
}

test("the first message is shown until its session exists", async () => {
  let answer: (value: unknown) => void = () => undefined;
  const created = new Promise((resolve) => (answer = resolve));
  const server = await connectClient((name) => {
    if (name === "project.open") return { ok: false, error: { code: "not_found" } };
    if (name === "session.list") return { ok: true, value: { rows: [], more: false } };
    return name === "session.create" ? created : undefined;
  });
  server.client.serverState.merge({ models });
  const user = await renderForUser(server.client, <Page />);
  const field = await screen.findByRole("textbox");
  await user.type(field, "Fix it{Enter}");
  const shown = await screen.findByText("Fix it");
  expect(shown.contains(field)).toBe(false);
  await act(async () => answer({ ok: false, error: { code: "internal" } }));
  await expect.poll(() => screen.queryByText("Fix it", { selector: "p" })).toBeNull();
});

test("a refused first message leaves no session, and returns to the new session with what was typed since", async () => {
  const { client, refuse, inputsOf } = await sendRefused("not_found");
  showField(client);
  expect(location.pathname).toBe(`/s/${sessionId}`);
  writeDraft(sessionId, "typed since");
  await act(async () => refuse());
  await expect.poll(() => readDraft(`new.${projectId}`)).toBe("typed since\n/skill:none do it");
  await expect.poll(() => inputsOf("session.purge")).toEqual([{ sessionId }]);
  expect(inputsOf("session.remove")).toEqual([{ sessionId }]);
  expect([location.pathname, readDraft(sessionId)]).toEqual(["/", ""]);
});

test("a refused first message does not move a user who went elsewhere", async () => {
  const { client, refuse, inputsOf } = await sendRefused("not_found");
  showField(client);
  history.replaceState(null, "", "/settings");
  await act(async () => refuse());
  await expect.poll(() => inputsOf("session.purge")).toEqual([{ sessionId }]);
  expect([location.pathname, readDraft(`new.${projectId}`)]).toEqual(["/settings", "/skill:none do it"]);
});

test.each<ErrorCode>(["connection_lost", "timeout", "internal", "aborted"])(
  "after %s a first message may have arrived: the session stays, with the text in its field",
  async (code) => {
    const { client, refuse, inputsOf } = await sendRefused(code);
    const inserted = showField(client);
    await act(async () => refuse());
    await expect.poll(() => inserted).toEqual(["/skill:none do it"]);
    expect(inputsOf("session.remove")).toEqual([]);
  },
);

test("a first message without an answer becomes the draft of the session while its field is not shown", async () => {
  const { refuse } = await sendRefused("connection_lost");
  writeDraft(sessionId, "typed since");
  await act(async () => refuse());
  await expect.poll(() => readDraft(sessionId)).toBe("typed since\n/skill:none do it");
});
