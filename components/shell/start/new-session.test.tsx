// @vitest-environment happy-dom
import { act, screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { asId, type ProjectId, type SessionId } from "@/lib/events/id";
import type { ModelServerState } from "@/lib/models/models";
import { readDraft, writeDraft } from "../../chat/composer/drafts/drafts";
import { connectClient, renderForUser } from "../frame/test-dom";
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

/** Sends a first message, which the server refuses when `refuse` is called. */
async function sendRefused() {
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
    return refused.then(() => ({ ok: false, error: { code: "not_found" } }));
  });
  server.client.serverState.merge({ models });
  const user = await renderForUser(server.client, <NewSession projectId={projectId} />);
  await user.type(await screen.findByRole("textbox"), "/skill:none do it{Enter}");
  await expect.poll(() => server.inputsOf("session.send")).toHaveLength(1);
  return { client: server.client, refuse };
}

test("a refused first message becomes the draft of the session while its field is not shown", async () => {
  const { client, refuse } = await sendRefused();
  // The field of the new session is still there.
  expect(client.handles.conversation?.sessionId).toBeNull();
  writeDraft(sessionId, "typed since");
  await act(async () => refuse());
  await expect.poll(() => readDraft(sessionId)).toBe("typed since\n/skill:none do it");
});

test("a refused first message returns to the session's field, if it is shown", async () => {
  const { client, refuse } = await sendRefused();
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
  await act(async () => refuse());
  await expect.poll(() => inserted).toEqual(["/skill:none do it"]);
  expect(readDraft(sessionId)).toBe("");
});
