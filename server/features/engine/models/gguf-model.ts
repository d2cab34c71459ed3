/** Facts about a model for the lists, from the metadata of its file. Pure. */
import type { HistoryUse } from "@/lib/events/event";
import type { ModelInfo } from "@/lib/models/models";
import { computeKvBytesPerToken } from "@/server/providers/ollama/kv-cache-size";
import { readTemplateUse } from "@/server/providers/openai/openai-models";
import type { GgufFile } from "./read-gguf";

/** By `general.file_type` (llama.cpp, include/llama.h, llama_ftype). */
const fileTypes: Readonly<Record<number, string>> = {
  0: "F32",
  1: "F16",
  2: "Q4_0",
  3: "Q4_1",
  7: "Q8_0",
  8: "Q5_0",
  9: "Q5_1",
  10: "Q2_K",
  11: "Q3_K_S",
  12: "Q3_K_M",
  13: "Q3_K_L",
  14: "Q4_K_S",
  15: "Q4_K_M",
  16: "Q5_K_S",
  17: "Q5_K_M",
  18: "Q6_K",
  19: "IQ2_XXS",
  20: "IQ2_XS",
  21: "Q2_K_S",
  22: "IQ3_XS",
  23: "IQ3_XXS",
  24: "IQ1_S",
  25: "IQ4_NL",
  26: "IQ3_S",
  27: "IQ3_M",
  28: "IQ2_S",
  29: "IQ2_M",
  30: "IQ4_XS",
  31: "IQ1_M",
  32: "BF16",
  36: "TQ1_0",
  37: "TQ2_0",
  38: "MXFP4",
};

/** Marks in the chat template of a model that can think. */
const thinkingMarks = /enable_thinking|reasoning_effort|reasoning_content|<think>|<\|channel\|?>/;
const toolMarks = /\btools\b/;

/** Bytes of the file for each parameter in a usual quantization, about. */
const bytesPerParameter = 0.65;

/** Parameters that one token passes through, about; `bytes` = size of the file. Of a mixture, a part of the experts. */
export function estimateActiveParameters(metadata: GgufFile["metadata"], bytes: number): number {
  const architecture = String(metadata["general.architecture"] ?? "");
  const [used, all] = ["expert_used_count", "expert_count"].map((name) => Number(metadata[`${architecture}.${name}`]));
  const share = used !== undefined && all !== undefined && used > 0 && used < all ? used / all : 1;
  return (bytes * share) / bytesPerParameter;
}

/** Facts that determine the memory need of a model beside its size. */
export interface ModelShape {
  /** At full precision, bytes. */
  readonly kvBytesPerToken: number;
  /** Parameters that one token passes through, about. */
  readonly activeParameters: number;
}

/** `bytes` = size of the file. null = the metadata does not have all of it. */
export function toModelShape(metadata: GgufFile["metadata"], bytes: number): ModelShape | null {
  const kvBytesPerToken = computeKvBytesPerToken(metadata);
  return kvBytesPerToken === undefined
    ? null
    : { kvBytesPerToken, activeParameters: estimateActiveParameters(metadata, bytes) };
}

/** Members of the metadata, below the architecture, of models that have a recurrent state beside attention, or in its place. */
const recurrentKeys = /\.(?:ssm\.\w+|shortconv\.l_cache|wkv\.head_size|full_attention_interval)$/;

/** Facts that a process of the model, and requests to it, depend on. */
export interface ModelTraits {
  /** Its state cannot be cut back to an earlier token, so that a changed end of a prompt makes it read all again. */
  readonly isRecurrent: boolean;
  readonly template: HistoryUse;
}

export const readModelTraits = ({ metadata }: Pick<GgufFile, "metadata">): ModelTraits => ({
  isRecurrent: Object.keys(metadata).some((key) => recurrentKeys.test(key)),
  template: readTemplateUse(String(metadata["tokenizer.chat_template"] ?? "")),
});

/** The file belongs to a model that reads images, and cannot answer alone. */
export const isProjector = ({ metadata }: GgufFile): boolean =>
  metadata["general.type"] === "mmproj" || metadata["general.architecture"] === "clip";

/** `projector` = the file that reads images, which is loaded with the model; null = none. */
export function toEngineModelInfo(
  name: string,
  { size, metadata, digest }: GgufFile,
  projector: Pick<GgufFile, "size"> | null,
): ModelInfo {
  const architecture = String(metadata["general.architecture"] ?? "");
  const template = String(metadata["tokenizer.chat_template"] ?? "");
  const type = metadata["general.file_type"];
  const parameters = metadata["general.size_label"];
  const contextLength = metadata[`${architecture}.context_length`];
  return {
    name,
    digest,
    size: size + (projector?.size ?? 0),
    family: architecture || undefined,
    parameters: typeof parameters === "string" ? parameters : undefined,
    quantization: typeof type === "number" ? fileTypes[type] : undefined,
    contextLength: typeof contextLength === "number" && contextLength > 0 ? contextLength : undefined,
    capabilities: [
      "completion",
      ...(toolMarks.test(template) ? ["tools"] : []),
      ...(thinkingMarks.test(template) ? ["thinking"] : []),
      ...(projector !== null ? ["vision"] : []),
    ],
    cloud: false,
    kvBytesPerToken: computeKvBytesPerToken(metadata),
  };
}
