/** Learns speeds and token ratios of a model from its answers. Pure. */
import type { Usage } from "@/lib/events/content";
import type { ModelNote } from "@/lib/models/models";
import type { CountedText } from "@/lib/text/estimate-tokens";
import { updateScale, roundScale } from "./token-scale";

/** Weight of a new measurement. */
const learningRate = 0.3;
/** Smaller measurements are noise. */
const minMeasured = { tokens: 20, readTokens: 200, ms: 100, loadMs: 1_000, estimatedTokens: 400 };
/** Limits of the token ratio; a count below `cut` times the estimate means that the prompt was cut. */
const ratioLimits = { least: 0.6, most: 6, cut: 0.5 };

const movingAverage = (before: number | undefined, now: number): number =>
  before === undefined ? now : before + learningRate * (now - before);

/**
 * `counted` null = the server's counts exclude cached tokens. A model that takes a second to load was not in
 * memory; the short start of a loaded one is not a load.
 */
export function updateFromAnswer(note: ModelNote, usage: Usage, counted: CountedText | null): ModelNote {
  const { promptTokens, estimatedPromptTokens, outputTokens, outputMs, loadMs } = usage;
  const wrote = outputTokens >= minMeasured.tokens && outputMs >= minMeasured.ms;
  const ratio = promptTokens / Math.max(estimatedPromptTokens, 1);
  const isWhole = estimatedPromptTokens >= minMeasured.estimatedTokens && ratio >= ratioLimits.cut;
  return {
    ...note,
    ...(counted !== null && isWhole ? updateFromCount(note, counted) : {}),
    ...(wrote ? { writePerSecond: movingAverage(note.writePerSecond, (outputTokens * 1000) / outputMs) } : {}),
    ...(counted !== null && isWhole
      ? { tokenRatio: movingAverage(note.tokenRatio, Math.min(Math.max(ratio, ratioLimits.least), ratioLimits.most)) }
      : {}),
    ...(loadMs >= minMeasured.loadMs ? { loadMs: movingAverage(note.loadMs, loadMs) } : {}),
  };
}

/** Updates the token scale from a server count; ignores a count of 0 or less. */
export const updateFromCount = (note: ModelNote, counted: CountedText): ModelNote =>
  counted.tokens <= 0 ? note : { ...note, tokenScale: updateScale(note.tokenScale ?? {}, counted) };

/** `tokens` = tokens actually read, without cached ones. */
export function updateReadSpeed(note: ModelNote, tokens: number, ms: number): ModelNote {
  if (tokens < minMeasured.readTokens || ms < minMeasured.ms) return note;
  return { ...note, readPerSecond: movingAverage(note.readPerSecond, (tokens * 1000) / ms) };
}

export const updateLoadTime = (note: ModelNote, ms: number): ModelNote =>
  ms < minMeasured.loadMs ? note : { ...note, loadMs: movingAverage(note.loadMs, ms) };

/** Rounds to three digits for storage and display, so that a list does not change with every answer. */
export function roundNote(note: ModelNote): ModelNote {
  const { readPerSecond, writePerSecond, loadMs, tokenRatio, tokenScale } = note;
  const roundedField = (name: keyof ModelNote, value: number | undefined) =>
    value === undefined ? {} : { [name]: Number(value.toPrecision(3)) };
  return {
    ...note,
    ...roundedField("readPerSecond", readPerSecond),
    ...roundedField("writePerSecond", writePerSecond),
    ...roundedField("loadMs", loadMs),
    ...roundedField("tokenRatio", tokenRatio),
    ...(tokenScale === undefined ? {} : { tokenScale: roundScale(tokenScale) }),
  };
}
