/** What an answer teaches about its model: speeds and the ratio of the server's count to our estimate. Pure; called by notes. */
import type { Usage } from "@/lib/content";
import type { ModelNote } from "@/lib/models";
import type { CountedText } from "@/lib/text/estimate-tokens";
import { learnedScale, roundedScale } from "./token-scale";

/** How much a new measurement changes what is known. */
const weight = 0.3;
/** Less than this is noise, not speed. */
const measurable = { tokens: 20, readTokens: 200, ms: 100, loadMs: 1_000, estimatedTokens: 400 };
/** Our estimate may be so wrong; a count far below it was cut on the way. */
const ratios = { least: 0.6, most: 6, cut: 0.5 };

const smooth = (before: number | undefined, now: number): number =>
  before === undefined ? now : before + weight * (now - before);

/**
 * `counted` null = this server does not count what it had cached (field D8). A model that takes a second to load was not in memory;
 * what a loaded one needs to begin is no load.
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

/** What a count of the server says of its tokens; one that is below what was counted before says nothing. */
export const learnedCount = (note: ModelNote, counted: CountedText): ModelNote =>
  counted.tokens <= 0 ? note : { ...note, tokenScale: learnedScale(note.tokenScale ?? {}, counted) };

/** `tokens` = what was really read, without what was cached. */
export function learnedReading(note: ModelNote, tokens: number, ms: number): ModelNote {
  if (tokens < measurable.readTokens || ms < measurable.ms) return note;
  return { ...note, readPerSecond: smooth(note.readPerSecond, (tokens * 1000) / ms) };
}

export const learnedLoad = (note: ModelNote, ms: number): ModelNote =>
  ms < measurable.loadMs ? note : { ...note, loadMs: smooth(note.loadMs, ms) };

/** As it is kept and shown: three digits, so that a list does not change with every answer. */
export function rounded(note: ModelNote): ModelNote {
  const { readPerSecond, writePerSecond, loadMs, tokenRatio, tokenScale } = note;
  const told = (name: keyof ModelNote, value: number | undefined) =>
    value === undefined ? {} : { [name]: Number(value.toPrecision(3)) };
  return {
    ...note,
    ...told("readPerSecond", readPerSecond),
    ...told("writePerSecond", writePerSecond),
    ...told("loadMs", loadMs),
    ...told("tokenRatio", tokenRatio),
    ...(tokenScale === undefined ? {} : { tokenScale: roundedScale(tokenScale) }),
  };
}
