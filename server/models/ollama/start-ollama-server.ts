/** Finds the program `ollama` and starts its server so that it outlives this process. */
import { type ChildProcess, spawn } from "node:child_process";
import { constants } from "node:fs";
import { access, open, readFile } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { fail, ok, type Result } from "@/lib/events/error";
import { limits } from "@/lib/settings/settings";
import { isLocalHost, parseOllamaHost, withoutCredentials } from "@/server/providers/ollama/ollama-host";

/**
 * Environment variables the program needs: basic ones, its own settings, those of graphics drivers and proxies. No
 * keys.
 */
const basicVariables =
  /^(?:PATH|HOME|USER|LOGNAME|SHELL|LANG|LC_\w+|TERM|TMPDIR|TZ|XDG_\w+|LD_LIBRARY_PATH|(?:https?|no|all)_proxy)$/i;
const serverVariables = /^(?:OLLAMA|CUDA|NVIDIA|GGML|HIP|HSA|ROCR|ROCM|GPU|VK|ONEAPI|SYCL|ZES)_/;
const secretVariables = /(?:KEY|TOKEN|SECRET|PASSWORD)$/i;
const logTailChars = 200;

/** The absolute path of the program and its environment. */
export interface OllamaProgram {
  readonly program: string;
  readonly environment: NodeJS.Dict<string>;
}

/** Filters `environment` for the model server; it will listen at `host`, a parsed address. */
export function serverEnvironment(environment: NodeJS.Dict<string>, host: string): NodeJS.Dict<string> {
  const kept = Object.entries(environment).filter(
    ([name]) => (basicVariables.test(name) || serverVariables.test(name)) && !secretVariables.test(name),
  );
  return { ...Object.fromEntries(kept), OLLAMA_HOST: withoutCredentials(host).replace(/^(http:\/\/[^/]*).*$/, "$1") };
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
 * limits.serverStartMs. Rejects only with the signal's reason; the started server then keeps running.
 */
export async function startOllamaServer(
  place: OllamaProgram,
  logPath: string,
  isReady: () => Promise<boolean>,
  signal: AbortSignal,
): Promise<Result<number>> {
  signal.throwIfAborted();
  const child = await spawnWithLog(place, logPath);
  if (!child.ok) return child;
  const until = performance.now() + limits.serverStartMs;
  while (performance.now() < until) {
    // Checked before and after: another program's server may answer at the address.
    const ended = child.value.exitCode !== null || child.value.signalCode !== null;
    if (await isReady()) return ok(child.value.pid ?? 0);
    signal.throwIfAborted();
    if (ended) return fail("start_failed", await readLogTail(logPath));
    await waitForExitOrTimeout(child.value, limits.serverStartPollMs);
    signal.throwIfAborted();
  }
  return fail("start_failed", await readLogTail(logPath));
}

/** Next's types require NODE_ENV in every environment; the program gets exactly the given variables. */
function assertEnvironment(_variables: NodeJS.Dict<string>): asserts _variables is NodeJS.ProcessEnv {}

async function spawnWithLog({ program, environment }: OllamaProgram, logPath: string): Promise<Result<ChildProcess>> {
  assertEnvironment(environment);
  // A file, not a pipe: a pipe would close with this process and kill the server.
  const log = await open(logPath, "w", 0o600).catch((cause: unknown) => String(cause));
  if (typeof log === "string") return fail("start_failed", log);
  try {
    const child = spawn(program, ["serve"], { detached: true, stdio: ["ignore", log.fd, log.fd], env: environment });
    const failed = await new Promise<Error | undefined>((resolve) => {
      child.once("spawn", () => resolve(undefined));
      child.once("error", resolve);
    });
    if (failed !== undefined) return fail("start_failed", failed.message);
    child.unref();
    return ok(child);
  } finally {
    await log.close();
  }
}

const readLogTail = async (logPath: string): Promise<string> =>
  (await readFile(logPath, "utf8").catch(() => "")).trim().slice(-logTailChars);

function waitForExitOrTimeout(child: ChildProcess, ms: number): Promise<void> {
  return new Promise((resolve) => {
    const go = (): void => {
      clearTimeout(timer);
      child.off("exit", go);
      resolve();
    };
    const timer = setTimeout(go, ms);
    child.once("exit", go);
  });
}
