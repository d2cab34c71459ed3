/**
 * Parses search queries into FTS expressions and finds their terms in texts. Pure. Query text is never parsed as FTS
 * syntax: words consist of letters and digits and are quoted.
 */
import {
  truncateWord,
  denseWords,
  type FoldedText,
  foldText,
  isEdge,
  isGap,
  splitIdentifier,
  splitRuns,
} from "@/lib/text/search-words";

/** A sequence of units that must be adjacent in the text, separated by nothing or by gaps. */
export interface SearchTerm {
  readonly units: readonly { readonly low: string; readonly dense: boolean }[];
  /** The last unit may be a prefix of a word. */
  readonly open: boolean;
}

interface SearchQuery {
  readonly terms: readonly SearchTerm[];
  /** Expression for MATCH. */
  readonly match: string;
  /**
   * The same with the prefix shortened to a length in `prefixLengths`, which is a single index lookup; matches more
   * texts. Absent if `match` is as fast.
   */
  readonly widerMatch?: string;
}

/** Prefix lengths with an index of their own. */
export const prefixLengths = [3, 5] as const;
/** A shorter last word is not treated as a prefix, because it would match too many words. */
const prefixMinChars = prefixLengths[0];
const maxTerms = 20;

const quotedWord = (low: string, open = false): string => `"${low}"${open ? "*" : ""}`;
/** Shortens every prefix in the expression to an indexed length. */
const shortenPrefixes = (match: string): string =>
  match.replace(/"([^"]*)"\*/g, (_all, start: string) => {
    const length = prefixLengths.findLast((one) => one <= start.length) ?? start.length;
    return quotedWord(start.slice(0, length), true);
  });

/**
 * Parses a query; null = it contains no letters or digits. Quoted words must be adjacent; the last word may be a
 * prefix.
 */
export function parseSearchQuery(text: string): SearchQuery | null {
  const pieces = [...text.normalize("NFC").matchAll(/"([^"]*)"?|[^\s"]+/g)].map((piece) => ({
    text: piece[1] ?? piece[0],
    open: piece[1] === undefined,
  }));
  const found = pieces
    .slice(0, maxTerms)
    .flatMap(({ text: piece, open }, index) => parseTerm(piece, open && index === pieces.length - 1) ?? []);
  if (found.length === 0) return null;
  const wanted = new Set(found.flatMap(({ expressions }) => expressions));
  const match = [...wanted].join(" AND ");
  const wide = shortenPrefixes(match);
  return { terms: found.map(({ term }) => term), match, ...(wide === match ? {} : { widerMatch: wide }) };
}

function parseTerm(text: string, mayBeOpen: boolean): { term: SearchTerm; expressions: readonly string[] } | null {
  const { plain, low } = foldText(text);
  const runs = splitRuns(plain);
  const last = runs.at(-1);
  if (last === undefined) return null;
  const units: { low: string; dense: boolean }[] = [];
  const expressions: string[] = [];
  // "foo(" matches the word foo only, "foo" also its continuations
  const open = mayBeOpen && !last.dense && last.to === plain.length && last.to - last.from >= prefixMinChars;
  for (const run of runs) {
    const whole = low.slice(run.from, run.to);
    if (run.dense) {
      units.push({ low: whole, dense: true });
      const { singles, pairs } = denseWords(whole);
      expressions.push(...(pairs.length === 0 ? singles : pairs).map((one) => quotedWord(one)));
      continue;
    }
    const isOpen = open && run === last;
    const parts = splitIdentifier(plain, run).map(([from, to]) => low.slice(from, to));
    units.push(...parts.map((part) => ({ low: part, dense: false })));
    expressions.push(wordExpression(whole, parts, isOpen));
  }
  return { term: { units, open }, expressions };
}

/** Matches an identifier as one word or by its parts. */
function wordExpression(whole: string, parts: readonly string[], open: boolean): string {
  const word = quotedWord(truncateWord(whole), open);
  if (parts.length === 1) return word;
  const all = parts.map((part, index) =>
    quotedWord(truncateWord(part), open && index === parts.length - 1 && part.length >= prefixMinChars),
  );
  return `(${word} OR (${all.join(" AND ")}))`;
}

type SearchMark = readonly [from: number, to: number];

/** Finds the next match of the term in the folded text from `start`. */
function findTerm({ plain, low }: FoldedText, { units, open }: SearchTerm, start: number): SearchMark | null {
  const [first, ...laterUnits] = units;
  if (first === undefined) return null;
  for (let from = low.indexOf(first.low, start); from >= 0; from = low.indexOf(first.low, from + 1)) {
    if (!first.dense && !isEdge(plain, from)) continue;
    let to = from + first.low.length;
    let fits = true;
    for (const unit of laterUnits) {
      while (to < plain.length && isGap(plain, to)) to += 1;
      fits = low.startsWith(unit.low, to);
      if (!fits) break;
      to += unit.low.length;
    }
    const endsInWord = units.at(-1)?.dense === false;
    if (fits && (!endsInWord || open || isEdge(plain, to))) return [from, to];
  }
  return null;
}

/** Range of the first match of any term, in `plain`; null if a term has no match. */
function firstMatch(text: FoldedText, terms: readonly SearchTerm[]): SearchMark | null {
  const matches = terms.map((term) => findTerm(text, term, 0));
  if (matches.some((match) => match === null)) return null;
  return matches.reduce(
    (best, match) => (best === null || (match !== null && match[0] < best[0]) ? match : best),
    null,
  );
}

function findMarks(text: FoldedText, terms: readonly SearchTerm[]): readonly SearchMark[] {
  const found = terms.flatMap((term) => {
    const marks: SearchMark[] = [];
    for (let mark = findTerm(text, term, 0); mark !== null; mark = findTerm(text, term, Math.max(mark[1], mark[0] + 1)))
      marks.push(mark);
    return marks;
  });
  const shownAt = (index: number): number => text.offsets?.[index] ?? index;
  const sorted = found.map(([from, to]): SearchMark => [shownAt(from), shownAt(to)]).sort((a, b) => a[0] - b[0]);
  const joined: [number, number][] = [];
  for (const [from, to] of sorted) {
    const before = joined.at(-1);
    if (before === undefined || from >= before[1]) joined.push([from, to]);
    else before[1] = Math.max(before[1], to);
  }
  return joined;
}

const beforeChars = 50;

const collapseWhiteSpace = (text: string): string => text.replace(/\s+/g, " ").trim();

/** Returns the text around the first match, on the line that `toLine` makes of it; null if a term has no match. */
export function createSnippet(
  text: string,
  terms: readonly SearchTerm[],
  maxChars: number,
  toLine: (text: string) => string = collapseWhiteSpace,
): { readonly snippet: string; readonly marks: readonly SearchMark[] } | null {
  const folded = foldText(text);
  const first = firstMatch(folded, terms);
  if (first === null) return null;
  const { shown } = folded;
  const at = folded.offsets?.[first[0]] ?? first[0];
  const from = snippetStart(shown, Math.max(0, at - beforeChars));
  // White space is collapsed, so more characters are read than shown.
  const line = toLine(shown.slice(from, at + maxChars * 4));
  const body = line.slice(0, snippetEnd(line, maxChars));
  const isWhole = from === 0 && body.length === line.length && at + maxChars * 4 >= shown.length;
  const snippet = isWhole
    ? body
    : `${from > 0 ? "…" : ""}${body}${body.length < line.length || at + maxChars * 4 < shown.length ? "…" : ""}`;
  return { snippet, marks: findMarks(foldText(snippet), terms) };
}

const isLowSurrogate = (text: string, index: number): boolean => /[\udc00-\udfff]/.test(text.charAt(index));

/** Moves the start after a nearby space, never into a surrogate pair. */
function snippetStart(text: string, from: number): number {
  if (from === 0) return 0;
  const space = text.slice(from, from + beforeChars / 2).search(/\s/);
  const start = space < 0 ? from : from + space + 1;
  return isLowSurrogate(text, start) ? start + 1 : start;
}

const snippetEnd = (text: string, to: number): number => (isLowSurrogate(text, to) ? to - 1 : to);
