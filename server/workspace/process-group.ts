/** Finds and ends what a finished shell call left running: its group, its session, and children that made a session of their own (R24). Used by shell.ts. */
import { readFileSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";

export interface Call {
  /** Process id of the shell: also the id of its group and session. */
  readonly group: number;
  /** `NAME=value` that every child has in its environment, unless it cleared it. */
  readonly marker: string;
  /** When the shell started, in the kernel's ticks; 0 when unknown. No child is older. */
  readonly startTicks: number;
}

const pollMs = 15;
const maxRounds = 8;
const readsAtOnce = 64;

/** The start of a process that is not waited for yet; 0 where there is no /proc. */
export function startTicksOf(pid: number): number {
  try {
    return statOf(readFileSync(`/proc/${pid}/stat`, "latin1")).startTicks;
  } catch {
    return 0;
  }
}

/** Sends a signal to the whole group. Nobody left is fine. */
export function signalGroup(group: number, signal: NodeJS.Signals): void {
  send(-group, signal);
}

/** SIGTERM, SIGKILL after `graceMs` (0: at once), until nothing is left. Resolves with how many processes were ended. */
export async function endLeftovers(call: Call, graceMs: number): Promise<number> {
  const ended = new Set<number>();
  let left = await leftovers(call);
  if (left.length > 0 && graceMs > 0) {
    signalAll(left, "SIGTERM", ended);
    const deadline = performance.now() + graceMs;
    while (left.length > 0 && performance.now() < deadline) {
      await sleep(pollMs);
      left = await leftovers(call);
    }
  }
  // A process may have forked between the look and the signal, so we look again until we see nobody.
  for (let round = 0; left.length > 0 && round < maxRounds; round += 1) {
    signalAll(left, "SIGKILL", ended);
    await sleep(pollMs);
    left = await leftovers(call);
  }
  return ended.size;
}

/**
 * Ends what a process that was killed left running: every process with one of these `NAME=value` in its environment, and whoever
 * shares its session. At once, since nobody waits for it any more. Resolves with how many; 0 where there is no /proc.
 */
export async function endMarked(markers: readonly string[]): Promise<number> {
  const ended = new Set<number>();
  if (process.platform !== "linux") return 0;
  let left = await marked(markers);
  for (let round = 0; left.length > 0 && round < maxRounds; round += 1) {
    signalAll(left, "SIGKILL", ended);
    await sleep(pollMs);
    left = await marked(markers);
  }
  return ended.size;
}

async function marked(markers: readonly string[]): Promise<readonly number[]> {
  const living = await eachProcess(async (pid) => {
    const stat = statOf(await readFile(`/proc/${pid}/stat`, "latin1"));
    if (stat.isDead) return null;
    // Those of other users do not show theirs.
    const environment = await readFile(`/proc/${pid}/environ`, "latin1").catch(() => "");
    return {
      pid: Number(pid),
      session: stat.session,
      isMarked: markers.some((marker) => environment.includes(marker)),
    };
  });
  // Each command has a session of its own, so a session of theirs is nobody else's.
  const sessions = new Set(living.filter(({ isMarked }) => isMarked).map(({ session }) => session));
  return living.filter(({ isMarked, session }) => isMarked || sessions.has(session)).map(({ pid }) => pid);
}

function signalAll(pids: readonly number[], signal: NodeJS.Signals, ended: Set<number>): void {
  for (const pid of pids) {
    ended.add(pid);
    send(pid, signal);
  }
}

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // Gone already, or somebody else's (a set-uid program): nothing more can be done.
  }
}

function leftovers(call: Call): Promise<readonly number[]> {
  return process.platform === "linux" ? leftoversByProc(call) : leftoversByPs(call);
}

async function leftoversByProc(call: Call): Promise<readonly number[]> {
  return eachProcess(async (pid) => ((await isOurs(pid, call)) ? Number(pid) : null));
}

/** What `look` finds of each process; one that ends meanwhile, or gives null, is left out. */
async function eachProcess<T>(look: (pid: string) => Promise<T | null>): Promise<readonly T[]> {
  const pids = (await readdir("/proc")).filter((name) => /^\d+$/.test(name));
  const found: T[] = [];
  for (let from = 0; from < pids.length; from += readsAtOnce) {
    const batch = await Promise.all(pids.slice(from, from + readsAtOnce).map((pid) => look(pid).catch(() => null)));
    found.push(...batch.flatMap((one) => (one === null ? [] : [one])));
  }
  return found;
}

async function isOurs(pid: string, call: Call): Promise<boolean> {
  const stat = statOf(await readFile(`/proc/${pid}/stat`, "latin1"));
  if (stat.isDead) return false;
  if (stat.group === call.group || stat.session === call.group) return true;
  if (stat.startTicks < call.startTicks) return false;
  return (await readFile(`/proc/${pid}/environ`)).includes(call.marker);
}

function statOf(line: string): { isDead: boolean; group: number; session: number; startTicks: number } {
  // The name stands in parentheses and may hold anything, even further parentheses.
  const fields = line.slice(line.lastIndexOf(")") + 2).split(" ");
  const [state = "", , group, session] = fields;
  return {
    isDead: state === "Z" || state === "X",
    group: Number(group),
    session: Number(session),
    startTicks: Number(fields[19]),
  };
}

/** Without /proc: the group only. */
async function leftoversByPs(call: Call): Promise<readonly number[]> {
  const { execFile } = await import("node:child_process");
  const table = await new Promise<string>((resolve) => {
    execFile("ps", ["-axo", "pid=,pgid=,stat="], (_error, stdout) => resolve(stdout));
  });
  return table.split("\n").flatMap((line) => {
    const [pid, group, state = "Z"] = line.trim().split(/\s+/);
    return Number(group) === call.group && !state.startsWith("Z") ? [Number(pid)] : [];
  });
}
