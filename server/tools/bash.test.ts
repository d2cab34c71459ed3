import { mkdirSync } from "node:fs";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { limits, settingsDefaults } from "@/lib/settings";
import { bash } from "./bash";
import { callTool, makeTestWorld, type TestWorld } from "./test-context";

let world: TestWorld;
const call = (command: string, timeout?: number, signal?: AbortSignal) =>
  callTool(bash, { command, ...(timeout === undefined ? {} : { timeout }) }, world.context, signal);

beforeEach(() => {
  world = makeTestWorld();
});
afterEach(() => world.remove());

describe("bash", () => {
  test("the output is told with the exit code, and streamed as it comes", async () => {
    const { text, result } = await call("echo hello");
    expect(text).toBe("hello\n[exit code 0]");
    expect(world.progressed()).toBe("hello\n");
    expect(result).toMatchObject({ failed: false, facts: { exit: 0, bytes: 6, cwd: world.root, timeoutMs: 30_000 } });
  });

  test("colours come beside the plain text, and not at all when the output was cut", async () => {
    const { text, result } = await call("printf 'a\\033[1;31mred\\033[0m\\n'");
    expect(text).toBe("ared\n[exit code 0]");
    const styles = [{ from: 1, to: 4, color: "red", bold: true }];
    expect(result?.output).toEqual([{ type: "text", text, styles }]);
    expect((await call("echo plain")).result?.output[0]).not.toHaveProperty("styles");
    const long = await call("printf '\\033[32m'; seq 1 60000");
    expect(long.result?.full).toBeDefined();
    expect(long.result?.output[0]).not.toHaveProperty("styles");
  });

  test("a command that fails is a failed result, not an error of the tool", async () => {
    const { text, code, result } = await call("echo no >&2; exit 3");
    expect(text).toBe("no\n[exit code 3]");
    expect(code).toBeUndefined();
    expect(result?.failed).toBe(true);
  });

  test("no output is said", async () => {
    expect((await call("true")).text).toBe("(no output)\n[exit code 0]");
  });

  test("another folder is named as long as the shell is in it", async () => {
    mkdirSync(`${world.root}/sub`);
    expect((await call("cd sub")).text).toBe("(no output)\n[exit code 0; now in sub]");
    expect((await call("true")).text).toBe("(no output)\n[exit code 0; now in sub]");
    expect((await call("cd ..")).text).toBe("(no output)\n[exit code 0; now in the project folder]");
    expect((await call("true")).text).toBe("(no output)\n[exit code 0]");
  });

  test("a command over its time is ended and what it wrote is kept", async () => {
    const { text, result } = await call("echo begun; sleep 60", 1);
    expect(text).toMatch(/^begun\n\[.*ended after 1 s \(timeout\).*]$/);
    expect(result).toMatchObject({ failed: true, facts: { ended: "timeout" } });
  });

  test("a process left in the background is ended and counted", async () => {
    const { text, result } = await call("sleep 60 & echo started");
    expect(text).toBe("started\n[exit code 0; 1 background process was ended]");
    expect(result?.facts.killed).toBe(1);
  });

  test.each([
    [0, 1_000, "timeout 0 was taken as 1 s"],
    [900, 600_000, "timeout 900 was taken as 600 s"],
  ])("a timeout of %d s is brought within the bounds and that is said", async (timeout, timeoutMs, says) => {
    const { text, result } = await call("true", timeout);
    expect(result?.facts.timeoutMs).toBe(timeoutMs);
    expect(text).toContain(says);
  });

  test("a long output shows head and tail within the limit; all of it is a blob", async () => {
    const { text, result } = await call("seq 1 20000");
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(settingsDefaults.bashOutputBytes);
    expect(text).toMatch(/^1\n2\n[^]*left out here[^]*20000\n\[exit code 0]$/);
    const blob = result?.full?.blob;
    expect(blob === undefined ? 0 : world.blobs.get(blob)?.length).toBe(result?.full?.bytes);
    expect(result?.full?.bytes).toBe(108_894);
  });

  test("a stop ends the command and its result says so", async () => {
    const controller = new AbortController();
    const context = { ...world.context, progress: () => controller.abort() };
    const { text, result } = await callTool(bash, { command: "echo going; sleep 60" }, context, controller.signal);
    expect(text).toContain("stopped by the user");
    expect(result?.facts.ended).toBe("aborted");
  });

  test.each([
    ["   ", "bad_input", "The command is empty."],
    ["echo \0", "bad_input", "NUL character"],
    ["x".repeat(limits.commandMaxChars + 1), "too_large", "Write a script"],
  ])("a command no shell can take is refused before the card", async (command, code, says) => {
    const refused = await call(command);
    expect(refused.code).toBe(code);
    expect(refused.text).toContain(says);
  });
});
