/** Real shells on real pseudo terminals. */
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdtempSync, readdirSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { eventually } from "@/lib/testing/test-waits";
import { asId, type ProjectId, type TerminalId } from "@/lib/events/id";
import { type TerminalInfo, terminalRingChars } from "@/lib/terminal/terminal";
import type { ShellChoice } from "./user-shell";
import { resetSequence, makeTerminals, maxTerminals, type Terminals } from "./terminals";

const project = asId<ProjectId>("p1");
const size = { columns: 80, rows: 24 };
const environment = { PATH: process.env.PATH, HOME: tmpdir(), SHELL: "/bin/bash", PS1: "$ ", SECRET_TOKEN: "shown" };

let folder: string;
let terminals: Terminals;
let shown: Map<TerminalId, string>;
let lists: (readonly TerminalInfo[])[];
let shell: ShellChoice;

beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "gopi-terminal-")));
  shown = new Map();
  lists = [];
  shell = { program: "", arguments: [] };
  terminals = makeTerminals({
    environment,
    shell: () => shell,
    listChanged: (_project, list) => lists.push(list),
    output: (id, { text }) => shown.set(id, (shown.get(id) ?? "") + text),
  });
});
afterEach(async () => {
  await terminals.closeAll();
  rmSync(folder, { recursive: true, force: true });
});

async function open(): Promise<TerminalInfo> {
  const opened = await terminals.open(project, folder, size);
  if (!opened.ok) throw new Error(opened.error.code);
  return opened.value;
}
const waitForText = (id: TerminalId, text: string | RegExp) =>
  eventually(() => expect((shown.get(id) ?? "").slice(-500)).toMatch(text));
const waitForExit = (id: TerminalId) =>
  eventually(() => expect(terminals.list(project).find((one) => one.id === id)?.exit).not.toBeNull());
/** A process that was ended but not yet reaped by its parent does not count. */
const isAlive = (pid: number): boolean => {
  const { stdout } = spawnSync("ps", ["-o", "stat=", "-p", String(pid)], { encoding: "utf8" });
  return /^[^Z\s]/.test(stdout.trim());
};

test("a shell starts in the project's folder, with the user's environment and a terminal of the given size", async () => {
  const { id, name, exit } = await open();
  expect({ name, exit }).toEqual({ name: "bash", exit: null });
  terminals.write(id, 'echo "at=$PWD token=$SECRET_TOKEN term=$TERM size=$(stty size)"; tty\r');
  await waitForText(id, new RegExp(`at=${folder} token=shown term=xterm-256color size=24 80\\r\\n/dev/`));
});

test("a chosen shell is started with its arguments; one that cannot be run is refused, also later", async () => {
  shell = { program: "/bin/sh", arguments: ["-c", "echo chosen=$0 $1; read line", "name", "value"] };
  const { id, name } = await open();
  expect(name).toBe("sh");
  await waitForText(id, "chosen=name value");
  shell = { program: join(folder, "none"), arguments: [] };
  expect(await terminals.open(project, folder, size)).toMatchObject({ ok: false, error: { code: "bad_shell" } });
  terminals.write(id, "\r");
  await waitForExit(id);
  expect(await terminals.restart(id)).toMatchObject({ ok: false, error: { code: "bad_shell" } });
  expect(terminals.list(project)).toMatchObject([{ exit: { code: 0 } }]);
});

test("a terminal for one line is removed when the line succeeds, and stays with its output when it fails", async () => {
  const run = async (line: string): Promise<TerminalInfo> => {
    const opened = await terminals.open(project, folder, size, { name: "git push", line });
    if (!opened.ok) throw new Error(opened.error.code);
    return opened.value;
  };
  const { id, name } = await run(`test -e done || { touch done; echo "at=$PWD $-"; exit 3; }`);
  expect(name).toBe("git push");
  await waitForExit(id);
  expect(terminals.list(project)).toMatchObject([{ exit: { code: 3 } }]);
  // The user's settings are those of an interactive shell.
  await waitForText(id, new RegExp(`at=${folder} \\w*i`));
  // The second start runs the line again.
  expect((await terminals.restart(id)).ok).toBe(true);
  await eventually(() => expect(terminals.list(project)).toEqual([]));
  expect(lists.at(-1)).toEqual([]);
  expect(terminals.retained(id)).toBeNull();
});

test("a reset is part of the output that is sent and retained", async () => {
  const { id } = await open();
  expect(terminals.reset(id)).toEqual({ ok: true, value: null });
  expect(shown.get(id)).toContain(resetSequence);
  expect(terminals.retained(id)?.text).toContain(resetSequence);
  expect(terminals.reset(asId<TerminalId>("t0"))).toMatchObject({ ok: false, error: { code: "not_found" } });
});

test("a new size reaches the program", async () => {
  const { id } = await open();
  terminals.resize(id, { columns: 132, rows: 43 });
  terminals.write(id, "echo size=$(stty size)\r");
  await waitForText(id, /size=43 132/);
});

test("a program has the newest size after a hundred changes", async () => {
  const { id } = await open();
  terminals.write(id, "echo rea''dy; while :; do stty size; sleep 0.1; done\r");
  await waitForText(id, /ready/);
  for (let step = 1; step <= 100; step += 1)
    terminals.resize(id, { columns: 60 + step, rows: step === 100 ? 30 : 20 + (step % 7) });
  await waitForText(id, /\n30 160\r\n30 160\r\n$/);
});

test("characters that are split between two reads stay whole", async () => {
  const { id } = await open();
  terminals.write(id, "printf '\\344\\275'; sleep 0.1; printf '\\240\\345\\245\\275\\n'\r");
  await waitForText(id, "你好");
});

test("Ctrl+C interrupts the program and not the shell", async () => {
  const { id } = await open();
  terminals.write(id, "bash -c 'echo go; exec sleep 1000'\r");
  await waitForText(id, /\rgo\r\n/);
  terminals.write(id, "\u0003");
  terminals.write(id, "echo after=$?\r");
  await waitForText(id, /after=130/);
});

test.runIf(process.platform === "linux")("a shell works while a command is in its foreground", async () => {
  const { id } = await open();
  terminals.write(id, "sleep 1000 & echo rea''dy\r");
  await waitForText(id, /ready/);
  await eventually(() => expect(terminals.isAnyWorking()).toBe(false));
  terminals.write(id, "fg\r");
  await eventually(() => expect(terminals.isAnyWorking()).toBe(true));
  terminals.write(id, "\u0003");
  await eventually(() => expect(terminals.isAnyWorking()).toBe(false));
});

test("a shell that exits stays listed with its code, keeps its output and can be restarted", async () => {
  const { id } = await open();
  terminals.write(id, "echo before; exit 7\r");
  await waitForExit(id);
  expect(terminals.list(project)).toMatchObject([{ id, exit: { code: 7, signal: null } }]);
  expect(terminals.isAnyRunning()).toBe(false);
  const before = terminals.retained(id);
  expect(before?.text).toContain("before");
  expect(terminals.write(id, "x")).toMatchObject({ ok: false, error: { code: "gone" } });
  expect((await terminals.restart(id)).ok).toBe(true);
  shown.clear();
  terminals.write(id, "echo again=$((1+1))\r");
  await waitForText(id, /again=2/);
  const after = terminals.retained(id);
  expect(after?.text).not.toContain("before");
  expect(after?.from).toBeGreaterThan((before?.from ?? 0) + (before?.text.length ?? 0));
  expect(await terminals.restart(id)).toMatchObject({ ok: false, error: { code: "busy" } });
});

test("a shell killed by the system is reported with the signal", async () => {
  const { id } = await open();
  terminals.write(id, "kill -9 $$\r");
  await waitForExit(id);
  expect(terminals.list(project)).toMatchObject([{ exit: { code: null, signal: 9 } }]);
});

const lines = (bytes: number): string => "0123456789abcde\n".repeat(bytes / 16);

test.each([
  ["a program that reads", "cat > /dev/null", 200_000],
  ["a program that does not read", "sleep 1000", 200_000],
  ["a program in raw mode", "stty raw -echo; sleep 1000", 65_536],
  ["the prompt", "", 65_536],
])("pasting into %s does not hold the server, and another terminal works", async (_title, command, bytes) => {
  const { id } = await open();
  await waitForText(id, /[$#] $/);
  terminals.write(id, `${command}\r`);
  await waitForText(id, command);
  terminals.write(id, lines(bytes));
  const other = await open();
  terminals.write(other.id, "echo other=$((1+1))\r");
  await waitForText(other.id, /other=2/);
});

test("input that a program never reads is bounded", async () => {
  const { id } = await open();
  terminals.write(id, "sleep 1000\r");
  const answers = Array.from({ length: 100 }, () => terminals.write(id, lines(65_536)));
  expect(answers.filter(({ ok }) => !ok)).not.toEqual([]);
  expect(answers.find(({ ok }) => !ok)).toMatchObject({ error: { code: "too_large" } });
});

test("all of a long input arrives, in order", async () => {
  const { id } = await open();
  terminals.write(id, "stty -echo; head -c 160000 | md5sum\r");
  await waitForText(id, /md5sum\r/);
  const text = Array.from({ length: 10_000 }, (_, index) => `line ${String(index).padStart(10, "0")}\n`).join("");
  terminals.write(id, text);
  await waitForText(id, createHash("md5").update(text.slice(0, 160_000)).digest("hex"));
});

test("closing ends everything the shell started, also what ignores the hang-up", async () => {
  const { id } = await open();
  terminals.write(id, "nohup sleep 1000 >/dev/null 2>&1 & echo pid=$!; (trap '' HUP TERM; sleep 2000)\r");
  await waitForText(id, /pid=(\d+)\r/);
  const pid = Number(/pid=(\d+)\r/.exec(shown.get(id) ?? "")?.[1]);
  expect(isAlive(pid)).toBe(true);
  expect((await terminals.close(id)).ok).toBe(true);
  expect(isAlive(pid)).toBe(false);
  expect(terminals.list(project)).toEqual([]);
  expect(lists.at(-1)).toEqual([]);
  expect(await terminals.close(id)).toMatchObject({ ok: false, error: { code: "not_found" } });
});

test("the newest output is retained in bounded memory, beginning with a line", async () => {
  const { id } = await open();
  terminals.write(id, "seq 1 60000; echo the-end=$((1+2))\r");
  await waitForText(id, /the-end=3/);
  const retained = terminals.retained(id);
  expect(retained?.text.length).toBeLessThanOrEqual(terminalRingChars);
  expect(retained?.text.length).toBeGreaterThan(terminalRingChars / 2);
  expect(retained?.text).toMatch(/^\d+\r\n/);
  const all = shown.get(id) ?? "";
  expect(all.slice(retained?.from)).toBe(retained?.text);
});

test("a paused terminal makes its program wait; nothing is lost", async () => {
  const { id } = await open();
  await waitForText(id, /[$#] $/);
  terminals.setPaused(id, true);
  const before = (shown.get(id) ?? "").length;
  terminals.write(id, `seq 1 50000; touch ${folder}/finished; echo the-end=$((1+2))\r`);
  // The kernel's buffer is far smaller than this output, so that the program cannot end.
  const other = await open();
  terminals.write(other.id, "seq 1 50000; echo the-end=$((1+2))\r");
  await waitForText(other.id, /the-end=3/);
  expect(readdirSync(folder)).toEqual([]);
  expect((shown.get(id) ?? "").length - before).toBeLessThan(150_000);
  terminals.setPaused(id, false);
  await waitForText(id, /\r\n50000\r\nthe-end=3/);
});

test("twenty terminals open and close without leaving descriptors or processes", async () => {
  const descriptors = (): number => readdirSync("/proc/self/fd").length;
  await terminals.close((await open()).id);
  const before = descriptors();
  const opened = await Promise.all(Array.from({ length: 20 }, open));
  await Promise.all(opened.map(({ id }) => terminals.close(id)));
  await eventually(() => expect(descriptors()).toBeLessThanOrEqual(before));
});

test.each([
  ["a folder that does not exist", () => terminals.open(project, "/does/not/exist", size), "gone"],
  ["a terminal that does not exist", () => terminals.write(asId<TerminalId>("t0"), "x"), "not_found"],
])("%s is answered with a code", async (_title, act, code) => {
  expect(await act()).toMatchObject({ ok: false, error: { code } });
});

test("more terminals than the limit are refused", async () => {
  const opened = await Promise.all(
    Array.from({ length: maxTerminals + 1 }, () => terminals.open(project, folder, size)),
  );
  expect(opened.filter(({ ok }) => !ok)).toMatchObject([{ error: { code: "too_many" } }]);
});
