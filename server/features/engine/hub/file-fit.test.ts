import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { encodeGguf } from "../models/test-gguf";
import { findFileFit, readGgufStart } from "./file-fit";

const memory = { ram: 8e9, graphics: 0, isShared: false };
const sizes = { bytes: 2e9, modelBytes: 2e9 };
/** A cache of 1 KB for each token. */
const model = encodeGguf([
  ["general.architecture", "text", "llama"],
  ["llama.block_count", "u32", 1],
  ["llama.attention.head_count_kv", "u32", 2],
  ["llama.attention.key_length", "u32", 128],
  ["llama.attention.value_length", "u32", 128],
]);

test("a file of this machine has its need from its start", async () => {
  const folder = mkdtempSync(join(tmpdir(), "gopi-fit-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const path = join(folder, "m.gguf");
  writeFileSync(path, Buffer.concat([model, Buffer.alloc(300_000)]));
  const start = await readGgufStart(path);
  expect(start?.length).toBe(262_144);
  expect(await findFileFit(start, sizes, memory)).toEqual({ memoryBytes: 3e9 + 1_024 * 16_384, fit: "fits" });
});

test("a file that is gone has a lower limit", async () => {
  expect(await readGgufStart("/nowhere/m.gguf")).toBeNull();
  expect(await findFileFit(null, sizes, memory)).toEqual({ memoryBytes: 3e9 });
});
