/** Parses the answers of /api/tags, /api/show and /api/ps. Pure. */
import * as z from "zod/mini";
import type { LoadedModel, ModelInfo } from "@/lib/models";
import { limits } from "@/lib/settings";
import { kvBytesPerTokenOf } from "./ollama-shape";

/** Server versions differ: a missing or mistyped field counts as absent. */
const text = z.catch(z.optional(z.string()), undefined);
const count = z.catch(z.optional(z.number()), undefined);
const names = z.catch(z.optional(z.array(z.string())), undefined);

const tag = z.object({
  name: z.string(),
  digest: text,
  size: count,
  remote_host: text,
  capabilities: names,
  details: z.catch(
    z.optional(z.object({ family: text, parameter_size: text, quantization_level: text, context_length: count })),
    undefined,
  ),
});
export const tagsSchema = z.object({ models: z.array(tag) });

export const shownSchema = z.object({
  capabilities: names,
  model_info: z.catch(z.optional(z.record(z.string(), z.unknown())), undefined),
  parameters: text,
  template: text,
  license: z.catch(z.optional(z.union([z.string(), z.array(z.string())])), undefined),
});
type Shown = z.infer<typeof shownSchema>;

/** Model facts from /api/show that the list may lack. */
export type ModelDetails = Pick<ModelInfo, "capabilities" | "contextLength" | "kvBytesPerToken">;

/** The trained window and the shape are stored under the name of the architecture. */
export function knownDetails(shown: Shown): ModelDetails {
  const info = shown.model_info ?? {};
  const contextLength = info[`${String(info["general.architecture"])}.context_length`];
  const kvBytesPerToken = kvBytesPerTokenOf(info);
  return {
    capabilities: shown.capabilities ?? [],
    ...(typeof contextLength === "number" && contextLength > 0 ? { contextLength } : {}),
    ...(kvBytesPerToken === undefined ? {} : { kvBytesPerToken }),
  };
}

/** Texts of /api/show, each cut to limits.modelTextMaxChars. */
export const shownTexts = (shown: Shown): ShownTexts => ({
  parameters: cut(shown.parameters),
  template: cut(shown.template),
  license: cut(typeof shown.license === "string" ? shown.license : shown.license?.join("\n\n")),
});
export interface ShownTexts {
  readonly parameters: string;
  readonly template: string;
  readonly license: string;
}
const cut = (whole = ""): string => whole.slice(0, limits.modelTextMaxChars);

/** Cloud models run elsewhere: indicated by the server, or by the tag. */
const isCloud = (name: string, remoteHost: string | undefined): boolean =>
  (remoteHost ?? "") !== "" || /[:-]cloud$/.test(name);

/** `more` = details from /api/show, for servers whose list lacks them. */
export function modelOf(entry: z.infer<typeof tag>, more: ModelDetails | undefined): ModelInfo {
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
function expiryOf(written: string | undefined): number | undefined {
  const at = Date.parse(written ?? "");
  const farAwayMs = Date.UTC(2200, 0);
  return Number.isNaN(at) || at <= 0 || at > farAwayMs ? undefined : at;
}

const loadedEntry = z.pipe(
  z.object({ name: z.string(), size: count, size_vram: count, context_length: count, expires_at: text }),
  z.transform((entry): LoadedModel => {
    const { size = 0, size_vram = 0, context_length } = entry;
    const expiresAt = expiryOf(entry.expires_at);
    return {
      name: entry.name,
      size,
      vramShare: size > 0 ? Math.min(size_vram / size, 1) : 0,
      ...(context_length === undefined || context_length === 0 ? {} : { contextLength: context_length }),
      ...(expiresAt === undefined ? {} : { expiresAt }),
    };
  }),
);
export const loadedSchema = z.object({ models: z.array(loadedEntry) });
