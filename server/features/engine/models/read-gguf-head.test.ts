import { expect, test } from "vitest";
import { estimateActiveParameters } from "./gguf-model";
import { readGgufHead } from "./read-gguf-head";
import { encodeGguf } from "./test-gguf";

const whole = encodeGguf([
  ["general.architecture", "text", "llama"],
  ["llama.block_count", "u32", 15],
  ["tokenizer.ggml.tokens", "texts", ["a", "b", "c"]],
  ["tokenizer.ggml.token_type", "u32s", Array.from({ length: 5_000 }, () => 1)],
  ["general.file_type", "u32", 15],
]);

test("a start of each length gives the entries that are whole in it", async () => {
  const sizes = new Set<number>();
  for (let length = 0; length <= 200; length += 1) {
    const head = await readGgufHead(whole.subarray(0, length));
    sizes.add(Object.keys(head ?? {}).length);
    if (head !== null) expect(head["general.architecture"]).toBe("llama");
  }
  expect([...sizes]).toEqual([0, 1, 2]);
  expect(await readGgufHead(whole)).toEqual({
    "general.architecture": "llama",
    "llama.block_count": 15,
    "general.file_type": 15,
  });
});

test("bytes of another file, and damaged lengths, give nothing", async () => {
  expect(await readGgufHead(Buffer.from("<html><body>Sign in</body></html>"))).toBeNull();
  const damaged = Buffer.from(whole);
  damaged.writeBigUInt64LE(2n ** 62n, 24);
  expect(await readGgufHead(damaged)).toBeNull();
});

test.each([
  ["a dense model", {}, 4.2e9],
  ["a mixture, of which a part of the experts is used", { "m.expert_count": 32, "m.expert_used_count": 4 }, 0.525e9],
  ["a file that names no experts in use", { "m.expert_count": 32 }, 4.2e9],
])("%s: parameters that one token passes through", (_, experts, expected) => {
  expect(estimateActiveParameters({ "general.architecture": "m", ...experts }, 2.73e9)).toBeCloseTo(expected, -6);
});
