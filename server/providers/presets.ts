/**
 * The OpenAI-compatible servers supported by name: addresses and differences. Data only; from each server's own
 * documentation.
 */
import type { Json, ReasoningField } from "@/lib/events/content";
import type { ConnectionPreset } from "@/lib/models/models";

/** Fields of a request body. */
export type Fields = { readonly [name: string]: Json };

/** Differences of a server from the others. */
export interface Quirks {
  /** The field that bounds the answer. */
  readonly maxTokensField: "max_tokens" | "max_completion_tokens";
  /** Fields sent for a thinking level (`String(think)`); a missing level sends nothing. */
  readonly think: { readonly [level in "false" | "true" | "low" | "medium" | "high" | "max"]?: Fields };
  /** Calls without this field are refused. */
  readonly requiredReasoning?: ReasoningField;
  /** Added to every call that is sent back. */
  readonly callFields?: Fields;
  /** Added to every request for an answer. */
  readonly requestFields?: Fields;
  /** `content` of an assistant message that contains only calls. */
  readonly emptyContent: null | "";
  /**
   * Model list; `paths` from the base address, or from its origin if they start with //, the newest first. Where a server has
   * none of them, the common one is used.
   */
  readonly models?: { readonly paths: readonly string[]; readonly headers?: { readonly [name: string]: string } };
  /** Header that also carries the key when models are listed. */
  readonly modelsKeyHeader?: string;
  /** Types of images the server reads; absent = all. */
  readonly imageTypes?: readonly string[];
  /** Path that answers 401 to a bad key where the model list is public. */
  readonly keyPath?: string;
}

export interface Preset extends ConnectionPreset {
  readonly quirks: Quirks;
}

const effortField = (level: string): Fields => ({ reasoning_effort: level });
const levelsOf = (field: (level: string) => Fields) =>
  ({ low: field("low"), medium: field("medium"), high: field("high") }) as const;
const effortLevels = levelsOf(effortField);

const hostedQuirks: Quirks = { maxTokensField: "max_tokens", think: {}, emptyContent: null };
/** Local servers pass messages to a chat template, where null has no text. */
const selfHostedQuirks: Quirks = {
  maxTokensField: "max_tokens",
  think: { ...effortLevels, max: effortField("high") },
  emptyContent: "",
};
/**
 * Chat templates of models with levels read them from the template arguments; other servers read the standard field.
 */
const templateEffort = (level: string): Fields => ({
  ...effortField(level),
  chat_template_kwargs: { enable_thinking: true, reasoning_effort: level },
});
const templateThinking: Quirks["think"] = {
  false: { chat_template_kwargs: { enable_thinking: false } },
  true: { chat_template_kwargs: { enable_thinking: true } },
};

const customPreset: Preset = {
  id: "custom",
  name: "Custom",
  baseUrl: "",
  // An environment key belongs to one server; it is not sent to an address the user typed.
  keyEnvironment: [],
  needsKey: false,
  local: true,
  quirks: selfHostedQuirks,
};

const onlinePreset = (
  id: string,
  name: string,
  baseUrl: string,
  keyEnvironment: readonly string[],
  quirks: Partial<Quirks> = {},
): Preset => ({
  id,
  name,
  baseUrl,
  keyEnvironment,
  needsKey: true,
  local: false,
  quirks: { ...hostedQuirks, ...quirks },
});
const localAddress = (port: number): string => `http://127.0.0.1:${port}/v1`;
const localPreset = (id: string, name: string, port: number, variable: string, quirks: Partial<Quirks>): Preset => ({
  ...customPreset,
  id,
  name,
  baseUrl: localAddress(port),
  keyEnvironment: [variable],
  quirks: { ...selfHostedQuirks, ...quirks },
});

/** Online services, then self-hosted servers; `customPreset` last. */
export const presets: readonly Preset[] = [
  onlinePreset("openrouter", "OpenRouter", "https://openrouter.ai/api/v1", ["OPENROUTER_API_KEY"], {
    think: { ...effortLevels, false: effortField("none"), max: effortField("xhigh") },
    keyPath: "/key",
  }),
  onlinePreset("claude", "Claude", "https://api.anthropic.com/v1", ["ANTHROPIC_API_KEY"], {
    models: { paths: ["/models?limit=1000"], headers: { "anthropic-version": "2023-06-01" } },
    modelsKeyHeader: "x-api-key",
  }),
  onlinePreset("openai", "OpenAI", "https://api.openai.com/v1", ["OPENAI_API_KEY"], {
    maxTokensField: "max_completion_tokens",
    think: { ...effortLevels, false: effortField("none"), max: effortField("xhigh") },
  }),
  onlinePreset("deepseek", "DeepSeek", "https://api.deepseek.com", ["DEEPSEEK_API_KEY"], {
    think: { ...effortLevels, false: { thinking: { type: "disabled" } }, max: effortField("max") },
    requiredReasoning: "reasoning_content",
  }),
  onlinePreset(
    "gemini",
    "Gemini",
    "https://generativelanguage.googleapis.com/v1beta/openai",
    ["GEMINI_API_KEY", "GOOGLE_API_KEY"],
    {
      think: { ...effortLevels, false: effortField("none"), max: effortField("high") },
      // Gemini refuses calls without a thought signature; this is the documented value for "none stored".
      callFields: { extra_content: { google: { thought_signature: "skip_thought_signature_validator" } } },
    },
  ),
  onlinePreset("ark", "Volcengine Ark", "https://ark.cn-beijing.volces.com/api/v3", ["ARK_API_KEY"], {
    think: { false: { thinking: { type: "disabled" } } },
  }),
  onlinePreset("qianfan", "Baidu Qianfan", "https://qianfan.baidubce.com/v2", ["QIANFAN_API_KEY"]),
  onlinePreset("qwen", "Qwen (DashScope)", "https://dashscope.aliyuncs.com/compatible-mode/v1", ["DASHSCOPE_API_KEY"], {
    think: { false: { enable_thinking: false }, true: { enable_thinking: true } },
  }),
  localPreset("vllm", "vLLM", 8000, "VLLM_API_KEY", {
    think: { ...effortLevels, max: effortField("high"), ...templateThinking },
  }),
  // LM Studio's own lists report the window a model was loaded with.
  localPreset("lmstudio", "LM Studio", 1234, "LM_API_TOKEN", {
    models: { paths: ["//api/v1/models", "//api/v0/models"] },
  }),
  {
    ...localPreset("llamacpp", "llama.cpp server", 9931, "LLAMA_API_KEY", {
      requestFields: { return_progress: true, reasoning_control: true },
      // A request with an image of another type is refused, and with it every later one of the session.
      imageTypes: ["image/png", "image/jpeg", "image/gif"],
      think: { ...levelsOf(templateEffort), max: templateEffort("max"), ...templateThinking },
    }),
    // The default port of versions before August 2026.
    otherBaseUrls: [localAddress(8080)],
  },
  customPreset,
];

/** Preset by id; an unknown id is `customPreset`. */
export const findPreset = (id: string): Preset => presets.find((preset) => preset.id === id) ?? customPreset;
