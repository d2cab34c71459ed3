/** The mode after "Accept edits" on a card, also on one that an earlier version offered to a subagent. */
import { expect, test } from "vitest";
import { asId, type CallId, type SessionId } from "@/lib/events/id";
import { type Mode, modes } from "@/lib/permissions/policy";
import { makeTestHarness } from "@/server/session/testing/test-harness";
import { judgeForSession, modeChangesOf } from "./accepted-edits";

const edits = [{ type: "session_update", mode: "edits" }];
const callId = asId<CallId>("c");
const subagentOf = (sessionId: SessionId) => ({ sessionId, relation: "subagent", callId }) as const;

test("only this answer changes the mode, and only that of a session which is no subagent in every mode", async () => {
  const { session, store } = await makeTestHarness();
  for (const mode of modes) {
    expect(modeChangesOf("once", { mode }, store.sessions)).toEqual([]);
    expect(modeChangesOf("edits", { mode }, store.sessions)).toEqual(edits);
    const parent = { sessionId: session("plan").id, relation: "fork", atSeq: 0 } as const;
    expect(modeChangesOf("edits", { mode, parent }, store.sessions)).toEqual(edits);
  }
});

const rows: readonly (readonly [own: Mode, parent: Mode, changes: boolean])[] = modes.flatMap((own) =>
  modes.map((parent) => [own, parent, own !== "plan" && (parent === "edits" || parent === "full")] as const),
);
test.each(rows)(
  "a subagent in %s of a parent in %s: switched to Accept edits is %s",
  async (mode, parentMode, changes) => {
    const { session, store } = await makeTestHarness();
    const parent = subagentOf(session(parentMode).id);
    expect(modeChangesOf("edits", { mode, parent }, store.sessions)).toEqual(changes ? edits : []);
  },
);

test("a subagent whose parent is gone stays in its mode", async () => {
  const { store } = await makeTestHarness();
  const parent = subagentOf(asId<SessionId>("gone"));
  expect(modeChangesOf("edits", { mode: "ask", parent }, store.sessions)).toEqual([]);
});

test("the cards of a subagent leave the option out", () => {
  const asks = { decision: { kind: "ask", reason: "writes", options: ["once", "edits", "deny"] } } as const;
  const parent = subagentOf(asId<SessionId>("p"));
  expect(judgeForSession(asks, {})).toEqual(asks);
  expect(judgeForSession(asks, { parent })).toMatchObject({ decision: { options: ["once", "deny"] } });
});
