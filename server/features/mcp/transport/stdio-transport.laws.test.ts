/** No process of a server is left, whatever it and its children do. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { killProcess } from "@/lib/testing/test-process";
import { makeCleanupJournal } from "@/server/workspace/shell/cleanup-journal";
import { connectForTest, hostileServer, isRunning, never, npmServer } from "../test-mcp";

const childOf = (log: readonly string[]): number => Number(/^child (\d+)$/.exec(log[0] ?? "")?.[1]);

/** A child that left the group is found by its environment, which only Linux shows. */
const canFindEscaped = process.platform === "linux";

test.each(["", "pipes"])("a child that ignores signals ends with its server (%s)", async (pipes) => {
  const connection = await connectForTest(hostileServer("ignores-signals", pipes));
  await expect.poll(() => childOf(connection.log())).toBeGreaterThan(0);
  const pids = [connection.pid ?? 0, childOf(connection.log())];
  await connection.close();
  await expect.poll(() => pids.filter(isRunning)).toEqual([]);
});

test.skipIf(!canFindEscaped).each(["", "pipes"])(
  "a child that left the group ends with its server (%s)",
  async (pipes) => {
    const connection = await connectForTest(hostileServer("escapes", pipes));
    await expect.poll(() => childOf(connection.log())).toBeGreaterThan(0);
    const child = childOf(connection.log());
    await connection.close();
    expect(isRunning(child)).toBe(false);
  },
);

test.skipIf(!canFindEscaped)("a server that is killed leaves no children", async () => {
  const connection = await connectForTest(hostileServer("escapes"));
  await expect.poll(() => childOf(connection.log())).toBeGreaterThan(0);
  const child = childOf(connection.log());
  killProcess(connection.pid);
  expect(await connection.closed).toMatchObject({ facts: { reason: "exited", signal: "SIGKILL" } });
  await expect.poll(() => isRunning(child)).toBe(false);
});

test("a server that was started and ended 20 times leaves no process", async () => {
  const pids: number[] = [];
  for (let round = 0; round < 20; round += 1) {
    const connection = await connectForTest(round % 2 === 0 ? npmServer("memory") : hostileServer("ok"));
    expect((await connection.listTools(never)).ok).toBe(true);
    pids.push(connection.pid ?? 0);
    await connection.close();
  }
  expect(pids.filter(isRunning)).toEqual([]);
});

test.skipIf(!canFindEscaped)("what a killed program left is ended at the next start", async () => {
  const home = mkdtempSync(join(tmpdir(), "gopi-mcp-"));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  const file = join(dirname(fileURLToPath(import.meta.url)), "../__fixtures__/mcp-child.ts");
  const host = spawn(process.execPath, ["--import", "tsx", file, home], { stdio: ["ignore", "pipe", "inherit"] });
  const [line]: unknown[] = await once(createInterface({ input: host.stdout }), "line");
  const pids = String(line).split(" ").map(Number);
  host.kill("SIGKILL");
  await once(host, "exit");
  await makeCleanupJournal(home, () => false).cleanUp();
  expect(pids.length).toBe(2);
  expect(pids.filter(isRunning)).toEqual([]);
});
