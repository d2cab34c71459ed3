import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { joinTextBlocks, referenceBlocks } from "@/lib/events/content";
import { findUserCommand } from "@/lib/events/user-command";
import { settingsDefaults } from "@/lib/settings/settings";
import { canContinue, pathEntries, type SessionView } from "@/lib/view/view";
import type { Session } from "../core/session-types";
import {
  callAnswer,
  makeGate,
  makeTestHarness,
  promptAndWait,
  type TestHarness,
  testCommandId,
  textAnswer,
  waitForView,
} from "../testing/test-harness";

async function run(session: Session, text: string) {
  const started = session.runCommand(text, testCommandId());
  if (!started.ok) throw new Error(started.error.code);
  return started.value.done;
}

const commands = (view: SessionView) =>
  pathEntries(view).flatMap((entry) => {
    const found = entry.kind === "message" ? findUserCommand(entry) : null;
    if (found === null) return [];
    const { command, isAdded, call } = found;
    return [{ command, isAdded, state: call.state, output: joinTextBlocks(call.output ?? []) }];
  });

const userTexts = ({ requests }: TestHarness, index: number): readonly string[] =>
  (requests[index]?.messages ?? []).flatMap((message) => (message.role === "user" ? [message.text] : []));

test("a command runs in the project folder without approval, and its end is in the log", async () => {
  const harness = await makeTestHarness();
  const session = harness.session("plan");
  expect(await run(session, "! echo out; pwd; exit 3")).toBe("done");
  expect(commands(session.view)).toEqual([
    { command: "echo out; pwd; exit 3", isAdded: true, state: "error", output: `out\n${harness.root}\n[exit code 3]` },
  ]);
  expect([session.view.run, session.view.openCalls, session.idle]).toEqual([null, {}, true]);
  expect(harness.requests).toEqual([]);
});

test("rules and blocked words do not apply to the user's own command, nor does its folder to the agent's", async () => {
  const harness = await makeTestHarness();
  const session = harness.session();
  mkdirSync(join(harness.root, "sub"));
  writeFileSync(join(harness.root, "old.txt"), "x");
  await run(session, "!!rm old.txt && cd sub && touch new.txt");
  await run(session, "!ls");
  expect(commands(session.view).at(-1)?.output).toContain("sub");
  expect(readFileSync(join(harness.root, "sub/new.txt"), "utf8")).toBe("");
});

test("what a command changes is in the log before its end, and can be undone", async () => {
  const harness = await makeTestHarness();
  const session = harness.session();
  mkdirSync(join(harness.root, "build"));
  writeFileSync(join(harness.root, "build/a.txt"), "one\n");
  await run(session, "!rm -r build; echo new > b.txt");
  const entry = pathEntries(session.view).find((one) => one.kind === "message");
  expect(entry?.kind === "message" && entry.calls[0]?.changes).toMatchObject([
    { path: "b.txt", before: null, added: 1 },
    { path: "build/a.txt", after: null, removed: 1 },
  ]);
  const undone = await session.files.restore({ toSeq: 0, conversation: false }, testCommandId());
  expect(undone).toMatchObject({ ok: true, value: { failed: [] } });
  expect(readFileSync(join(harness.root, "build/a.txt"), "utf8")).toBe("one\n");
  expect(existsSync(join(harness.root, "b.txt"))).toBe(false);
});

test("the next message carries `!` commands since the last message, once; `!!` is never sent", async () => {
  const harness = await makeTestHarness();
  const session = harness.session();
  harness.script(textAnswer("one"), textAnswer("two"), textAnswer("three"));
  await promptAndWait(session, "first");
  const before = harness.requests[0]?.messages ?? [];
  await run(session, "!echo added-output");
  await run(session, "!!echo hidden-output");
  await promptAndWait(session, "second");
  expect(harness.requests[1]?.messages.slice(0, before.length)).toEqual(before);
  const second = userTexts(harness, 1).at(-1) ?? "";
  expect(second).toContain('<attached text="!echo added-output">\nadded-output\n[exit code 0]\n</attached>');
  expect(second).toContain("second");
  expect(JSON.stringify(harness.requests)).not.toContain("hidden-output");
  await promptAndWait(session, "third");
  expect(userTexts(harness, 2).at(-1)).not.toContain("added-output");
  expect(harness.requests[2]?.messages.slice(0, harness.requests[1]?.messages.length)).toEqual(
    harness.requests[1]?.messages,
  );
});

test("a run that is continued without a message leaves `!` commands for the next message", async () => {
  const harness = await makeTestHarness();
  const session = harness.session();
  harness.settings.current = { ...settingsDefaults, maxSteps: 1 };
  harness.script(callAnswer(["ls", {}]), textAnswer("one"), textAnswer("two"));
  expect(await promptAndWait(session, "first")).toBe("limit");
  await run(session, "!echo added-output");
  harness.settings.current = settingsDefaults;
  const resumed = session.resume(testCommandId());
  if (!resumed.ok) throw new Error(resumed.error.code);
  await resumed.value.done;
  await promptAndWait(session, "second");
  expect(userTexts(harness, 2).at(-1)).toContain("added-output");
});

test("a message that is sent again carries the output once, and a long command shortened", async () => {
  const harness = await makeTestHarness({ answer: () => textAnswer("fine") });
  const session = harness.session();
  await run(session, `!echo added-output # ${"x".repeat(5_000)}`);
  const { border } = session.view;
  await promptAndWait(session, "first");
  const sent = pathEntries(session.view).flatMap((entry) =>
    entry.kind === "message" ? referenceBlocks(entry.blocks) : [],
  );
  expect(sent).toMatchObject([{ kind: "text", command: true }]);
  expect(sent[0]?.label.length).toBeLessThan(1_100);
  session.rewind(border, testCommandId());
  await promptAndWait(session, "again");
  expect((userTexts(harness, 1).at(-1) ?? "").split("\nadded-output\n")).toHaveLength(2);
});

test("long output is cut to its share of the window", async () => {
  const harness = await makeTestHarness({ numCtx: 8_192 });
  harness.settings.current = { ...settingsDefaults, bashOutputBytes: 20_000 };
  const session = harness.session();
  await run(session, "!seq 100000");
  harness.script(textAnswer("fine"));
  await promptAndWait(session, "why?");
  const text = userTexts(harness, 0).at(-1) ?? "";
  expect(text).toContain("\n99999\n100000\n");
  expect(text.length).toBeLessThan(8_192);
});

test("a command during a run waits for its end; a message sent during a command follows it", async () => {
  const harness = await makeTestHarness();
  const session = harness.session();
  const gate = makeGate();
  harness.script([gate, ...textAnswer("one")], textAnswer("two"));
  const prompt = promptAndWait(session, "first");
  await gate.reached;
  session.runCommand("!sleep 0.2; echo later", testCommandId());
  expect(session.view.queue).toMatchObject([{ text: "!sleep 0.2; echo later", isCommand: true }]);
  expect(commands(session.view)).toEqual([]);
  gate.open();
  await prompt;
  await waitForView(session, (view) => Object.keys(view.openCalls).length > 0);
  session.send("second", "steer", testCommandId());
  await waitForView(session, (view) => view.run === null && harness.requests.length === 2);
  expect(session.view.queue).toEqual([]);
  expect(userTexts(harness, 1).at(-1)).toMatch(/later[^]*second$/);
});

test("stopping a run leaves its queued command, which the user can run then", async () => {
  const harness = await makeTestHarness();
  const session = harness.session();
  const gate = makeGate();
  harness.script([gate, ...textAnswer("one")]);
  const prompt = promptAndWait(session, "first");
  await gate.reached;
  session.runCommand("!echo queued", testCommandId());
  await session.abort();
  await prompt;
  const [queued] = session.view.queue;
  expect(commands(session.view)).toEqual([]);
  const started = session.runCommand("!echo queued", testCommandId(), queued?.id);
  if (!started.ok) throw new Error(started.error.code);
  await started.value.done;
  expect([session.view.queue.length, commands(session.view).length]).toEqual([0, 1]);
});

test("Stop ends a command with its whole group", async () => {
  const harness = await makeTestHarness();
  const session = harness.session();
  const done = run(session, "!echo begun; sleep 600 & sleep 600");
  await waitForView(session, (view) => commands(view)[0]?.state === "running");
  await session.abort();
  expect(await done).toBe("aborted");
  expect(commands(session.view)).toMatchObject([{ state: "aborted" }]);
  expect([session.view.run, canContinue(session.view)]).toEqual([null, false]);
});

test("a restart closes an interrupted command and offers no Continue", async () => {
  const harness = await makeTestHarness();
  const session = harness.session();
  void run(session, "!echo begun; sleep 600");
  onTestFinished(() => session.abort());
  await waitForView(session, (view) => commands(view)[0]?.state === "running");
  await harness.restart();
  const { view } = harness.reload(session);
  expect(commands(view)).toMatchObject([{ state: "unknown", output: expect.stringContaining("was restarted while") }]);
  expect([view.run, view.openCalls, canContinue(view)]).toEqual([null, {}, false]);
});

test("a shutdown leaves the end of a command to the next start, which can undo what it changed", async () => {
  const harness = await makeTestHarness();
  writeFileSync(join(harness.root, "a.txt"), "one\n");
  const session = harness.session();
  void run(session, "!rm a.txt; sleep 600");
  await waitForView(session, (view) => commands(view)[0]?.state === "running");
  await expect.poll(() => existsSync(join(harness.root, "a.txt"))).toBe(false);
  await session.shutdown();
  await harness.restart();
  const next = harness.reload(session);
  expect(commands(next.view)).toMatchObject([
    { state: "unknown", output: expect.stringContaining("was restarted while") },
  ]);
  const plan = await next.files.plan(0);
  expect(plan).toMatchObject({ ok: true, value: { steps: [{ path: "a.txt", action: "create" }] } });
});

test.each([
  ["!", "bad_input"],
  ["!!  ", "bad_input"],
  ["!a\0b", "bad_input"],
  ["echo", "bad_input"],
  [`!${"x".repeat(100_000)}`, "too_large"],
])("%#: a text that is no command fails", async (text, code) => {
  const harness = await makeTestHarness();
  expect(harness.session().runCommand(text, testCommandId())).toMatchObject({ ok: false, error: { code } });
});

test("a session without messages has the title of its first command", async () => {
  const harness = await makeTestHarness();
  const session = harness.session();
  await run(session, "!!echo   one\necho two");
  expect(session.view.title).toBe("echo one");
  await run(session, "!echo three");
  expect(session.view.title).toBe("echo one");
});
