/** Parses the answers of /api/tags, /api/show and /api/ps. Pure. */
import * as z from "zod/mini";
import type { LoadedModel, ModelInfo } from "@/lib/models/models";
import { lenient, optionalCount, optionalNames, optionalText } from "../wire/lenient-fields";
import { computeKvBytesPerToken } from "./kv-cache-size";

const tagSchema = z.object({
  name: z.string(),
  digest: optionalText,
  size: optionalCount,
  remote_host: optionalText,
  capabilities: optionalNames,
  details: lenient(
    z.object({
      family: optionalText,
      parameter_size: optionalText,
      quantization_level: optionalText,
      context_length: optionalCount,
    }),
  ),
});
export const tagsSchema = z.object({ models: z.array(tagSchema) });

export const showSchema = z.object({
  capabilities: optionalNames,
  model_info: lenient(z.record(z.string(), z.unknown())),
  parameters: optionalText,
  template: optionalText,
  /** Names of the code that writes prompts and reads answers, for models without a template of their own. */
  parser: optionalText,
  renderer: optionalText,
  license: lenient(z.union([z.string(), z.array(z.string())])),
});
type ShowAnswer = z.infer<typeof showSchema>;

/** Model facts from /api/show that the list may lack. */
export type OllamaModelFacts = Pick<ModelInfo, "capabilities" | "contextLength" | "kvBytesPerToken">;

/** The trained window and the shape are stored under the name of the architecture. */
export function parseModelFacts(shown: ShowAnswer): OllamaModelFacts {
  const info = shown.model_info ?? {};
  const contextLength = info[`${String(info["general.architecture"])}.context_length`];
  return {
    capabilities: shown.capabilities ?? [],
    contextLength: typeof contextLength === "number" && contextLength > 0 ? contextLength : undefined,
    kvBytesPerToken: computeKvBytesPerToken(info),
  };
}

/** Characters of each of template, parameters and license. */
const modelTextMaxChars = 20_000;

/** Texts of /api/show, each cut to `modelTextMaxChars`. */
export const extractModelTexts = (shown: ShowAnswer) => ({
  parameters: cut(shown.parameters),
  template: cut(shown.template),
  parser: cut(shown.parser),
  renderer: cut(shown.renderer),
  license: cut(typeof shown.license === "string" ? shown.license : shown.license?.join("\n\n")),
});
export type ModelTexts = Readonly<ReturnType<typeof extractModelTexts>>;
const cut = (whole = ""): string => whole.slice(0, modelTextMaxChars);

/** Cloud models run elsewhere: indicated by the server, or by the tag. */
const isCloud = (name: string, remoteHost: string | undefined): boolean =>
  (remoteHost ?? "") !== "" || /[:-]cloud$/.test(name);

/** `more` = details from /api/show, for servers whose list lacks them. */
export function toModelInfo(entry: z.infer<typeof tagSchema>, more: OllamaModelFacts | undefined): ModelInfo {
  const { family, parameter_size, quantization_level, context_length } = entry.details ?? {};
  return {
    name: entry.name,
    digest: entry.digest || undefined,
    size: entry.size || undefined,
    family: family || undefined,
    parameters: parameter_size || undefined,
    quantization: quantization_level || undefined,
    contextLength: (context_length ?? more?.contextLength) || undefined,
    kvBytesPerToken: more?.kvBytesPerToken,
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
    return {
      name: entry.name,
      size,
      vramShare: size > 0 ? Math.min(size_vram / size, 1) : 0,
      contextLength: context_length || undefined,
      expiresAt: parseExpiry(entry.expires_at),
    };
  }),
);
export const loadedSchema = z.object({ models: z.array(loadedModelSchema) });
