import { mkdirSync } from "node:fs";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { limits, settingsDefaults } from "@/lib/settings/settings";
import { bash } from "./bash";
import { makeShell } from "@/server/workspace/shell/shell";
import { callTool, makeTestEnvironment, type TestEnvironment } from "../core/test-environment";

let environment: TestEnvironment;
const call = (command: string, timeout?: number, signal?: AbortSignal) =>
  callTool(bash, { command, ...(timeout === undefined ? {} : { timeout }) }, environment.context, signal);

beforeEach(() => {
  environment = makeTestEnvironment();
});
afterEach(() => environment.remove());

const makeSandboxedShell = (root: string): ReturnType<typeof makeShell> =>
  makeShell({
    root,
    environment: () => ({ PATH: process.env.PATH ?? "" }),
    sandbox: () => Promise.resolve(Object.assign((words: readonly string[]) => words, { network: false })),
  });

describe("bash", () => {
  test("returns output and exit code, and streams the output", async () => {
    const { text, result } = await call("echo hello");
    expect(text).toBe("hello\n[exit code 0]");
    expect(environment.progressText()).toBe("hello\n");
    expect(result).toMatchObject({
      failed: false,
      facts: { exit: 0, bytes: 6, cwd: environment.root, timeoutMs: 30_000 },
    });
  });

  test("returns styles with plain text, and none for cut output", async () => {
    const { text, result } = await call("printf 'a\\033[1;31mred\\033[0m\\n'");
    expect(text).toBe("ared\n[exit code 0]");
    const styles = [{ from: 1, to: 4, color: "red", bold: true }];
    expect(result?.output).toEqual([{ type: "text", text, styles }]);
    expect((await call("echo plain")).result?.output[0]).not.toHaveProperty("styles");
    const long = await call("printf '\\033[32m'; seq 1 60000");
    expect(long.result?.full).toBeDefined();
    expect(long.result?.output[0]).not.toHaveProperty("styles");
  });

  test("a failing command is a failed result, not a tool error", async () => {
    const { text, code, result } = await call("echo no >&2; exit 3");
    expect(text).toBe("no\n[exit code 3]");
    expect(code).toBeUndefined();
    expect(result?.failed).toBe(true);
  });

  test.each([
    [
      "echo 'touch: /opt/x: Read-only file system'; exit 1",
      "files",
      /\[exit code 1; it ran in a sandbox, where only the project/,
    ],
    ["echo 'Could not resolve host: h'; exit 6", "network", /\[exit code 6; it ran in a sandbox without network/],
    ["echo 'Connection refused'; exit 1", "local", /\[exit code 1; it ran in a sandbox that reaches only programs/],
    ["echo 'No secret key'; exit 1", "hidden", /\[exit code 1; it ran in a sandbox that hides keys/],
    ["echo 'Read-only file system'", undefined, /\[exit code 0\]$/],
    ["echo no; exit 1", undefined, /\[exit code 1\]$/],
  ])("%j in the sandbox has the failure %j", async (command, sandboxFailure, status) => {
    const { root } = environment;
    const shell = makeSandboxedShell(root);
    const { text, result } = await callTool(bash, { command }, { ...environment.context, shell });
    expect(text).toMatch(status);
    expect(result?.facts).toMatchObject({ sandbox: true });
    expect(result?.facts?.sandboxFailure).toBe(sandboxFailure);
    expect(result?.facts).not.toHaveProperty("startFolder");
    mkdirSync(`${root}/sub`);
    await callTool(bash, { command: "cd sub" }, { ...environment.context, shell });
    const inside = await callTool(bash, { command }, { ...environment.context, shell });
    expect(inside.result?.facts?.startFolder).toBe(sandboxFailure === undefined ? undefined : `${root}/sub`);
  });

  test("a command that the sandbox kept waiting until its timeout has the failure", async () => {
    const context = { ...environment.context, shell: makeSandboxedShell(environment.root) };
    const { text, result } = await callTool(bash, { command: "echo EAI_AGAIN; exec sleep 60", timeout: 1 }, context);
    expect(text).toMatch(/ended after 1 s \(timeout\); it ran in a sandbox without network/);
    expect(result?.facts).toMatchObject({ ended: "timeout", sandboxFailure: "network" });
  });

  test("a bash that cannot be started is a failed call with the reason as its only output", async () => {
    const shell = makeShell({ root: environment.root, environment: () => ({ PATH: "/nowhere" }) });
    const { text, result } = await callTool(bash, { command: "true" }, { ...environment.context, shell });
    expect(text).toMatch(/^\[bash could not be started: .*ENOENT.*\]$/);
    expect(result).toMatchObject({ failed: true, facts: { code: "tool_failed" } });
  });

  test("empty output is stated", async () => {
    expect((await call("true")).text).toBe("(no output)\n[exit code 0]");
  });

  test("the current folder is named if it is not the root", async () => {
    mkdirSync(`${environment.root}/sub`);
    expect((await call("cd sub")).text).toBe("(no output)\n[exit code 0; now in sub]");
    expect((await call("true")).text).toBe("(no output)\n[exit code 0; now in sub]");
    expect((await call("cd ..")).text).toBe("(no output)\n[exit code 0; now in the project folder]");
    expect((await call("true")).text).toBe("(no output)\n[exit code 0]");
  });

  test("a timeout ends the command and returns its output so far", async () => {
    const { text, result } = await call("echo begun; sleep 60", 1);
    expect(text).toMatch(/^begun\n\[.*ended after 1 s \(timeout\).*]$/);
    expect(result).toMatchObject({ failed: true, facts: { ended: "timeout" } });
  });

  test("background processes are ended and counted", async () => {
    const { text, result } = await call("sleep 60 & echo started");
    expect(text).toBe("started\n[exit code 0; 1 background process was ended]");
    expect(result?.facts.killed).toBe(1);
  });

  test.each([
    [0, 1_000, "timeout 0 was taken as 1 s"],
    [900, 600_000, "timeout 900 was taken as 600 s"],
  ])("a timeout of %d s is brought within the bounds and that is said", async (timeout, timeoutMs, expected) => {
    const { text, result } = await call("true", timeout);
    expect(result?.facts.timeoutMs).toBe(timeoutMs);
    expect(text).toContain(expected);
  });

  test.each([
    ["printf x | sort -o /dev/full", "No space", undefined],
    ["dd if=/dev/zero of=big bs=1 count=1 seek=2100M | tail -n 1", "reached one: read less", true],
    ["echo 'od: memory exhausted'; exit 1", "reached one: read less", true],
    ["echo '# Out of memory'", "# Out of memory\n[exit code 0]", undefined],
  ])("with limits, %j has the note only if a program reached one", async (command, expected, limited) => {
    const { shell } = environment.context;
    const limitedShell = {
      ...shell,
      run: (...[text, options, signal]: Parameters<typeof shell.run>) =>
        shell.run(text, { ...options, isLimited: true }, signal),
    };
    const { text, result } = await callTool(bash, { command }, { ...environment.context, shell: limitedShell });
    expect(text).toContain(expected);
    expect(result?.facts.limited).toBe(limited);
  });

  test("without limits, the message of a program has no note", async () => {
    expect((await call("echo 'od: memory exhausted'; exit 1")).text).toBe("od: memory exhausted\n[exit code 1]");
  });

  test("long output is cut to head and tail and stored whole as a blob", async () => {
    const { text, result } = await call("seq 1 20000");
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(settingsDefaults.bashOutputBytes);
    expect(text).toMatch(/^1\n2\n[^]*left out here[^]*20000\n\[exit code 0]$/);
    const blob = result?.full?.blob;
    expect(blob === undefined ? 0 : environment.blobs.get(blob)?.length).toBe(result?.full?.bytes);
    expect(result?.full?.bytes).toBe(108_894);
  });

  test("an abort ends the command and is reported in the result", async () => {
    const controller = new AbortController();
    const context = { ...environment.context, progress: () => controller.abort() };
    const { text, result } = await callTool(bash, { command: "echo going; sleep 60" }, context, controller.signal);
    expect(text).toContain("stopped by the user");
    expect(result?.facts.ended).toBe("aborted");
  });

  test.each([
    ["   ", "bad_input", "The command is empty."],
    ["echo \0", "bad_input", "NUL character"],
    ["x".repeat(limits.commandMaxChars + 1), "too_large", "Write a script"],
  ])("a command no shell can take is refused before the card", async (command, code, expected) => {
    const refused = await call(command);
    expect(refused.code).toBe(code);
    expect(refused.text).toContain(expected);
  });
});
