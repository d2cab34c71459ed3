/** Parses the /models answers of different servers. Pure. */
import * as z from "zod/mini";
import type { ModelInfo } from "@/lib/models";
import { parsed } from "./openai-client";

/** Servers differ: a missing or mistyped field counts as absent. */
const text = z.catch(z.optional(z.string()), undefined);
const count = z.catch(z.optional(z.number()), undefined);
const names = z.catch(z.optional(z.array(z.string())), undefined);

const entry = z.object({
  id: text,
  name: text,
  type: text,
  arch: text,
  quantization: text,
  // Window fields, from the allocated size down to the possible one.
  loaded_context_length: count,
  max_model_len: count,
  context_length: count,
  context_window: count,
  max_context_length: count,
  max_input_tokens: count,
  inputTokenLimit: count,
  meta: z.catch(
    z.optional(z.nullable(z.object({ n_ctx: count, n_ctx_train: count, size: count, n_params: count }))),
    undefined,
  ),
  /** LM Studio: training capabilities. OpenRouter: accepted inputs. Mistral: capabilities by name. */
  capabilities: z.catch(z.optional(z.union([z.array(z.string()), z.record(z.string(), z.unknown())])), undefined),
  supported_parameters: names,
  architecture: z.catch(z.optional(z.object({ input_modalities: names })), undefined),
});
type Entry = z.infer<typeof entry>;

const list = z.union([z.object({ data: z.array(entry) }), z.object({ models: z.array(entry) }), z.array(entry)]);

const isOn = (given: unknown, names: readonly string[]): boolean =>
  names.some((name) =>
    Array.isArray(given)
      ? given.includes(name)
      : typeof given === "object" &&
        given !== null &&
        Object.entries(given).some(([key, value]) => key === name && value === true),
  );

/**
 * Empty if the server does not list capabilities; never a partial list, since a missing capability counts as absent.
 */
function capabilitiesOf({ capabilities, supported_parameters, architecture, type }: Entry): readonly string[] {
  const speaks =
    supported_parameters !== undefined || type === "llm" || type === "vlm" || isOn(capabilities, ["completion_chat"]);
  if (!speaks) return [];
  const can = (ours: string, ...theirs: readonly string[]): readonly string[] =>
    isOn(supported_parameters, theirs) || isOn(capabilities, theirs) ? [ours] : [];
  const sees =
    architecture?.input_modalities?.includes("image") === true || type === "vlm" || isOn(capabilities, ["vision"]);
  return [
    "completion",
    ...can("tools", "tools", "tool_use", "function_calling"),
    ...can("thinking", "reasoning", "include_reasoning"),
    ...(sees ? ["vision"] : []),
  ];
}

const windowOf = (one: Entry): number | undefined =>
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

const billions = (count: number): string => `${(count / 1e9).toFixed(count < 1e10 ? 1 : 0)}B`;

/** Models in server order; skips entries without a name and pure embedding models. Throws `bad_answer`. */
export function modelsIn(value: unknown, cloud: boolean): readonly ModelInfo[] {
  const found = parsed(list, value);
  const entries = "data" in found ? found.data : "models" in found ? found.models : found;
  return entries.flatMap((one): readonly ModelInfo[] => {
    // Gemini lists names as paths.
    const name = (one.id ?? one.name ?? "").replace(/^models\//, "");
    if (name === "" || one.type === "embeddings") return [];
    const contextLength = windowOf(one);
    const { size, n_params } = one.meta ?? {};
    return [
      {
        name,
        ...(size === undefined ? {} : { size }),
        ...(one.arch === undefined ? {} : { family: one.arch }),
        ...(n_params === undefined ? {} : { parameters: billions(n_params) }),
        ...(one.quantization === undefined ? {} : { quantization: one.quantization }),
        ...(contextLength === undefined ? {} : { contextLength }),
        capabilities: capabilitiesOf(one),
        cloud,
      },
    ];
  });
}
