/** The models that are suggested for a machine, and how they suit its memory. Pure, except for the catalogue's file. */
import { readFile } from "node:fs/promises";
import * as z from "zod/mini";
import type { EngineMemory, ModelFit, SuggestedModel } from "@/lib/models/engine";
import { promptCacheBytes } from "../prompt-cache-size";
import catalogueData from "./model-catalogue.json";

const catalogueSchema = z.array(
  z.object({
    name: z.string(),
    reference: z.string(),
    /** With the file that reads images. */
    bytes: z.int().check(z.positive()),
    /** 2 × layers with full attention × key-value heads × head size × 2 bytes. */
    kvBytesPerToken: z.int().check(z.positive()),
    /** Parameters that one token passes through. */
    activeParameters: z.number().check(z.positive()),
    license: z.string(),
    contextLength: z.int().check(z.positive()),
    capabilities: z.array(z.string()),
  }),
);
export type CatalogueModel = z.infer<typeof catalogueSchema>[number];

/** The variable that names a file with another catalogue. */
const catalogueVariable = "GOPI_MODEL_CATALOGUE";

/** Throws if the file that the environment names cannot be read or is no catalogue. */
export async function loadModelCatalogue(environment: NodeJS.Dict<string>): Promise<readonly CatalogueModel[]> {
  const file = environment[catalogueVariable]?.trim() ?? "";
  return catalogueSchema.parse(file === "" ? catalogueData : JSON.parse(await readFile(file, "utf8")));
}

/** Window that the memory need is given for, tokens. */
const window = 16_384;
/** The engine's own need beside the model and its window, bytes. */
const overheadBytes = 1e9;
/** Memory for the system, the browser and the project's programs, bytes. */
const reservedBytes = 3e9;
/** Above it, the prompt is read slowly without a graphics card. */
const maxCpuParameters = 4.5e9;

/** Memory that a model needs itself, on a graphics card or not, bytes. */
export const memoryNeed = ({ bytes, kvBytesPerToken }: Pick<CatalogueModel, "bytes" | "kvBytesPerToken">): number =>
  bytes + kvBytesPerToken * window + overheadBytes;

/** The prompts of other conversations are always in the system's memory. `memoryBytes` = what a user is shown. */
export function findModelFit(
  model: Pick<CatalogueModel, "bytes" | "kvBytesPerToken" | "activeParameters">,
  { ram, graphics, isShared }: EngineMemory,
): Pick<SuggestedModel, "fit" | "memoryBytes"> {
  const need = memoryNeed(model);
  const isLight = model.activeParameters <= maxCpuParameters;
  const whole = need + promptCacheBytes(ram);
  const besideSystem = Math.max(ram - reservedBytes, ram / 2);
  if (graphics > 0 && need <= graphics && (!isShared || whole <= besideSystem))
    return { fit: "fits", memoryBytes: isShared ? whole : need };
  // The experts of a mixture run on the CPU while the rest is on the graphics card.
  const isRoom = whole <= besideSystem + (isShared ? 0 : graphics);
  return { fit: isRoom ? (isLight ? "fits" : "slow") : "too_large", memoryBytes: whole };
}

const fitOrder: readonly ModelFit[] = ["fits", "slow", "too_large"];

/** Sorts models: those that fit, the largest first; then slow ones, and those that are too large, the smallest first. */
export function suggestModels(catalogue: readonly CatalogueModel[], memory: EngineMemory): readonly SuggestedModel[] {
  return catalogue
    .map((model) => ({ ...model, ...findModelFit(model, memory), need: memoryNeed(model) }))
    .sort(
      (one, other) =>
        fitOrder.indexOf(one.fit) - fitOrder.indexOf(other.fit) ||
        (one.fit === "fits" ? other.need - one.need : one.need - other.need),
    )
    .map(({ kvBytesPerToken: _kvBytesPerToken, need: _need, ...suggested }) => suggested);
}
