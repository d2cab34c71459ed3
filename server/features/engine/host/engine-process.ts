/**
 * One process of llama.cpp's server with one model: started on a free port of this machine, with a random key, without
 * its web page; ready when /health answers 200 (llama.cpp, tools/server/README.md).
 */
import { once } from "node:events";
import { constants } from "node:fs";
import { access } from "node:fs/promises";
import { createServer } from "node:net";
import { availableParallelism } from "node:os";
import { setImmediate } from "node:timers/promises";
import { fail, ok, type Result } from "@/lib/events/error";
import type { EngineDevice } from "@/lib/models/engine";
import { neverAborted, pause, timeLimit } from "@/server/base/abort";
import { randomSecret } from "@/server/base/id";
import { startProcess } from "@/server/base/run-process";
import { modelServerVariables } from "@/server/models/model-server-variables";
import { nodeFetch } from "@/server/providers/wire/node-fetch";
import { catchFileErrors } from "@/server/workspace/files/file-errors";
import type { CleanupJournal } from "@/server/workspace/shell/cleanup-journal";
import { promptCacheBytes } from "../prompt-cache-size";
import { deviceLogArguments, findEngineDevice, isDeviceLine } from "./engine-device";
import { findEngineError } from "./engine-errors";
import { countMemoryKills } from "./memory-kills";

export interface EngineProgram {
  /** Absolute path. */
  readonly program: string;
  /** Precede the options: `serve` for the program `llama`. */
  readonly arguments: readonly string[];
  /** Options that this version has; absent = all that are used here. */
  readonly supports?: ReadonlySet<string>;
  /** As it reports it; absent = unknown. */
  readonly version?: string;
}

/** Model and settings of a process; a change of them needs another process. */
export interface EngineLoad {
  /** Name of the model in requests. */
  readonly model: string;
  /** Absolute path of the GGUF file. */
  readonly file: string;
  /** Digest of the file, which may be replaced. */
  readonly digest?: string;
  /** Absolute path of the GGUF file that reads images. */
  readonly projector?: string;
  /** tokens */
  readonly window: number;
  /** It has a state that cannot be cut back; checkpoints of it are kept. */
  readonly isRecurrent?: boolean | undefined;
}

export interface EngineProcessOptions {
  readonly program: EngineProgram;
  readonly environment: NodeJS.Dict<string>;
  /** Working folder. */
  readonly folder: string;
  /** Memory of this machine, bytes. */
  readonly memoryBytes: number;
  readonly leftovers: Pick<CleanupJournal, "record">;
  /** As `countMemoryKills`, which is the default. */
  memoryKills?(): Promise<number | null>;
}

export interface EngineProcess {
  readonly pid: number;
  /** Address of its OpenAI-compatible API. */
  readonly baseUrl: string;
  readonly key: string;
  /** From the start until it was ready, ms. */
  readonly loadMs: number;
  /** null = this version does not report it. */
  readonly device: EngineDevice | null;
  /** Resolves when it has ended: null = stopped from here. */
  readonly ended: Promise<ReturnType<typeof findEngineError> | null>;
  /** Ends it with its group; resolves when it has ended. */
  stop(): Promise<void>;
}

/**
 * Tokens read between two looks at a cancelled request: a larger batch reads faster, but stops later. Gemma's image of up to
 * 280 tokens has to be in one batch, or its parts are not read together.
 */
const batchTokens = { text: "256", withImages: "288" } as const;
/**
 * Share of a prompt that must be in the cache already. Below it the cache is that of another conversation, which is stored
 * before it is replaced; all conversations share the system text, and a first message may be one line. Storing copies the
 * whole cache (0.2 s for 400 MB), so it is left out where less than that is read.
 */
const sameConversationShare = "0.98";
/** Checkpoints of a recurrent state; with the default spacing of 8,192 tokens short conversations have none. */
const checkpoints = { most: "32", minStep: "0" } as const;
const mib = 2 ** 20;
const maxLogLines = 200;
const maxLineChars = 2_000;
const stopGraceMs = 1_000;
const healthMs = { first: 10, most: 200, answer: 5_000 } as const;
const portTries = 3;

/**
 * Starts a process and resolves when its model is loaded. Fails with the reason found in its log: out_of_memory,
 * model_unsupported, model_file_broken, engine_incompatible, start_failed, engine_ended; with model_missing or no_permission
 * if a file cannot be read, not_found if there is no such program, and aborted.
 */
export async function startEngine(
  load: EngineLoad,
  options: EngineProcessOptions,
  signal: AbortSignal,
): Promise<Result<EngineProcess>> {
  for (let tries = 1; ; tries += 1) {
    const started = await startOnce(load, options, await freePort(), signal);
    if (started.ok) return started;
    const { error } = started;
    // The log has no reason for a file that cannot be opened.
    if (error.code === "engine_ended") return (await findFileError(load)) ?? started;
    // Another program may have taken the port meanwhile.
    if (error.code !== "start_failed" || error.facts?.takenPort === undefined || tries === portTries) return started;
  }
}

/** Fails with model_missing (facts: `model`, `file`), or as `catchFileErrors`; null = its files can be read. */
async function findFileError({ model, file, projector = file }: EngineLoad): Promise<Result<never> | null> {
  for (const path of [file, projector]) {
    const opened = await catchFileErrors(path, async () => ok(await access(path, constants.R_OK)));
    if (opened.ok) continue;
    return opened.error.code === "not_found" ? fail("model_missing", path, { model, file: path }) : opened;
  }
  return null;
}

/**
 * Arguments of the server. Its options can also be set in the environment, which it does not get. Older versions lack some
 * of the optional ones, and end at an unknown one; the key alone keeps other pages out.
 */
export function engineArguments(
  { model, file, projector, window, isRecurrent = false }: EngineLoad,
  port: number,
  { program: { supports }, memoryBytes }: Pick<EngineProcessOptions, "program" | "memoryBytes">,
): readonly string[] {
  const batch = projector === undefined ? batchTokens.text : batchTokens.withImages;
  const cacheMib = Math.floor(promptCacheBytes(memoryBytes) / mib);
  const optional = (name: string, ...values: readonly string[]): readonly string[] =>
    supports === undefined || supports.has(name) ? [name, ...values] : [];
  return [
    ...["--model", file, "--alias", model, "--ctx-size", `${window}`, "--parallel", "1", "--jinja"],
    ...(projector === undefined ? [] : ["--mmproj", projector]),
    ...["--host", "127.0.0.1", "--port", `${port}`, "--batch-size", batch, "--ubatch-size", batch],
    ...optional("--cors-origins", "http://127.0.0.1"),
    ...optional(supports?.has("--no-ui") === true ? "--no-ui" : "--no-webui"),
    ...optional("--no-slots"),
    ...optional("--offline"),
    ...optional("--cache-ram", `${cacheMib}`),
    ...optional("--slot-prompt-similarity", sameConversationShare),
    ...(isRecurrent ? optional("--ctx-checkpoints", checkpoints.most) : []),
    ...(isRecurrent ? optional("--checkpoint-min-step", checkpoints.minStep) : []),
    // One core stays free for the browser and this program.
    ...["--threads", `${Math.max(1, availableParallelism() - 1)}`],
  ];
}

async function startOnce(
  load: EngineLoad,
  options: EngineProcessOptions,
  port: number,
  signal: AbortSignal,
): Promise<Result<EngineProcess>> {
  const { program, folder, leftovers, environment, memoryKills = countMemoryKills } = options;
  const killsBefore = await memoryKills();
  if (signal.aborted) return fail("aborted");
  const key = randomSecret();
  const marker = `GOPI_ENGINE=${randomSecret()}`;
  const forget = leftovers.record({ marker });
  const log = makeLogTail();
  const startedAt = performance.now();
  const child = startProcess(
    {
      program: program.program,
      arguments: [
        ...program.arguments,
        ...engineArguments(load, port, options),
        ...deviceLogArguments(program.version),
      ],
      environment: {
        ...modelServerVariables(environment),
        LLAMA_API_KEY: key,
        [marker.slice(0, marker.indexOf("="))]: marker.slice(marker.indexOf("=") + 1),
      },
      cwd: folder,
      graceMs: () => stopGraceMs,
      onErrorOutput: log.add,
    },
    neverAborted,
  );
  const exit = new AbortController();
  const ended = child.result.then(async (result) => {
    exit.abort();
    forget();
    if (child.ended() !== null) return null;
    if (!result.ok) return result.error;
    const { exit: code, signal: endSignal } = result.value;
    const kills = endSignal === "SIGKILL" && killsBefore !== null ? await memoryKills() : null;
    const isMemoryKill = kills !== null && killsBefore !== null && kills > killsBefore;
    return findEngineError(log.lines(), { code, signal: endSignal, isMemoryKill });
  });
  const stop = async (): Promise<void> => {
    child.end("user");
    await ended;
  };
  const origin = `http://127.0.0.1:${port}`;
  const isReady = await untilHealthy(origin, AbortSignal.any([signal, exit.signal]));
  if (signal.aborted) {
    await stop();
    return fail("aborted");
  }
  if (!isReady || child.pid === null) return { ok: false, error: (await ended) ?? { code: "aborted" } };
  const loadMs = Math.round(performance.now() - startedAt);
  // Output that the process wrote before it answered is read in this turn of the event loop.
  await setImmediate();
  const device = findEngineDevice(log.deviceLines());
  return ok({ pid: child.pid, baseUrl: `${origin}/v1`, key, loadMs, device, ended, stop });
}

/** false = the signal fired first. */
async function untilHealthy(origin: string, signal: AbortSignal): Promise<boolean> {
  for (let wait: number = healthMs.first; ; wait = Math.min(2 * wait, healthMs.most)) {
    if (!(await pause(wait, signal))) return false;
    try {
      const request = { method: "GET", headers: {} };
      const response = await nodeFetch(`${origin}/health`, request, timeLimit(healthMs.answer, signal));
      response.destroy();
      if (response.status === 200 && !signal.aborted) return true;
    } catch {
      // It does not listen yet.
    }
  }
}

/** Keeps the last lines of the error output, and those of the start that name the devices. */
function makeLogTail() {
  let lines: string[] = [];
  let open = "";
  const deviceLines: string[] = [];
  return {
    add(text: string): void {
      const parts = `${open}${text}`.split("\n");
      open = (parts.pop() ?? "").slice(-maxLineChars);
      const whole = parts.map((line) => line.slice(0, maxLineChars));
      lines = [...lines, ...whole].slice(-maxLogLines);
      deviceLines.push(...whole.filter(isDeviceLine).slice(0, maxLogLines - deviceLines.length));
    },
    lines: (): readonly string[] => (open === "" ? lines : [...lines, open]),
    deviceLines: (): readonly string[] => deviceLines,
  };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  await once(server, "close");
  return typeof address === "object" && address !== null ? address.port : 0;
}
