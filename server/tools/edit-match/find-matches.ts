/** Finds all occurrences of a string or of a run of lines in linear time, also in repetitive input. Pure. */

import type { Steps } from "@/lib/async/steps";

/** Maximum length in UTF-16 units for the engine's own search, which can be quadratic for longer strings. */
const maxNativeSearchUnits = 64;
const continueSearch = true;
/** Units between two yields. */
const unitsPerStep = 65_536;

/**
 * Calls `found` with each start of `part` in `whole`, including overlapping ones, until it returns false. Both are
 * read by index. Knuth, Morris and Pratt, "Fast Pattern Matching in Strings" (SIAM J. Comput. 6, 1977).
 */
export function* findRuns(
  whole: { readonly length: number; at(index: number): number },
  part: { readonly length: number; at(index: number): number },
  found: (start: number) => boolean,
): Steps<void> {
  if (part.length === 0 || part.length > whole.length) return;
  const borders = new Int32Array(part.length);
  for (let index = 1, border = 0; index < part.length; index++) {
    while (border > 0 && part.at(index) !== part.at(border)) border = borders[border - 1] ?? 0;
    if (part.at(index) === part.at(border)) border++;
    borders[index] = border;
  }
  for (let index = 0, matched = 0; index < whole.length; index++) {
    if (index % unitsPerStep === unitsPerStep - 1) yield;
    const unit = whole.at(index);
    while (matched > 0 && (matched === part.length || unit !== part.at(matched))) matched = borders[matched - 1] ?? 0;
    if (unit === part.at(matched)) matched++;
    if (matched === part.length && found(index + 1 - matched) !== continueSearch) return;
  }
}

const toUnits = (text: string) => ({ length: text.length, at: (index: number): number => text.charCodeAt(index) });

function* findOccurrences(whole: string, part: string, found: (start: number) => boolean): Steps<void> {
  if (part.length > maxNativeSearchUnits) return yield* findRuns(toUnits(whole), toUnits(part), found);
  for (let at = whole.indexOf(part); at >= 0; at = whole.indexOf(part, at + 1))
    if (found(at) !== continueSearch) return;
}

interface MatchOptions {
  /** True: all non-overlapping occurrences from the left. False: every occurrence, at most `max`. */
  readonly all: boolean;
  readonly max: number;
  /** Filter; rejected occurrences are ignored. */
  readonly fits: (start: number, end: number) => boolean;
}

/** Returns the UTF-16 offsets at which `part` begins in `whole`. `part` is not empty. */
export function* findMatchStarts(whole: string, part: string, { all, max, fits }: MatchOptions): Steps<number[]> {
  const starts: number[] = [];
  let free = 0;
  yield* findOccurrences(whole, part, (start) => {
    if ((all && start < free) || !fits(start, start + part.length)) return continueSearch;
    starts.push(start);
    free = start + part.length;
    return all || starts.length < max;
  });
  return starts;
}

/**
 * Returns whether both `\r
 * ` and `
 * ` occur.
 */
export const hasMixedBreaks = (text: string): boolean => text.includes("\r\n") && /(?:^|[^\r])\n/.test(text);

/**
 * Returns a function that finds the line end in use at an offset, or `fallback` if the text has none. Queried from
 * left to right it reads the text once.
 */
export function makeLineEndFinder(text: string, fallback: string): (start: number) => string {
  const last = text.lastIndexOf("\n");
  let next = -1;
  return (start) => {
    if (last < 0) return fallback;
    next = start > last ? last : next >= start && !text.startsWith("\n", start) ? next : text.indexOf("\n", start);
    return text[next - 1] === "\r" ? "\r\n" : "\n";
  };
}
