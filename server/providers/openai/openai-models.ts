/** Parses the /models answers of different servers. Pure. */
import * as z from "zod/mini";
import type { CallIdForm, HistoryUse } from "@/lib/events/event";
import { type ModelInfo, type ModelLoad, modelLoadStates } from "@/lib/models/models";
import { lenient, optionalCount, optionalNames, optionalText } from "../wire/lenient-fields";
import { parseAnswer } from "../wire/wire-errors";

const entrySchema = z.object({
  id: optionalText,
  /** LM Studio: the name in requests. */
  key: optionalText,
  name: optionalText,
  type: optionalText,
  arch: optionalText,
  quantization: lenient(z.union([z.string(), z.object({ name: z.string() })])),
  size_bytes: optionalCount,
  loaded_instances: lenient(z.array(z.object({ config: lenient(z.object({ context_length: optionalCount })) }))),
  loaded_context_length: optionalCount,
  max_model_len: optionalCount,
  context_length: optionalCount,
  context_window: optionalCount,
  max_context_length: optionalCount,
  max_input_tokens: optionalCount,
  inputTokenLimit: optionalCount,
  /** State of a model on a llama-server that loads models on demand. */
  status: lenient(
    z.object({
      value: optionalText,
      args: optionalNames,
      failed: lenient(z.boolean()),
      exit_code: lenient(z.int()),
      /** Bytes of a download, by the address of each file. */
      progress: lenient(z.record(z.string(), z.object({ done: z.number(), total: z.number() }))),
    }),
  ),
  can_remove: lenient(z.boolean()),
  meta: lenient(
    z.object({ n_ctx: optionalCount, n_ctx_train: optionalCount, size: optionalCount, n_params: optionalCount }),
  ),
  /** LM Studio: training capabilities. OpenRouter: accepted inputs. Mistral: capabilities by name. */
  capabilities: lenient(z.union([z.array(z.string()), z.record(z.string(), z.unknown())])),
  supported_parameters: optionalNames,
  architecture: lenient(
    z.union([z.string(), z.object({ input_modalities: optionalNames, output_modalities: optionalNames })]),
  ),
});
type Entry = z.infer<typeof entrySchema>;

const listSchema = z.union([
  z.object({ data: z.array(entrySchema) }),
  z.object({ models: z.array(entrySchema) }),
  z.array(entrySchema),
]);

const modalitiesOf = ({ architecture }: Entry) => (typeof architecture === "string" ? undefined : architecture);

/** LM Studio describes how a model can think. */
const isDescribed = (value: unknown): boolean => typeof value === "object" && value !== null;

const isEnabled = (flag: unknown, names: readonly string[]): boolean =>
  names.some((name) =>
    Array.isArray(flag)
      ? flag.includes(name)
      : typeof flag === "object" &&
        flag !== null &&
        Object.entries(flag).some(([key, value]) => key === name && (value === true || isDescribed(value))),
  );

/**
 * Empty if the server does not list capabilities; never a partial list, since a missing capability counts as absent.
 */
function findCapabilities(one: Entry): readonly string[] {
  const { capabilities, supported_parameters, type } = one;
  const speaks =
    supported_parameters !== undefined ||
    type === "llm" ||
    type === "vlm" ||
    isEnabled(capabilities, ["completion_chat"]);
  const seesImages = modalitiesOf(one)?.input_modalities?.includes("image") === true;
  // A router tells this of models that are not loaded, too; what else they can do is assumed until they are.
  if (!speaks) return one.status !== undefined && seesImages ? ["completion", "tools", "thinking", "vision"] : [];
  const abilityIf = (ability: string, ...names: readonly string[]): readonly string[] =>
    isEnabled(supported_parameters, names) || isEnabled(capabilities, names) ? [ability] : [];
  const hasVision = seesImages || type === "vlm" || isEnabled(capabilities, ["vision"]);
  return [
    "completion",
    ...abilityIf("tools", "tools", "tool_use", "trained_for_tool_use", "function_calling"),
    ...abilityIf("thinking", "reasoning", "include_reasoning"),
    ...(hasVision ? ["vision"] : []),
  ];
}

const least = (counts: readonly (number | undefined)[]): number | undefined => {
  const listed = counts.filter((tokens) => tokens !== undefined && tokens > 0);
  return listed.length === 0 ? undefined : Math.min(...listed.map(Number));
};

/** The window option of a model's process; undefined = none, or 0 for the model's own. */
function parseWindowOption(arguments_: readonly string[]): number | undefined {
  const at = arguments_.findLastIndex((option) => option === "--ctx-size" || option === "-c");
  const tokens = Number(arguments_[at + 1]);
  return at !== -1 && Number.isInteger(tokens) && tokens > 0 ? tokens : undefined;
}

/** The window, and what it cannot exceed if it is unknown. A service's maximum is its window, a loader's is not. */
function findWindow(one: Entry, cloud: boolean): Pick<ModelInfo, "contextLength" | "possibleContext"> {
  const { status, meta } = one;
  const contextLength = [
    least((one.loaded_instances ?? []).map(({ config }) => config?.context_length)),
    one.loaded_context_length,
    one.max_model_len,
    meta?.n_ctx,
    status === undefined ? one.context_length : undefined,
    one.context_window,
    cloud ? one.max_context_length : undefined,
    one.max_input_tokens,
    one.inputTokenLimit,
  ].find((tokens) => tokens !== undefined && tokens > 0);
  // LM Studio loads a model again with a larger window.
  const isLarger = one.key !== undefined && one.loaded_instances !== undefined;
  if (contextLength !== undefined && !isLarger) return { contextLength };
  const possibleContext = least([
    parseWindowOption(status?.args ?? []),
    one.context_length,
    one.max_context_length,
    meta?.n_ctx_train,
  ]);
  return {
    ...(contextLength === undefined ? {} : { contextLength }),
    ...(possibleContext === undefined ? {} : { possibleContext }),
  };
}

/** Options with which a llama-server only computes embeddings or ranks. */
const noTextOptions = ["--embedding", "--embeddings", "--rerank", "--reranking"];

/** A model of decisions, embeddings, ranks, sound or images alone cannot answer. */
const writesText = (one: Entry): boolean =>
  one.type !== "embeddings" &&
  one.type !== "embedding" &&
  modalitiesOf(one)?.output_modalities?.includes("text") !== false &&
  !(one.status?.args ?? []).some((option) => noTextOptions.includes(option));

function findLoad({ status, can_remove: canRemove, key, loaded_instances }: Entry): { readonly load?: ModelLoad } {
  // A list with keys is that of LM Studio's API that loads models.
  if (key !== undefined && loaded_instances !== undefined)
    return { load: { state: loaded_instances.length > 0 ? "loaded" : "unloaded" } };
  if (status === undefined) return {};
  const { value, failed = value === "failed", exit_code: exitCode, progress } = status;
  const more = canRemove === undefined ? {} : { canRemove };
  if (failed) return { load: { state: "failed", ...(exitCode === undefined ? {} : { exitCode }), ...more } };
  const state = modelLoadStates.find((one) => one === value);
  return state === undefined ? {} : { load: { state, ...more, ...sumProgress(Object.values(progress ?? {})) } };
}

const sumProgress = (
  files: readonly { readonly done: number; readonly total: number }[],
): Pick<ModelLoad, "receivedBytes" | "totalBytes"> =>
  files.length === 0
    ? {}
    : {
        receivedBytes: files.reduce((sum, { done }) => sum + done, 0),
        totalBytes: files.reduce((sum, { total }) => sum + total, 0),
      };

const formatBillions = (count: number): string => `${(count / 1e9).toFixed(count < 1e10 ? 1 : 0)}B`;

/** Models in server order; skips entries without a name and models that cannot write text. Throws `bad_answer`. */
export function parseModelList(value: unknown, cloud: boolean): readonly ModelInfo[] {
  const found = parseAnswer(listSchema, value);
  const entries = "data" in found ? found.data : "models" in found ? found.models : found;
  return entries.flatMap((one): readonly ModelInfo[] => {
    // Gemini lists names as paths.
    const name = (one.id ?? one.key ?? one.name ?? "").replace(/^models\//, "");
    if (name === "" || !writesText(one)) return [];
    const { size = one.size_bytes, n_params } = one.meta ?? {};
    const { architecture, quantization } = one;
    return [
      {
        name,
        size,
        family: one.arch ?? (typeof architecture === "string" ? architecture : undefined),
        parameters: n_params === undefined ? undefined : formatBillions(n_params),
        quantization: typeof quantization === "object" ? quantization.name : quantization,
        ...findWindow(one, cloud),
        ...findLoad(one),
        capabilities: findCapabilities(one),
        cloud,
      },
    ];
  });
}

const propertiesSchema = z.object({
  total_slots: lenient(z.int().check(z.minimum(1), z.maximum(64))),
  default_generation_settings: lenient(z.object({ n_ctx: optionalCount })),
  chat_template: optionalText,
  chat_template_caps: lenient(z.record(z.string(), z.unknown())),
  modalities: lenient(z.record(z.string(), z.unknown())),
  role: optionalText,
  endpoint_slots: lenient(z.boolean()),
  is_sleeping: lenient(z.boolean()),
});

/** Properties that a llama-server reports about itself, or about one of its models. */
export interface LlamaProperties {
  /** Conversations that it works on at once. */
  readonly slots?: number;
  /** tokens of one conversation */
  readonly window?: number;
  /** The next request for the model loads it again. */
  readonly isSleeping: boolean;
  /** Form of earlier answers that its chat template shows. */
  readonly template: HistoryUse;
  /** As in `ModelInfo`; empty for versions that do not report what the chat template supports. */
  readonly capabilities: readonly string[];
  /** It has many models, and downloads further ones. */
  readonly isRouter: boolean;
  /** It tells which slots are busy, and does not sleep. */
  readonly showsSlots: boolean;
}

/** Marks of the chat templates whose models were trained with ids of a form: Mistral's and Kimi K2's. */
const templateCallIds: readonly (readonly [RegExp, CallIdForm])[] = [
  [/length\s*!=\s*9\b|strings with length 9\b/, "nine"],
  [/<\|tool_call_argument_begin\|>/, "kimi"],
];

/** Marks in the chat templates of models that think. */
const thinkingMarks = /\benable_thinking\b|\breasoning_content\b|\breasoning_effort\b|<think>/;

function templateCapabilities({
  chat_template_caps: supports,
  chat_template: template = "",
  modalities,
}: z.infer<typeof propertiesSchema>): readonly string[] {
  if (supports === undefined) return [];
  return [
    "completion",
    ...(isEnabled(supports, ["supports_tools", "supports_tool_calls"]) ? ["tools"] : []),
    ...(thinkingMarks.test(template) ? ["thinking"] : []),
    ...(isEnabled(modalities, ["vision"]) ? ["vision"] : []),
  ];
}

/** Reads from a chat template the form in which earlier answers go back. */
export function readTemplateUse(template: string): HistoryUse {
  const callIds = templateCallIds.find(([pattern]) => pattern.test(template))?.[1];
  return {
    ...(/\bpreserve_thinking\b/.test(template) ? { reasoning: "preserve" as const } : {}),
    ...(callIds === undefined ? {} : { callIds }),
  };
}

/** Parses the answer of a llama-server at /props. Throws `bad_answer`. */
export function parseLlamaProperties(value: unknown): LlamaProperties {
  const answer = parseAnswer(propertiesSchema, value);
  const { total_slots: slots, default_generation_settings: settings, chat_template: template = "" } = answer;
  return {
    slots,
    window: settings?.n_ctx || undefined,
    isSleeping: answer.is_sleeping === true,
    template: readTemplateUse(template),
    capabilities: templateCapabilities(answer),
    isRouter: answer.role === "router",
    showsSlots: answer.endpoint_slots === true && answer.is_sleeping !== true,
  };
}

/** Whether a list is that of a llama-server: only it gives the parameter counts or states of its models. */
export const isLlamaServerList = (models: readonly ModelInfo[]): boolean =>
  models.some(({ parameters, load }) => parameters !== undefined || load !== undefined);
