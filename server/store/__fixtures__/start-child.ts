/** Bundles a child program once per test file and starts it as a process. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdtempSync, rmSync, symlinkSync, chmodSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { build } from "rolldown";
import { afterAll, beforeAll, onTestFinished } from "vitest";

interface Child {
  /** Next line of stdout; undefined = the process has ended. */
  next(): Promise<string | undefined>;
  /** Sends SIGKILL; resolves with the unread lines once the process has ended. */
  kill(): Promise<string[]>;
}

/**
 * Registers the hooks that bundle `entry`, by default the program beside this file; call it at the top of a test file.
 * Returns a function that starts the process.
 */
export const useChildProgram = (entry = "server/store/__fixtures__/child.ts") => {
  let folder = "";
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "gopi-child-"));
    chmodSync(folder, 0o755);
    symlinkSync(resolve("node_modules"), join(folder, "node_modules"));
    cpSync(resolve("server/store/migrations"), join(folder, "migrations"), { recursive: true });
    await build({
      input: resolve(entry),
      platform: "node",
      external: ["better-sqlite3"],
      logLevel: "silent",
      output: { file: join(folder, "child.mjs"), format: "esm", codeSplitting: false },
    });
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  return (...words: string[]): Child => {
    const process_ = spawn(process.execPath, [join(folder, "child.mjs"), ...words], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    onTestFinished(() => void process_.kill("SIGKILL"));
    return toChild(process_);
  };
};

const toChild = (child: ChildProcess): Child => {
  if (child.stdout === null) throw new Error("a child without stdout");
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const closed = once(child, "close");
  const next = async (): Promise<string | undefined> => {
    const line = await lines.next();
    return line.done === true ? undefined : line.value;
  };
  const kill = async (): Promise<string[]> => {
    child.kill("SIGKILL");
    const rest: string[] = [];
    for (let line = await next(); line !== undefined; line = await next()) rest.push(line);
    await closed;
    return rest;
  };
  return { next, kill };
};
