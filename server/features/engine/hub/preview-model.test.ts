/** Facts about models before their downloads, from a mirror on this machine. */
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { serveEngineMirror } from "@/e2e/fixtures/engine-mirror";
import { hubFiles } from "@/e2e/fixtures/hub-files";
import { encodeGguf } from "../models/test-gguf";
import { previewModel } from "./preview-model";

const gb = 1e9;
const vocabulary = Array.from({ length: 40_000 }, (_, index) => `token${index}`);
/** A cache of 1 GB for 16k tokens: 15 layers × 4 heads × 2 × 128 numbers × 2 bytes. */
const shape = encodeGguf([
  ["general.architecture", "text", "llama"],
  ["llama.block_count", "u32", 15],
  ["llama.embedding_length", "u32", 1_024],
  ["llama.attention.head_count", "u32", 8],
  ["llama.attention.head_count_kv", "u32", 4],
  ["tokenizer.ggml.tokens", "texts", vocabulary],
]);
const kvBytes = 15 * 4 * 2 * 128 * 2 * 16_384;
const projector = Buffer.alloc(20_000, "p");
const cpuOnly = (ram: number) => ({ ram: ram * gb, graphics: 0, isShared: false });
const path = `u/tiny-GGUF/resolve/${"c".repeat(40)}/tiny-Q4_K_M.gguf`;

/** The list of files says that the model has so many bytes. */
async function place(bytes: number, start: Buffer = shape) {
  const files = hubFiles("u/tiny-GGUF", { "tiny-Q4_K_M.gguf": start, "mmproj-F16.gguf": projector });
  const list = JSON.parse(String(files["api/models/u/tiny-GGUF"]));
  list.siblings[0].lfs.size = bytes;
  const served = { ...files, "api/models/u/tiny-GGUF": Buffer.from(JSON.stringify(list)) };
  const mirror = await serveEngineMirror(served);
  onTestFinished(() => mirror.close());
  return { mirror, served };
}

const preview = (hub: string, ram: number, listed = "") =>
  previewModel(
    { repository: "u/tiny-GGUF" },
    { folder: "/home/engine", hub: hub.replace(/\/$/, ""), memory: cpuOnly(ram), isListed: (file) => file === listed },
    new AbortController().signal,
  );

test.each([
  ["fits", 2 * gb, 8],
  ["slow", 3.2 * gb, 8],
  ["too_large", 5 * gb, 8],
] as const)("%s: the files, the cache of 16k tokens and 1 GB are its need", async (fit, bytes, ram) => {
  const { mirror } = await place(bytes);
  const found = await preview(mirror.base, ram);
  const whole = bytes + projector.length;
  expect(found).toEqual({
    ok: true,
    value: {
      reference: "hf:u/tiny-GGUF",
      name: "tiny-Q4_K_M",
      bytes: whole,
      memoryBytes: whole + kvBytes + gb,
      fit,
    },
  });
  // Nothing but the list and the start of the model was requested.
  expect(mirror.requests).toEqual(["api/models/u/tiny-GGUF 0", `${path} 0`]);
});

test.each([
  ["a start that is no GGUF file", Buffer.alloc(300_000, "m")],
  ["a start without the shape", encodeGguf([["general.architecture", "text", "llama"]])],
])("%s: a lower limit is known, and no more unless it is too large", async (_, start) => {
  const { mirror } = await place(2 * gb, start);
  const memoryBytes = 3 * gb + projector.length;
  const found = await preview(mirror.base, 8);
  expect(found).toMatchObject({ ok: true, value: { memoryBytes } });
  expect(found.ok && found.value).not.toHaveProperty("fit");
  expect(await preview(mirror.base, 4)).toMatchObject({ ok: true, value: { memoryBytes, fit: "too_large" } });
});

test("a start that the server refuses leaves a lower limit, too", async () => {
  const { mirror, served } = await place(2 * gb);
  Reflect.deleteProperty(served, path);
  const found = await preview(mirror.base, 8);
  expect(found).toMatchObject({ ok: true, value: { memoryBytes: 3 * gb + projector.length } });
  expect(found.ok && found.value).not.toHaveProperty("fit");
});

test("a model that is in the list, and a repository that does not exist, are refused", async () => {
  const { mirror, served } = await place(2 * gb);
  const file = join("/home/engine/models/u--tiny-GGUF/tiny-Q4_K_M.gguf");
  expect(await preview(mirror.base, 8, file)).toMatchObject({ error: { code: "exists" } });
  Reflect.deleteProperty(served, "api/models/u/tiny-GGUF");
  expect(await preview(mirror.base, 8)).toMatchObject({ error: { code: "not_found" } });
});
