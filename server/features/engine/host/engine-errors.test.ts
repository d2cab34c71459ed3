/** Reasons of an end, from texts that llama.cpp's server and the system's loader print. */
import { expect, test } from "vitest";
import { findEngineError } from "./engine-errors";

const failed = { code: 1, signal: null } as const;

test.each<[string, string, string, object]>([
  [
    "an architecture of a later version",
    "0.00.1 E llama_model_load: error loading model: unknown model architecture: 'qwen9'",
    "model_unsupported",
    { architecture: "qwen9" },
  ],
  [
    "too little memory of a card with CUDA",
    "CUDA error: out of memory\n  current device: 0, in function alloc at ggml-cuda.cu:400",
    "out_of_memory",
    {},
  ],
  [
    "too little memory of a card with Vulkan",
    "vk::Device::allocateMemory: ErrorOutOfDeviceMemory",
    "out_of_memory",
    {},
  ],
  [
    "too little memory with Metal",
    "ggml_metal: error: Insufficient Memory (00000008:kIOGPUCommandBufferCallbackErrorOutOfMemory)",
    "out_of_memory",
    {},
  ],
  [
    "too little memory for the window",
    "llama_init_from_model: failed to allocate buffer for kv cache",
    "out_of_memory",
    {},
  ],
  ["a lost card", "terminate called: vk::Queue::submit: ErrorDeviceLost", "graphics_failed", {}],
  ["a failed driver", "CUDA error: an illegal memory access was encountered", "graphics_failed", {}],
  ["a driver that does not start", "vk::createInstance: ErrorInitializationFailed", "graphics_failed", {}],
  [
    "another file",
    "gguf_init_from_file_impl: invalid magic characters: 'no m', expected 'GGUF'",
    "model_file_broken",
    {},
  ],
  [
    "a cut file",
    "llama_model_load: error loading model: tensor 'output.weight' data is not within the file bounds, model is corrupted or incomplete",
    "model_file_broken",
    {},
  ],
  [
    "an older C library",
    "./llama-server: /lib/x86_64-linux-gnu/libc.so.6: version `GLIBC_2.38' not found (required by ./llama-server)",
    "engine_incompatible",
    { library: "GLIBC_2.38" },
  ],
  [
    "an older C++ library",
    "./llama-server: libstdc++.so.6: version `GLIBCXX_3.4.32' not found (required by ./libllama.so)",
    "engine_incompatible",
    { library: "GLIBCXX_3.4.32" },
  ],
  [
    "a missing library",
    "./llama-server: error while loading shared libraries: libgomp.so.1: cannot open shared object file: No such file",
    "engine_incompatible",
    { library: "libgomp.so.1" },
  ],
  ["another processor", "sh: 1: ./llama-server: Exec format error", "engine_incompatible", {}],
  [
    "a port in use",
    "E srv start: couldn't bind HTTP server socket, hostname: 127.0.0.1, port: 8080",
    "start_failed",
    { takenPort: "8080" },
  ],
])("%s is the reason", (_name, text, code, facts) => {
  const log = ["0.00.000.971 I srv  llama_server: initializing ...", ...text.split("\n")];
  expect(findEngineError(log, failed)).toMatchObject({ code, facts });
});

test("a missing driver of another card is not the reason of a later end", () => {
  const log = ["ggml_backend_load: libcuda.so.1: cannot open shared object file: No such file or directory"];
  expect(findEngineError(log, { code: null, signal: "SIGSEGV" })).toMatchObject({
    code: "engine_ended",
    facts: { exit: "SIGSEGV" },
  });
});

test.each([
  ["SIGKILL", "out_of_memory"],
  ["SIGILL", "engine_incompatible"],
  ["SIGSEGV", "engine_ended"],
] as const)("an end by %s without a text is reported as %s", (signal, code) =>
  expect(findEngineError([], { code: null, signal }).code).toBe(code),
);
