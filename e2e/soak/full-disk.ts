/**
 * A disk that can be filled and emptied: a small mounted file system where this user may mount one, otherwise a limit
 * on the size of the server's files, which a process of the same user can lift again.
 */
import { execFileSync } from "node:child_process";
import { closeSync, mkdirSync, openSync, rmSync, writeSync } from "node:fs";
import { join } from "node:path";

interface FullDisk {
  /** mount = really full (ENOSPC); limit = files cannot grow (EFBIG). */
  readonly kind: "mount" | "limit";
  fill(pid: number): void;
  free(pid: number): void;
  end(): void;
}

const limitBytes = 4_096;

/** Returns null when this system offers neither. */
export function provideFullDisk(folder: string, megabytes: number): FullDisk | null {
  mkdirSync(folder, { recursive: true });
  const ballast = join(folder, "ballast");
  if (runsSuccessfully("mount", ["-t", "tmpfs", "-o", `size=${megabytes}m`, "tmpfs", folder]))
    return {
      kind: "mount",
      fill: () => fillUp(ballast),
      free: () => rmSync(ballast, { force: true }),
      end: () => void runsSuccessfully("umount", ["-l", folder]),
    };
  if (!runsSuccessfully("prlimit", ["--version"])) return null;
  const limit = (pid: number, size: string): void =>
    void runsSuccessfully("prlimit", ["--pid", `${pid}`, `--fsize=${size}:`]);
  return {
    kind: "limit",
    fill: (pid) => limit(pid, `${limitBytes}`),
    free: (pid) => limit(pid, "unlimited"),
    end: () => {},
  };
}

function runsSuccessfully(program: string, args: readonly string[]): boolean {
  try {
    execFileSync(program, args, { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

/** Fills the disk to the last byte. */
function fillUp(path: string): void {
  const file = openSync(path, "a");
  try {
    for (let size = 1_048_576; size >= 1; ) {
      try {
        if (writeSync(file, Buffer.alloc(size)) < size) size = Math.floor(size / 2);
      } catch {
        size = Math.floor(size / 2);
      }
    }
  } finally {
    closeSync(file);
  }
}
