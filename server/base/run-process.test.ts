import { once } from "node:events";
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { killProcess } from "@/lib/testing/test-process";
import { type ProcessOptions, runProcess, startProcess } from "./run-process";

const never = new AbortController().signal;

const bash = (script: string, more: Partial<ProcessOptions> = {}): ProcessOptions => ({
  program: "bash",
  arguments: ["--norc", "-c", script],
  environment: { PATH: process.env.PATH },
  ...more,
});

/** Runs a script and collects its output. */
async function outputOf(script: string, more: Partial<ProcessOptions> = {}, signal = never) {
  let output = "";
  const onOutput = (chunk: Buffer): "more" => {
    output += chunk.toString();
    return "more";
  };
  return { result: await runProcess(bash(script, { onOutput, ...more }), signal), output: () => output };
}

const exists = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return !readFileSync(`/proc/${pid}/stat`, "latin1").includes(") Z ");
  } catch {
    return false;
  }
};

/** Prints the pid of a child in the same group, which would run on when only its parent ended. */
const withChild = "sleep 600 & echo $!; wait";

/** Starts a script that prints the pid of a child; resolves when the child runs. */
async function startWithChild(signal: AbortSignal, more: Partial<ProcessOptions> = {}, script = withChild) {
  const printed = new EventTarget();
  let child = 0;
  const onOutput = (chunk: Buffer): "more" => {
    child = Number(chunk.toString());
    printed.dispatchEvent(new Event("child"));
    return "more";
  };
  const started = startProcess(bash(script, { onOutput, ...more }), signal);
  await once(printed, "child");
  return { started, child };
}

test("a program gets exactly its arguments, environment and input", async () => {
  const script = 'cat; echo "$HOME|$NAME|$PWD"; echo problem >&2; exit 3';
  const environment = { PATH: process.env.PATH, NAME: "a b" };
  const { result, output } = await outputOf(script, { environment, input: "typed\n", cwd: "/" });
  expect(result).toEqual({ ok: true, value: { exit: 3, signal: null, ended: null, errorOutput: "problem\n" } });
  expect(output()).toBe("typed\n|a b|/\n");
});

test("a program that does not exist is reported, not thrown", async () => {
  const missing = { program: "no-such-program", arguments: [], environment: {} };
  expect(startProcess(missing, never).pid).toBeNull();
  expect(await runProcess(missing, never)).toMatchObject({ ok: false, error: { code: "not_found" } });
});

describe("the whole group ends", () => {
  test("on an abort", async () => {
    const stop = new AbortController();
    const { started, child } = await startWithChild(stop.signal);
    stop.abort();
    expect(await started.result).toMatchObject({ value: { exit: null, signal: "SIGKILL", ended: "aborted" } });
    await expect.poll(() => exists(child)).toBe(false);
  });

  test("on a request, with SIGTERM before SIGKILL when there is a grace period", async () => {
    const { started, child } = await startWithChild(never, { graceMs: () => 60_000 });
    started.end("user");
    expect(await started.result).toMatchObject({ value: { signal: "SIGTERM", ended: "user" } });
    await expect.poll(() => exists(child)).toBe(false);
  });

  test("at the time limit, also when SIGTERM is ignored", async () => {
    const { result } = await outputOf("trap '' TERM; while :; do sleep 0.1; done", {
      timeoutMs: 50,
      graceMs: () => 50,
    });
    expect(result).toMatchObject({ value: { signal: "SIGKILL", ended: "timeout" } });
  });

  test("at the time limit, although a process that left the group holds an output open", async () => {
    const { started, child } = await startWithChild(never, {}, "setsid sleep 600 >/dev/null & echo $!; exit 0");
    started.end("timeout");
    expect(await started.result).toMatchObject({ value: { ended: "timeout" } });
    killProcess(child);
  });

  test("as a whole when the program exits within its grace period and its child does not", async () => {
    const script = "(trap '' TERM; echo $BASHPID; exec 1>&- 2>&-; while :; do sleep 0.1; done) & wait";
    let child = 0;
    const started = startProcess(
      bash(script, {
        graceMs: () => 600_000,
        onOutput: (chunk) => {
          child = Number(chunk.toString());
          started.end("user");
          return "more";
        },
      }),
      never,
    );
    expect(await started.result).toMatchObject({ value: { ended: "user" } });
    await expect.poll(() => exists(child)).toBe(false);
  });

  test("before it starts to work, when the signal has fired already", async () => {
    const { result } = await outputOf("sleep 600", {}, AbortSignal.abort());
    expect(result).toMatchObject({ value: { ended: "aborted" } });
  });
});

describe("output", () => {
  test("beyond the limit is not delivered and ends the program", async () => {
    const { result, output } = await outputOf("while :; do echo 0123456789; done", { maxBytes: 100_000 });
    expect(result).toMatchObject({ value: { ended: "output_limit" } });
    expect(output().length).toBeLessThanOrEqual(100_000);
  });

  test("that the reader does not need any more ends the program", async () => {
    let chunks = 0;
    const onOutput = (): "stop" => {
      chunks += 1;
      return "stop";
    };
    expect(await runProcess(bash("while :; do echo 1; done", { onOutput }), never)).toMatchObject({
      value: { ended: "output_limit" },
    });
    expect(chunks).toBe(1);
  });

  test("of errors is cut, not an error", async () => {
    const { result } = await outputOf("head -c 100000 /dev/zero | tr '\\0' x >&2");
    expect(result.ok && [result.value.exit, result.value.errorOutput.length]).toEqual([0, 4_096]);
  });

  test("can go to an open file", async () => {
    const folder = mkdtempSync(join(tmpdir(), "gopi-process-"));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const file = openSync(join(folder, "log"), "w");
    const { result, output } = await outputOf("echo out; echo problem >&2", { outputDescriptor: file });
    closeSync(file);
    expect(result).toMatchObject({ value: { exit: 0, errorOutput: "" } });
    expect([readFileSync(join(folder, "log"), "utf8"), output()]).toEqual(["out\nproblem\n", ""]);
  });
});

describe("a program with an open input", () => {
  /** Runs a program and resolves with each chunk of its output. */
  function startOpen(script: string, more: Partial<ProcessOptions> = {}) {
    const chunks = new EventTarget();
    const nextChunk = async (): Promise<unknown> => {
      const [event]: unknown[] = await once(chunks, "chunk");
      return event instanceof CustomEvent ? event.detail : null;
    };
    const onOutput = (chunk: Buffer): "more" => {
      chunks.dispatchEvent(new CustomEvent("chunk", { detail: chunk.toString() }));
      return "more";
    };
    const started = startProcess(bash(script, { onOutput, inputGraceMs: 60_000, ...more }), never);
    return { started, nextChunk };
  }

  test("answers what is written, and exits by itself when its input is closed", async () => {
    const { started, nextChunk } = startOpen("exec cat");
    for (const line of ["first\n", "second\n"]) {
      const chunk = nextChunk();
      started.write(line);
      expect(await chunk).toBe(line);
    }
    started.end("user");
    expect(await started.result).toMatchObject({ value: { exit: 0, signal: null, ended: "user" } });
    started.write("ignored");
  });

  test("gets SIGTERM if it does not exit, and SIGKILL if it ignores that", async () => {
    const grace = { inputGraceMs: 50, graceMs: () => 50 };
    const polite = startOpen("echo ready; exec sleep 600", grace);
    await polite.nextChunk();
    polite.started.end("user");
    expect(await polite.started.result).toMatchObject({ value: { signal: "SIGTERM", ended: "user" } });
    const deaf = startOpen("trap '' TERM; echo ready; while :; do sleep 0.1; done", grace);
    await deaf.nextChunk();
    deaf.started.end("user");
    expect(await deaf.started.result).toMatchObject({ value: { signal: "SIGKILL", ended: "user" } });
  });

  test("leaves no process of its group behind when it exits after the end of its input", async () => {
    const { started, nextChunk } = startOpen("sleep 600 >/dev/null 2>&1 & echo $!; exec cat");
    const child = Number(await nextChunk());
    started.end("user");
    expect(await started.result).toMatchObject({ value: { exit: 0 } });
    await expect.poll(() => exists(child)).toBe(false);
  });

  test("is not waited for twice: a second reason sends the signal at once", async () => {
    const { started, nextChunk } = startOpen("echo ready; exec sleep 600", { graceMs: () => 60_000 });
    await nextChunk();
    started.end("user");
    started.end("aborted");
    expect(await started.result).toMatchObject({ value: { signal: "SIGTERM", ended: "user" } });
  });
});
