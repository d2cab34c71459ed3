/** The engine as a real process with a tiny model: loading, changing, ending, and what is left after a kill. */
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { killProcess } from "@/lib/testing/test-process";
import { findLlamaServer } from "@/e2e/fixtures/find-llama-server";
import { writeTinyModel } from "@/e2e/fixtures/tiny-model.mjs";
import { killMarkedProcesses } from "@/server/workspace/shell/process-group";
import { type EngineHost, type EngineRun, makeEngineHost } from "./engine-host";
import { type EngineLoad, type EngineProcess, type EngineProgram, startEngine } from "./engine-process";

const found = await findLlamaServer();
const program: EngineProgram = { program: found.program ?? "", arguments: [] };
/** The same with at most 1.5 GB of address space. */
const limitedProgram: EngineProgram = {
  program: "/bin/sh",
  arguments: ["-c", 'ulimit -v 1500000; exec "$0" "$@"', program.program],
};
const title = found.program === null ? `the engine (skipped: ${found.why})` : "the engine";
const never = new AbortController().signal;
const timeout = 120_000;

interface Rig {
  readonly host: EngineHost;
  readonly runs: readonly EngineRun["status"][];
  /** Markers of processes that the cleanup journal has. */
  readonly markers: ReadonlySet<string>;
  load(change?: Partial<EngineLoad>): EngineLoad;
  file(name: string, change: (model: Buffer) => Buffer): string;
}

function makeRig(environment: NodeJS.Dict<string> = {}, used = program): Rig {
  const folder = mkdtempSync(join(tmpdir(), "gopi-engine-"));
  const file = join(folder, "tiny.gguf");
  writeTinyModel(file, { answers: [{ text: "Hello" }] });
  const markers = new Set<string>();
  const runs: EngineRun["status"][] = [];
  const record = ({ marker = "" }): (() => void) => {
    markers.add(marker);
    return () => void markers.delete(marker);
  };
  const host = makeEngineHost({
    start: (load, signal) =>
      startEngine(
        load,
        {
          program: used,
          environment: { ...process.env, ...environment },
          folder,
          memoryBytes: 2 ** 33,
          leftovers: { record },
        },
        signal,
      ),
    onChange: ({ status }) => runs.push(status),
  });
  onTestFinished(async () => {
    await host.unload();
    rmSync(folder, { recursive: true, force: true });
  });
  return {
    host,
    runs,
    markers,
    load: (change) => ({ model: "tiny", file, window: 4_096, ...change }),
    file(name, change) {
      const path = join(folder, name);
      writeFileSync(path, change(readFileSync(file)));
      return path;
    },
  };
}

async function started({ host }: Pick<Rig, "host">, load: EngineLoad): Promise<EngineProcess> {
  const result = await host.ensure(load, never);
  if (!result.ok) throw new Error(`${result.error.code}: ${result.error.detail}`);
  return result.value;
}

const isRunning = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
};

const windowOf = async ({ baseUrl, key }: EngineProcess): Promise<unknown> => {
  const response = await fetch(baseUrl.replace(/v1$/, "props"), { headers: { authorization: `Bearer ${key}` } });
  const props: { default_generation_settings?: { n_ctx?: number } } = JSON.parse(await response.text());
  return props.default_generation_settings?.n_ctx;
};

describe.skipIf(found.program === null)(title, () => {
  test("loads on demand, once for any number of requests, and another window in another process", {
    timeout,
  }, async () => {
    const rig = makeRig();
    const [one, same] = await Promise.all([started(rig, rig.load()), started(rig, rig.load())]);
    expect(same.pid).toBe(one.pid);
    expect(await windowOf(one)).toBe(4_096);
    const other = await started(rig, rig.load({ window: 8_192 }));
    expect(other.pid).not.toBe(one.pid);
    expect(isRunning(one.pid)).toBe(false);
    expect(await windowOf(other)).toBe(8_192);
    expect(rig.markers.size).toBe(1);
    await rig.host.unload();
    expect(isRunning(other.pid)).toBe(false);
    expect(rig.markers.size).toBe(0);
    expect(rig.runs).toEqual(["loading", "ready", "stopped", "loading", "ready", "stopped"]);
  });

  test("answers only requests with its key, and no page of another site", { timeout }, async () => {
    const rig = makeRig({ LLAMA_ARG_API_KEY: "known", LLAMA_API_KEY: "known", LLAMA_ARG_CTX_SIZE: "512" });
    const { baseUrl, key } = await started(rig, rig.load());
    const ask = (headers: Record<string, string>) => fetch(`${baseUrl}/models`, { headers });
    for (const wrong of [undefined, "known"])
      expect((await ask(wrong === undefined ? {} : { authorization: `Bearer ${wrong}` })).status).toBe(401);
    const answer = await ask({ authorization: `Bearer ${key}`, origin: "https://example.com" });
    expect(answer.status).toBe(200);
    expect(answer.headers.get("access-control-allow-origin")).not.toBe("https://example.com");
    expect(answer.headers.get("access-control-allow-origin")).not.toBe("*");
    expect((await fetch(baseUrl.replace(/v1$/, ""), { headers: { authorization: `Bearer ${key}` } })).status).toBe(404);
    const slots = await fetch(baseUrl.replace(/v1$/, "slots"), { headers: { authorization: `Bearer ${key}` } });
    expect(slots.ok).toBe(false);
  });

  test.each([
    ["cut", (model: Buffer) => model.subarray(0, 200_000), "model_file_broken", undefined],
    ["something else", () => Buffer.from("no model at all"), "model_file_broken", undefined],
    [
      "of a newer architecture",
      (model: Buffer) => Buffer.from(model.toString("latin1").replace("llama", "zzzzz"), "latin1"),
      "model_unsupported",
      "zzzzz",
    ],
  ])("a file that is %s is refused with the reason", { timeout }, async (_name, change, code, architecture) => {
    const rig = makeRig();
    const refused = await rig.host.ensure(rig.load({ file: rig.file("other.gguf", change) }), never);
    expect(refused).toMatchObject({ ok: false, error: { code } });
    if (!refused.ok && architecture !== undefined) expect(refused.error.facts).toEqual({ architecture });
    expect(rig.runs).toEqual(["loading", "failed"]);
    expect(rig.markers.size).toBe(0);
    await started(rig, rig.load());
  });

  test("a window that does not fit in memory is refused with the reason", { timeout }, async () => {
    const rig = makeRig({}, limitedProgram);
    const refused = await rig.host.ensure(rig.load({ window: 20_000_000 }), never);
    expect(refused).toMatchObject({ ok: false, error: { code: "out_of_memory" } });
  });

  test("a program that does not exist is reported", { timeout }, async () => {
    const options = {
      program: { program: "/nowhere/llama-server", arguments: [] },
      environment: {},
      folder: tmpdir(),
      memoryBytes: 2 ** 33,
      leftovers: { record: () => () => {} },
    };
    expect(await startEngine({ model: "m", file: "/m.gguf", window: 512 }, options, never)).toMatchObject({
      error: { code: "not_found" },
    });
  });

  test("after two ends in a row a request is not repeated, but the next one starts it again", { timeout }, async () => {
    const rig = makeRig();
    const failures: unknown[] = [];
    for (let ends = 0; ends < 3; ends += 1) {
      const running = await started(rig, rig.load());
      killProcess(running.pid, "SIGSEGV");
      failures.push(await rig.host.findFailure(running));
    }
    expect(failures).toMatchObject([
      { error: { code: "engine_ended" }, retryable: true },
      { error: { code: "engine_ended" }, retryable: false },
      { error: { code: "engine_ended" }, retryable: true },
    ]);
    const running = await started(rig, rig.load());
    rig.host.answered();
    killProcess(running.pid);
    expect(await rig.host.findFailure(running)).toMatchObject({ error: { code: "out_of_memory" }, retryable: true });
    expect(rig.host.run()).toMatchObject({ status: "failed", error: { code: "out_of_memory" } });
  });

  test("an answer that broke off by an unload is not repeated, and counts as no end", { timeout }, async () => {
    const rig = makeRig();
    for (let unloads = 0; unloads < 2; unloads += 1) {
      const running = await started(rig, rig.load());
      await rig.host.unload();
      expect(await rig.host.findFailure(running)).toEqual({ error: { code: "aborted" }, retryable: false });
    }
    const running = await started(rig, rig.load());
    killProcess(running.pid, "SIGSEGV");
    expect(await rig.host.findFailure(running)).toMatchObject({ error: { code: "engine_ended" }, retryable: true });
  });

  test("an answer that broke off while the engine runs has another reason", { timeout }, async () => {
    const rig = makeRig();
    expect(await rig.host.findFailure(await started(rig, rig.load()))).toBe(null);
  });

  test("unloading while it loads leaves no process, whenever it happens", { timeout }, async () => {
    const rig = makeRig();
    const pids = (): string => {
      try {
        return execFileSync("pgrep", ["-f", rig.load().file], { encoding: "utf8" });
      } catch {
        return "";
      }
    };
    for (let steps = 0; steps < 30; steps += 1) {
      const loading = rig.host.ensure(rig.load(), never);
      for (let turn = 0; turn < steps; turn += 1) await new Promise((resolve) => setImmediate(resolve));
      await rig.host.unload();
      await loading;
      expect(rig.host.run().status).toBe("stopped");
      expect(pids()).toBe("");
    }
    expect(rig.markers.size).toBe(0);
  });

  test("a waiter can leave; the model is loaded for the next one", { timeout }, async () => {
    const rig = makeRig();
    const leave = new AbortController();
    const left = rig.host.ensure(rig.load(), leave.signal).catch((error: unknown) => error);
    leave.abort(new Error("left"));
    expect(await left).toMatchObject({ message: "left" });
    await started(rig, rig.load());
    expect(rig.runs).toEqual(["loading", "ready"]);
  });

  test.runIf(process.platform === "linux")(
    "a process that a kill left behind is found by its marker",
    { timeout },
    async () => {
      const rig = makeRig();
      const running = await started(rig, rig.load());
      expect(await killMarkedProcesses([...rig.markers])).toBeGreaterThan(0);
      expect(await running.ended).toMatchObject({ code: "out_of_memory" });
      expect(isRunning(running.pid)).toBe(false);
    },
  );
});
