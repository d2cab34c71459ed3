import { expect, test } from "vitest";
import { releaseAddress } from "./release-address";

const catalogue = { tag: "b1", base: "https://github.example/llama/releases/download/b1/" };

test.each([
  ["", catalogue.base],
  ["https://mirror.example/llama.cpp", "https://mirror.example/llama.cpp/b1/"],
  ["https://mirror.example/llama.cpp/", "https://mirror.example/llama.cpp/b1/"],
  ["https://proxy.example/https://github.example/x", "https://proxy.example/https://github.example/x/b1/"],
])("with the mirror %j the archives come from %s", (mirror, address) =>
  expect(releaseAddress(catalogue, mirror)).toBe(address),
);
