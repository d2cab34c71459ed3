/** Reads real bytes of GGUF files: whole, cut at every byte, and damaged. */
import { mkdtempSync, rmSync, statSync, truncateSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { writeTinyModel } from "@/e2e/fixtures/tiny-model.mjs";
import { isProjector, toEngineModelInfo } from "./gguf-model";
import { makeGgufReader } from "./gguf-reader";
import { type GgufFile, readGguf } from "./read-gguf";
import { encodeGguf, type TestEntry } from "./test-gguf";

function write(bytes: Uint8Array): string {
  const folder = mkdtempSync(join(tmpdir(), "gopi-gguf-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const path = join(folder, "model.gguf");
  writeFileSync(path, bytes);
  return path;
}

const readEntries = (entries: readonly TestEntry[], version = 3) => readGguf(write(encodeGguf(entries, version)));

async function readValid(entries: readonly TestEntry[]): Promise<GgufFile> {
  const file = await readEntries(entries);
  if (!file.ok) throw new Error(file.error.code);
  return file.value;
}

const vocabulary = Array.from({ length: 150_000 }, (_, index) => `token${index}`);
const entries: readonly TestEntry[] = [
  ["general.architecture", "text", "qwen35"],
  ["general.size_label", "text", "9B"],
  ["general.file_type", "u32", 15],
  ["qwen35.context_length", "u32", 262_144],
  ["qwen35.block_count", "u32", 32],
  ["qwen35.full_attention_interval", "u32", 4],
  ["qwen35.embedding_length", "u64", 4_096],
  ["qwen35.attention.head_count", "u32", 16],
  ["qwen35.attention.head_count_kv", "u32", 4],
  ["qwen35.attention.key_length", "u32", 256],
  ["qwen35.attention.value_length", "u32", 256],
  ["tokenizer.ggml.tokens", "texts", vocabulary],
  ["tokenizer.ggml.token_type", "u32s", vocabulary.map(() => 1)],
  ["tokenizer.ggml.add_bos_token", "bool", false],
  ["qwen35.rope.freq_base", "f32", 2],
  ["tokenizer.chat_template", "text", "{% if tools %}{{ tools }}{% endif %}{% if enable_thinking %}<think>{% endif %}"],
];

test("a file that ends before its last tensor is damaged, and a whole one is not", async () => {
  const path = write(Buffer.alloc(0));
  writeTinyModel(path, { answers: [{ text: "Hello." }] });
  const { size } = statSync(path);
  expect(await readGguf(path)).toMatchObject({ ok: true, value: { size } });
  for (const left of [size - 64, Math.floor(size / 2)]) {
    truncateSync(path, left);
    expect(await readGguf(path)).toMatchObject({ ok: false, error: { code: "model_file_broken" } });
  }
});

test("the end of a tensor is that of its type's blocks, behind the alignment of the metadata", async () => {
  const head = (type: number): Buffer => {
    const bytes = encodeGguf([["general.alignment", "u32", 64]]);
    bytes.writeBigUInt64LE(1n, 8);
    const info = Buffer.alloc(8 + 1 + 4 + 16 + 12);
    info.writeBigUInt64LE(1n, 0);
    info.write("w", 8);
    info.writeUInt32LE(2, 9);
    info.writeBigUInt64LE(512n, 13);
    info.writeBigUInt64LE(3n, 21);
    info.writeUInt32LE(type, 29);
    return Buffer.concat([bytes, info]);
  };
  const isWhole = async (type: number, dataBytes: number): Promise<boolean> => {
    const bytes = head(type);
    const start = Math.ceil(bytes.length / 64) * 64;
    return (await readGguf(write(Buffer.concat([bytes, Buffer.alloc(start - bytes.length + dataBytes)])))).ok;
  };
  // Q4_K: 144 bytes for 256 values.
  expect([await isWhole(12, 6 * 144), await isWhole(12, 6 * 144 - 1)]).toEqual([true, false]);
  // F16.
  expect([await isWhole(1, 3_072), await isWhole(1, 3_071)]).toEqual([true, false]);
  // A type of a newer version has no known size.
  expect(await isWhole(900, 0)).toBe(true);
});

test.each([2, 3])("reads version %i, also behind a vocabulary of several megabytes", async (version) => {
  const file = await readEntries(entries, version);
  expect(file).toMatchObject({
    ok: true,
    value: {
      metadata: {
        "general.architecture": "qwen35",
        "qwen35.context_length": 262_144,
        "qwen35.embedding_length": 4_096,
        "qwen35.rope.freq_base": 2,
        "tokenizer.ggml.add_bos_token": false,
      },
    },
  });
  expect(file.ok && Object.keys(file.value.metadata)).not.toContain("tokenizer.ggml.tokens");
  expect(file.ok && Object.keys(file.value.metadata)).not.toContain("tokenizer.ggml.token_type");
});

test("a model that llama.cpp loads is read, too", async () => {
  const path = write(Buffer.alloc(0));
  writeTinyModel(path, { answers: [{ text: "Hello", thinking: "Hm" }], context: 8_192 });
  const file = await readGguf(path);
  if (!file.ok) throw new Error(file.error.code);
  expect(toEngineModelInfo("tiny", file.value, null)).toMatchObject({
    name: "tiny",
    family: "llama",
    contextLength: 8_192,
    capabilities: ["completion", "tools", "thinking"],
  });
});

test("facts for the lists come from the metadata", async () => {
  const file = await readValid(entries);
  expect(toEngineModelInfo("qwen", file, { size: 500 })).toEqual({
    name: "qwen",
    digest: file.digest,
    size: file.size + 500,
    family: "qwen35",
    parameters: "9B",
    quantization: "Q4_K_M",
    contextLength: 262_144,
    capabilities: ["completion", "tools", "thinking", "vision"],
    cloud: false,
    // 8 of 32 layers with 4 heads, keys and values of 256 numbers of 2 bytes.
    kvBytesPerToken: 8 * 4 * 512 * 2,
  });
  expect(isProjector(file)).toBe(false);
  expect(isProjector(await readValid([["general.architecture", "text", "clip"]]))).toBe(true);
});

test("a list with one number for each layer is returned", async () => {
  const heads = [0, 0, 8, 8];
  const file = await readValid([["gemma4.attention.head_count_kv", "u32s", heads]]);
  expect(file.metadata["gemma4.attention.head_count_kv"]).toEqual(heads);
});

test("the digest is that of the content, and differs after a change of the metadata, the tensors or the size", async () => {
  const bytes = Buffer.concat([encodeGguf(entries), Buffer.alloc(8_388_608, 7)]);
  const digestOf = async (change: (bytes: Buffer) => Uint8Array): Promise<string> => {
    const file = await readGguf(write(change(Buffer.from(bytes))));
    if (!file.ok) throw new Error(file.error.code);
    return file.value.digest;
  };
  const digest = await digestOf((same) => same);
  expect(digest).toMatch(/^[\da-f]{64}$/);
  expect(await digestOf((same) => same)).toBe(digest);
  const template = bytes.indexOf("enable_thinking");
  const table = encodeGguf(entries).length + 500_000;
  const others = [
    (copy: Buffer) => copy.fill("x", template, template + 1),
    (copy: Buffer) => copy.fill("x", table, table + 1),
    (copy: Buffer) => copy.fill("x", copy.length - 1),
    // Other weights everywhere, with the same names and sizes.
    (copy: Buffer) => copy.fill(8, copy.length - 6_000_000),
    (copy: Buffer) => copy.subarray(0, copy.length - 1),
  ];
  const digests = await Promise.all(others.map(digestOf));
  expect(new Set([digest, ...digests]).size).toBe(others.length + 1);
});

test("a file is read again after a change that keeps its size and its times", async () => {
  const path = write(encodeGguf([["general.architecture", "text", "qwen"]]));
  const read = makeGgufReader();
  const first = await read(path);
  expect(await read(path)).toBe(first);
  const { atime, mtime } = statSync(path);
  writeFileSync(path, encodeGguf([["general.architecture", "text", "phi3"]]));
  utimesSync(path, atime, mtime);
  expect(await read(path)).toMatchObject({ value: { metadata: { "general.architecture": "phi3" } } });
  rmSync(path);
  expect(await read(path)).toMatchObject({ error: { code: "not_found" } });
});

test("a file that ends anywhere in its metadata is damaged", async () => {
  const bytes = encodeGguf(entries.filter(([, type]) => type !== "texts" && type !== "u32s"));
  for (let length = 0; length < bytes.length; length += 1)
    expect(await readGguf(write(bytes.subarray(0, length)))).toMatchObject({ error: { code: "model_file_broken" } });
});

test("lengths that no file has are damage, and cost no memory", async () => {
  const header = encodeGguf([["a", "text", "b"]]);
  for (const at of [16, 24, 37]) {
    const broken = Buffer.from(header);
    broken.fill(0xff, at, at + 8);
    expect(await readGguf(write(broken))).toMatchObject({ error: { code: "model_file_broken" } });
  }
  expect(await readEntries([], 9)).toMatchObject({ error: { code: "model_file_broken" } });
});

test("a folder and a missing file are reported as such", async () => {
  expect(await readGguf(tmpdir())).toMatchObject({ error: { code: "is_folder" } });
  expect(await readGguf(join(tmpdir(), "none.gguf"))).toMatchObject({ error: { code: "not_found" } });
});
