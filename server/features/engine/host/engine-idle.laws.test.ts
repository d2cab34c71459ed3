/** The engine ends when it is idle, and loads the model again with the next request. */
import { rmSync, writeFileSync } from "node:fs";
import { describe, expect, onTestFinished, test } from "vitest";
import { findLlamaServer } from "@/e2e/fixtures/find-llama-server";
import type { ModelPart } from "@/server/providers/provider";
import { findMarkedPids, makeLongRequest, makeTinyEngine, readEngineAnswer, type TinyEngine } from "./test-tiny-engine";

const found = await findLlamaServer();
const title = found.program === null ? `the idle engine (skipped: ${found.why})` : "the idle engine";
const timeout = 120_000;

/** The process ends soon after the request. */
const briefRequest = (number: number) => makeLongRequest(number, undefined, 0);

interface IdleEngine extends TinyEngine {
  /** Markers of all processes that were started. */
  readonly markers: ReadonlySet<string>;
  /** Resolves when the process begins to end: at this moment, not after it. */
  stopped(): Promise<void>;
}

function makeIdleEngine(): IdleEngine {
  const markers = new Set<string>();
  const record = ({ marker = "" }): (() => void) => {
    markers.add(marker);
    return () => {};
  };
  const waiting = new Set<() => void>();
  const engine = makeTinyEngine({
    program: found.program ?? "",
    leftovers: { record },
    onChange({ status }) {
      if (status !== "stopped") return;
      for (const resolve of waiting) resolve();
      waiting.clear();
    },
  });
  onTestFinished(() => engine.close());
  return { ...engine, markers, stopped: () => new Promise((resolve) => void waiting.add(resolve)) };
}

describe.skipIf(found.program === null)(title, () => {
  test("releases its memory, and answers the next request", { timeout }, async () => {
    const { provider, host, stopped, markers } = makeIdleEngine();
    const ended = stopped();
    expect(await readEngineAnswer(provider, briefRequest(1))).toMatchObject({ type: "finish" });
    expect(host.run().status).toBe("ready");
    await ended;
    await host.unload();
    if (process.platform === "linux") expect(await findMarkedPids(markers)).toEqual([]);
    const parts: ModelPart[] = [];
    const end = await readEngineAnswer(provider, makeLongRequest(1), (part) => parts.push(part));
    expect(parts[0]).toMatchObject({ type: "phase", phase: "loading" });
    expect(end).toMatchObject({ type: "finish" });
    expect(host.run().status).toBe("ready");
  });

  test("answers a request that arrives while it ends, with another process", { timeout }, async () => {
    const { provider, host, stopped } = makeIdleEngine();
    for (let round = 0; round < 3; round += 1) {
      const ended = stopped();
      expect(await readEngineAnswer(provider, briefRequest(round))).toMatchObject({ type: "finish" });
      const run = host.run();
      const before = run.status === "ready" ? run.process : null;
      let hasExited = false;
      void before?.ended.then(() => (hasExited = true));
      await ended;
      expect(hasExited).toBe(false);
      expect(await readEngineAnswer(provider, briefRequest(round))).toMatchObject({ type: "finish" });
      expect(hasExited).toBe(true);
    }
  });

  test.each([
    ["damaged", (file: string) => writeFileSync(file, "no model"), "model_file_broken"],
    ["deleted", (file: string) => rmSync(file), "model_missing"],
  ] as const)("reports a file that was %s meanwhile", { timeout }, async (_name, change, code) => {
    const { provider, host, load, stopped } = makeIdleEngine();
    const ended = stopped();
    await readEngineAnswer(provider, briefRequest(1));
    await ended;
    change(load().file);
    expect(await readEngineAnswer(provider, makeLongRequest(1))).toMatchObject({
      type: "failed",
      error: { code },
      retryable: false,
    });
    expect(host.run()).toMatchObject({ status: "failed", error: { code } });
  });
});
