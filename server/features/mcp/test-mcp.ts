/** Real servers for the tests of MCP, and a clock that tests move. */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";
import { shellEnvironment } from "@/server/security/environment/shell-environment";
import { noCleanupJournal } from "@/server/workspace/shell/cleanup-journal";
import { connectServer, type McpConnection } from "./connection";
import type { ConnectOptions } from "./client-link";
import type { Clock } from "./call-limit";
import type { StdioOptions } from "./transport/stdio-transport";

export const never = new AbortController().signal;
export const fixtures = join(dirname(fileURLToPath(import.meta.url)), "__fixtures__");

/** Options that run a file with Node. */
export const nodeServer = (file: string, ...words: readonly string[]): StdioOptions => ({
  kind: "stdio",
  command: process.execPath,
  arguments: [file, ...words],
  folder: fixtures,
  project: null,
  environment: shellEnvironment(process.env, []),
  variables: {},
  secrets: [],
  logSecrets: [],
  leftovers: noCleanupJournal,
});

/** The server that gets wrong what `mode` names. */
export const hostileServer = (mode: string, ...words: readonly string[]): StdioOptions =>
  nodeServer(join(fixtures, "hostile-server.mjs"), mode, ...words);

/** A server of 2026-07-28; `also 2025` or `only 2026`. */
export const modernServer = (eras: "also 2025" | "only 2026"): StdioOptions =>
  nodeServer(join(fixtures, "modern-server.mjs"), eras);

/** A server from npm, such as `everything`. */
export const npmServer = (name: string, ...words: readonly string[]): StdioOptions =>
  packageServer(`@modelcontextprotocol/server-${name}`, ...words);

/** The server of Playwright with a browser of this path, which may not exist. `output` = folder of the files it writes. */
export const playwrightServer = (browser: string, output: string): StdioOptions => {
  const words = ["--headless", "--isolated", "--no-sandbox", "--output-dir", output, "--executable-path", browser];
  return packageServer("@playwright/mcp", ...words);
};

function packageServer(name: string, ...words: readonly string[]): StdioOptions {
  const require = createRequire(import.meta.url);
  const manifest = require.resolve(`${name}/package.json`);
  const { bin }: { readonly bin: { readonly [name: string]: string } } = JSON.parse(readFileSync(manifest, "utf8"));
  return nodeServer(join(dirname(manifest), Object.values(bin)[0] ?? ""), ...words);
}

/** Connects, and closes the connection at the end of the test. */
export async function connectForTest(
  server: ConnectOptions["server"],
  options: Partial<ConnectOptions> = {},
): Promise<McpConnection> {
  const connected = await connectServer({ version: "0", server, ...options }, never);
  if (!connected.ok) throw new Error(JSON.stringify(connected.error));
  onTestFinished(() => connected.value.close());
  return connected.value;
}

interface TestClock extends Clock {
  /** Moves the time; runs what is due, in order. */
  advance(ms: number): void;
  /** Resolves when something waits for a time of exactly `ms` from now. */
  untilWaiting(ms: number): Promise<void>;
}

export function makeTestClock(): TestClock {
  let now = 0;
  const due = new Set<{ readonly at: number; readonly work: () => void }>();
  const watchers = new Set<() => void>();
  return {
    now: () => now,
    after(ms, work) {
      const entry = { at: now + ms, work };
      due.add(entry);
      for (const watch of watchers) watch();
      return () => due.delete(entry);
    },
    advance(ms) {
      const end = now + ms;
      for (;;) {
        const [next] = [...due].filter(({ at }) => at <= end).toSorted((a, b) => a.at - b.at);
        if (next === undefined) break;
        due.delete(next);
        now = next.at;
        next.work();
      }
      now = end;
    },
    untilWaiting: (ms) =>
      new Promise((resolve) => {
        const watch = (): void => {
          if (![...due].some(({ at }) => at === now + ms)) return;
          watchers.delete(watch);
          resolve();
        };
        watchers.add(watch);
        watch();
      }),
  };
}

/** Whether the process exists and has not ended. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return !readFileSync(`/proc/${pid}/stat`, "latin1").includes(") Z ");
  } catch {
    return false;
  }
}
