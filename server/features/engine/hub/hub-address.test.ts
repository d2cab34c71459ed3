import { expect, test } from "vitest";
import { hubAddress } from "./hub-address";

test.each([
  [undefined, "", "https://huggingface.co"],
  [" ", "", "https://huggingface.co"],
  ["https://hf.example/", "", "https://hf.example"],
  [" https://hf.example// ", "", "https://hf.example"],
  ["hf.example", "", "https://hf.example"],
  ["hf.example:8443/hub/", "", "https://hf.example:8443/hub"],
  ["http://127.0.0.1:8080", "", "http://127.0.0.1:8080"],
  ["http://localhost:8080/", "", "http://localhost:8080"],
  ["https://hf.example", "https://own.example/hub/", "https://own.example/hub"],
  ["not an address", "https://own.example", "https://own.example"],
  [undefined, "https://own.example", "https://own.example"],
])("HF_ENDPOINT %j and the setting %j give %s", (HF_ENDPOINT, chosen, address) =>
  expect(hubAddress({ HF_ENDPOINT }, chosen)).toEqual({ ok: true, value: address }),
);

test.each([
  "not an address",
  "http://hf.example",
  "http://192.168.1.2:8080",
  "ftp://hf.example",
  "file:///models",
  "https://name:password@hf.example",
])("HF_ENDPOINT %j is refused, never replaced by another hub", (HF_ENDPOINT) =>
  expect(hubAddress({ HF_ENDPOINT }, "")).toEqual({
    ok: false,
    error: { code: "bad_input", detail: undefined, facts: { variable: "HF_ENDPOINT" } },
  }),
);
