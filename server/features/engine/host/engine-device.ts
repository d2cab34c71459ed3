/**
 * Reads from the log of llama.cpp's server what it calculates with. Sources: llama.cpp, src/llama.cpp (`using device`),
 * src/llama-model.cpp (`offloaded`, `model buffer size`), common/fit.cpp (`overflowing`). Pure.
 */
import type { EngineDevice } from "@/lib/models/engine";
import { findBuildNumber } from "../program/build-number";

/** First build whose level 4 of the log has these lines without the requests' text. */
const firstTraceBuild = 9_849;
const deviceLine = /using device |layers to GPU|model buffer size|layers \( *\d+ overflowing\)/;

/** Options with which a version reports its devices; older ones report them always, or their next level has requests too. */
export function deviceLogArguments(version: string | undefined): readonly string[] {
  return (findBuildNumber(version ?? "") ?? 0) >= firstTraceBuild ? ["--verbosity", "4"] : [];
}

export const isDeviceLine = (line: string): boolean => deviceLine.test(line);

/** `lines` = those of the start, in order. null = they do not have it. */
export function findEngineDevice(lines: readonly string[]): EngineDevice | null {
  const buffers = lines.flatMap((line) => /(\S+) +model buffer size/.exec(line)?.[1] ?? []);
  if (buffers.length === 0) return null;
  const cards = new Map(lines.flatMap((line) => readCard(line) ?? []));
  // Layers of the last card with tensors in the system's memory do not count as offloaded.
  const overflowing = Number(lastMatch(lines, /layers \( *(\d+) overflowing\)/)?.[1] ?? 0);
  const [, offloaded = 0, all = 0] = lastMatch(lines, /offloaded (\d+)\/(\d+) layers to GPU/)?.map(Number) ?? [];
  const onCards = Math.max(0, offloaded - overflowing);
  const used = [...cards].filter(([id]) => buffers.some((buffer) => buffer.startsWith(id)));
  if (onCards === 0 || used.length === 0) return { cards: [] };
  return { cards: [...new Set(used.map(([, name]) => name))], layers: { onCards, all } };
}

/** `using device CUDA0 (NVIDIA GeForce RTX 5090) (0000:0b:00.0) - 30930 MiB free`: its id and name. */
function readCard(line: string): readonly [readonly [string, string]] | null {
  const [, id, rest] = /using device (\S+) \((.*)\)(?: - \d+ MiB free)?\s*$/.exec(line) ?? [];
  if (id === undefined || rest === undefined) return null;
  return [[id, rest.replace(/\) \((?:unknown id|[\da-f]{4}:[\da-f:.]+)$/i, "")]];
}

const lastMatch = (lines: readonly string[], pattern: RegExp): RegExpExecArray | null =>
  lines.map((line) => pattern.exec(line)).findLast((match) => match !== null) ?? null;
