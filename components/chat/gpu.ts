/** Where a model lies when it is not all on the GPU, in a few words. Pure; for the status bar, the model menu and the start. */
import type { Words } from "@/components/words/words";

/** Shares this near to the ends are rounding. */
const nearly = 0.005;

/** "41% on the GPU, slow"; null when all of it is there. */
export function gpuWords(vramShare: number, { models, figures }: Words): string | null {
  if (vramShare >= 1 - nearly) return null;
  return vramShare <= nearly ? models.cpuSlow : models.gpuSlow(figures.percent(vramShare));
}
