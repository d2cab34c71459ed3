import { afterEach, describe, expect, it } from "vitest";
import { type OpenAiServer, startOpenAiServer, type WireTurn } from "./__fixtures__/openai-server";
import { makeOpenAi } from "./openai";
import { parseModelList } from "./openai-models";
import { findPreset } from "../presets";

const only = (entry: object) => parseModelList({ object: "list", data: [entry] }, false)[0];

describe("the facts of a list", () => {
  it.each([
    ["OpenAI", { id: "gpt-5.1", object: "model", created: 1, owned_by: "openai" }, { name: "gpt-5.1" }],
    [
      "vLLM",
      { id: "Qwen/Qwen3-32B", object: "model", owned_by: "vllm", max_model_len: 40_960 },
      { name: "Qwen/Qwen3-32B", contextLength: 40_960 },
    ],
    [
      "llama.cpp",
      { id: "qwen3-8b", object: "model", meta: { n_ctx_train: 40_960, n_params: 8_190_735_360, size: 5_027_783_488 } },
      { name: "qwen3-8b", possibleContext: 40_960, size: 5_027_783_488, parameters: "8.2B" },
    ],
    [
      "llama.cpp with what it has allocated",
      { id: "q", meta: { n_ctx: 8192, n_ctx_train: 40_960 } },
      { name: "q", contextLength: 8192 },
    ],
    [
      "a router of llama.cpp with a model that is not loaded",
      {
        id: "q",
        status: { value: "unloaded", args: ["llama-server", "--ctx-size", "6144"] },
        context_length: 32_768,
      },
      { name: "q", possibleContext: 6_144, load: { state: "unloaded" } },
    ],
    [
      "a local server that lists a maximum",
      { id: "q", max_context_length: 262_144 },
      { name: "q", possibleContext: 262_144 },
    ],
    ["Groq", { id: "llama", context_window: 131_072 }, { name: "llama", contextLength: 131_072 }],
    ["Claude", { type: "model", id: "claude-x", display_name: "Claude X" }, { name: "claude-x" }],
    ["Gemini", { id: "models/gemini-3-flash", object: "model", owned_by: "google" }, { name: "gemini-3-flash" }],
  ])("%s", (_name, entry, expected) => {
    expect(only(entry)).toEqual({ ...expected, capabilities: [], cloud: false });
  });

  it("OpenRouter: window and capabilities", () => {
    const entry = {
      id: "qwen/qwen3-coder",
      name: "Qwen: Qwen3 Coder",
      context_length: 262_144,
      architecture: { modality: "text+image->text", input_modalities: ["text", "image"] },
      supported_parameters: ["max_tokens", "reasoning", "tools", "tool_choice"],
    };
    expect(only(entry)).toMatchObject({
      name: "qwen/qwen3-coder",
      contextLength: 262_144,
      capabilities: ["completion", "tools", "thinking", "vision"],
    });
  });

  it("LM Studio's list of 2026: the least window of the loaded instances, none before that", () => {
    const entry = {
      type: "llm",
      key: "qwen/qwen3-8b",
      display_name: "Qwen3 8B",
      architecture: "qwen3",
      quantization: { name: "Q4_K_M", bits_per_weight: 4 },
      size_bytes: 5_027_783_488,
      max_context_length: 262_144,
      capabilities: { vision: false, trained_for_tool_use: true, reasoning: { allowed_options: ["off", "on"] } },
    };
    const windows = [81_920, 16_384].map((context_length) => ({ id: "i", config: { context_length } }));
    const listOf = (loaded_instances: object) =>
      parseModelList(
        {
          models: [
            { ...entry, loaded_instances },
            { type: "embedding", key: "nomic" },
          ],
        },
        false,
      );
    const facts = {
      name: "qwen/qwen3-8b",
      family: "qwen3",
      quantization: "Q4_K_M",
      size: 5_027_783_488,
      capabilities: ["completion", "tools", "thinking"],
      cloud: false,
    };
    const possibleContext = 262_144;
    expect(listOf(windows)).toEqual([{ ...facts, contextLength: 16_384, possibleContext, load: { state: "loaded" } }]);
    expect(listOf([])).toEqual([{ ...facts, possibleContext, load: { state: "unloaded" } }]);
  });

  it("LM Studio: the loaded window before the possible one", () => {
    const entry = {
      id: "qwen3-8b",
      type: "llm",
      arch: "qwen3",
      quantization: "Q4_K_M",
      max_context_length: 40_960,
      loaded_context_length: 4_096,
      capabilities: ["tool_use"],
    };
    expect(only(entry)).toEqual({
      name: "qwen3-8b",
      family: "qwen3",
      quantization: "Q4_K_M",
      contextLength: 4_096,
      capabilities: ["completion", "tools"],
      cloud: false,
    });
    expect(only({ ...entry, type: "embeddings" })).toBeUndefined();
  });

  it("llama.cpp: completion does not list tools, so no capabilities are assumed", () => {
    expect(parseModelList({ models: [{ name: "m", capabilities: ["completion"] }] }, false)).toMatchObject([
      { name: "m", capabilities: [] },
    ]);
  });

  it("Mistral: capabilities by name", () => {
    const capabilities = { completion_chat: true, function_calling: true, vision: false };
    expect(only({ id: "m", capabilities })).toMatchObject({ capabilities: ["completion", "tools"] });
  });

  it("a bare list, odd types and missing names: the usable entries", () => {
    expect(parseModelList([{ id: "a", context_length: "8192" }, { object: "model" }], true)).toEqual([
      { name: "a", capabilities: [], cloud: true },
    ]);
  });

  it.each([{}, { data: 5 }, [5], "text"])("%j is not a list", (value) => {
    expect(() => parseModelList(value, false)).toThrow(
      expect.objectContaining({ error: expect.objectContaining({ code: "bad_answer" }) }),
    );
  });
});

describe("models()", () => {
  let server: OpenAiServer | undefined;
  afterEach(() => server?.close());
  const list: WireTurn = { body: { object: "list", data: [{ id: "m" }] } };
  const ask = async (preset: string, fixed: Readonly<Record<string, WireTurn>>, apiKey: string | null = "sk-a-key") => {
    const wire = await startOpenAiServer([], fixed);
    server = wire;
    const provider = makeOpenAi({
      id: "one",
      preset: findPreset(preset),
      baseUrl: () => wire.base,
      apiKey: () => apiKey,
    });
    const models = await provider.models(new AbortController().signal).catch((cause: unknown) => cause);
    return { wire, models };
  };

  it("sends the key, and marks a service as cloud even at a local address", async () => {
    const { wire, models } = await ask("openai", { "GET /v1/models": list });
    expect(models).toMatchObject([{ name: "m", cloud: true }]);
    expect(wire.requests[0]?.headers).toMatchObject({ authorization: "Bearer sk-a-key", accept: "application/json" });
  });

  it("queries Claude by its own API", async () => {
    const { wire } = await ask("claude", { "GET /v1/models?limit=1000": list });
    expect(
      wire.requests.map(({ path, headers }) => [path, headers["x-api-key"], headers["anthropic-version"]]),
    ).toEqual([["/v1/models?limit=1000", "sk-a-key", "2023-06-01"]]);
  });

  it("queries LM Studio's own list, and the common list on an older version", async () => {
    const own = { body: { data: [{ id: "m", type: "llm", loaded_context_length: 4096 }] } };
    expect((await ask("lmstudio", { "GET /api/v0/models": own, "GET /v1/models": list })).models).toMatchObject([
      { contextLength: 4096, cloud: false },
    ]);
    await server?.close();
    const newest = {
      body: { models: [{ key: "m", type: "llm", loaded_instances: [{ id: "m", config: { context_length: 8192 } }] }] },
    };
    const both = { "GET /api/v1/models": newest, "GET /api/v0/models": own, "GET /v1/models": list };
    expect((await ask("lmstudio", both)).models).toMatchObject([{ name: "m", contextLength: 8192 }]);
    await server?.close();
    expect((await ask("lmstudio", { "GET /v1/models": list })).models).toMatchObject([{ name: "m" }]);
  });

  it("throws with a code when the request fails", async () => {
    expect((await ask("vllm", { "GET /v1/models": { status: 401, body: "" } }, null)).models).toMatchObject({
      error: { code: "key_refused", facts: { missing: true } },
    });
  });

  it("throws the reason of its signal", async () => {
    const provider = makeOpenAi({ id: "vllm", baseUrl: () => "http://127.0.0.1:1/v1", apiKey: () => null });
    await expect(provider.models(AbortSignal.abort(new Error("stop")))).rejects.toThrow("stop");
  });
});
