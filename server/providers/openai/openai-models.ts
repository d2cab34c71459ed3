/** Parses the /models answers of different servers. Pure. */
import * as z from "zod/mini";
import type { CallIdForm, HistoryUse } from "@/lib/events/event";
import type { ModelInfo } from "@/lib/models/models";
import { lenient, optionalCount, optionalNames, optionalText } from "../wire/lenient-fields";
import { parseAnswer } from "../wire/wire-errors";

const entrySchema = z.object({
  id: optionalText,
  name: optionalText,
  type: optionalText,
  arch: optionalText,
  quantization: optionalText,
  // Window fields, from the allocated size down to the possible one.
  loaded_context_length: optionalCount,
  max_model_len: optionalCount,
  context_length: optionalCount,
  context_window: optionalCount,
  max_context_length: optionalCount,
  max_input_tokens: optionalCount,
  inputTokenLimit: optionalCount,
  meta: lenient(
    z.object({ n_ctx: optionalCount, n_ctx_train: optionalCount, size: optionalCount, n_params: optionalCount }),
  ),
  /** LM Studio: training capabilities. OpenRouter: accepted inputs. Mistral: capabilities by name. */
  capabilities: lenient(z.union([z.array(z.string()), z.record(z.string(), z.unknown())])),
  supported_parameters: optionalNames,
  architecture: lenient(z.object({ input_modalities: optionalNames })),
});
type Entry = z.infer<typeof entrySchema>;

const listSchema = z.union([
  z.object({ data: z.array(entrySchema) }),
  z.object({ models: z.array(entrySchema) }),
  z.array(entrySchema),
]);

const isEnabled = (flag: unknown, names: readonly string[]): boolean =>
  names.some((name) =>
    Array.isArray(flag)
      ? flag.includes(name)
      : typeof flag === "object" &&
        flag !== null &&
        Object.entries(flag).some(([key, value]) => key === name && value === true),
  );

/**
 * Empty if the server does not list capabilities; never a partial list, since a missing capability counts as absent.
 */
function findCapabilities({ capabilities, supported_parameters, architecture, type }: Entry): readonly string[] {
  const speaks =
    supported_parameters !== undefined ||
    type === "llm" ||
    type === "vlm" ||
    isEnabled(capabilities, ["completion_chat"]);
  if (!speaks) return [];
  const abilityIf = (ability: string, ...names: readonly string[]): readonly string[] =>
    isEnabled(supported_parameters, names) || isEnabled(capabilities, names) ? [ability] : [];
  const hasVision =
    architecture?.input_modalities?.includes("image") === true || type === "vlm" || isEnabled(capabilities, ["vision"]);
  return [
    "completion",
    ...abilityIf("tools", "tools", "tool_use", "function_calling"),
    ...abilityIf("thinking", "reasoning", "include_reasoning"),
    ...(hasVision ? ["vision"] : []),
  ];
}

const findWindow = (one: Entry): number | undefined =>
  [
    one.loaded_context_length,
    one.max_model_len,
    one.meta?.n_ctx,
    one.context_length,
    one.context_window,
    one.max_context_length,
    one.max_input_tokens,
    one.inputTokenLimit,
    one.meta?.n_ctx_train,
  ].find((tokens) => tokens !== undefined && tokens > 0);

const formatBillions = (count: number): string => `${(count / 1e9).toFixed(count < 1e10 ? 1 : 0)}B`;

/** Models in server order; skips entries without a name and pure embedding models. Throws `bad_answer`. */
export function parseModelList(value: unknown, cloud: boolean): readonly ModelInfo[] {
  const found = parseAnswer(listSchema, value);
  const entries = "data" in found ? found.data : "models" in found ? found.models : found;
  return entries.flatMap((one): readonly ModelInfo[] => {
    // Gemini lists names as paths.
    const name = (one.id ?? one.name ?? "").replace(/^models\//, "");
    if (name === "" || one.type === "embeddings") return [];
    const { size, n_params } = one.meta ?? {};
    return [
      {
        name,
        size,
        family: one.arch,
        parameters: n_params === undefined ? undefined : formatBillions(n_params),
        quantization: one.quantization,
        contextLength: findWindow(one),
        capabilities: findCapabilities(one),
        cloud,
      },
    ];
  });
}

const propertiesSchema = z.object({
  total_slots: z.int().check(z.minimum(1), z.maximum(64)),
  chat_template: optionalText,
});

/** What a llama-server reports about itself. */
export interface LlamaServerProperties {
  /** Conversations that it works on at once. */
  readonly slots: number;
  /** What the chat template of its model shows. */
  readonly template: HistoryUse;
}

/** Parses the answer of a llama-server at /props. Throws `bad_answer`. */
export function parseProperties(value: unknown): LlamaServerProperties {
  const { total_slots: slots, chat_template: template = "" } = parseAnswer(propertiesSchema, value);
  const callIds = templateCallIds.find(([pattern]) => pattern.test(template))?.[1];
  return {
    slots,
    template: {
      ...(/\bpreserve_thinking\b/.test(template) ? { reasoning: "preserve" as const } : {}),
      ...(callIds === undefined ? {} : { callIds }),
    },
  };
}

/** Marks of the chat templates whose models were trained with ids of a form: Mistral's and Kimi K2's. */
const templateCallIds: readonly (readonly [RegExp, CallIdForm])[] = [
  [/length\s*!=\s*9\b|strings with length 9\b/, "nine"],
  [/<\|tool_call_argument_begin\|>/, "kimi"],
];

/** Whether a list is that of a llama-server: only it gives the parameter counts of its models. */
export const isLlamaServerList = (models: readonly ModelInfo[]): boolean =>
  models.some(({ parameters }) => parameters !== undefined);
