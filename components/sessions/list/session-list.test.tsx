// @vitest-environment happy-dom
/** The filter of the sessions in the side panel. */
import { screen, waitFor } from "@testing-library/react";
import { expect, test } from "vitest";
import { asId, type SessionId } from "@/lib/events/id";
import type { SessionStatus } from "@/lib/protocol/session-row";
import { makeSessionRow } from "@/lib/testing/test-session-row";
import { en } from "../../messages/en";
import * as enLate from "../../messages/en-late";
import { connectClient, renderForUser } from "../../shell/frame/test-dom";
import { SessionList } from "./session-list";

const rowOf = (id: string, status: SessionStatus) =>
  makeSessionRow({ id: asId<SessionId>(id), title: `${status} ${id}`, status });
const rows = [rowOf("a", "idle"), rowOf("b", "running"), rowOf("c", "waiting"), rowOf("d", "error")];

/** Answers as the server does. */
function answer(name: string, input: unknown): unknown {
  if (name !== "session.list") return undefined;
  const has = (key: string): boolean => typeof input === "object" && input !== null && key in input;
  const listed = rows.filter(({ status }) => {
    if (has("pinned")) return false;
    if (has("active")) return status === "running" || status === "waiting";
    return !has("failed") || status === "error";
  });
  return { ok: true, value: { rows: listed, more: false } };
}

test.each([
  ["running", ["running b"]],
  ["waiting", ["waiting c"]],
  ["failed", ["error d"]],
  ["all", ["idle a", "running b", "waiting c", "error d"]],
] as const)("%s: %j", async (state, titles) => {
  const { client } = await connectClient(answer);
  const user = await renderForUser(
    client,
    <SessionList
      projectId={rows[0]?.projectId ?? null}
      projects={[]}
      currentId={null}
      onNew={() => undefined}
      onRemoved={() => undefined}
    />,
  );
  await screen.findByText("idle a");
  await user.click(screen.getByRole("button", { name: en.sessions.filter }));
  await user.click(await screen.findByRole("menuitemradio", { name: enLate.sessionHistory.shown[state] }));
  const shown = () =>
    ["idle a", "running b", "waiting c", "error d"].filter((title) => screen.queryByText(title) !== null);
  await waitFor(() => expect(shown()).toEqual(titles));
});
