import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { takeHomeLock } from "@/server/store/core/home-lock";
import { writeServerFile } from "@/server/store/core/server-file";
import { readStatus } from "./read-status";

const never = new AbortController().signal;

/** A path in a temporary folder, where nothing is yet. */
function makeHomePath(): string {
  const root = mkdtempSync(join(tmpdir(), "gopi-status-"));
  onTestFinished(() => rmSync(root, { recursive: true }));
  return join(root, "home");
}

test("without a home nothing is wrong, and none is created", async () => {
  const home = makeHomePath();
  const { server, hosts, sessions, config, ...report } = await readStatus(home, {}, never);
  expect([server, hosts, sessions, config.problems]).toEqual([null, null, null, []]);
  expect(report.home).toEqual({ path: home, bytes: 0, isWritable: true });
  expect(existsSync(home)).toBe(false);
});

test("without a server config.yaml is checked, and the files of all folders are counted", async () => {
  const home = makeHomePath();
  mkdirSync(join(home, "blobs", "ab"), { recursive: true });
  writeFileSync(join(home, "blobs", "ab", "one"), "x".repeat(1_000));
  const text = "tools:\n  bash_timeout: soon\n";
  writeFileSync(join(home, "config.yaml"), text);
  const { config, ...report } = await readStatus(home, {}, never);
  expect(config.problems).toMatchObject([{ code: "bad_value", line: 2, key: "tools.bash_timeout" }]);
  expect(report.home.bytes).toBe(1_000 + text.length);
});

test("a config.yaml that cannot be read has the error of the system", async () => {
  const home = makeHomePath();
  mkdirSync(join(home, "config.yaml"), { recursive: true });
  const { config } = await readStatus(home, {}, never);
  expect(config).toMatchObject({
    problems: [],
    error: { code: "no_permission", detail: expect.stringContaining("EISDIR") },
  });
});

test("the file of a killed server, whose process id another program has now, is no server", async () => {
  const home = makeHomePath();
  mkdirSync(home);
  writeServerFile(home, { address: "127.0.0.1", port: 1, token: "t", pid: process.pid, version: "1.0.0" });
  const { server, hosts } = await readStatus(home, {}, never);
  expect([server, hosts]).toEqual([null, null]);
});

test("a process that holds the home and does not answer is reported with its id", async () => {
  const home = makeHomePath();
  const lock = takeHomeLock(home);
  onTestFinished(() => void (lock.ok && lock.value.release()));
  writeServerFile(home, { address: "127.0.0.1", port: 1, token: "t", pid: process.pid, version: "1.0.0" });
  const { server, hosts } = await readStatus(home, {}, never);
  expect(server).toEqual({ address: "http://127.0.0.1:1", pid: process.pid, version: "1.0.0", responds: false });
  expect(hosts).toBeNull();
});
