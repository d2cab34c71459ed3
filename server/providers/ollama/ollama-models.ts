/** Parses the answers of /api/tags, /api/show and /api/ps. Pure. */
import * as z from "zod/mini";
import type { LoadedModel, ModelInfo } from "@/lib/models/models";
import { limits } from "@/lib/settings/settings";
import { computeKvBytesPerToken } from "./kv-cache-size";

/** Server versions differ: a missing or mistyped field counts as absent. */
const optionalText = z.catch(z.optional(z.string()), undefined);
const optionalCount = z.catch(z.optional(z.number()), undefined);
const optionalNames = z.catch(z.optional(z.array(z.string())), undefined);

const tagSchema = z.object({
  name: z.string(),
  digest: optionalText,
  size: optionalCount,
  remote_host: optionalText,
  capabilities: optionalNames,
  details: z.catch(
    z.optional(
      z.object({
        family: optionalText,
        parameter_size: optionalText,
        quantization_level: optionalText,
        context_length: optionalCount,
      }),
    ),
    undefined,
  ),
});
export const tagsSchema = z.object({ models: z.array(tagSchema) });

export const showSchema = z.object({
  capabilities: optionalNames,
  model_info: z.catch(z.optional(z.record(z.string(), z.unknown())), undefined),
  parameters: optionalText,
  template: optionalText,
  license: z.catch(z.optional(z.union([z.string(), z.array(z.string())])), undefined),
});
type ShowAnswer = z.infer<typeof showSchema>;

/** Model facts from /api/show that the list may lack. */
export type OllamaModelFacts = Pick<ModelInfo, "capabilities" | "contextLength" | "kvBytesPerToken">;

/** The trained window and the shape are stored under the name of the architecture. */
export function parseModelFacts(shown: ShowAnswer): OllamaModelFacts {
  const info = shown.model_info ?? {};
  const contextLength = info[`${String(info["general.architecture"])}.context_length`];
  const kvBytesPerToken = computeKvBytesPerToken(info);
  return {
    capabilities: shown.capabilities ?? [],
    ...(typeof contextLength === "number" && contextLength > 0 ? { contextLength } : {}),
    ...(kvBytesPerToken === undefined ? {} : { kvBytesPerToken }),
  };
}

/** Texts of /api/show, each cut to limits.modelTextMaxChars. */
export const extractModelTexts = (shown: ShowAnswer): ModelTexts => ({
  parameters: cut(shown.parameters),
  template: cut(shown.template),
  license: cut(typeof shown.license === "string" ? shown.license : shown.license?.join("\n\n")),
});
export interface ModelTexts {
  readonly parameters: string;
  readonly template: string;
  readonly license: string;
}
const cut = (whole = ""): string => whole.slice(0, limits.modelTextMaxChars);

/** Cloud models run elsewhere: indicated by the server, or by the tag. */
const isCloud = (name: string, remoteHost: string | undefined): boolean =>
  (remoteHost ?? "") !== "" || /[:-]cloud$/.test(name);

/** `more` = details from /api/show, for servers whose list lacks them. */
export function toModelInfo(entry: z.infer<typeof tagSchema>, more: OllamaModelFacts | undefined): ModelInfo {
  const { family, parameter_size, quantization_level, context_length } = entry.details ?? {};
  const optionalField = (name: keyof ModelInfo, value: string | number | undefined) =>
    value === undefined || value === "" || value === 0 ? {} : { [name]: value };
  return {
    name: entry.name,
    ...optionalField("digest", entry.digest),
    ...optionalField("size", entry.size),
    ...optionalField("family", family),
    ...optionalField("parameters", parameter_size),
    ...optionalField("quantization", quantization_level),
    ...optionalField("contextLength", context_length ?? more?.contextLength),
    ...optionalField("kvBytesPerToken", more?.kvBytesPerToken),
    capabilities: entry.capabilities ?? more?.capabilities ?? [],
    cloud: isCloud(entry.name, entry.remote_host),
  };
}

/** Go writes the year 1 for "unset" and a far future year for "never". */
function parseExpiry(written: string | undefined): number | undefined {
  const at = Date.parse(written ?? "");
  const farAwayMs = Date.UTC(2200, 0);
  return Number.isNaN(at) || at <= 0 || at > farAwayMs ? undefined : at;
}

const loadedModelSchema = z.pipe(
  z.object({
    name: z.string(),
    size: optionalCount,
    size_vram: optionalCount,
    context_length: optionalCount,
    expires_at: optionalText,
  }),
  z.transform((entry): LoadedModel => {
    const { size = 0, size_vram = 0, context_length } = entry;
    const expiresAt = parseExpiry(entry.expires_at);
    return {
      name: entry.name,
      size,
      vramShare: size > 0 ? Math.min(size_vram / size, 1) : 0,
      ...(context_length === undefined || context_length === 0 ? {} : { contextLength: context_length }),
      ...(expiresAt === undefined ? {} : { expiresAt }),
    };
  }),
);
export const loadedSchema = z.object({ models: z.array(loadedModelSchema) });
