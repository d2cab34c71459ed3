import { describe, expect, test } from "vitest";
import { findPreset } from "@/server/providers/presets";
import {
  type ConnectionInput,
  newConnectionId,
  normalizeBaseUrl,
  normalizeOllamaHost,
  validateConnectionInput,
} from "./connection-config";

const input: ConnectionInput = { name: "Cellar", preset: "vllm", baseUrl: "192.168.1.20:8000", model: "m", numCtx: 0 };

describe("an address", () => {
  const cases: readonly [preset: string, typed: string, base: string][] = [
    ["openai", "api.openai.com", "https://api.openai.com/v1"],
    ["openai", "http://api.openai.com/", "https://api.openai.com/v1"],
    ["openai", "https://api.openai.com/v1/chat/completions", "https://api.openai.com/v1"],
    ["custom", " https://api.openai.com ", "https://api.openai.com/v1"],
    ["custom", "https://openrouter.ai/api/v1/models?x=1", "https://openrouter.ai/api/v1"],
    ["custom", "openrouter.ai", "https://openrouter.ai/api/v1"],
    ["deepseek", "https://api.deepseek.com/", "https://api.deepseek.com"],
    ["vllm", "192.168.1.20:8000", "http://192.168.1.20:8000/v1"],
    ["lmstudio", "http://localhost:1234/", "http://localhost:1234/v1"],
    ["vllm", "http://gpu.lan/models-api/v1/", "http://gpu.lan/models-api/v1"],
    ["custom", "http://127.0.0.1:9000", "http://127.0.0.1:9000"],
    ["custom", "https://llm.example.org", "https://llm.example.org"],
    ["custom", "https://llm.example.org/@me/v1", "https://llm.example.org/@me/v1"],
  ];
  test.each(cases)("of preset %s typed as %j becomes %j", (preset, typed, base) =>
    expect(normalizeBaseUrl(typed, findPreset(preset))).toEqual({ ok: true, value: base }),
  );

  const refused: readonly [typed: string, words: RegExp][] = [
    ["", /not a base URL/],
    ["ftp://example.org/v1", /not a base URL/],
    ["file:///etc/passwd", /not a base URL/],
    ["https://a b/v1", /not a base URL/],
    ["https://me:hunter2@example.org/v1", /user name and password/],
    ["https://:hunter2@example.org/v1", /user name and password/],
    ["me:hunter2@example.org", /user name and password/],
    ["https://example.org/v1#key=hunter2", /after #/],
  ];
  test.each(refused)("%j is refused without repeating a password", (typed, words) => {
    const result = normalizeBaseUrl(typed, findPreset("custom"));
    expect(result).toMatchObject({ ok: false, error: { code: "bad_input", facts: { field: "baseUrl" } } });
    expect(result.ok ? "" : result.error.detail).toMatch(words);
    expect(JSON.stringify(result)).not.toContain("hunter2");
  });
});

describe("the address of an Ollama server", () => {
  test.each([
    ["attic", "http://attic:11434"],
    [" 192.168.1.20:8000 ", "http://192.168.1.20:8000"],
    ["0.0.0.0", "http://127.0.0.1:11434"],
    ["http://attic:11434/v1", "http://attic:11434"],
    ["http://attic:11434/api/", "http://attic:11434"],
    ["https://models.example.org/ollama", "https://models.example.org:443/ollama"],
  ])("typed as %j becomes %j", (typed, host) => expect(normalizeOllamaHost(typed)).toEqual({ ok: true, value: host }));

  test.each([
    "",
    "ftp://attic",
    "at tic",
    "attic:99999",
    "http://me:hunter2@attic:11434",
    "me:hunter2@attic",
    "'me:hunter2@attic'",
  ])("%j is refused without repeating a password", (typed) => {
    const result = normalizeOllamaHost(typed);
    expect(result).toMatchObject({ ok: false, error: { code: "bad_input", facts: { field: "baseUrl" } } });
    expect(JSON.stringify(result)).not.toContain("hunter2");
  });
});

describe("a saved connection", () => {
  test("has trimmed fields, and no key", () => {
    expect(
      validateConnectionInput({ ...input, id: "c", name: " Cellar ", model: " m ", key: " sk-1\n", temperature: 0 }),
    ).toEqual({
      ok: true,
      value: {
        config: {
          name: "Cellar",
          preset: "vllm",
          baseUrl: "http://192.168.1.20:8000/v1",
          model: "m",
          numCtx: 0,
          temperature: 0,
        },
        key: "sk-1",
      },
    });
  });
  test("keeps or deletes the key", () => {
    const saved = (key: string | undefined) => validateConnectionInput(key === undefined ? input : { ...input, key });
    expect(saved(undefined)).not.toHaveProperty("value.key");
    expect(saved("")).toHaveProperty("value.key", null);
    expect(saved("  ")).toHaveProperty("value.key", null);
  });
  test.each<[string, Partial<ConnectionInput>]>([
    ["name", { name: "  " }],
    ["name", { name: "a\nb" }],
    ["preset", { preset: "nobody" }],
    ["baseUrl", { baseUrl: "::" }],
    ["key", { key: "sk-hunter2 and more" }],
    ["key", { key: "sk-hunter2\r\nx-other: 1" }],
    ["key", { key: "ключ-hunter2" }],
    ["key", { key: "hunter2\nhunter2", keyUse: { as: "password", name: "me" } }],
    ["keyUse", { key: "hunter2", keyUse: { as: "password", name: "me:you" } }],
    ["keyUse", { key: "hunter2", keyUse: { as: "header", name: "Host" } }],
    ["baseUrl", { baseUrl: "http://:hunter2@192.168.1.20" }],
  ])("with an invalid %s is refused: %j", (field, change) => {
    const result = validateConnectionInput({ ...input, ...change });
    expect(result).toMatchObject({ ok: false, error: { code: "bad_input", facts: { field } } });
    expect(JSON.stringify(result)).not.toContain("hunter2");
  });
});

describe("a user name and a password in the address", () => {
  const moved = { keyUse: { as: "password", name: "me" } };
  test.each<[Partial<ConnectionInput>, object]>([
    [{ baseUrl: "http://me:hunter2@192.168.1.20:8000" }, { config: moved, key: "hunter2" }],
    [{ baseUrl: "me:hunter2@192.168.1.20:8000/v1/" }, { config: moved, key: "hunter2" }],
    [
      { baseUrl: "http://me:hunter2@192.168.1.20:8000", key: "other" },
      { config: moved, key: "hunter2" },
    ],
    [
      { baseUrl: "http://me@192.168.1.20:8000", key: "hunter2" },
      { config: moved, key: "hunter2" },
    ],
    [
      { baseUrl: "http://me:hunter2@192.168.1.20:8000", keyUse: { as: "header", name: "X-Key" } },
      { config: moved, key: "hunter2" },
    ],
  ])("are moved to their fields: %j", (change, expected) => {
    const result = validateConnectionInput({ ...input, ...change });
    expect(result).toMatchObject({ ok: true, value: expected });
    expect(result).toHaveProperty("value.config.baseUrl", "http://192.168.1.20:8000/v1");
  });

  test("are moved in the address of an Ollama server, too", () => {
    const result = validateConnectionInput({ ...input, preset: "ollama", baseUrl: "me:hunter2@attic" });
    expect(result).toMatchObject({ ok: true, value: { config: moved, key: "hunter2" } });
    expect(result).toHaveProperty("value.config.baseUrl", "http://attic:11434");
  });
});

describe("the id of a new connection", () => {
  const cases: readonly [name: string, taken: readonly string[], id: string][] = [
    ["OpenRouter", [], "openrouter"],
    ["OpenRouter", ["openrouter", "openrouter-2"], "openrouter-3"],
    ["  LM Studio (Büro) ", [], "lm-studio-bu-ro"],
    ["Ollama", [], "ollama-2"],
    ["Environment", [], "environment-2"],
    ["Tour", [], "tour-2"],
    ["本地", [], "vllm"],
    ["x".repeat(80), [], "x".repeat(40)],
  ];
  test.each(cases)("named %j beside %j is %j", (name, usedIds, id) =>
    expect(newConnectionId({ name, preset: "vllm" }, (one) => !usedIds.includes(one))).toBe(id),
  );
});
