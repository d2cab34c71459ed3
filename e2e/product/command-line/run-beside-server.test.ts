// `gopi-web run` beside an open server: output, approvals, sessions, exit codes, signals.
import { execFile } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, onTestFinished, test } from "vitest";
import type { Envelope } from "@/lib/events/event";
import { settingsDefaults } from "@/lib/settings/settings";
import { ProductCommand, readServerJson, productProgram } from "../../fixtures/server";
import { subagentTurns, useSharedProduct } from "../../fixtures/shared-product";
import { hasTerminals, TerminalCommand } from "../../fixtures/terminal-command";

const shared = useSharedProduct();

const startRun = (...args: readonly string[]) => new ProductCommand(shared.place, ["run", ...args]);

/** Returns the sessions of the test's folder. */
async function listSessions() {
  const { projects } = await shared.subject.callOrThrow("project.list", {});
  const projectId = projects.find(({ path }) => path === shared.place.project)?.id;
  return (await shared.subject.callOrThrow("session.list", { projectId })).rows;
}

const nonEmptyLines = (text: string): readonly string[] => text.split("\n").filter((line) => line !== "");
const parseEnvelopes = (stdout: string): readonly Envelope[] =>
  nonEmptyLines(stdout).map((line): Envelope => JSON.parse(line));

test("--json prints every envelope, in order and without a gap", async () => {
  shared.subject.model.setScript({
    turns: [{ text: "Hello.", toolCalls: [{ name: "ls", arguments: {} }] }, { text: "Done." }],
  });
  const { code, stdout, stderr } = await startRun("hi", "--json").done();
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  const envelopes = parseEnvelopes(stdout);
  const seqs = envelopes.flatMap((envelope) => ("seq" in envelope ? [envelope.seq] : []));
  expect(seqs).toEqual(seqs.map((_, index) => (seqs[0] ?? 0) + index));
  expect(envelopes.map(({ event }) => event.type)).toEqual(
    expect.arrayContaining(["agent_start", "message_delta", "tool_call_start", "tool_call_end"]),
  );
  expect(envelopes.at(-1)?.event).toMatchObject({ type: "agent_end", reason: "done" });
});

test("reads the prompt from standard input", async () => {
  for (const args of [["run"], ["run", "-"]]) {
    const { code } = await new ProductCommand(shared.place, args, { input: "Say 你好.\n" }).done();
    expect(code).toBe(0);
  }
  const chats = shared.chats();
  expect(chats.map(({ raw }) => raw.includes('Say 你好."'))).toEqual([true, true]);
});

const edit = { name: "write", arguments: { path: "new.txt", content: "new\n" } };
const approvals: readonly [approve: string, written: boolean, reason: string][] = [
  ["ask", false, "nobody could answer"],
  ["none", false, "everything that asks is denied here"],
  ["edits", true, ""],
  ["all", true, ""],
];
for (const [approve, written, reason] of approvals) {
  test(`--approve ${approve} without a terminal: a write ${written ? "happens" : "is denied, with a reason"}`, async () => {
    shared.subject.model.setScript({ turns: [{ text: "", toolCalls: [edit] }, { text: "Well." }] });
    const done = await startRun("write it", "--approve", approve).done();
    expect(done).toMatchObject({ code: written ? 0 : 4, stdout: "Well.\n" });
    const denied = approve === "ask" ? "denied new.txt: it needs your approval; allow it once" : "denied new.txt\n";
    expect(done.stderr).toContain(written ? "wrote new.txt" : denied);
    const last = shared.chats().at(-1);
    expect(last?.raw).toContain(reason);
    const read = (): string => readFileSync(join(shared.place.project, "new.txt"), "utf8");
    if (written) expect(read()).toBe("new\n");
    else expect(read).toThrow();
  });
}

test("a command refused by name is no denied request: exit 0", async () => {
  const remove = { name: "bash", arguments: { command: "rm new.txt" } };
  shared.subject.model.setScript({ turns: [{ text: "", toolCalls: [remove] }, { text: "Well." }] });
  const done = await startRun("delete it", "--approve", "all").done();
  expect(done).toMatchObject({ code: 0, stderr: expect.stringContaining("failed: rm new.txt") });
});

test("--approve all gives the network to a command that needs it, unless a rule asks", async () => {
  const fetchOf = (name: string) => ({
    name: "bash",
    arguments: { command: `git ls-remote ${shared.subject.model.url}/${name}` },
  });
  const fetched = (): readonly string[] =>
    shared.subject.model.requests.flatMap(({ path }) => /^\/(one|two)\//.exec(path)?.[1] ?? []);
  const turns = (name: string) => [{ text: "", toolCalls: [fetchOf(name)] }, { text: "Well." }];
  shared.subject.model.setScript({ turns: [...turns("one"), ...turns("two")] });
  await startRun("fetch it", "--approve", "all").done();
  const { project } = await shared.subject.callOrThrow("project.open", { path: shared.place.project });
  const pattern = { tool: "bash", words: ["git"], rest: true } as const;
  await shared.subject.callOrThrow("rules.save", { projectId: project.id, effect: "ask", pattern });
  const denied = await startRun("fetch it", "--approve", "all").done();
  expect(denied).toMatchObject({ code: 4, stderr: expect.stringContaining("it needs your approval; allow it once") });
  expect([...new Set(fetched())]).toEqual(["one"]);
});

test("a card of a subagent is denied without a terminal, and the run ends", async () => {
  shared.subject.model.setScript({ turns: subagentTurns });
  const done = await startRun("run it", "--approve", "all").done();
  expect(done).toMatchObject({ code: 4, stdout: "Well.\n" });
  expect(done.stderr).toContain("· subagent: run it");
  expect(JSON.stringify(shared.requests())).toContain("It was denied.");
  expect(await listSessions()).toMatchObject([{ subagents: 1, status: "idle" }]);
});

test("--continue continues the newest session of the folder, --session a given one", async () => {
  const first = await startRun("first prompt", "--json").done();
  const id = parseEnvelopes(first.stdout)[0]?.sessionId ?? "";
  await startRun("second prompt", "--continue").done();
  await startRun("third prompt", "--session", id).done();
  const last = shared.chats().at(-1);
  for (const prompt of ["first prompt", "second prompt", "third prompt"]) expect(last?.raw).toContain(prompt);
  expect((await listSessions()).map((row) => row.id)).toEqual([id]);
});

test("-f pins files to the session: the model gets them with the prompt, and again after a change", async () => {
  writeFileSync(join(shared.place.project, "notes.md"), "The color is teal.\n");
  const first = await startRun("what is it?", "-f", "README.md", "-f", "notes.md", "--json").done();
  expect(first).toMatchObject({ code: 0, stderr: "" });
  expect(shared.chats().at(-1)?.raw).toContain("The color is teal.");
  const [row] = await listSessions();
  const { files } = await shared.subject.callOrThrow("session.pins", { sessionId: row?.id });
  expect(files.map(({ path }) => path).sort()).toEqual(["README.md", "notes.md"]);
  writeFileSync(join(shared.place.project, "notes.md"), "The color is red.\n");
  await startRun("and now?", "--continue").done();
  expect(shared.chats().at(-1)?.raw).toContain("The color is red.");
});

test("a file that is missing, outside or protected is named before the model is called, and no session is left", async () => {
  expect(await startRun("hi", "-f", "none.md").done()).toEqual({
    code: 2,
    stdout: "",
    stderr: `gopi-web: File not found: ${join(shared.place.project, "none.md")}\n`,
  });
  const outside = join(shared.subject.place.root, "outside.md");
  for (const [path, reason] of [
    [outside, "it is outside the project folder"],
    [join(shared.place.project, ".env"), "it is protected, so that the model can't read it"],
  ] as const) {
    writeFileSync(path, "SECRET=1\n");
    expect(await startRun("hi", "-f", path).done()).toEqual({
      code: 1,
      stdout: "",
      stderr: `gopi-web: ${path} can't be pinned: ${reason}\n`,
    });
  }
  expect([shared.chats(), await listSessions()]).toEqual([[], []]);
});

test("a session that does not exist, or none to continue: exit 1", async () => {
  for (const args of [["--session", "snothing"], ["--continue"]]) {
    const { code, stdout, stderr } = await startRun("hi", ...args).done();
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(nonEmptyLines(stderr)).toHaveLength(1);
  }
});

test("exit 1 when the output can't be written", async () => {
  const { home, project, environment } = shared.place;
  const words = ["-c", '"$@" > /dev/full', "-", process.execPath, productProgram, "run", "hi"];
  const running = promisify(execFile)("bash", words, { cwd: project, env: { ...environment, GOPI_HOME: home } });
  running.child.stdin?.end();
  await expect(running).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringContaining("the output can't be written (ENOSPC)"),
  });
});

test("exit 1 when the model server refuses, exit 1 when there is no model", async () => {
  shared.subject.model.setScript({ turns: [{ status: 400, error: "bad request" }] });
  const refused = await startRun("hi").done();
  expect(refused).toMatchObject({ code: 1, stdout: "", stderr: expect.stringContaining("gopi-web: ") });
  shared.subject.model.setScript({ models: [] });
  const missing = await startRun("hi", "--model", "nothing:1b").done();
  expect(missing).toMatchObject({ code: 1, stdout: "" });
});

test("exit 3 when the run stops at its step limit", async () => {
  await shared.subject.callOrThrow("settings.write", { patch: { maxSteps: 3 } });
  onTestFinished(async () => {
    await shared.subject.callOrThrow("settings.write", { patch: { maxSteps: settingsDefaults.maxSteps } });
  });
  const turn = (path: string) => ({ text: "On.", toolCalls: [{ name: "ls", arguments: { path } }] });
  mkdirSync(join(shared.place.project, "b"));
  shared.subject.model.setScript({ turns: [turn("."), turn("b"), turn("."), turn("b"), turn(".")] });
  expect((await startRun("go on").done()).code).toBe(3);
});

for (const times of [1, 2]) {
  test(`Ctrl+C pressed ${times === 1 ? "once ends the run" : "twice leaves at once"}, exit 130`, async () => {
    shared.subject.model.setScript({ turns: [{ text: "one two three", holdAfter: 1 }] });
    const run = startRun("hi");
    await run.until(({ stdout }) => stdout.includes("one"));
    for (let press = 0; press < times; press += 1) run.child.kill("SIGINT");
    expect((await run.done()).code).toBe(130);
    if (times === 1) {
      const [row] = await listSessions();
      expect(row?.status).toBe("aborted");
    }
    shared.subject.model.release();
  });
}

test("closing the reader of stdout ends the run quietly, exit 0", async () => {
  shared.subject.model.setScript({ turns: [{ text: "one", tokens: 100_000, tps: 200 }] });
  const run = startRun("hi");
  await run.until(({ stdout }) => stdout.includes("word"));
  run.child.stdout?.destroy();
  expect(await run.done()).toMatchObject({ code: 0, stderr: "" });
  await shared.subject.model.waitFor(() => shared.requests().some(({ end }) => end === "aborted"));
});

test.for([
  ["y", "allows it", "new\n"],
  ["n", "denies it, which the user has seen: exit 0", null],
] as const)(
  "on a terminal it asks there, showing the whole effect, and %s %s",
  async ([reply, , written], { skip }) => {
    skip(!hasTerminals, "needs util-linux script for a terminal");
    shared.subject.model.setScript({ turns: [{ text: "", toolCalls: [edit] }, { text: "Well." }] });
    const terminal = new TerminalCommand(shared.place, 'run "write it"');
    await terminal.until("Create new.txt, +1 -0");
    await terminal.until("+new");
    await terminal.until("1, y  yes");
    terminal.type(`${reply}\n`);
    expect(await terminal.done()).toBe(0);
    const path = join(shared.place.project, "new.txt");
    expect(existsSync(path) ? readFileSync(path, "utf8") : null).toBe(written);
  },
);

test("a run beside an open server is in its session list while it runs, and the server stays", async () => {
  shared.subject.model.setScript({ turns: [{ text: "one two three", holdAfter: 1 }] });
  const run = startRun("a live one");
  await run.until(({ stdout }) => stdout.includes("one"));
  const during = await listSessions();
  expect(during.map(({ title, status }) => ({ title, status }))).toEqual([{ title: "a live one", status: "running" }]);
  shared.subject.model.release();
  expect(await run.done()).toMatchObject({ code: 0, stdout: "one two three\n" });
  await expect.poll(async () => (await listSessions()).map(({ status }) => status)).toEqual(["idle"]);
  expect(readServerJson(shared.place.home).pid).toBe(shared.subject.server.pid);
});
