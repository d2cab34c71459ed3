/**
 * Matches old_string in progressively looser steps: exact, line breaks, line ends, quotes, indentation. Each step
 * accepts a single match only. Pure.
 */
import type { Facts } from "@/lib/tool-kind";
import type { Steps } from "@/lib/steps";
import { layOver, withEol } from "./edit-match-overlay";
import { breakFinder, hasMixedBreaks, placesOf } from "./edit-match-search";
import { findIndented, type Line, lineSteps } from "./indent-match";
import { isMark, type Looseness, type NormalText, normalize, normalSteps } from "./normal-text";

export interface EditRequest {
  readonly oldText: string;
  readonly newText: string;
  readonly replaceAll: boolean;
}

/** Where a match may begin and end: anywhere, at word boundaries, at line boundaries. */
export type Bounds = "any" | "words" | "lines";

/** A range of the file in UTF-16 offsets and the text that replaces it. */
export interface Replacement {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

export type Found =
  | { readonly kind: "none" }
  | { readonly kind: "one"; readonly replacements: readonly Replacement[]; readonly loose?: Facts["loose"] }
  /** Start offsets of the first `placesMax` matches. */
  | { readonly kind: "many"; readonly starts: readonly number[]; readonly loose?: Facts["loose"] };

/** The text of the file during an edit; caches what each step derives from it. */
export interface Source {
  readonly text: string;
  /** Line end to use if the text has none. */
  readonly eol: string;
  normal(loose: Looseness): Steps<NormalText>;
  lines(): Steps<readonly Line[]>;
}

export function sourceOf(text: string, eol: string): Source {
  const normal = new Map<Looseness, NormalText>();
  let lines: readonly Line[] | undefined;
  return {
    text,
    eol,
    *normal(loose) {
      const known = normal.get(loose) ?? (yield* normalSteps(text, loose));
      normal.set(loose, known);
      return known;
    },
    *lines() {
      return (lines ??= yield* lineSteps(text));
    },
  };
}

/** Maximum number of matches counted for an ambiguous string. */
export const placesMax = 200;

const none: Found = { kind: "none" };
const isWordUnit = (unit: string | undefined): boolean => unit !== undefined && /[\p{L}\p{N}_]/u.test(unit);

const startsLine = (whole: string, start: number): boolean => start === 0 || whole[start - 1] === "\n";
const endsLine = (whole: string, end: number): boolean =>
  end === whole.length || whole[end] === "\n" || whole[end - 1] === "\n" || whole.startsWith("\r\n", end);

/**
 * Returns whether a match respects its bounds. A match never ends between a letter and its combining mark: it would
 * change the word.
 */
function inBounds(whole: string, start: number, end: number, bounds: Bounds): boolean {
  if (isMark(whole[end])) return false;
  if (bounds === "lines") return startsLine(whole, start) && endsLine(whole, end);
  const cut = (at: number): boolean => isWordUnit(whole[at - 1]) && isWordUnit(whole[at]);
  return bounds === "any" || !(cut(start) || cut(end));
}

/**
 * Moves the start of a match that begins with "
 * " before the preceding "\r".
 */
const startOf = (original: string, offset: number): number =>
  original[offset] === "\n" && original[offset - 1] === "\r" ? offset - 1 : offset;

function* findExactly({ text: original, eol: fallback }: Source, edit: EditRequest, bounds: Bounds): Steps<Found> {
  const { oldText, newText, replaceAll: all } = edit;
  // A model cannot see which of two line ends a line has; the next step counts these matches.
  if (oldText === "" || (oldText.includes("\n") && oldText.trim() !== "" && hasMixedBreaks(original))) return none;
  const fits = (start: number, end: number): boolean => inBounds(original, start, end, bounds);
  const starts = yield* placesOf(original, oldText, { all, max: placesMax, fits });
  if (starts.length === 0) return none;
  if (starts.length > 1 && !all) return { kind: "many", starts };
  const eolAt = breakFinder(original, fallback);
  const replacements = starts.map((start): Replacement => {
    const text = newText.includes("\n") ? withEol(newText, eolAt(start)) : newText;
    return { start: startOf(original, start), end: start + oldText.length, text };
  });
  return { kind: "one", replacements };
}

/**
 * Runs one loose step: the old string must match exactly once, or, if only line breaks are ignored, any number of
 * times with `replaceAll`.
 */
function* findLoosely(source: Source, edit: EditRequest, loose: Looseness, bounds: Bounds): Steps<Found> {
  const { text: original, eol: fallback } = source;
  const { text: wanted } = normalize(edit.oldText, loose);
  if (wanted.trim() === "") return none;
  const file = yield* source.normal(loose);
  const all = loose === "breaks" && edit.replaceAll;
  // A final "
  // " also matches the end of a file without a final newline.
  const whole = wanted.endsWith("\n") && !file.text.endsWith("\n") ? `${file.text}\n` : file.text;
  const cutAtEnd = loose !== "breaks" && /[ \t\u00a0]$/.test(edit.oldText);
  const within = loose === "breaks" || bounds === "lines" ? bounds : "words";
  const fits = (start: number, end: number): boolean =>
    (!cutAtEnd || whole[end] === "\n" || end === whole.length) && inBounds(whole, start, end, within);
  const starts = yield* placesOf(whole, wanted, { all, max: placesMax, fits });
  if (starts.length === 0) return none;
  const originalAt = (normal: number): number => file.offsets[Math.min(normal, file.text.length)] ?? original.length;
  if (starts.length > 1 && !all) return { kind: "many", starts: starts.map(originalAt) };
  const eolAt = breakFinder(original, fallback);
  const replacements = starts.map((normalStart): Replacement => {
    const overEnd = normalStart + wanted.length > file.text.length;
    const start = startOf(original, originalAt(normalStart));
    const end = overEnd ? original.length : (file.ends[normalStart + wanted.length - 1] ?? 0);
    const oldText = overEnd ? edit.oldText.replace(/\r?\n$/, "") : edit.oldText;
    const newText = overEnd ? edit.newText.replace(/\r?\n$/, "") : edit.newText;
    return { start, end, text: layOver(original.slice(start, end), oldText, newText, loose, eolAt(start)) };
  });
  return { kind: "one", replacements };
}

function* findByIndent(source: Source, edit: EditRequest): Steps<Found> {
  const { text: original, eol: fallback } = source;
  const found = yield* findIndented(yield* source.lines(), edit.oldText, edit.newText, placesMax);
  const [only, ...others] = found;
  if (only === undefined) return none;
  if (others.length > 0) return { kind: "many", starts: found.map((one) => one.start) };
  const { start, end } = only;
  const eol = breakFinder(original, fallback)(start);
  const text = layOver(original.slice(start, end), only.oldText, only.newText, "quotes", eol);
  return { kind: "one", replacements: [{ start, end, text }] };
}

/**
 * Returns the result of the first step that matches. With `replaceAll`, the exact step and the step that only ignores
 * line breaks accept several matches.
 */
export function* climb(source: Source, edit: EditRequest, bounds: Bounds): Steps<Found> {
  const steps: readonly [Facts["loose"], () => Steps<Found>][] = [
    [undefined, () => findExactly(source, edit, bounds)],
    [undefined, () => findLoosely(source, edit, "breaks", bounds)],
    ["endings", () => findLoosely(source, edit, "endings", bounds)],
    ["quotes", () => findLoosely(source, edit, "quotes", bounds)],
    ["indent", () => findByIndent(source, edit)],
  ];
  for (const [loose, find] of steps) {
    const found = yield* find();
    yield;
    if (found.kind !== "none") return loose === undefined ? found : { ...found, loose };
  }
  return none;
}
