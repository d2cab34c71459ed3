import { expect, test } from "vitest";
import { hubAddress } from "./hub-address";

test.each([
  [undefined, "", "https://huggingface.co"],
  ["https://hf.example/", "", "https://hf.example"],
  [" https://hf.example// ", "", "https://hf.example"],
  ["not an address", "", "https://huggingface.co"],
  ["https://hf.example", "https://own.example/hub/", "https://own.example/hub"],
  [undefined, "https://own.example", "https://own.example"],
])("HF_ENDPOINT %j and the setting %j give %s", (HF_ENDPOINT, chosen, address) =>
  expect(hubAddress({ HF_ENDPOINT }, chosen)).toBe(address),
);
