/** Runs of workflows over real sessions, files and bash: each kind of step, its values, its failures, and how it continues. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { asId, type CommandId } from "@/lib/events/id";
import {
  callAnswer,
  failureAnswer,
  makeGate,
  testCommandId,
  testTab,
  textAnswer,
  waitForCards,
  waitForView,
} from "@/server/session/testing/test-harness";
import { makeTestWorkflows, runOf, stepsOf } from "../test-workflows";

const lastUserText = (
  request: { readonly messages: readonly { readonly role: string; readonly text: string }[] } | undefined,
) => request?.messages.findLast(({ role }) => role === "user")?.text ?? "";

test("the steps run in order in one session, and a prompt gets the values of earlier steps alone", async () => {
  const rig = await makeTestWorkflows();
  rig.put(
    "review",
    `
inputs: { name: { default: the cart } }
steps:
  - id: list
    run: printf 'a.txt\\nb.txt\\n'
  - id: review
    prompt: "Review \${{ inputs.name }}: \${{ join(lines(steps.list.output), ' and ') }}"
    outputs: { first: "lines(output).0" }
  - id: note
    tool: write
    with: { path: note.txt, content: "\${{ steps.review.outputs.first }}" }
  - id: never
    run: touch never
    when: steps.list.exit != 0
`,
  );
  rig.harness.script(textAnswer("It is fine.\nReally."));
  const session = await rig.start("review");
  rig.allowAll(session);
  const run = await rig.ended(session);
  expect(run).toMatchObject({ name: "review", place: "home", end: { reason: "done" } });
  expect(stepsOf(session)).toEqual([
    ["list", "ok", "a.txt\nb.txt"],
    ["review", "ok", "It is fine.\nReally."],
    ["note", "ok", expect.stringContaining("note.txt")],
    ["never", "skipped", ""],
  ]);
  expect(run.steps.get("review")?.tokens).toBe(5);
  expect(readFileSync(join(rig.harness.root, "note.txt"), "utf8").trim()).toBe("It is fine.");
  expect(existsSync(join(rig.harness.root, "never"))).toBe(false);
  // The calls of steps are not in the conversation with the model.
  const [request] = rig.harness.requests;
  expect(request?.messages.map(({ role }) => role)).toEqual(["system", "user"]);
  expect(lastUserText(request)).toContain("Review the cart: a.txt and b.txt");
});

test("a value reaches bash as one word, whatever it contains", async () => {
  const hostile = [
    "$(touch hacked)",
    "`touch hacked`",
    "'; touch hacked; '",
    '"; touch hacked; "',
    "\\'; touch hacked #",
    "a\nb; touch hacked\nEOF\ntouch hacked",
    "-rf *",
    "${IFS}touch${IFS}hacked",
    "x' \"$(touch hacked)\" 'y",
  ];
  const rig = await makeTestWorkflows();
  rig.put(
    "echo",
    `
inputs: { x: {} }
steps:
  - id: a
    run: |
      printf '<%s>' "$X"
      printf '[%s]' "$Y"
    env: { X: "\${{ inputs.x }}", Y: "y \${{ inputs.x }}" }
`,
  );
  for (const value of hostile) {
    const session = await rig.start("echo", { x: value });
    rig.allowAll(session);
    await rig.ended(session);
    expect(stepsOf(session)).toEqual([["a", "ok", `<${value}>[y ${value}]`]]);
  }
  expect(existsSync(join(rig.harness.root, "hacked"))).toBe(false);
});

describe("a step asks", () => {
  test("for approval like a call of the model; a denied one fails, and the rest does not run", async () => {
    const rig = await makeTestWorkflows();
    rig.put("make", "steps:\n  - { id: a, run: touch made }\n  - { id: b, prompt: go on }\n");
    const session = await rig.start("make");
    const [card] = await waitForCards(session);
    expect(existsSync(join(rig.harness.root, "made"))).toBe(false);
    session.answer(card?.approvalId ?? expect.fail(), { option: "deny", reason: "No." }, testTab);
    expect(await rig.ended(session)).toMatchObject({ end: { reason: "failed" } });
    expect(runOf(session).steps.get("a")).toMatchObject({ state: "failed", error: { code: "denied" } });
    expect([...runOf(session).steps.keys()]).toEqual(["a"]);
  });

  test("a question, which survives a kill, and takes one of its answers", async () => {
    const rig = await makeTestWorkflows();
    rig.put(
      "ask",
      `steps:
  - { id: sure, ask: "Publish?", options: ["Yes", "No"] }
  - { id: go, run: echo published, when: steps.sure.output == 'Yes' }
`,
    );
    const started = await rig.start("ask");
    await waitForView(started, ({ workflow }) => workflow.some(({ type }) => type === "step_start"));
    const session = await rig.restart(started);
    expect(runOf(session).end).toBeNull();
    expect(rig.harness.store.sessions.get(session.id)?.status).toBe("waiting");
    const answer = (text: string) =>
      rig
        .commands()
        ["workflows.answer"]({ sessionId: session.id, commandId: testCommandId(), step: "sure", answer: text });
    expect(await answer("Maybe")).toMatchObject({ error: { code: "bad_input" } });
    expect(await answer("Yes")).toMatchObject({ ok: true });
    expect(await answer("No")).toMatchObject({ error: { code: "gone" } });
    expect(rig.harness.store.sessions.get(session.id)?.status).not.toBe("waiting");
    expect(await rig.ended(session)).toMatchObject({ end: { reason: "done" } });
    expect(stepsOf(session)).toEqual([
      ["sure", "ok", "Yes"],
      ["go", "ok", "published"],
    ]);
  });
});

test("items, attempts, and a workflow inside with inputs and outputs", async () => {
  const rig = await makeTestWorkflows();
  rig.put(
    "outer",
    `steps:
  - id: each
    for_each: [one, two]
    run: echo "$ITEM"
    env: { ITEM: "\${{ item }}" }
  - id: flaky
    run: "[ -e tried ] && echo second || { touch tried; exit 3; }"
    retry: 1
  - id: fails
    run: exit 4
    may_fail: true
  - id: inside
    workflow: inner
    with: { word: "\${{ steps.each.items.1.output }}" }
  - id: last
    run: echo "$R"
    env: { R: "\${{ steps.inside.outputs.result }} \${{ steps.fails.exit }} \${{ steps.fails.ok }}" }
`,
  );
  rig.put(
    "inner",
    "inputs: { word: {} }\nsteps:\n  - { id: say, run: 'echo \"<$W>\"', env: { W: '${{ inputs.word }}' } }\noutputs: { result: steps.say.output }\n",
  );
  const session = await rig.start("outer");
  rig.allowAll(session);
  expect(await rig.ended(session)).toMatchObject({ end: { reason: "done" } });
  expect(stepsOf(session)).toEqual([
    ["each[0]", "ok", "one"],
    ["each[1]", "ok", "two"],
    ["flaky", "ok", "second"],
    ["fails", "failed", ""],
    ["inside", "ok", "<two>"],
    ["inside/say", "ok", "<two>"],
    ["last", "ok", "<two> 4 false"],
  ]);
  expect(runOf(session).steps.get("flaky")?.attempt).toBe(2);
});

test("a workflow that failed continues at its step by the file as it is then; one step runs again alone", async () => {
  const rig = await makeTestWorkflows();
  rig.put(
    "fix",
    "steps:\n  - { id: a, run: 'echo x >> count; echo a' }\n  - { id: b, run: exit 1 }\n  - { id: c, run: echo c }\n",
  );
  const session = await rig.start("fix");
  rig.allowAll(session);
  expect(await rig.ended(session)).toMatchObject({ end: { reason: "failed" } });
  rig.put(
    "fix",
    "steps:\n  - { id: a, run: 'echo x >> count; echo a' }\n  - { id: b, run: echo b }\n  - { id: c, run: echo c }\n",
  );
  expect(await rig.commands()["workflows.continue"]({ sessionId: session.id, commandId: testCommandId() })).toEqual({
    ok: true,
    value: null,
  });
  expect(await rig.ended(session)).toMatchObject({ end: { reason: "done" } });
  expect(stepsOf(session).map(([key, state]) => [key, state])).toEqual([
    ["a", "ok"],
    ["b", "ok"],
    ["c", "ok"],
  ]);
  const count = () => readFileSync(join(rig.harness.root, "count"), "utf8");
  expect(count()).toBe("x\n");
  expect(
    await rig.commands()["workflows.rerun"]({ sessionId: session.id, commandId: testCommandId(), step: "a" }),
  ).toEqual({
    ok: true,
    value: null,
  });
  expect(await rig.ended(session)).toMatchObject({ end: { reason: "done" } });
  expect(count()).toBe("x\nx\n");
});

describe("it stops", () => {
  test("with its step, and continues with it", async () => {
    const rig = await makeTestWorkflows();
    rig.put("long", "steps:\n  - { id: a, prompt: think }\n  - { id: b, prompt: more }\n");
    const gate = makeGate();
    rig.harness.script([gate, { type: "text", text: "late" }]);
    const session = await rig.start("long");
    await gate.reached;
    await rig.commands()["workflows.stop"]({ sessionId: session.id });
    expect(runOf(session)).toMatchObject({ end: { reason: "stopped" } });
    expect(stepsOf(session)).toEqual([["a", "stopped", ""]]);
    rig.harness.replaceScript(textAnswer("thought"), failureAnswer("server_error", false));
    await rig.commands()["workflows.continue"]({ sessionId: session.id, commandId: testCommandId() });
    expect(await rig.ended(session)).toMatchObject({ end: { reason: "failed" } });
    expect(runOf(session).steps.get("b")).toMatchObject({ state: "failed", error: { code: "server_error" } });
  });

  test("when the run of its step is stopped, and when its question is given up", async () => {
    const rig = await makeTestWorkflows();
    rig.put("long", "steps:\n  - { id: a, run: touch made }\n  - { id: b, prompt: more }\n");
    const session = await rig.start("long");
    await waitForCards(session);
    await session.abort();
    expect(await rig.ended(session)).toMatchObject({ end: { reason: "stopped" } });
    rig.put("ask", "steps:\n  - { id: a, ask: Sure? }\n");
    const asking = await rig.start("ask");
    await waitForView(asking, ({ workflow }) => workflow.some(({ type }) => type === "step_start"));
    await rig.commands()["workflows.stop"]({ sessionId: asking.id });
    expect(runOf(asking)).toMatchObject({ end: { reason: "stopped" } });
  });

  test("when a step takes longer than its limit", async () => {
    const rig = await makeTestWorkflows();
    rig.put("slow", "steps:\n  - { id: a, prompt: think, timeout: 1s }\n");
    rig.harness.script([makeGate(), { type: "text", text: "late" }]);
    const session = await rig.start("slow");
    expect(await rig.ended(session)).toMatchObject({ end: { reason: "failed" } });
    expect(runOf(session).steps.get("a")).toMatchObject({ state: "failed", error: { code: "timeout" } });
  });
});

test("the output of a prompt is its own answer: one after a steer, and not one to a message that follows it", async () => {
  const rig = await makeTestWorkflows();
  rig.put("two", "steps:\n  - { id: a, prompt: one }\n  - { id: b, prompt: '${{ steps.a.output }}' }\n");
  const gate = makeGate();
  const call = makeGate();
  rig.harness.script(
    [call, ...callAnswer(["ls", { path: "." }])],
    [gate, ...textAnswer("First.")],
    textAnswer("Other."),
    textAnswer("Second."),
  );
  const session = await rig.start("two");
  const say = (text: string, intent: "steer" | "followUp") => session.send(text, intent, testCommandId());
  await call.reached;
  say("be short", "steer");
  call.open();
  await gate.reached;
  say("and something else", "followUp");
  gate.open();
  await rig.ended(session);
  expect(stepsOf(session)).toEqual([
    ["a", "ok", "First."],
    ["b", "ok", "Second."],
  ]);
  expect(rig.harness.requests[1]?.messages.some(({ text }) => text.includes("be short"))).toBe(true);
});

test("a fork runs no workflow, and one whose folder is not trusted any more stops", async () => {
  const rig = await makeTestWorkflows();
  rig.put("two", "steps:\n  - { id: a, prompt: one }\n  - { id: b, run: touch made }\n");
  rig.harness.script(textAnswer("One."));
  const session = await rig.start("two");
  await waitForCards(session);
  const fork = rig.harness
    .registry()
    .fork({ sessionId: session.id, atSeq: session.view.border, commandId: testCommandId() });
  expect(fork.ok && fork.value.view.workflow).toEqual([]);
  rig.feature().trustWithdrawn(rig.projectId);
  expect(await rig.ended(session)).toMatchObject({ end: { reason: "stopped" } });
  expect(existsSync(join(rig.harness.root, "made"))).toBe(false);
});

test("inputs that do not fit, a file with a problem and an untrusted folder start nothing", async () => {
  const rig = await makeTestWorkflows();
  rig.put(
    "typed",
    "inputs: { n: { type: number }, f: { type: file, default: a.txt } }\nsteps: [{ run: touch hacked }]\n",
  );
  rig.put("broken", "steps: [{ rum: touch hacked }]\n");
  const begin = (name: string, inputs = {}) =>
    rig
      .commands()
      ["workflows.start"]({ projectId: rig.projectId, commandId: asCommand(name), name, inputs }, rig.client);
  let counted = 0;
  const asCommand = (name: string) => asId<CommandId>(`${name}${(counted += 1)}`);
  expect(await begin("typed")).toMatchObject({ error: { code: "bad_input", facts: { input: "n", why: "missing" } } });
  expect(await begin("typed", { n: "x" })).toMatchObject({ error: { facts: { input: "n", why: "number" } } });
  expect(await begin("typed", { n: 1, f: "../b" })).toMatchObject({ error: { facts: { input: "f", why: "file" } } });
  expect(await begin("typed", { n: 1, z: 1 })).toMatchObject({ error: { facts: { input: "z", why: "unknown" } } });
  expect(await begin("broken")).toMatchObject({ error: { code: "bad_input", facts: { line: 1 } } });
  expect(await begin("none")).toMatchObject({ error: { code: "not_found" } });
  const remote = { ...rig.client, origin: { kind: "automation" as const, name: "nightly" } };
  expect(
    await rig
      .commands()
      ["workflows.start"](
        { projectId: rig.projectId, commandId: asCommand("r"), name: "typed", inputs: { n: 1 }, mode: "edits" },
        remote,
      ),
  ).toMatchObject({ error: { code: "not_allowed" } });
  expect(rig.harness.store.sessions.list({ limit: 10 }).rows.filter(({ title }) => title !== "")).toEqual([]);
});
