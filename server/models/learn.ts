/** Learns speeds and token ratios of a model from its answers. Pure. */
import type { Usage } from "@/lib/content";
import type { ModelNote } from "@/lib/models";
import type { CountedText } from "@/lib/text/estimate-tokens";
import { learnedScale, roundedScale } from "./token-scale";

/** Weight of a new measurement. */
const weight = 0.3;
/** Smaller measurements are noise. */
const measurable = { tokens: 20, readTokens: 200, ms: 100, loadMs: 1_000, estimatedTokens: 400 };
/** Limits of the token ratio; a count below `cut` times the estimate means that the prompt was cut. */
const ratios = { least: 0.6, most: 6, cut: 0.5 };

const smooth = (before: number | undefined, now: number): number =>
  before === undefined ? now : before + weight * (now - before);

/**
 * `counted` null = the server's counts exclude cached tokens (field D8). A model that takes a second to load was not in
 * memory; the short start of a loaded one is not a load.
 */
export function learnedAnswer(note: ModelNote, usage: Usage, counted: CountedText | null): ModelNote {
  const { promptTokens, estimatedPromptTokens, outputTokens, outputMs, loadMs } = usage;
  const wrote = outputTokens >= measurable.tokens && outputMs >= measurable.ms;
  const ratio = promptTokens / Math.max(estimatedPromptTokens, 1);
  const isWhole = estimatedPromptTokens >= measurable.estimatedTokens && ratio >= ratios.cut;
  return {
    ...note,
    ...(counted !== null && isWhole ? learnedCount(note, counted) : {}),
    ...(wrote ? { writePerSecond: smooth(note.writePerSecond, (outputTokens * 1000) / outputMs) } : {}),
    ...(counted !== null && isWhole
      ? { tokenRatio: smooth(note.tokenRatio, Math.min(Math.max(ratio, ratios.least), ratios.most)) }
      : {}),
    ...(loadMs >= measurable.loadMs ? { loadMs: smooth(note.loadMs, loadMs) } : {}),
  };
}

/** Updates the token scale from a server count; ignores a count of 0 or less. */
export const learnedCount = (note: ModelNote, counted: CountedText): ModelNote =>
  counted.tokens <= 0 ? note : { ...note, tokenScale: learnedScale(note.tokenScale ?? {}, counted) };

/** `tokens` = tokens actually read, without cached ones. */
export function learnedReading(note: ModelNote, tokens: number, ms: number): ModelNote {
  if (tokens < measurable.readTokens || ms < measurable.ms) return note;
  return { ...note, readPerSecond: smooth(note.readPerSecond, (tokens * 1000) / ms) };
}

export const learnedLoad = (note: ModelNote, ms: number): ModelNote =>
  ms < measurable.loadMs ? note : { ...note, loadMs: smooth(note.loadMs, ms) };

/** Rounds to three digits for storage and display, so that a list does not change with every answer. */
export function rounded(note: ModelNote): ModelNote {
  const { readPerSecond, writePerSecond, loadMs, tokenRatio, tokenScale } = note;
  const roundedField = (name: keyof ModelNote, value: number | undefined) =>
    value === undefined ? {} : { [name]: Number(value.toPrecision(3)) };
  return {
    ...note,
    ...roundedField("readPerSecond", readPerSecond),
    ...roundedField("writePerSecond", writePerSecond),
    ...roundedField("loadMs", loadMs),
    ...roundedField("tokenRatio", tokenRatio),
    ...(tokenScale === undefined ? {} : { tokenScale: roundedScale(tokenScale) }),
  };
}
