/** An engine with one tiny model, requested directly: without a session, which would wait before it repeats a request. */
import { mkdtempSync, rmSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { writeTinyModel } from "@/e2e/fixtures/tiny-model.mjs";
import type { ModelPart, ModelRequest, Provider } from "@/server/providers/provider";
import type { CleanupJournal } from "@/server/workspace/shell/cleanup-journal";
import { makeEngineConnection } from "../engine-connection";
import { type EngineHost, type EngineRun, makeEngineHost } from "./engine-host";
import { type EngineLoad, startEngine } from "./engine-process";

export interface TinyEngine {
  readonly host: EngineHost;
  readonly provider: Provider;
  readonly folder: string;
  load(change?: Partial<EngineLoad>): EngineLoad;
  /** Ends it and deletes its model. */
  close(): Promise<void>;
}

interface TinyEngineOptions {
  readonly program: string;
  readonly leftovers: Pick<CleanupJournal, "record">;
  onChange?(run: EngineRun): void;
}

const answer = Array.from({ length: 100 }, (_, index) => `w${index}`).join(" ");
const window = 8_192;

export function makeTinyEngine({ program, leftovers, onChange = () => {} }: TinyEngineOptions): TinyEngine {
  const folder = mkdtempSync(join(tmpdir(), "gopi-engine-"));
  const file = join(folder, "tiny.gguf");
  writeTinyModel(file, { answers: [{ text: answer }] });
  const load = (change?: Partial<EngineLoad>): EngineLoad => ({ model: "tiny", file, window, ...change });
  const options = {
    program: { program, arguments: [] },
    environment: process.env,
    folder,
    memoryBytes: 2 ** 33,
    leftovers,
  };
  const host = makeEngineHost({
    start: (wanted, signal) => startEngine(wanted, options, signal),
    onChange,
  });
  const connection = makeEngineConnection({
    host: () => Promise.resolve(host),
    models: () => [],
    reload: () => Promise.resolve(),
    loadFor: (_model, size) => load({ window: size }),
    template: () => undefined,
    memoryBytes: options.memoryBytes,
  });
  return {
    host,
    provider: connection.provider,
    folder,
    load,
    async close() {
      await host.unload();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** A request with a prompt of some thousand tokens, of which most differ by `number`, so that they are read again. */
export const makeLongRequest = (number: number, numCtx = window, keepAliveMinutes = 10): ModelRequest => ({
  provider: "engine",
  model: "tiny",
  messages: [{ role: "user", text: `${number}. `.repeat(300) }],
  tools: [],
  numCtx,
  think: false,
  keepAliveMinutes,
  maxOutputTokens: 1_000,
});

/** Streams a request to its end; `take` gets each part. Returns the last part, which finishes or fails; null = aborted. */
export async function readEngineAnswer(
  provider: Provider,
  request: ModelRequest,
  take: (part: ModelPart) => void = () => {},
  signal: AbortSignal = new AbortController().signal,
): Promise<Extract<ModelPart, { type: "finish" | "failed" }> | null> {
  for await (const part of provider.stream(request, signal)) {
    take(part);
    if (part.type === "finish" || part.type === "failed") return part;
  }
  return null;
}

/** Ids of the running processes with one of these texts in their environment. */
export async function findMarkedPids(markers: Iterable<string>): Promise<readonly number[]> {
  const wanted = [...markers];
  const pids = (await readdir("/proc")).filter((name) => /^\d+$/.test(name));
  const isMarked = async (pid: string): Promise<boolean> => {
    const environment = await readFile(`/proc/${pid}/environ`, "latin1").catch(() => "");
    return wanted.some((marker) => environment.includes(marker));
  };
  const marked = await Promise.all(pids.map(isMarked));
  return pids.flatMap((pid, index) => (marked[index] === true ? [Number(pid)] : []));
}

/** A whole number from 0 to below the limit. */
export type RandomBelow = (limit: number) => number;

/** The same seed gives the same numbers (Mulberry32). */
export function makeRandomBelow(seed: number): RandomBelow {
  let state = seed >>> 0;
  return (limit) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % limit;
  };
}
