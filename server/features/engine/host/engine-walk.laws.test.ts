/** Requests, stops, unloads and kills in random order never leave a process, or an engine that answers no more. */
import { randomInt } from "node:crypto";
import { describe, expect, onTestFinished, test } from "vitest";
import { findLlamaServer } from "@/e2e/fixtures/find-llama-server";
import { sendSignal } from "@/server/base/run-process";
import { findMarkedPids, makeLongRequest, makeRandomBelow, makeTinyEngine, readEngineAnswer } from "./test-tiny-engine";

const found = await findLlamaServer();
const isTestable = found.program !== null && process.platform === "linux";
const title = found.program === null ? `the engine (skipped: ${found.why})` : "the engine";
const windows = [4_096, 8_192];
/** With 0 the process ends by itself during the walk. */
const keepAlives = [0, 10];
const steps = 200;

describe.skipIf(!isTestable)(title, () => {
  test("answers after any order of requests, stops, unloads and kills", { timeout: 300_000 }, async () => {
    const seed = randomInt(2 ** 31);
    const random = makeRandomBelow(seed);
    const markers = new Set<string>();
    const record = ({ marker = "" }): (() => void) => {
      markers.add(marker);
      return () => {};
    };
    const engine = makeTinyEngine({ program: found.program ?? "", leftovers: { record } });
    onTestFinished(() => engine.close());
    const { host, provider } = engine;
    let open: Promise<unknown>[] = [];
    let stops: AbortController[] = [];
    const actions: (() => unknown)[] = [
      () => {
        const stop = new AbortController();
        const request = makeLongRequest(
          random(3),
          windows[random(windows.length)],
          keepAlives[random(keepAlives.length)],
        );
        stops.push(stop);
        open.push(readEngineAnswer(provider, request, () => {}, stop.signal));
      },
      () => stops.splice(random(stops.length + 1), 1).forEach((stop) => stop.abort()),
      () => void open.push(host.unload()),
      () => {
        const run = host.run();
        if (run.status === "ready") sendSignal(run.process.pid, "SIGKILL");
      },
      () => (open.length === 0 ? undefined : Promise.race(open)),
      () => new Promise<void>((resolve) => setImmediate(resolve)),
    ];
    for (let step = 0; step < steps; step += 1) {
      if (open.length > 0 || random(2) === 0) await actions[random(actions.length)]?.();
      else await actions[0]?.();
      if (step % 10 < 9) continue;
      for (const stop of stops) stop.abort();
      await Promise.all(open);
      [open, stops] = [[], []];
      // One end may not have been noticed yet; it is reported, and the request repeated.
      let end = await readEngineAnswer(provider, makeLongRequest(step));
      if (end?.type === "failed") end = await readEngineAnswer(provider, makeLongRequest(step));
      expect(end, `seed ${seed}, step ${step}`).toMatchObject({ type: "finish" });
      expect(await findMarkedPids(markers), `seed ${seed}, step ${step}`).toHaveLength(1);
    }
    await host.unload();
    expect(await findMarkedPids(markers)).toEqual([]);
  });
});
