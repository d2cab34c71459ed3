/** Tests of deleted sessions: they can be read, and continue only after they were restored. */
import { expect, test } from "vitest";
import type { Result } from "@/lib/events/error";
import { asId, type ApprovalId, type ClientId, type CommandId, type QueuedId } from "@/lib/events/id";
import { timeLimit } from "@/server/base/abort";
import { makeModelRig } from "@/server/models/integration/test-model-rig";
import { branchHandlers } from "./branch-handlers";
import { changeHandlers } from "./change-handlers";
import type { CommandClient } from "../handlers";
import { sessionHandlers } from "./session-handlers";

const client: CommandClient = { id: asId<ClientId>("tab"), access: "owner", join: () => {}, leave: () => {} };
let counted = 0;
const command = (): CommandId => asId<CommandId>(`b${(counted += 1)}`);
const codeOf = async (answer: Result<unknown> | Promise<Result<unknown>>): Promise<string> => {
  const result = await answer;
  return result.ok ? "ok" : result.error.code;
};

async function scene() {
  const rig = await makeModelRig({ turns: [{ text: "One." }, { text: "Two." }] }, { now: () => 9 });
  const { registry, store, projects, access, pushes } = rig;
  await access.models.refresh(timeLimit(5_000));
  const opened = await projects.open(rig.root);
  if (!opened.ok) throw new Error(opened.error.code);
  const { project, root } = opened.value;
  const table = { ...sessionHandlers(rig), ...branchHandlers(rig), ...changeHandlers(rig) };
  const session = registry.create({ projectId: project.id, cwd: root, mode: "ask", commandId: command() });
  const sent = session.send("go", "prompt", command());
  if (!sent.ok) throw new Error(sent.error.code);
  await sent.value.done;
  pushes.length = 0;
  return { table, session, pushes, store };
}

test("a deleted session cannot continue or change before it is restored; it can be read", async () => {
  const { table, session, pushes, store } = await scene();
  const { id: sessionId } = session;
  expect(await codeOf(table["session.remove"]({ sessionId }))).toBe("ok");
  expect(pushes).toEqual([{ type: "session_removed", sessionId }]);
  const { seq } = session.view;
  const on = () => ({ sessionId, commandId: command() });
  const queuedId = asId<QueuedId>("q");
  const answers = [
    table["session.send"]({ ...on(), text: "more", intent: "prompt" }, client),
    table["session.send"]({ ...on(), text: "again", intent: "prompt", rewindTo: 0 }, client),
    table["session.send"]({ ...on(), text: "now", intent: "prompt", queuedId }, client),
    table["session.resume"](on(), client),
    table["session.rewind"]({ ...on(), toSeq: 0 }),
    table["session.label"]({ ...on(), seq: 1, text: "name" }),
    table["session.model"]({ ...on(), model: "other" }),
    table["session.compact"](on()),
    table["session.edit_summary"]({ ...on(), of: 1, summary: "s" }),
    table["session.update"]({ ...on(), title: "t" }, client),
    table["session.unqueue"]({ ...on(), queuedId }),
    table["session.requeue"]({ ...on(), queuedId, text: "t" }),
    table["session.answer"]({ sessionId, approvalId: asId<ApprovalId>("a"), option: "once" }, client),
    table["session.restore_files"]({ ...on(), toSeq: 0, conversation: false }),
  ];
  expect(new Set(await Promise.all(answers.map(codeOf)))).toEqual(new Set(["in_bin"]));
  expect(session.view.seq).toBe(seq);
  expect(store.sessions.get(sessionId)?.lastSeq).toBe(seq);
  expect(await table["session.open"]({ sessionId }, client)).toMatchObject({
    ok: true,
    value: { snapshot: { seq }, row: { deletedAt: 9 } },
  });
  expect(await codeOf(table["session.restore"]({ sessionId }))).toBe("ok");
  expect(await codeOf(table["session.send"]({ ...on(), text: "more", intent: "prompt" }, client))).toBe("ok");
});

test("a prompt in progress when the session is deleted starts nothing", async () => {
  const { table, session } = await scene();
  const { id: sessionId } = session;
  const { seq } = session.view;
  const sent = table["session.send"]({ sessionId, commandId: command(), text: "more", intent: "prompt" }, client);
  const removed = table["session.remove"]({ sessionId });
  expect([await codeOf(sent), await codeOf(removed)]).toEqual(["in_bin", "ok"]);
  expect([session.view.seq, session.idle]).toEqual([seq, true]);
});

test("a queued command is not changed into one that cannot run", async () => {
  const { table, session } = await scene();
  session.runCommand("!sleep 60", command());
  session.runCommand("!ls", command());
  const [queued] = session.view.queue;
  if (queued === undefined) throw new Error("not queued");
  const edit = (text: string) =>
    codeOf(table["session.requeue"]({ sessionId: session.id, commandId: command(), queuedId: queued.id, text }));
  expect(await edit("!ls\0")).toBe("bad_input");
  expect(await edit("!!")).toBe("bad_input");
  expect(await edit(`!${"x".repeat(20_001)}`)).toBe("too_large");
  expect(session.view.queue).toMatchObject([{ text: "!ls" }]);
  expect(await edit("!ls -a")).toBe("ok");
  expect(await edit("a message")).toBe("ok");
  await session.abort();
});
