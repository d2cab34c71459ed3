/** Describes where a model is loaded if it is not fully on the GPU. Pure. */
import type { Words } from "@/components/words/words";

/** Shares closer than this to 0 or 1 count as 0 or 1 (rounding). */
const nearly = 0.005;

/** Returns "41% on the GPU, slow"; null if the model is fully on the GPU. */
export function gpuWords(vramShare: number, { models, figures }: Words): string | null {
  if (vramShare >= 1 - nearly) return null;
  return vramShare <= nearly ? models.cpuSlow : models.gpuSlow(figures.percent(vramShare));
}
