/**
 * Finds and ends processes left by a finished shell call: its process group, its session, and children with sessions
 * of their own.
 */
import { readFileSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { runProcess, sendSignal } from "@/server/base/run-process";
import { neverAborted } from "@/server/base/abort";

export interface ShellProcess {
  /** Process id of the shell; also the id of its group and session. */
  readonly group: number;
  /** `NAME=value` in the environment of every child that did not clear it; null = only its group and session count. */
  readonly marker: string | null;
  /** Start time of the shell in kernel ticks; 0 = unknown. No child is older. */
  readonly startTicks: number;
}

const pollMs = 15;
/** Longest time from the fork of a process to its program, about, ms. */
const forkMs = 100;
const maxRounds = 8;
const readsAtOnce = 64;

/** Returns the start time of a process that has not been reaped; 0 without /proc. */
export function processStartTicks(pid: number): number {
  try {
    return parseProcStat(readFileSync(`/proc/${pid}/stat`, "latin1")).startTicks;
  } catch {
    return 0;
  }
}

/** Whether another group than that of this shell is in the foreground of its terminal; false without /proc. */
export function hasForegroundGroup(shell: number): boolean {
  try {
    const { group, foreground } = parseProcStat(readFileSync(`/proc/${shell}/stat`, "latin1"));
    return foreground > 0 && foreground !== group;
  } catch {
    return false;
  }
}

/**
 * Sends SIGTERM, and SIGKILL after `graceMs` (0: at once), until no process is left. Resolves with the number of
 * ended processes.
 */
export async function endRemainingProcesses(call: ShellProcess, graceMs: number): Promise<number> {
  const ended = new Set<number>();
  let left = await findRemainingProcesses(call);
  if (left.length > 0 && graceMs > 0) {
    signalAll(left, "SIGTERM", ended);
    const deadline = performance.now() + graceMs;
    while (left.length > 0 && performance.now() < deadline) {
      await sleep(pollMs);
      left = await findRemainingProcesses(call);
    }
  }
  // A process may fork between the scan and the signal, so scan again until none is left.
  for (let round = 0; left.length > 0 && round < maxRounds; round += 1) {
    signalAll(left, "SIGKILL", ended);
    await sleep(pollMs);
    left = await findRemainingProcesses(call);
  }
  return ended.size;
}

/**
 * Kills the processes a crashed instance left running: every process with one of these `NAME=value` in its
 * environment, and all processes of its session. Uses SIGKILL at once: nothing waits for them. Resolves with their
 * number; 0 without /proc.
 */
export async function killMarkedProcesses(markers: readonly string[]): Promise<number> {
  const ended = new Set<number>();
  if (process.platform !== "linux") return 0;
  // Until it runs its program, a forked process has the environment of its parent: two scans in a row must find none.
  for (let round = 0, empty = 0; round < maxRounds && empty < 2; round += 1) {
    const left = await findMarkedProcesses(markers);
    empty = left.length === 0 ? empty + 1 : 0;
    signalAll(left, "SIGKILL", ended);
    if (empty < 2) await sleep(left.length === 0 ? forkMs : pollMs);
  }
  return ended.size;
}

async function findMarkedProcesses(markers: readonly string[]): Promise<readonly number[]> {
  const processes = await probeProcesses(async (pid) => {
    const stat = parseProcStat(await readFile(`/proc/${pid}/stat`, "latin1"));
    if (stat.isDead) return null;
    // The environment of other users' processes is not readable.
    const environment = await readFile(`/proc/${pid}/environ`, "latin1").catch(() => "");
    return {
      pid: Number(pid),
      session: stat.session,
      isMarked: markers.some((marker) => environment.includes(marker)),
    };
  });
  // Each command has its own session, so every process of such a session belongs to it.
  const sessions = new Set(processes.filter(({ isMarked }) => isMarked).map(({ session }) => session));
  return processes.filter(({ isMarked, session }) => isMarked || sessions.has(session)).map(({ pid }) => pid);
}

function signalAll(pids: readonly number[], signal: NodeJS.Signals, ended: Set<number>): void {
  for (const pid of pids) {
    ended.add(pid);
    sendSignal(pid, signal);
  }
}

function findRemainingProcesses(call: ShellProcess): Promise<readonly number[]> {
  return process.platform === "linux" ? findRemainingByProc(call) : findRemainingByPs(call);
}

async function findRemainingByProc(call: ShellProcess): Promise<readonly number[]> {
  return probeProcesses(async (pid) => ((await belongsToCall(pid, call)) ? Number(pid) : null));
}

/** Collects the results of `probe` for each process; skips null and processes that end meanwhile. */
async function probeProcesses<T>(probe: (pid: string) => Promise<T | null>): Promise<readonly T[]> {
  const pids = (await readdir("/proc")).filter((name) => /^\d+$/.test(name));
  const found: T[] = [];
  for (let from = 0; from < pids.length; from += readsAtOnce) {
    const batch = await Promise.all(pids.slice(from, from + readsAtOnce).map((pid) => probe(pid).catch(() => null)));
    found.push(...batch.flatMap((one) => (one === null ? [] : [one])));
  }
  return found;
}

async function belongsToCall(pid: string, call: ShellProcess): Promise<boolean> {
  const stat = parseProcStat(await readFile(`/proc/${pid}/stat`, "latin1"));
  if (stat.isDead) return false;
  if (stat.group === call.group || stat.session === call.group) return true;
  if (call.marker === null || stat.startTicks < call.startTicks) return false;
  return (await readFile(`/proc/${pid}/environ`)).includes(call.marker);
}

/** `foreground` is the group in the foreground of its terminal; -1 = it has no terminal. */
function parseProcStat(line: string) {
  // The name is in parentheses and may contain any character, including parentheses.
  const fields = line.slice(line.lastIndexOf(")") + 2).split(" ");
  const [state = "", , group, session, , foreground] = fields;
  return {
    isDead: state === "Z" || state === "X",
    group: Number(group),
    session: Number(session),
    foreground: Number(foreground),
    startTicks: Number(fields[19]),
  };
}

/** Finds processes of the group by ps, for systems without /proc. */
async function findRemainingByPs(call: ShellProcess): Promise<readonly number[]> {
  let table = "";
  const onOutput = (chunk: Buffer): "more" => {
    table += chunk.toString("latin1");
    return "more";
  };
  const environment = { PATH: process.env.PATH };
  const options = { program: "ps", arguments: ["-axo", "pid=,pgid=,stat="], environment, onOutput };
  await runProcess(options, neverAborted);
  return table.split("\n").flatMap((line) => {
    const [pid, group, state = "Z"] = line.trim().split(/\s+/);
    return Number(group) === call.group && !state.startsWith("Z") ? [Number(pid)] : [];
  });
}
