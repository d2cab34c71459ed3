/** Tests of the arguments and the start of the engine's process. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { engineArguments, type EngineProcessOptions, startEngine } from "./engine-process";

const options = { program: { program: "x", arguments: [] }, memoryBytes: 2 ** 33 };
const load = { model: "tiny", file: "/models/tiny.gguf", window: 4_096 };
const valueAfter = (list: readonly string[], option: string): string | undefined => list[list.indexOf(option) + 1];

test("with a projector an image of 280 tokens, the most of a Gemma 4, fits into one batch", () => {
  const started = engineArguments({ ...load, projector: "/models/mmproj.gguf" }, 8_080, options);
  expect(valueAfter(started, "--mmproj")).toBe("/models/mmproj.gguf");
  for (const option of ["--batch-size", "--ubatch-size"])
    expect(Number(valueAfter(started, option))).toBeGreaterThanOrEqual(280);
});

test.each([
  [4, 0],
  [8, 0],
  [12, 953],
  [16, 1_907],
  [32, 3_814],
  [128, 8_192],
])("with %i GB of memory the prompts of other conversations have %i MiB", (gigabytes, mebibytes) => {
  const started = engineArguments(load, 8_080, { ...options, memoryBytes: gigabytes * 1e9 });
  expect(valueAfter(started, "--cache-ram")).toBe(`${mebibytes}`);
});

test.each([
  ["a model with a recurrent state keeps checkpoints of it", true, undefined, ["32", "0"]],
  ["another model keeps none", false, undefined, [undefined, undefined]],
  ["a program without the options starts", true, new Set(["--cache-ram"]), [undefined, undefined]],
])("%s", (_title, isRecurrent, supports, expected) => {
  const program = { ...options.program, supports };
  const started = engineArguments({ ...load, isRecurrent }, 8_080, { ...options, program });
  const valueOf = (option: string) => (started.includes(option) ? valueAfter(started, option) : undefined);
  expect([valueOf("--ctx-checkpoints"), valueOf("--checkpoint-min-step")]).toEqual(expected);
});

test("a model without a projector is read in smaller batches", () => {
  const started = engineArguments(load, 8_080, options);
  expect(started).not.toContain("--mmproj");
  expect(Number(valueAfter(started, "--batch-size"))).toBeLessThanOrEqual(256);
});

/** Starts this script as the engine, in a folder of its own. */
function startScript(lines: (folder: string) => string, memoryKills?: EngineProcessOptions["memoryKills"]) {
  const folder = mkdtempSync(join(tmpdir(), "gopi-process-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const program = join(folder, "llama-server");
  writeFileSync(program, `#!/bin/sh\n${lines(folder)}`, { mode: 0o755 });
  const environment = { PATH: process.env.PATH };
  const leftovers = { record: () => () => undefined };
  const place = { ...options, program: { program, arguments: [] }, environment, folder, leftovers, memoryKills };
  return startEngine(load, place, new AbortController().signal);
}

test.each([
  ["certainly for lack of memory if the system has counted it", 4, { signal: "SIGKILL", isMemoryKill: true }],
  ["probably for lack of memory if the system has not", 3, { signal: "SIGKILL" }],
  ["probably for lack of memory if the system does not count", null, { signal: "SIGKILL" }],
])("a process that was killed has ended %s", async (_name, after, facts) => {
  const counts = [3, after];
  const started = await startScript(
    () => "kill -9 $$\n",
    async () => counts.shift() ?? null,
  );
  expect(started).toEqual({ ok: false, error: { code: "out_of_memory", detail: "SIGKILL", facts } });
});

test("a taken port is tried again with others, and then reported as a failed start", async () => {
  const text = "srv start: couldn't bind HTTP server socket, hostname: 127.0.0.1, port: 8080";
  let starts = "";
  const started = await startScript((folder) => {
    starts = join(folder, "starts");
    return `echo >> "${starts}"\necho "${text}" >&2\nexit 1\n`;
  });
  expect(started).toMatchObject({ error: { code: "start_failed", detail: text, facts: { takenPort: "8080" } } });
  expect(readFileSync(starts, "utf8")).toBe("\n\n\n");
});
