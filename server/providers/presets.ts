/**
 * The OpenAI-compatible servers we know by name: where they are and in what they differ. Data only; read by the provider
 * openai and by whoever lists connections. Addresses and fields are those of each server's own documentation.
 */
import type { Json } from "@/lib/content";
import type { ConnectionPreset } from "@/lib/models";

type Fields = { readonly [name: string]: Json };

/** In what a server differs from the rest. */
export interface Quirks {
  /** The field that bounds the answer. */
  readonly maxTokensField: "max_tokens" | "max_completion_tokens";
  /** What is sent for a level of thinking (`String(think)`); a level that is not named sends nothing. */
  readonly think: { readonly [level in "false" | "true" | "low" | "medium" | "high" | "max"]?: Fields };
  /** Assistant messages go back with their thinking in this field. */
  readonly thinkingField?: "reasoning_content";
  /** Added to every call that goes back. */
  readonly callFields?: Fields;
  /** `content` of an assistant message that only calls tools. */
  readonly emptyContent: null | "";
  /** The list of models; `path` from the base address, or from its origin when it begins with //. */
  readonly models?: { readonly path: string; readonly headers?: { readonly [name: string]: string } };
  /** The key goes along in this header too when models are listed. */
  readonly modelsKeyHeader?: string;
  /** Answers 401 to a bad key where the list of models is open to all. */
  readonly keyPath?: string;
}

export interface Preset extends ConnectionPreset {
  readonly quirks: Quirks;
}

const effort = (level: string): Fields => ({ reasoning_effort: level });
const levels = { low: effort("low"), medium: effort("medium"), high: effort("high") } as const;

const hosted: Quirks = { maxTokensField: "max_tokens", think: {}, emptyContent: null };
/** Local servers pass messages to a chat template, where null has no text. */
const selfHosted: Quirks = {
  maxTokensField: "max_tokens",
  think: { ...levels, max: effort("high") },
  emptyContent: "",
};
/** Templates of models with levels read them there; servers that know the field of the wire read that one. */
const templateEffort = (level: string): Fields => ({
  ...effort(level),
  chat_template_kwargs: { enable_thinking: true, reasoning_effort: level },
});
const templateLevels: Quirks["think"] = {
  low: templateEffort("low"),
  medium: templateEffort("medium"),
  high: templateEffort("high"),
  max: templateEffort("max"),
};
const templateThinking: Quirks["think"] = {
  false: { chat_template_kwargs: { enable_thinking: false } },
  true: { chat_template_kwargs: { enable_thinking: true } },
};

const custom: Preset = {
  id: "custom",
  name: "Custom",
  baseUrl: "",
  // A key of the environment belongs to one server; it is not tried at an address somebody typed.
  keyEnvironment: [],
  needsKey: false,
  local: true,
  quirks: selfHosted,
};

const cloud = (id: string, name: string, baseUrl: string, keyEnvironment: readonly string[]) =>
  ({ id, name, baseUrl, keyEnvironment, needsKey: true, local: false }) as const;
const own = (id: string, name: string, port: number, variable: string) =>
  ({
    id,
    name,
    baseUrl: `http://127.0.0.1:${port}/v1`,
    keyEnvironment: [variable],
    needsKey: false,
    local: true,
  }) as const;

/** In the order of the seed, then what runs on one's own machines; `custom` last. */
export const presets: readonly Preset[] = [
  {
    ...cloud("openrouter", "OpenRouter", "https://openrouter.ai/api/v1", ["OPENROUTER_API_KEY"]),
    quirks: { ...hosted, think: { ...levels, false: effort("none"), max: effort("xhigh") }, keyPath: "/key" },
  },
  {
    ...cloud("claude", "Claude", "https://api.anthropic.com/v1", ["ANTHROPIC_API_KEY"]),
    quirks: {
      ...hosted,
      models: { path: "/models?limit=1000", headers: { "anthropic-version": "2023-06-01" } },
      modelsKeyHeader: "x-api-key",
    },
  },
  {
    ...cloud("openai", "OpenAI", "https://api.openai.com/v1", ["OPENAI_API_KEY"]),
    quirks: {
      ...hosted,
      maxTokensField: "max_completion_tokens",
      think: { ...levels, false: effort("none"), max: effort("xhigh") },
    },
  },
  {
    ...cloud("deepseek", "DeepSeek", "https://api.deepseek.com", ["DEEPSEEK_API_KEY"]),
    quirks: {
      ...hosted,
      think: { ...levels, false: { thinking: { type: "disabled" } }, max: effort("max") },
      thinkingField: "reasoning_content",
    },
  },
  {
    ...cloud("gemini", "Gemini", "https://generativelanguage.googleapis.com/v1beta/openai", [
      "GEMINI_API_KEY",
      "GOOGLE_API_KEY",
    ]),
    quirks: {
      ...hosted,
      think: { ...levels, false: effort("none"), max: effort("high") },
      // Calls without the signature of the thought before them are refused; this is the documented word for "none kept".
      callFields: { extra_content: { google: { thought_signature: "skip_thought_signature_validator" } } },
    },
  },
  {
    ...cloud("ark", "Volcengine Ark", "https://ark.cn-beijing.volces.com/api/v3", ["ARK_API_KEY"]),
    quirks: { ...hosted, think: { false: { thinking: { type: "disabled" } } } },
  },
  {
    ...cloud("qianfan", "Baidu Qianfan", "https://qianfan.baidubce.com/v2", ["QIANFAN_API_KEY"]),
    quirks: hosted,
  },
  {
    ...cloud("qwen", "Qwen (DashScope)", "https://dashscope.aliyuncs.com/compatible-mode/v1", ["DASHSCOPE_API_KEY"]),
    quirks: { ...hosted, think: { false: { enable_thinking: false }, true: { enable_thinking: true } } },
  },
  {
    ...own("vllm", "vLLM", 8000, "VLLM_API_KEY"),
    quirks: { ...selfHosted, think: { ...levels, max: effort("high"), ...templateThinking } },
  },
  {
    ...own("lmstudio", "LM Studio", 1234, "LM_API_TOKEN"),
    // Its own list tells the window a model was loaded with.
    quirks: { ...selfHosted, models: { path: "//api/v0/models" } },
  },
  {
    ...own("llamacpp", "llama.cpp server", 8080, "LLAMA_API_KEY"),
    quirks: { ...selfHosted, think: { ...templateLevels, ...templateThinking } },
  },
  custom,
];

/** By id; an id nobody knows is `custom`. */
export const presetOf = (id: string): Preset => presets.find((preset) => preset.id === id) ?? custom;
