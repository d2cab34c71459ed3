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
 * Every token reads the active weights once, so the speed is the rate of the memory divided by their size. The rates are
 * about two thirds of the bandwidth of the memory, as in the measurements of the 7B model by llama.cpp's users: 14 tokens per
 * second with the 68 GB/s of an M1, 36 with the 200 GB/s of an M1 Pro, 61 with the 400 GB/s of an M1 Max (discussion
 * 4167 of ggml-org/llama.cpp), and on graphics cards (discussion 15013). A processor with two channels of DDR4 or DDR5 has
 * 50 to 90 GB/s. Size of the memory and number of threads stand for the class of the machine.
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
  // Apple silicon: the plain chips have up to 24 GB, Pro up to 48, Max and Ultra more.
  return ram <= 26e9 ? 55e9 : ram <= 52e9 ? 130e9 : 220e9;
}

/** An estimate has one significant digit below 10, else two of which the last is 0 or 5. */
const roundSpeed = (speed: number): number => (speed < 10 ? Math.max(1, Math.round(speed)) : Math.round(speed / 5) * 5);
