/** Large files of other programs, in the real worker. */
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { longestHoldMs } from "@/lib/testing/test-cpu";
import { useWorkerProgram } from "@/server/base/test-worker";
import { importWorker, readForeignFiles } from "./foreign-files";

const program = useWorkerProgram("server/features/mcp/import/import-worker.ts");
const never = new AbortController().signal;
const history = Array.from({ length: 60_000 }, (_, index) => ({ display: `prompt ${index} ${"x".repeat(160)}` }));
const claude = {
  mcpServers: { linear: { type: "http", url: "https://mcp.linear.app/mcp" } },
  projects: {
    "/home/me/app": { history, mcpServers: { db: { command: "uvx", args: ["mcp-server-postgres"] } } },
    "/home/me/other": { history: [], mcpServers: {} },
  },
};

function makeHome() {
  const home = mkdtempSync(join(tmpdir(), "foreign-files-"));
  onTestFinished(() => rmSync(home, { recursive: true }));
  const file = join(home, ".claude.json");
  const read = (timeoutMs = 60_000, signal = never) =>
    readForeignFiles(home, { ...importWorker, program: program(), timeoutMs }, signal);
  return { file, read };
}

test("12 MB of Claude Code do not hold the event loop; its servers are found, those of projects too", async () => {
  const { file, read } = makeHome();
  const text = JSON.stringify(claude);
  expect(text.length).toBeGreaterThan(10_000_000);
  writeFileSync(file, text);
  let found: Awaited<ReturnType<typeof read>> | undefined;
  const work = async (): Promise<void> => {
    found = await read();
  };
  expect(await longestHoldMs(async () => work, 50)).toBeLessThan(50);
  expect(found?.unread).toEqual([]);
  expect(found?.servers).toMatchObject([
    { from: "Claude Code", candidate: { folder: null, server: { name: "linear" } } },
    { from: "Claude Code", candidate: { folder: "/home/me/app", server: { name: "db", command: "uvx" } } },
  ]);
});

test("servers that cannot be used are returned with their file and line", async () => {
  const { file, read } = makeHome();
  writeFileSync(file, '{ "mcpServers": { "good": { "command": "npx" },\n "broken": {} } }');
  const { servers, skipped, unread } = await read();
  expect(servers).toMatchObject([{ candidate: { server: { name: "good" } } }]);
  expect(skipped).toEqual([
    { file, error: { code: "bad_input", facts: { reason: "target", server: "broken", line: 2 } } },
  ]);
  expect(unread).toEqual([]);
});

test("a large file is given up after the time limit, and with the signal", async () => {
  const { file, read } = makeHome();
  writeFileSync(file, JSON.stringify(claude));
  expect(await read(40)).toEqual({
    servers: [],
    skipped: [],
    unread: [{ file, error: { code: "timeout", facts: { path: file } } }],
  });
  const stop = new AbortController();
  const reading = read(60_000, stop.signal);
  stop.abort(new Error("the server ends"));
  await expect(reading).rejects.toThrow("the server ends");
});

test("a file over 64 MB, one that is no JSON and one that is no file", async () => {
  const { file, read } = makeHome();
  writeFileSync(file, "");
  truncateSync(file, 64_000_001);
  const tooLarge = { file, error: { code: "too_large", facts: { limit: 64_000_000 } } };
  expect(await read()).toEqual({ servers: [], skipped: [], unread: [tooLarge] });
  writeFileSync(file, `${JSON.stringify(claude)},`);
  expect(await read()).toMatchObject({
    unread: [{ file, error: { code: "bad_input", facts: { reason: "syntax", line: 1 } } }],
  });
  writeFileSync(file, '{ "mcpServers": ');
  expect(await read()).toMatchObject({ unread: [{ file, error: { facts: { reason: "syntax" } } }] });
  rmSync(file);
  execFileSync("mkfifo", [file]);
  expect(await read()).toEqual({ servers: [], skipped: [], unread: [] });
});
