/** Finds the program `ollama` and starts its server so that it outlives this process. */
import { constants } from "node:fs";
import { access, open, readFile } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { fail, ok, type Result } from "@/lib/events/error";
import { serverLimits } from "@/lib/settings/server-limits";
import { neverAborted, pause } from "@/server/base/abort";
import { startProcess } from "@/server/base/run-process";
import { isLocalHost, parseOllamaHost, withoutCredentials } from "@/server/providers/ollama/ollama-host";
import { modelServerVariables } from "../model-server-variables";

/** Maximum time until a started server answers, ms. */
const serverStartMs = 20_000;

const logTailChars = 200;

/** The absolute path of the program and its environment. */
interface OllamaProgram {
  readonly program: string;
  readonly environment: NodeJS.Dict<string>;
}

/** Filters `environment` for the model server; it will listen at `host`, a parsed address. */
export function serverEnvironment(environment: NodeJS.Dict<string>, host: string): NodeJS.Dict<string> {
  return {
    ...modelServerVariables(environment, /^OLLAMA_/),
    OLLAMA_HOST: withoutCredentials(host).replace(/^(http:\/\/[^/]*).*$/, "$1"),
  };
}

/** undefined = the address is not this machine's, or `ollama` is not on PATH. */
export async function findOllamaProgram(
  address: string,
  environment: NodeJS.Dict<string>,
): Promise<OllamaProgram | undefined> {
  const host = parseOllamaHost(address);
  // The program itself speaks plain HTTP only.
  if (!host.ok || !isLocalHost(host.value) || !host.value.startsWith("http://")) return undefined;
  const program = await findOnPath(environment.PATH);
  return program === undefined ? undefined : { program, environment: serverEnvironment(environment, host.value) };
}

async function findOnPath(path: string | undefined): Promise<string | undefined> {
  const name = process.platform === "win32" ? "ollama.exe" : "ollama";
  for (const folder of (path ?? "").split(delimiter)) {
    // An empty or relative entry would resolve against the current folder.
    if (!folder.startsWith("/") && process.platform !== "win32") continue;
    const file = join(folder, name);
    const runs = await access(file, constants.X_OK).then(
      () => true,
      () => false,
    );
    if (runs) return file;
  }
  return undefined;
}

/**
 * Starts the server in its own process session and resolves with its pid when `isReady` returns true. It outlives this
 * process. Fails with `start_failed` and the end of its log when it exits early, or is not ready within
 * serverStartMs. Rejects only with the signal's reason; the started server then keeps running.
 */
export async function startOllamaServer(
  place: OllamaProgram,
  logPath: string,
  isReady: () => Promise<boolean>,
  signal: AbortSignal,
): Promise<Result<number>> {
  signal.throwIfAborted();
  const started = await startWithLog(place, logPath);
  if (!started.ok) return started;
  const { pid, exited } = started.value;
  const until = performance.now() + serverStartMs;
  while (performance.now() < until) {
    // Checked before and after: another program's server may answer at the address.
    const ended = exited.aborted;
    if (await isReady()) return ok(pid);
    signal.throwIfAborted();
    if (ended) return fail("start_failed", await readLogTail(logPath));
    await pause(serverLimits.serverStartPollMs, exited);
    signal.throwIfAborted();
  }
  return fail("start_failed", await readLogTail(logPath));
}

interface StartedServer {
  readonly pid: number;
  /** Fires when the program has exited. */
  readonly exited: AbortSignal;
}

async function startWithLog({ program, environment }: OllamaProgram, logPath: string): Promise<Result<StartedServer>> {
  // A file, not a pipe: a pipe would close with this process and kill the server.
  const log = await open(logPath, "w", 0o600).catch((cause: unknown) => String(cause));
  if (typeof log === "string") return fail("start_failed", log);
  try {
    const command = { program, arguments: ["serve"], environment, outputDescriptor: log.fd, outlives: true };
    const { pid, result } = startProcess(command, neverAborted);
    const exit = new AbortController();
    const exited = result.finally(() => exit.abort());
    if (pid !== null) return ok({ pid, exited: exit.signal });
    const failed = await exited;
    return fail("start_failed", failed.ok ? undefined : failed.error.detail);
  } finally {
    await log.close();
  }
}

const readLogTail = async (logPath: string): Promise<string> =>
  (await readFile(logPath, "utf8").catch(() => "")).trim().slice(-logTailChars);
