/**
 * Matches old_string in progressively looser steps: exact, line breaks, line ends, quotes, indentation. Each step
 * accepts a single match only. Pure.
 */
import type { CallFacts } from "@/lib/events/tool-kind";
import type { Steps } from "@/lib/async/steps";
import { mergeIntoMatch, convertLineEnds } from "./merge-into-match";
import { makeLineEndFinder, hasMixedBreaks, findMatchStarts } from "./find-matches";
import { findIndentedMatches, type IndentedLine, splitIndentedLinesSteps } from "./indent-match";
import {
  isCombiningMark,
  type MatchLooseness,
  type NormalizedText,
  normalizeText,
  normalizeTextSteps,
} from "./normalized-text";

export interface EditRequest {
  readonly oldText: string;
  readonly newText: string;
  readonly replaceAll: boolean;
}

/** Positions at which a match may begin and end: anywhere, at word boundaries, at line boundaries. */
export type MatchBounds = "any" | "words" | "lines";

/** A range of the file in UTF-16 offsets and the text that replaces it. */
interface TextReplacement {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

export type EditMatch =
  | { readonly kind: "none" }
  | { readonly kind: "one"; readonly replacements: readonly TextReplacement[]; readonly loose?: CallFacts["loose"] }
  /** Start offsets of the first `maxMatches` matches. */
  | { readonly kind: "many"; readonly starts: readonly number[]; readonly loose?: CallFacts["loose"] };

/** The text of the file during an edit; caches what each step derives from it. */
export interface EditSource {
  readonly text: string;
  /** Line end to use if the text has none. */
  readonly eol: string;
  normalized(loose: MatchLooseness): Steps<NormalizedText>;
  lines(): Steps<readonly IndentedLine[]>;
}

export function makeEditSource(text: string, eol: string): EditSource {
  const normal = new Map<MatchLooseness, NormalizedText>();
  let lines: readonly IndentedLine[] | undefined;
  return {
    text,
    eol,
    *normalized(loose) {
      const normalized = normal.get(loose) ?? (yield* normalizeTextSteps(text, loose));
      normal.set(loose, normalized);
      return normalized;
    },
    *lines() {
      return (lines ??= yield* splitIndentedLinesSteps(text));
    },
  };
}

/** Maximum number of matches counted for an ambiguous string. */
export const maxMatches = 200;

const noMatch: EditMatch = { kind: "none" };
const isWordUnit = (unit: string | undefined): boolean => unit !== undefined && /[\p{L}\p{N}_]/u.test(unit);

const isLineStart = (whole: string, start: number): boolean => start === 0 || whole[start - 1] === "\n";
const isLineEnd = (whole: string, end: number): boolean =>
  end === whole.length || whole[end] === "\n" || whole[end - 1] === "\n" || whole.startsWith("\r\n", end);

/**
 * Returns whether a match respects its bounds. A match never ends between a letter and its combining mark: it would
 * change the word.
 */
function isWithinBounds(whole: string, start: number, end: number, bounds: MatchBounds): boolean {
  if (isCombiningMark(whole[end])) return false;
  if (bounds === "lines") return isLineStart(whole, start) && isLineEnd(whole, end);
  const cut = (at: number): boolean => isWordUnit(whole[at - 1]) && isWordUnit(whole[at]);
  return bounds === "any" || !(cut(start) || cut(end));
}

/**
 * Moves the start of a match that begins with "
 * " before the preceding "\r".
 */
const includeCarriageReturn = (original: string, offset: number): number =>
  original[offset] === "\n" && original[offset - 1] === "\r" ? offset - 1 : offset;

function* findExactMatch(
  { text: original, eol: fallback }: EditSource,
  edit: EditRequest,
  bounds: MatchBounds,
): Steps<EditMatch> {
  const { oldText, newText, replaceAll: all } = edit;
  // A model cannot see which of two line ends a line has; the next step counts these matches.
  if (oldText === "" || (oldText.includes("\n") && oldText.trim() !== "" && hasMixedBreaks(original))) return noMatch;
  const fits = (start: number, end: number): boolean => isWithinBounds(original, start, end, bounds);
  const starts = yield* findMatchStarts(original, oldText, { all, max: maxMatches, fits });
  if (starts.length === 0) return noMatch;
  if (starts.length > 1 && !all) return { kind: "many", starts };
  const eolAt = makeLineEndFinder(original, fallback);
  const replacements = starts.map((start): TextReplacement => {
    const text = newText.includes("\n") ? convertLineEnds(newText, eolAt(start)) : newText;
    return { start: includeCarriageReturn(original, start), end: start + oldText.length, text };
  });
  return { kind: "one", replacements };
}

/**
 * Runs one loose step: the old string must match exactly once, or, if only line breaks are ignored, any number of
 * times with `replaceAll`.
 */
function* findLooseMatch(
  source: EditSource,
  edit: EditRequest,
  loose: MatchLooseness,
  bounds: MatchBounds,
): Steps<EditMatch> {
  const { text: original, eol: fallback } = source;
  const { text: wanted } = normalizeText(edit.oldText, loose);
  if (wanted.trim() === "") return noMatch;
  const file = yield* source.normalized(loose);
  const all = loose === "breaks" && edit.replaceAll;
  // A final "
  // " also matches the end of a file without a final newline.
  const whole = wanted.endsWith("\n") && !file.text.endsWith("\n") ? `${file.text}\n` : file.text;
  const cutAtEnd = loose !== "breaks" && /[ \t\u00a0]$/.test(edit.oldText);
  const within = loose === "breaks" || bounds === "lines" ? bounds : "words";
  const fits = (start: number, end: number): boolean =>
    (!cutAtEnd || whole[end] === "\n" || end === whole.length) && isWithinBounds(whole, start, end, within);
  const starts = yield* findMatchStarts(whole, wanted, { all, max: maxMatches, fits });
  if (starts.length === 0) return noMatch;
  const originalAt = (normal: number): number => file.offsets[Math.min(normal, file.text.length)] ?? original.length;
  if (starts.length > 1 && !all) return { kind: "many", starts: starts.map(originalAt) };
  const eolAt = makeLineEndFinder(original, fallback);
  const replacements = starts.map((normalStart): TextReplacement => {
    const overEnd = normalStart + wanted.length > file.text.length;
    const start = includeCarriageReturn(original, originalAt(normalStart));
    const end = overEnd ? original.length : (file.ends[normalStart + wanted.length - 1] ?? 0);
    const oldText = overEnd ? edit.oldText.replace(/\r?\n$/, "") : edit.oldText;
    const newText = overEnd ? edit.newText.replace(/\r?\n$/, "") : edit.newText;
    return { start, end, text: mergeIntoMatch(original.slice(start, end), oldText, newText, loose, eolAt(start)) };
  });
  return { kind: "one", replacements };
}

/** Whether a line of a block has no indentation: then the file's is missing, not another one. */
const hasLostIndent = (block: string): boolean => /^\S/m.test(block);

const areApart = (matches: readonly { readonly start: number; readonly end: number }[]): boolean =>
  matches.every(({ start }, index) => start >= (matches[index - 1]?.end ?? 0));

function* findIndentMatch(source: EditSource, edit: EditRequest): Steps<EditMatch> {
  const { text: original, eol: fallback } = source;
  const found = yield* findIndentedMatches(yield* source.lines(), edit.oldText, edit.newText, maxMatches);
  if (found.length === 0) return noMatch;
  const all = edit.replaceAll && found.length < maxMatches && hasLostIndent(edit.oldText) && areApart(found);
  if (found.length > 1 && !all) return { kind: "many", starts: found.map((one) => one.start) };
  const eolAt = makeLineEndFinder(original, fallback);
  const replacements = found.map(({ start, end, oldText, newText }): TextReplacement => {
    return { start, end, text: mergeIntoMatch(original.slice(start, end), oldText, newText, "quotes", eolAt(start)) };
  });
  return { kind: "one", replacements };
}

/**
 * Returns the result of the first step that matches. With `replaceAll`, the exact step, the step that only ignores line
 * breaks, and for a block without indentation the last one accept several matches.
 */
export function* matchInSteps(source: EditSource, edit: EditRequest, bounds: MatchBounds): Steps<EditMatch> {
  const steps: readonly [CallFacts["loose"], () => Steps<EditMatch>][] = [
    [undefined, () => findExactMatch(source, edit, bounds)],
    [undefined, () => findLooseMatch(source, edit, "breaks", bounds)],
    ["endings", () => findLooseMatch(source, edit, "endings", bounds)],
    ["quotes", () => findLooseMatch(source, edit, "quotes", bounds)],
    ["indent", () => findIndentMatch(source, edit)],
  ];
  for (const [loose, find] of steps) {
    const found = yield* find();
    yield;
    if (found.kind !== "none") return loose === undefined ? found : { ...found, loose };
  }
  return noMatch;
}
