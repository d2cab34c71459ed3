import { describe, expect, test } from "vitest";
import type { ConnectionConfig } from "./connection-config";
import { environmentConnection, resolveKey } from "./connection-keys";

const connectionTo = (preset: string, baseUrl: string, id = "c"): ConnectionConfig => ({
  id,
  name: "C",
  preset,
  baseUrl,
  model: "",
  numCtx: 0,
});
const noFile = () => expect.fail("no file is named");
const openrouter = connectionTo("openrouter", "https://openrouter.ai/api/v1");

describe("a key", () => {
  test("from the store takes precedence over the environment", () => {
    expect(resolveKey(openrouter, "sk-file", { OPENROUTER_API_KEY: "sk-env" }, noFile)).toEqual({
      source: { from: "file" },
      key: "sk-file",
    });
  });

  const gemini = connectionTo("gemini", "https://generativelanguage.googleapis.com/v1beta/openai");
  const cases: readonly [ConnectionConfig, NodeJS.Dict<string>, name: string | null][] = [
    [openrouter, {}, null],
    [openrouter, { OPENROUTER_API_KEY: " " }, null],
    [openrouter, { OPENROUTER_API_KEY: "k" }, "OPENROUTER_API_KEY"],
    [openrouter, { OPENAI_API_KEY: "k" }, null],
    [gemini, { GOOGLE_API_KEY: "k" }, "GOOGLE_API_KEY"],
    [gemini, { GOOGLE_API_KEY: "g", GEMINI_API_KEY: "k" }, "GEMINI_API_KEY"],
    [connectionTo("qwen", "https://dashscope-intl.aliyuncs.com/v1"), { DASHSCOPE_API_KEY: "k" }, "DASHSCOPE_API_KEY"],
    // Another owner's address, or an unencrypted one.
    [connectionTo("openrouter", "https://openrouter.ai.example.org/v1"), { OPENROUTER_API_KEY: "k" }, null],
    [connectionTo("openrouter", "http://openrouter.ai/api/v1"), { OPENROUTER_API_KEY: "k" }, null],
    [connectionTo("vllm", "http://192.168.1.20:8000/v1"), { VLLM_API_KEY: "k" }, "VLLM_API_KEY"],
    [connectionTo("vllm", "https://vllm.example.org/v1"), { VLLM_API_KEY: "k" }, null],
    [connectionTo("custom", "https://api.openai.com/v1"), { OPENAI_API_KEY: "k" }, null],
    [connectionTo("custom", "https://llm.example.org/v1", "environment"), { OPENAI_API_KEY: "k" }, "OPENAI_API_KEY"],
  ];
  test.each(cases)("of %j in the environment %j is that of %s", (connection, environment, name) => {
    expect(resolveKey(connection, null, environment, noFile)).toEqual(
      name === null ? { source: { from: "none" }, key: null } : { source: { from: "environment", name }, key: "k" },
    );
  });
});

test("the password in the environment's address is the key", () => {
  const connection = connectionTo("custom", "https://llm.example.org/v1", "environment");
  const environment = { OPENAI_BASE_URL: "https://me:pw@llm.example.org/v1", OPENAI_API_KEY: "k" };
  expect(resolveKey(connection, null, environment, noFile)).toEqual({
    source: { from: "environment", name: "OPENAI_BASE_URL" },
    key: "pw",
  });
  expect(resolveKey({ ...connection, id: "c" }, null, environment, noFile)).toEqual({
    source: { from: "none" },
    key: null,
  });
});

describe("the environment's own connection", () => {
  const cases: readonly [NodeJS.Dict<string>, Partial<ConnectionConfig> | null | undefined][] = [
    [{}, undefined],
    [{ OPENAI_BASE_URL: "", OPENAI_API_KEY: " " }, undefined],
    [{ OPENAI_API_KEY_FILE: "/run/key" }, { id: "environment", preset: "openai" }],
    [{ OPENAI_API_KEY: "k" }, { id: "environment", preset: "openai", baseUrl: "https://api.openai.com/v1" }],
    [{ OPENAI_BASE_URL: "127.0.0.1:9/v1/" }, { preset: "custom", baseUrl: "http://127.0.0.1:9/v1" }],
    [{ OPENAI_BASE_URL: "https://openrouter.ai" }, { preset: "openrouter", baseUrl: "https://openrouter.ai/api/v1" }],
    [{ OPENAI_BASE_URL: "ftp://x", OPENAI_API_KEY: "k" }, null],
    [{ OPENAI_BASE_URL: "https://:pw@example.org", OPENAI_API_KEY: "k" }, null],
    [
      { OPENAI_BASE_URL: "https://me:pw@example.org/v1" },
      { baseUrl: "https://example.org/v1", keyUse: { as: "password", name: "me" } },
    ],
  ];
  test.each(cases)("for %j is %j", (environment, expected) => {
    const found = environmentConnection(environment);
    if (expected === null || expected === undefined) expect(found).toBe(expected);
    else expect(found).toMatchObject({ ...expected, model: "", numCtx: 0 });
  });
});
