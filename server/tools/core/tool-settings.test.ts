/** Tools read the user's limits at each call. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { settingsDefaults } from "@/lib/settings/settings";
import { bash } from "../shell/bash";
import { findTool } from "../read/find";
import { grepTool } from "../read/grep";
import { readTool } from "../read/read";
import { callTool, makeTestEnvironment, type TestContext, type TestEnvironment } from "./test-environment";

let environment: TestEnvironment;

beforeEach(() => {
  environment = makeTestEnvironment();
  mkdirSync(join(environment.root, "many"));
  for (let n = 0; n < 40; n += 1) writeFileSync(join(environment.root, "many", `file-${n}.txt`), "needle\n");
  writeFileSync(join(environment.root, "long.txt"), "line\n".repeat(600));
});

afterEach(() => environment.remove());

const withSettings = (patch: Partial<TestContext["settings"]>): TestContext => ({
  ...environment.context,
  settings: { ...settingsDefaults, ...patch },
});

test("readLines limits a read, also if the model requests more", async () => {
  const context = withSettings({ readLines: 20 });
  expect((await callTool(readTool, { path: "long.txt" }, context)).result?.facts).toMatchObject({ toLine: 20 });
  expect((await callTool(readTool, { path: "long.txt", limit: 300 }, context)).result?.facts).toMatchObject({
    toLine: 20,
  });
  const raised = await callTool(readTool, { path: "long.txt", limit: 600 }, withSettings({ readLines: 5_000 }));
  expect(raised.result?.facts).toMatchObject({ toLine: 600 });
});

test("grepMatches and findEntries limit the searches", async () => {
  const context = withSettings({ grepMatches: 5, findEntries: 10 });
  expect((await callTool(grepTool, { pattern: "needle" }, context)).result?.facts).toMatchObject({ matches: 5 });
  expect((await callTool(findTool, { pattern: "many/*" }, context)).result?.facts).toMatchObject({ entries: 10 });
});

test("bashTimeoutSeconds applies if the model gives no timeout, and is shown on the card", async () => {
  const context = withSettings({ bashTimeoutSeconds: 7 });
  expect((await callTool(bash, { command: "true" }, context)).result?.facts).toMatchObject({ timeoutMs: 7_000 });
  expect(bash.facts?.({ command: "true" }, context.settings, context.id)).toMatchObject({ timeoutMs: 7_000 });
  const named = await callTool(bash, { command: "true", timeout: 60 }, context);
  expect(named.result?.facts).toMatchObject({ timeoutMs: 60_000 });
});

test("bashOutputBytes limits a command's output; the whole is stored", async () => {
  const context = withSettings({ bashOutputBytes: 2_048 });
  const { text, result } = await callTool(bash, { command: "seq 5000" }, context);
  expect(Buffer.byteLength(text)).toBeLessThanOrEqual(2_048);
  expect(bash.limits(context.settings)).toEqual({ bytes: 2_048, keep: "both" });
  expect(result?.full?.bytes).toBe(23_893);
});
