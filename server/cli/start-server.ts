/** Finds the server of a home, or starts one in the background. */
import { type ChildProcess, spawn } from "node:child_process";
import { closeSync, mkdirSync, openSync, readFileSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { serverLimits } from "@/lib/settings/server-limits";
import type { ServerFile } from "@/server/store/core/server-file";
import { printable } from "./arguments/options";
import { findServer, isHealthy } from "./server-client";

/** Maximum wait for the started server, ms. */
const backgroundStartMs = 30_000;
/** Size at which the log of background servers is truncated, bytes. */
const serverLogBytes = 1_000_000;

/** Absolute path of the program: two folders above this file, in the source and in the bundle. */
export const programPath = fileURLToPath(new URL("../../bin/gopi-web.mjs", import.meta.url));

/** Number of starts of a server that exits at once: the previous server may just be leaving the home. */
const maxStarts = 3;

/** No server could be started; `log` is the file with what it printed, and `reason` the last line of that ("" = none). */
export class StartError extends Error {
  constructor(
    readonly log: string,
    reason: string,
  ) {
    super(`couldn't start a server${reason === "" ? "" : `: ${printable(reason)}`}`);
  }
}

/**
 * Returns a responding server of this home. Of several simultaneous starts one gets the home, and all use it. Throws
 * StartError after `backgroundStartMs` or when servers exit at once; rejects with the signal's reason.
 */
export async function findOrStartServer(home: string, folder: string, signal: AbortSignal): Promise<ServerFile> {
  const until = performance.now() + backgroundStartMs;
  const log = join(home, "server.log");
  const logBytes = statSync(log, { throwIfNoEntry: false })?.size ?? 0;
  const fails = (): never => {
    throw new StartError(log, readLastLine(log, logBytes));
  };
  let child: ChildProcess | null = null;
  let starts = 0;
  for (;;) {
    const server = findServer(home);
    if (server !== null && (await isHealthy(server, signal))) return server;
    if (server === null && (child === null || hasEnded(child))) {
      if (starts === maxStarts) return fails();
      starts += 1;
      child = spawnServer(home, folder, log);
    }
    if (performance.now() > until) return fails();
    await sleep(serverLimits.serverStartPollMs, undefined, { signal });
  }
}

/** Most characters of a line that is reported. */
const maxLineChars = 500;

/** Returns the last line of a log that is not empty; "" = it has none after `from`, in bytes. */
function readLastLine(log: string, from: number): string {
  try {
    const lines = readFileSync(log).subarray(from).toString("utf8").split("\n");
    return (lines.findLast((line) => line.trim() !== "") ?? "").trim().slice(0, maxLineChars);
  } catch {
    return "";
  }
}

const hasEnded = (child: ChildProcess): boolean =>
  child.pid === undefined || child.exitCode !== null || child.signalCode !== null;

/** Starts it in its own process session, so that neither Ctrl+C nor the end of this terminal ends it. */
function spawnServer(home: string, folder: string, log: string): ChildProcess {
  mkdirSync(home, { recursive: true, mode: 0o700 });
  if ((statSync(log, { throwIfNoEntry: false })?.size ?? 0) > serverLogBytes) rmSync(log);
  const output = openSync(log, "a", 0o600);
  try {
    const child = spawn(process.execPath, [programPath, "--background", "--home", home, "--", folder], {
      detached: true,
      stdio: ["ignore", output, output],
      cwd: home,
    });
    // A program that cannot be started has no pid; hasEnded checks that.
    child.on("error", () => {});
    child.unref();
    return child;
  } finally {
    closeSync(output);
  }
}
