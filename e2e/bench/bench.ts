/** Shared resources of the suites: options, temporary folders, child processes that always end with the bench. */
import { type ChildProcess, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

export const root = fileURLToPath(new URL("../..", import.meta.url));
/** Retained between benches for artefacts that take long to build. */
export const cacheFolder = join(root, "node_modules/.cache/gopi-bench");

export interface Bench {
  readonly quick: boolean;
  /** A new empty folder, removed at the end. */
  folder(name: string): string;
  /** Starts a process as the leader of its own process group. */
  spawn(args: readonly string[], options?: { readonly env?: NodeJS.ProcessEnv; readonly cwd?: string }): ChildProcess;
  /** Prints a progress line. */
  progress(line: string): void;
  /** Ends every process that still runs and removes the folders. */
  close(): void;
}

export function makeBench({ quick }: { readonly quick: boolean }): Bench {
  const temp = mkdtempSync(join(tmpdir(), "gopi-bench-"));
  const running = new Set<ChildProcess>();
  let folders = 0;
  return {
    quick,
    folder(name) {
      folders += 1;
      const path = join(temp, `${folders}-${name}`);
      mkdirSync(path, { recursive: true });
      return path;
    },
    spawn(args, { env = process.env, cwd = temp } = {}) {
      const child = spawn(process.execPath, [...args], { env, cwd, detached: true, stdio: ["ignore", "pipe", "pipe"] });
      running.add(child);
      child.once("exit", () => running.delete(child));
      child.stderr.resume();
      return child;
    },
    progress: (line) => void process.stderr.write(`${line}\n`),
    close() {
      for (const child of running) killGroup(child, "SIGKILL");
      rmSync(temp, { recursive: true, force: true });
    },
  };
}

/** Ends the process and resolves when it has exited. */
export async function endProcess(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = new Promise((resolve) => child.once("exit", resolve));
  killGroup(child, "SIGTERM");
  await exited;
}

function killGroup(child: ChildProcess, signal: NodeJS.Signals): void {
  try {
    if (child.pid !== undefined) process.kill(-child.pid, signal);
  } catch {
    // The process has already exited.
  }
}

export const pauseFor = (waitMs: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, waitMs));

/** Returns ms since the epoch with fractions, on the clock that the page and the scripted model use too. */
export const epochMs = (): number => performance.timeOrigin + performance.now();

/** Polls until the result is not undefined. Rejects after `limitMs`. */
export async function pollFor<T>(description: string, limitMs: number, ask: () => Promise<T | undefined>): Promise<T> {
  const limit = performance.now() + limitMs;
  const betweenMs = 10;
  for (;;) {
    const answer = await ask();
    if (answer !== undefined) return answer;
    if (performance.now() > limit) throw new Error(`${description} did not happen within ${limitMs / 1_000} s`);
    await pauseFor(betweenMs);
  }
}
