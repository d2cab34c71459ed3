/** Tools read the user's limits at each call. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { settingsDefaults } from "@/lib/settings";
import { bash } from "./bash";
import { find } from "./find";
import { grep } from "./grep";
import { read } from "./read";
import { callTool, makeTestWorld, type TestWorld } from "./test-context";
import type { ToolContext } from "./tool";

let world: TestWorld;

beforeEach(() => {
  world = makeTestWorld();
  mkdirSync(join(world.root, "many"));
  for (let n = 0; n < 40; n += 1) writeFileSync(join(world.root, "many", `file-${n}.txt`), "needle\n");
  writeFileSync(join(world.root, "long.txt"), "line\n".repeat(600));
});

afterEach(() => world.remove());

const withSettings = (patch: Partial<ToolContext["settings"]>): ToolContext => ({
  ...world.context,
  settings: { ...settingsDefaults, ...patch },
});

test("readLines limits a read, also if the model requests more", async () => {
  const context = withSettings({ readLines: 20 });
  expect((await callTool(read, { path: "long.txt" }, context)).result?.facts).toMatchObject({ toLine: 20 });
  expect((await callTool(read, { path: "long.txt", limit: 300 }, context)).result?.facts).toMatchObject({ toLine: 20 });
  const raised = await callTool(read, { path: "long.txt", limit: 600 }, withSettings({ readLines: 5_000 }));
  expect(raised.result?.facts).toMatchObject({ toLine: 600 });
});

test("grepMatches and findEntries limit the searches", async () => {
  const context = withSettings({ grepMatches: 5, findEntries: 10 });
  expect((await callTool(grep, { pattern: "needle" }, context)).result?.facts).toMatchObject({ matches: 5 });
  expect((await callTool(find, { pattern: "many/*" }, context)).result?.facts).toMatchObject({ entries: 10 });
});

test("bashTimeoutSeconds applies if the model gives no timeout, and is shown on the card", async () => {
  const context = withSettings({ bashTimeoutSeconds: 7 });
  expect((await callTool(bash, { command: "true" }, context)).result?.facts).toMatchObject({ timeoutMs: 7_000 });
  expect(bash.facts?.({ command: "true" }, context.settings)).toMatchObject({ timeoutMs: 7_000 });
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
