/** Reads memory and CPU time of a process and its children from /proc. Linux only; elsewhere it throws. */
import { readdirSync, readFileSync } from "node:fs";

export interface ProcessMemory {
  /** Private pages only: the memory that would be freed if the tree ended. Bytes. */
  readonly ussBytes: number;
  /** Shared libraries count in full. Bytes. */
  readonly rssBytes: number;
}

const ticksPerSecond = 100;

/** Returns the pids of a process tree, the root first. */
export function processTree(pid: number): readonly number[] {
  const children = readdirSync(`/proc/${pid}/task`).flatMap((task) =>
    (readFileOrEmpty(`/proc/${pid}/task/${task}/children`).match(/\d+/g) ?? []).map(Number),
  );
  return [pid, ...children.flatMap(processTree)];
}

export const readMemory = (pid: number): ProcessMemory => sumMemory(processTree(pid));

/** Returns the memory of one process without its children. */
export const readOwnMemory = (pid: number): ProcessMemory => sumMemory([pid]);

function sumMemory(pids: readonly number[]): ProcessMemory {
  const rollups = pids.map((one) => readFileOrEmpty(`/proc/${one}/smaps_rollup`));
  const sum = (field: string): number =>
    rollups.reduce((total, text) => {
      const kilobytes = new RegExp(`^${field}:\\s+(\\d+) kB`, "m").exec(text)?.[1];
      return total + Number(kilobytes ?? 0) * 1_024;
    }, 0);
  return { ussBytes: sum("Private_Clean") + sum("Private_Dirty"), rssBytes: sum("Rss") };
}

/** Returns the CPU time of the whole tree so far, ms. */
export function readCpuMs(pid: number): number {
  const ticks = processTree(pid).map((one) => {
    const [, fields = ""] = readFileOrEmpty(`/proc/${one}/stat`).split(") ");
    const values = fields.split(" ").map(Number);
    return (values[11] ?? 0) + (values[12] ?? 0);
  });
  return (ticks.reduce((sum, each) => sum + each, 0) * 1_000) / ticksPerSecond;
}

function readFileOrEmpty(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    // The process has just ended.
    return "";
  }
}
