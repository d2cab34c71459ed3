import { expect, test } from "vitest";
import { formatModelReference, isGgufPath, parseModelReference } from "./model-reference";

test.each([
  ["hf:unsloth/Qwen3.5-9B-GGUF:Q4_K_M", { repository: "unsloth/Qwen3.5-9B-GGUF", quantization: "Q4_K_M" }],
  ["  unsloth/Qwen3.5-9B-GGUF ", { repository: "unsloth/Qwen3.5-9B-GGUF" }],
  ["hf.co/bartowski/a_b:IQ4_XS", { repository: "bartowski/a_b", quantization: "IQ4_XS" }],
  ["huggingface.co/u/r", { repository: "u/r" }],
  ["https://huggingface.co/u/r", { repository: "u/r" }],
  ["https://hf-mirror.com/u/r/tree/main", { repository: "u/r" }],
  ["https://huggingface.co/u/r/blob/main/Q8/m%20x.gguf?download=true", { repository: "u/r", file: "Q8/m x.gguf" }],
  ["https://huggingface.co/u/r/resolve/main/m.gguf#top", { repository: "u/r", file: "m.gguf" }],
  ["https://huggingface.co/u/r/blob/main/README.md", { repository: "u/r" }],
  ["https://huggingface.co/u/r/blob/main/%E0%A4%A.gguf", { repository: "u/r" }],
])("%j is a name", (text, reference) => {
  expect(parseModelReference(text)).toEqual(reference);
});

test.each([
  "",
  "qwen3:8b",
  "/home/me/m.gguf",
  "u/r/m.gguf",
  "../u/r",
  "u/..",
  "hf:u",
  "https://x.org/u",
  "u/r:Q 4",
  "u /r",
  "https://github.com/ggml-org/llama.cpp",
  "https://modelscope.example/u/r",
  "https://huggingface.co.example/u/r",
  "https://huggingface.co/u/r/blob/v2/m.gguf",
])("%j is none", (text) => {
  expect(parseModelReference(text)).toBeNull();
});

test.each(["hf:u/r", "hf:u/r:Q4_K_M", "https://huggingface.co/u/r/blob/main/a%20b/m.gguf"])(
  "%j is written as it was read",
  (text) => {
    expect(formatModelReference(parseModelReference(text)!)).toBe(text);
  },
);

test.each(["../m.gguf", "/m.gguf", "a//m.gguf", "a\\m.gguf", ".m.gguf", "m.bin", "a/./m.gguf"])(
  "%j is not a path of a model in a repository",
  (path) => {
    expect(isGgufPath(path)).toBe(false);
  },
);
