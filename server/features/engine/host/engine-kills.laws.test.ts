/** kill -9 of the engine and of gopi-web at random moments: what is reported, what works after it, and what is left. */
import { randomInt } from "node:crypto";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import * as z from "zod/mini";
import { findLlamaServer } from "@/e2e/fixtures/find-llama-server";
import { lawRuns } from "@/lib/testing/law-runs";
import { sendSignal } from "@/server/base/run-process";
import { useChildProgram } from "@/server/store/__fixtures__/start-child";
import { makeCleanupJournal } from "@/server/workspace/shell/cleanup-journal";
import type { ModelPart } from "@/server/providers/provider";
import {
  findMarkedPids,
  makeLongRequest,
  makeRandomBelow,
  type RandomBelow,
  makeTinyEngine,
  readEngineAnswer,
  type TinyEngine,
} from "./test-tiny-engine";

const startChild = useChildProgram("server/features/engine/host/__fixtures__/engine-child.ts");
const found = await findLlamaServer();
const program = found.program ?? "";
const isTestable = found.program !== null && process.platform === "linux";
const title = found.program === null ? `kill -9 of the engine (skipped: ${found.why})` : "kill -9 of the engine";
const timeout = 600_000;

/** About how long a tiny model loads, ms. */
const loadMs = 120;

/** Lets other work run for this long, ms: a moment that no event marks. */
async function passTime(ms: number): Promise<void> {
  for (const end = performance.now() + ms; performance.now() < end; )
    await new Promise<void>((resolve) => setImmediate(resolve));
}

const kills = lawRuns(100);
const phases = ["loading", "reading", "writing", "idle"] as const;
type KilledPhase = (typeof phases)[number];

interface Killer {
  readonly engine: TinyEngine;
  /** Markers of all processes that were started. */
  readonly markers: ReadonlySet<string>;
  kill(): Promise<void>;
}

function makeKiller(): Killer {
  const markers = new Set<string>();
  const live = new Set<string>();
  const record = ({ marker = "" }): (() => void) => {
    markers.add(marker);
    live.add(marker);
    return () => void live.delete(marker);
  };
  const engine = makeTinyEngine({ program, leftovers: { record } });
  onTestFinished(() => engine.close());
  return {
    engine,
    markers,
    async kill() {
      const run = engine.host.run();
      if (run.status === "ready") return sendSignal(run.process.pid, "SIGKILL");
      for (const pid of await findMarkedPids(live)) sendSignal(pid, "SIGKILL");
    },
  };
}

/** Kills the engine once in this phase of a request, at a random moment; resolves with how the request ended. */
async function killDuring(
  { engine, kill }: Killer,
  phase: KilledPhase,
  number: number,
  random: RandomBelow,
): Promise<ModelPart | null> {
  if (phase === "loading") {
    await engine.host.unload();
    const answered = readEngineAnswer(engine.provider, makeLongRequest(number));
    await passTime(random(loadMs));
    await kill();
    return answered;
  }
  if (phase === "idle") {
    await kill();
    return readEngineAnswer(engine.provider, makeLongRequest(number));
  }
  let left = random(phase === "reading" ? 4 : 20);
  let killed: Promise<void> | null = null;
  const end = await readEngineAnswer(engine.provider, makeLongRequest(number), (part) => {
    const isIn = phase === "reading" ? part.type === "phase" && part.phase === "reading" : part.type === "text";
    if (!isIn || killed !== null) return;
    // Tokens that arrive together are one part.
    left -= part.type === "text" ? (part.pieces ?? 1) : 1;
    if (left < 0) killed = kill();
  });
  await killed;
  return end;
}

/** As the agent does it: an answer that broke off is requested once more. */
async function requestWithRetry({ provider }: TinyEngine, number: number): Promise<ModelPart | null> {
  const end = await readEngineAnswer(provider, makeLongRequest(number));
  const isOver = end?.type !== "failed" || !end.retryable;
  return isOver ? end : readEngineAnswer(provider, makeLongRequest(number));
}

/** Reads the markers that a killed gopi-web recorded. An empty entry was being written: its process was not started. */
const readMarkers = (leftovers: string): readonly string[] =>
  readdirSync(leftovers)
    .map((name) => readFileSync(join(leftovers, name), "utf8"))
    .filter((text) => text !== "")
    .map((text) => z.object({ marker: z.string() }).parse(JSON.parse(text)).marker);

describe.skipIf(!isTestable)(title, () => {
  test(`${kills} times, in each phase: the reason is reported and the next request answered`, { timeout }, async () => {
    const seed = randomInt(2 ** 31);
    const random = makeRandomBelow(seed);
    const killer = makeKiller();
    const { engine, markers } = killer;
    const ends: Record<KilledPhase, string[]> = { loading: [], reading: [], writing: [], idle: [] };
    for (let number = 0; number < kills; number += 1) {
      const phase = phases[number % phases.length] ?? "idle";
      const end = await killDuring(killer, phase, number, random);
      ends[phase].push(end?.type === "failed" ? `${end.error.code} ${end.retryable}` : (end?.type ?? "none"));
      expect(await requestWithRetry(engine, number), `seed ${seed}, kill ${number}`).toMatchObject({
        type: "finish",
        stop: "done",
      });
    }
    // A kill may come after the last token, or before the process has started.
    const reported = ["out_of_memory true", "out_of_memory false", "finish"];
    for (const phase of phases) expect(reported).toEqual(expect.arrayContaining(ends[phase]));
    // The request before was answered, so that it is the first end in a row.
    expect(ends.writing).toContain("out_of_memory true");
    expect([...ends.reading, ...ends.writing]).not.toContain("out_of_memory false");
    await engine.host.unload();
    expect(await findMarkedPids(markers)).toEqual([]);
  });

  test(`of gopi-web ${kills} times, in each phase: the next start ends the engine that is left`, {
    timeout,
  }, async () => {
    const seed = randomInt(2 ** 31);
    const random = makeRandomBelow(seed);
    const home = mkdtempSync(join(tmpdir(), "gopi-kills-"));
    const leftovers = join(home, "leftovers");
    // A first kill may come before the first process is recorded.
    mkdirSync(leftovers);
    onTestFinished(() => rmSync(home, { recursive: true, force: true }));
    let ended = 0;
    for (let number = 0; number < kills; number += 1) {
      const phase = phases[number % phases.length] ?? "idle";
      const child = startChild(home, program);
      const folder = (await child.next()) ?? "";
      onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
      const wanted = phase === "writing" ? "text" : phase;
      for (let left = phase === "loading" ? 0 : random(4); left >= 0; ) {
        const line = await child.next();
        expect(line, `seed ${seed}, kill ${number}`).toMatch(/^(request|loading|reading|text|idle|finish)\b/);
        if (line?.startsWith(wanted) === true) left -= 1;
      }
      if (phase === "loading") await passTime(random(loadMs));
      await child.kill();
      const markers = readMarkers(leftovers);
      // As the next start does.
      ended += await makeCleanupJournal(home, () => false).cleanUp();
      expect(await findMarkedPids(markers), `seed ${seed}, kill ${number}`).toEqual([]);
      expect(readdirSync(leftovers)).toEqual([]);
    }
    expect(ended).toBeGreaterThan(0);
  });
});
