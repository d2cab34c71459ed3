/** Describes where a model is loaded if it is not fully on the GPU. Pure. */
import type { Messages } from "../../messages/messages";

/** Shares closer than this to 0 or 1 count as 0 or 1 (rounding). */
const roundingShare = 0.005;

/** Returns "41% on the GPU, slow"; null if the model is fully on the GPU. */
export function formatGpuShare(vramShare: number, { models, figures }: Messages): string | null {
  if (vramShare >= 1 - roundingShare) return null;
  return vramShare <= roundingShare ? models.cpuSlow : models.gpuSlow(figures.percent(vramShare));
}
