/** Decides whether a loaded model is on the GPU or the CPU, and whether it stays. Pure. */

/** `share` = part of the model in GPU memory, 0 to 1. A difference of half a percent is a rounding error. */
export const isOnGpu = (share: number): boolean => share >= 0.995;
export const isOnCpu = (share: number): boolean => share <= 0.005;

/** Ollama reports an expiry years ahead for models that are never unloaded; this is longer than any setting. In ms. */
export const neverUnloadedMs = 7 * 24 * 3_600_000;
