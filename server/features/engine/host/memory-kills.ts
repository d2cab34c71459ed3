/** Counts the processes that Linux has ended for lack of memory in the control group of this process and its children. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";

/**
 * Reads `oom_kill` of `memory.events` (Linux, Documentation/admin-guide/cgroup-v2.rst). null = the system does not count it,
 * or the group cannot be seen. `root` = folder in which the system's files are.
 */
export async function countMemoryKills(root = "/"): Promise<number | null> {
  const groups = await readFile(join(root, "proc/self/cgroup"), "utf8").catch(() => "");
  const group = /^0::(\/.*)$/m.exec(groups)?.[1];
  if (group === undefined) return null;
  const events = await readFile(join(root, "sys/fs/cgroup", group, "memory.events"), "utf8").catch(() => "");
  const count = /^oom_kill (\d+)$/m.exec(events)?.[1];
  return count === undefined ? null : Number(count);
}
