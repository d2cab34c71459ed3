/**
 * Tests of a session's context over the real wire: a small window, a server that refuses by its own count, and the
 * commands.
 */
import { describe, expect, test } from "vitest";
import { type ScriptedTurn } from "@/e2e/fixtures/scripted-model.mjs";
import { asId, type CallId, type CommandId } from "@/lib/events/id";
import { activeCompaction } from "@/lib/view/snapshot";
import { joinTextBlocks } from "@/lib/events/content";
import { pathEntries } from "@/lib/view/view";
import type { Session } from "@/server/session/core/session-types";
import { makeModelRig, type ModelRig } from "@/server/models/integration/test-model-rig";
import { contextHandlers } from "./context-handlers";

const never = new AbortController().signal;
let counted = 0;
const command = (): CommandId => asId<CommandId>(`x${(counted += 1)}`);

const counts = (from: number): ScriptedTurn => ({
  text: "Next.",
  toolCalls: [{ name: "bash", arguments: { command: `seq ${from} ${from + 60}` } }],
});
const summary = { when: "The conversation is about to be shortened", turn: { text: "The summary." } };

async function sessionIn(rig: ModelRig): Promise<Session> {
  await rig.access.models.refresh(never);
  const project = await rig.projects.open(rig.root);
  if (!project.ok) throw new Error(project.error.code);
  const { project: row, root } = project.value;
  return rig.registry.create({ projectId: row.id, cwd: root, mode: "full", commandId: command() });
}

const ask = async (session: Session, text: string) => {
  const sent = session.send(text, "prompt", command());
  return sent.ok ? sent.value.done : sent.error.code;
};
const kinds = (session: Session): readonly string[] => pathEntries(session.view).map((entry) => entry.kind);
const compactions = (session: Session) =>
  pathEntries(session.view).flatMap((entry) => (entry.kind === "compaction" ? [entry] : []));

describe("a window of 4k over the wire", () => {
  test("is never exceeded in a run of many steps, which compacts and continues by itself", async () => {
    const turns = [...Array.from({ length: 24 }, (_, index) => counts(index * 100)), { text: "Counted." }];
    const rig = await makeModelRig({ turns, side: summary, allocated: 4_096 });
    rig.settings.current = { ...rig.settings.current, contextMaxTokens: 4_096, think: false };
    const session = await sessionIn(rig);
    expect(await ask(session, "Count to the end of it all.")).toBe("done");
    expect(compactions(session).length).toBeGreaterThan(1);
    expect(compactions(session).every((entry) => entry.state === "done" && entry.mechanical !== true)).toBe(true);
    expect(kinds(session)).not.toContain("retry");
    expect(kinds(session)).not.toContain("error");
    const chats = rig.model.requests.filter(({ path }) => path === "/api/chat");
    for (const { raw } of chats.slice(1)) expect(raw).toContain("Count to the end of it all.");
    expect(new Set(chats.map(({ raw }) => /"num_ctx":(\d+)/.exec(raw)?.[1])).size).toBe(1);
  });

  test("that the server did not report is learned from its refusal, and the run continues", async () => {
    const turns = [...Array.from({ length: 24 }, (_, index) => counts(index * 100)), { text: "Counted." }];
    const rig = await makeModelRig({
      turns,
      side: summary,
      allocated: 4_096,
      fixed: { "GET /api/ps": { body: { models: [] } } },
    });
    rig.settings.current = { ...rig.settings.current, contextMaxTokens: 16_384, think: false };
    const session = await sessionIn(rig);
    expect(await ask(session, "Count to the end of it all.")).toBe("done");
    const retries = pathEntries(session.view).flatMap((entry) => (entry.kind === "retry" ? [entry.error] : []));
    expect(retries).toMatchObject([{ code: "window_full", facts: { window: 4_096 } }]);
    expect(compactions(session)[0]).toMatchObject({ state: "done", why: "window" });
    expect(kinds(session)).not.toContain("error");
  });
});

describe("commands about the context", () => {
  test("return it, compact it, store the user's summary, and refuse invalid requests", async () => {
    const turns = Array.from({ length: 6 }, (_, index) => ({
      text: `Answer ${index}.${" It takes many words to say so little.".repeat(60)}`,
    }));
    const rig = await makeModelRig({ turns, side: summary, allocated: 8_192 });
    const session = await sessionIn(rig);
    const { id: sessionId } = session;
    const table = contextHandlers(rig);
    expect(await table["session.context"]({ sessionId })).toMatchObject({ error: { code: "no_model" } });
    expect(await table["session.compact"]({ sessionId, commandId: command() })).toMatchObject({
      error: { code: "no_summary" },
    });
    for (let turn = 0; turn < 6; turn += 1) await ask(session, `Question ${turn}.`);
    await rig.access.models.refresh(never);
    expect(await table["session.context"]({ sessionId })).toMatchObject({
      ok: true,
      value: { window: { inForce: 8_192, allocated: 8_192, own: 131_072 } },
    });
    expect(await table["session.answer_now"]({ sessionId })).toEqual({ ok: true, value: { accepted: false } });
    const callId = asId<CallId>("none");
    expect(await table["session.end_command"]({ sessionId, callId })).toEqual({ ok: true, value: { ended: false } });
    expect(await table["session.restart_shell"]({ sessionId })).toEqual({ ok: true, value: null });

    expect(await table["session.compact"]({ sessionId, commandId: command(), focus: "it all" })).toMatchObject({
      ok: true,
    });
    await new Promise<void>((resolve) => {
      const check = (): void => (compactions(session)[0]?.state === "done" ? resolve() : undefined);
      session.subscribe(check);
      check();
    });
    const compactionSeq = compactions(session)[0]?.seq ?? 0;
    const edit = { sessionId, commandId: command(), of: compactionSeq, summary: "My words." };
    expect(await table["session.edit_summary"](edit)).toMatchObject({ ok: true });
    expect(joinTextBlocks(activeCompaction(session.view)?.head ?? [])).toContain("My words.");
    expect(await table["session.edit_summary"]({ ...edit, commandId: command(), of: compactionSeq + 1 })).toMatchObject(
      {
        error: { code: "gone" },
      },
    );
    expect(await table["session.context"]({ sessionId: asId("none") })).toMatchObject({
      error: { code: "not_found" },
    });
  });
});
