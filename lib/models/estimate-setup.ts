/** Estimates how long the download of a model takes, and how fast it writes on this machine. Pure. */
import type { EngineMemory, EngineState, SuggestedModel } from "./engine";

/** Rate of a download that is assumed while none was measured, bits per second. */
export const assumedBitsPerSecond = 25e6;

/** Bytes of a quantized parameter, about. */
const parameterBytes = 0.6;
/** Rate at which one thread of a processor reads quantized weights, and what all of them reach together, bytes/s. */
const threadRate = 5e9;
const processorRate = 40e9;
/** Rate of a graphics card with memory of its own, bytes/s. */
const cardRate = 250e9;

interface SetupEstimate {
  /** At least 1. */
  readonly minutes: number;
  /** The download's rate is assumed. */
  readonly isAssumed: boolean;
  readonly tokensPerSecond: number;
  /** The speed was measured with this model on this machine. */
  readonly isMeasured: boolean;
}

/**
 * Every token reads the active weights once, so the speed is the rate of the memory divided by their size. Size of the memory
 * and number of threads stand for the class of the machine; the rates are those of slow machines of a class. They follow
 * from measurements of llama.cpp's users with Llama 2 7B in Q4_0, 3.8 GB, in tokens per second:
 * - Apple silicon (discussion 4167 of ggml-org/llama.cpp): 14 on an M1 (68 GB/s), 21 on an M3 (100), 24 on an M4 (120), 31 on an
 *   M3 Pro (150), 36 on an M1 Pro (200), 51 on an M4 Pro (273), 61 on an M2 Max (400)
 * - graphics cards (discussion 15013): 64 on an RTX 4060 Ti, 76 on an RTX 3060, 158 on an RTX 3090
 * - processors (its thread 34, "benchmarks?"; the quantization is not stated for the second): 4 with 4 threads of an i5-6500, 13 with 4 and 18 with 8
 *   threads of an i9-13900K with DDR5-6400
 *
 * `extraBytes` = the downloads beside the model; `downloadRate` is that of an earlier download.
 */
export function estimateSetup(
  model: Pick<SuggestedModel, "bytes" | "activeParameters" | "memoryBytes" | "writePerSecond">,
  { memory, threads, downloadRate, extraBytes }: EstimateFacts,
): SetupEstimate {
  const rate = downloadRate > 0 ? downloadRate : assumedBitsPerSecond / 8;
  const active = Math.min(model.bytes, model.activeParameters * parameterBytes);
  return {
    minutes: Math.max(1, Math.round((model.bytes + extraBytes) / rate / 60)),
    isAssumed: downloadRate <= 0,
    tokensPerSecond: model.writePerSecond ?? roundSpeed(memoryRate(model.memoryBytes, memory, threads) / active),
    isMeasured: model.writePerSecond !== undefined,
  };
}

interface EstimateFacts extends Pick<EngineState, "memory" | "threads" | "downloadRate"> {
  readonly extraBytes: number;
}

/** `need` = memory of the model; one that is partly on a graphics card is as fast as the processor. */
function memoryRate(need: number, { ram, graphics, isShared }: EngineMemory, threads: number): number {
  if (graphics === 0 || need > (isShared ? ram : graphics)) return Math.min(processorRate, threads * threadRate);
  if (!isShared) return cardRate;
  // Apple silicon with up to 16, 32, 48 and more GiB; the slowest chips with it are M1, M3, M3 Pro and M4 Pro.
  return ram <= 18e9 ? 55e9 : ram <= 35e9 ? 80e9 : ram <= 52e9 ? 115e9 : 195e9;
}

/** An estimate has one significant digit below 10, else two of which the last is 0 or 5. */
const roundSpeed = (speed: number): number => (speed < 10 ? Math.max(1, Math.round(speed)) : Math.round(speed / 5) * 5);
