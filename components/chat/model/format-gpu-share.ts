/** Describes where a model is loaded if it is not fully on the GPU. Pure. */
import { isOnCpu, isOnGpu } from "@/lib/models/loaded-model";
import type { Messages } from "../../messages/messages";

/** Returns "41% on the GPU, slow"; null if the model is fully on the GPU. */
export function formatGpuShare(vramShare: number, { models, figures }: Messages): string | null {
  if (isOnGpu(vramShare)) return null;
  return isOnCpu(vramShare) ? models.cpuSlow : models.gpuSlow(figures.percent(vramShare));
}
