/** End of a run that goes wrong, and continuation of one whose file or log has changed since. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { isDurable } from "@/lib/events/event";
import type { Session } from "@/server/session/core/session-types";
import { makeGate, testCommandId, textAnswer, waitForView } from "@/server/session/testing/test-harness";
import { makeTestWorkflows, runOf, stepsOf } from "../test-workflows";

/** Calls `listener` right after the start of a step is stored. */
const onStepStart = (session: Session, listener: () => void): void => {
  const stop = session.subscribe((envelope) => {
    if (!isDurable(envelope) || envelope.event.type !== "step_start") return;
    stop();
    queueMicrotask(listener);
  });
};

test("an unexpected error ends the step and the workflow, with a reason", async () => {
  const bugs: unknown[] = [];
  const broken = new Error("broken");
  const rig = await makeTestWorkflows({
    send: () => Promise.reject(broken),
    reportBug: (_name, error) => void bugs.push(error),
  });
  rig.put("one", "steps: [{ id: a, prompt: hi }]\n");
  const session = await rig.start("one");
  expect(await rig.ended(session)).toMatchObject({ end: { reason: "failed", error: { code: "internal" } } });
  expect(runOf(session).steps.get("a")).toMatchObject({ state: "failed", error: { code: "internal" } });
  await rig.commands()["workflows.stop"]({ sessionId: session.id });
  expect(bugs).toEqual([broken]);
});

test("many steps that do nothing do not hold the event loop", async () => {
  const rig = await makeTestWorkflows();
  const items = JSON.stringify(Array.from({ length: 50 }, (_, index) => index));
  rig.put(
    "many",
    `steps:\n${["a", "b", "c", "d", "e"].map((id) => `  - { id: ${id}, run: x, when: "false", may_fail: true, for_each: ${items} }\n`).join("")}`,
  );
  const session = await rig.start("many");
  let turns = 0;
  const count = setInterval(() => void (turns += 1), 1);
  const run = await rig.ended(session);
  clearInterval(count);
  expect(run.end).toMatchObject({ reason: "failed", error: { code: "too_many" } });
  expect(run.steps.size).toBe(200);
  expect(turns).toBeGreaterThan(1);
});

describe("a stop right after a step has begun", () => {
  test("ends the step before it does anything", async () => {
    const rig = await makeTestWorkflows();
    rig.put("one", "steps: [{ id: q, ask: Sure? }, { id: a, prompt: hi }]\n");
    const gate = makeGate();
    rig.harness.script([gate, ...textAnswer("late")]);
    const session = await rig.start("one");
    await waitForView(session, ({ workflow }) => workflow.some(({ type }) => type === "step_start"));
    onStepStart(session, () => void rig.commands()["workflows.stop"]({ sessionId: session.id }));
    await rig
      .commands()
      ["workflows.answer"]({ sessionId: session.id, commandId: testCommandId(), step: "q", answer: "yes" });
    expect(await rig.ended(session)).toMatchObject({ end: { reason: "stopped" } });
    expect(runOf(session).steps.get("a")).toMatchObject({ state: "stopped", output: "" });
  });

  test("also of a command, when the folder is not trusted any more", async () => {
    const rig = await makeTestWorkflows();
    rig.put("one", "steps: [{ id: q, ask: Sure? }, { id: a, run: touch made }]\n");
    const session = await rig.start("one");
    await waitForView(session, ({ workflow }) => workflow.some(({ type }) => type === "step_start"));
    rig.allowAll(session);
    onStepStart(session, () => rig.feature().trustWithdrawn(rig.projectId));
    await rig
      .commands()
      ["workflows.answer"]({ sessionId: session.id, commandId: testCommandId(), step: "q", answer: "yes" });
    expect(await rig.ended(session)).toMatchObject({ end: { reason: "stopped" } });
    expect(existsSync(join(rig.harness.root, "made"))).toBe(false);
  });
});

describe("a file that was changed", () => {
  test("does not continue while a step that has run has another one in its place", async () => {
    const rig = await makeTestWorkflows();
    const put = (...commands: readonly string[]) =>
      rig.put("fix", `steps:\n${commands.map((command) => `  - run: ${command}\n`).join("")}`);
    put("echo r1 >> log", "exit 1", "echo r3 >> log");
    const session = await rig.start("fix");
    rig.allowAll(session);
    await rig.ended(session);
    put("echo r0 >> log", "echo r1 >> log", "echo r2 >> log", "echo r3 >> log");
    const moved = { error: { code: "changed_meanwhile", facts: { step: "echo r1 >> log" } } };
    expect(
      await rig.commands()["workflows.continue"]({ sessionId: session.id, commandId: testCommandId() }),
    ).toMatchObject(moved);
    expect(
      await rig.commands()["workflows.rerun"]({ sessionId: session.id, commandId: testCommandId(), step: "step_2" }),
    ).toMatchObject(moved);
    put("echo r1 >> log", "echo r2 >> log", "echo more >> log", "echo r3 >> log");
    expect(await rig.commands()["workflows.continue"]({ sessionId: session.id, commandId: testCommandId() })).toEqual({
      ok: true,
      value: null,
    });
    expect(await rig.ended(session)).toMatchObject({ end: { reason: "done" } });
    expect(readFileSync(join(rig.harness.root, "log"), "utf8")).toBe("r1\nr2\nmore\nr3\n");
  });

  test("while a question waited is the one that the log names", async () => {
    const rig = await makeTestWorkflows();
    rig.put("ask", "steps: [{ id: q, ask: Sure? }, { id: a, prompt: one }]\n");
    const session = await rig.start("ask");
    await waitForView(session, ({ workflow }) => workflow.some(({ type }) => type === "step_start"));
    const before = runOf(session).hash;
    rig.put("ask", "steps: [{ id: q, ask: Sure? }, { id: z, prompt: two }]\n");
    rig.harness.script(textAnswer("done"));
    await rig
      .commands()
      ["workflows.answer"]({ sessionId: session.id, commandId: testCommandId(), step: "q", answer: "yes" });
    const run = await rig.ended(session);
    expect(run.hash).not.toBe(before);
    expect(run.plan.map(({ id }) => id)).toEqual(["q", "z"]);
    expect(stepsOf(session)).toEqual([
      ["q", "ok", "yes"],
      ["z", "ok", "done"],
    ]);
  });
});

test("a workflow whose session is deleted has ended, also after a restart, and continues when it is restored", async () => {
  const rig = await makeTestWorkflows();
  rig.put("long", "steps: [{ id: a, prompt: think }]\n");
  const gate = makeGate();
  rig.harness.script([gate, ...textAnswer("late")]);
  const started = await rig.start("long");
  await gate.reached;
  await rig.harness.services().sessions.remove(started.id);
  expect(runOf(started)).toMatchObject({ end: { reason: "interrupted" } });
  const session = await rig.restart(started);
  expect(runOf(session)).toMatchObject({ end: { reason: "interrupted" } });
  rig.harness.services().sessions.restore(session.id);
  rig.harness.replaceScript(textAnswer("thought"));
  const again = { sessionId: session.id, commandId: testCommandId() };
  expect(await rig.commands()["workflows.continue"](again)).toEqual({ ok: true, value: null });
  expect(await rig.ended(session)).toMatchObject({ end: { reason: "done" } });
});

test("a command that is sent twice is done once, at the same time and later", async () => {
  const rig = await makeTestWorkflows();
  rig.put(
    "count",
    "steps:\n  - { id: q, ask: Sure? }\n  - { id: a, run: echo x >> log }\n  - { id: b, run: exit 1 }\n",
  );
  const session = await rig.start("count");
  rig.allowAll(session);
  await waitForView(session, ({ workflow }) => workflow.some(({ type }) => type === "step_start"));
  const command = () => ({ sessionId: session.id, commandId: testCommandId() });
  const [answer, again, rerun] = [{ ...command(), step: "q", answer: "yes" }, command(), { ...command(), step: "a" }];
  const twice = async (send: () => unknown): Promise<void> => {
    const sent = await Promise.all([send(), send()]);
    await rig.ended(session);
    expect([...sent, await send()]).toEqual(Array.from({ length: 3 }, () => ({ ok: true, value: null })));
  };
  await twice(() => rig.commands()["workflows.answer"](answer));
  await twice(() => rig.commands()["workflows.continue"](again));
  await twice(() => rig.commands()["workflows.rerun"](rerun));
  await rig.ended(session);
  expect(readFileSync(join(rig.harness.root, "log"), "utf8")).toBe("x\nx\n");
  const starts = session.view.workflow.filter(({ type }) => type === "workflow_start");
  expect(starts).toHaveLength(3);
});

describe("a step that was interrupted", () => {
  const interrupted = async () => {
    const rig = await makeTestWorkflows();
    rig.put("two", "steps: [{ id: a, prompt: one }]\n");
    const gate = makeGate();
    rig.harness.script([gate, ...textAnswer("late")]);
    const started = await rig.start("two");
    await gate.reached;
    const session = await rig.restart(started);
    return { rig, session };
  };

  test("has the answer that its session got when it was continued", async () => {
    const { rig, session } = await interrupted();
    rig.harness.replaceScript(textAnswer("answered"));
    const resumed = await rig.harness
      .services()
      .sessions.resume({ sessionId: session.id, commandId: testCommandId() }, rig.client);
    expect(resumed.ok).toBe(true);
    await waitForView(session, (view) => view.run === null && view.entries.length > 0);
    expect(await rig.commands()["workflows.continue"]({ sessionId: session.id, commandId: testCommandId() })).toEqual({
      ok: true,
      value: null,
    });
    expect(await rig.ended(session)).toMatchObject({ end: { reason: "done" } });
    expect(stepsOf(session)).toEqual([["a", "ok", "answered"]]);
  });

  test("is continued by one of two clients: the other one changes nothing", async () => {
    const { rig, session } = await interrupted();
    const gate = makeGate();
    rig.harness.replaceScript([gate, ...textAnswer("again")]);
    const [, skipping] = await Promise.all(
      (["again", "skip"] as const).map((unknown) =>
        rig.commands()["workflows.continue"]({ sessionId: session.id, commandId: testCommandId(), unknown }),
      ),
    );
    gate.open();
    await rig.ended(session);
    // Either may be first.
    const skipped = session.view.workflow.filter((entry) => entry.type === "step_end" && entry.outcome === "skipped");
    expect(skipped).toHaveLength(skipping?.ok === true ? 1 : 0);
  });
});
