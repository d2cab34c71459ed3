/**
 * Plans the context windows a model may have on this machine, and that of new sessions. Pure. A
 * session keeps its window: another one makes the server reload the model.
 */
import type { ModelInfo, WindowPlan } from "@/lib/models/models";
import { serverLimits } from "@/lib/settings/server-limits";
import { windowSteps } from "@/lib/settings/model-settings";
import { limits } from "@/lib/settings/settings";

/** A window at which part of a model fell back to the CPU, and the bytes on the GPU then. */
export interface WindowSpill {
  /** tokens */
  readonly tokens: number;
  readonly gpuBytes: number;
}

export interface WindowPlanInput {
  readonly model: Pick<ModelInfo, "name" | "size" | "contextLength" | "kvBytesPerToken">;
  /** Memory of the server's machine; absent = a remote machine. */
  readonly memoryBytes?: number;
  readonly spill?: WindowSpill;
  /** tokens of the largest window that loaded when a larger one ran out of memory */
  readonly loadable?: number;
  /** tokens the user chose for this model, else for all; 0 or absent = what fits */
  readonly wanted?: number;
  /** tokens the server has allocated now */
  readonly allocated?: number;
}

const gib = 2 ** 30;

/**
 * Default maximum, tokens by the machine's memory: a larger window is slower to read, and other programs need memory
 * too.
 */
const defaultMaxWindows: readonly { readonly fromBytes: number; readonly tokens: number }[] = [
  { fromBytes: 60 * gib, tokens: 65_536 },
  { fromBytes: 30 * gib, tokens: 32_768 },
  { fromBytes: 0, tokens: limits.windowDefaultTokens },
];

/** Memory a runner needs besides weights and cache, and memory to leave free. */
const runnerBytes = gib / 2;
const freeBytes = (memory: number): number => Math.max(2 * gib, memory / 5);

export function planWindow(input: WindowPlanInput): WindowPlan {
  const { model, memoryBytes, allocated } = input;
  const own = model.contextLength;
  const possible = windowSteps.filter((tokens) => tokens <= (own ?? Number.POSITIVE_INFINITY));
  const tokens: readonly number[] = possible.length > 0 ? possible : [own ?? windowSteps[0]];
  const { chosen, by } = chooseWindow(input, tokens);
  const shown = tokens.includes(chosen) ? tokens : [...tokens, chosen].sort((a, b) => a - b);
  return {
    model: model.name,
    chosen,
    by,
    steps: shown.map((each) => planStep(input, each)),
    memoryBytes,
    allocated,
    own,
  };
}

/** Returns the planned window, tokens; undefined = not certain before the model's own limit is reported. */
export const listedWindow = ({ contextLength }: ModelInfo, { chosen, by }: WindowPlan): number | undefined =>
  by === "user" || contextLength !== undefined ? chosen : undefined;

function chooseWindow(input: WindowPlanInput, steps: readonly number[]): Pick<WindowPlan, "chosen" | "by"> {
  const { model, memoryBytes, wanted = 0 } = input;
  const own = model.contextLength ?? Number.POSITIVE_INFINITY;
  if (wanted > 0) return { chosen: Math.min(Math.max(wanted, serverLimits.windowMinTokens), own), by: "user" };
  const smallest = steps[0] ?? serverLimits.windowMinTokens;
  const planned = steps.filter((tokens) => planStep(input, tokens).fits !== null);
  const fitting = planned.findLast((tokens) => planStep(input, tokens).fits === true);
  if (planned.length > 0 && fitting === undefined) return { chosen: smallest, by: "memory" };
  const most =
    defaultMaxWindows.find(({ fromBytes }) => (memoryBytes ?? 0) >= fromBytes)?.tokens ?? limits.windowDefaultTokens;
  // Without the model's shape the cost of a large window is unknown.
  const cap = fitting === undefined ? limits.windowDefaultTokens : most;
  const chosen = steps.findLast((tokens) => tokens <= Math.min(cap, fitting ?? cap)) ?? smallest;
  if (chosen === steps.at(-1) && chosen <= own && (chosen < cap || own <= cap)) return { chosen, by: "model" };
  return { chosen, by: fitting !== undefined && fitting < cap ? "memory" : "default" };
}

function planStep(input: WindowPlanInput, tokens: number): WindowPlan["steps"][number] {
  const { size, kvBytesPerToken } = input.model;
  const bytes = size === undefined || kvBytesPerToken === undefined ? undefined : size + kvBytesPerToken * tokens;
  return { tokens, bytes, fits: fitsInMemory(input, tokens, bytes) };
}

/** null = unknown. Observations take precedence over the memory estimate. */
function fitsInMemory(input: WindowPlanInput, tokens: number, bytes: number | undefined): boolean | null {
  const { model, memoryBytes, spill, loadable } = input;
  if (loadable !== undefined) return tokens <= loadable;
  // Weights larger than the GPU are partly on the CPU at any window: then memory decides.
  if (spill !== undefined && model.size !== undefined && model.size + runnerBytes <= spill.gpuBytes) {
    if (tokens >= spill.tokens) return false;
    if (bytes !== undefined) return bytes + runnerBytes <= spill.gpuBytes;
  }
  if (bytes === undefined || memoryBytes === undefined) return null;
  return bytes + runnerBytes <= memoryBytes - freeBytes(memoryBytes);
}

/** Updates the GPU observation after a model was seen loaded: `tokens` allocated, `size` bytes, 0 to 1 on the GPU. */
export function updateGpuSpill(
  before: WindowSpill | undefined,
  seen: { readonly tokens: number; readonly size: number; readonly vramShare: number },
): WindowSpill | undefined {
  const { tokens, size, vramShare } = seen;
  // 0 = no GPU, or it is not used: no conclusion.
  if (vramShare <= 0 || size <= 0) return before;
  if (vramShare < 1)
    return before !== undefined && before.tokens <= tokens
      ? before
      : { tokens, gpuBytes: Math.round(size * vramShare) };
  return before !== undefined && tokens < before.tokens ? before : undefined;
}
