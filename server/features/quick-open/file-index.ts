/** Index of a project's file names that finds the best matches of a typed text. Pure. */
import {
  foldLetters,
  type FuzzyQuery,
  type FuzzyTerm,
  fuzzyMatch,
  hasInitials,
  hasLetters,
  isWholeName,
  isWordStart,
  letterSet,
  parseFuzzyQuery,
} from "@/lib/text/fuzzy-match";

export interface FileIndex {
  add(path: string): void;
  size(): number;
  /**
   * Returns the best matches, best first, shorter paths first among equals; an empty text returns the shortest paths.
   * Reads every path once, and aligns those of the best ranks with the text.
   */
  find(typed: string, max: number): readonly string[];
}

/** Coarse ranks of a path, from 0 = no match to 7. */
const rankCount = 8;
/** Number of paths of a rank that are compared exactly. */
const candidatesPerRank = 200;

/** Columns of the paths: arrays of numbers are read several times faster than objects. */
interface PathColumns {
  readonly paths: string[];
  /** Without case and accents; the path itself if it has none. */
  readonly folded: string[];
  /** Sets of letters: of the path, of its last segment, of the starts of the words of that segment. */
  letters: Int32Array;
  nameLetters: Int32Array;
  initials: Int32Array;
  /** Index of the first character of the last segment. */
  nameStart: Int32Array;
}

export function createFileIndex(): FileIndex {
  const columns: PathColumns = {
    paths: [],
    folded: [],
    letters: new Int32Array(1_024),
    nameLetters: new Int32Array(1_024),
    initials: new Int32Array(1_024),
    nameStart: new Int32Array(1_024),
  };
  let order: Uint32Array | null = null;
  const inOrder = (): Uint32Array => (order ??= orderByLength(columns.paths));
  return {
    add: (path) => {
      addPath(columns, path);
      order = null;
    },
    size: () => columns.paths.length,
    find: (typed, max) => {
      const query = parseFuzzyQuery(typed);
      const [term] = query.terms;
      const candidates =
        term === undefined
          ? inOrder().subarray(0, max)
          : findCandidates(columns, inOrder(), query, Math.max(max, candidatesPerRank));
      return [...candidates]
        .flatMap((at) => rate(columns, at, query))
        .sort((a, b) => b.score - a.score || a.path.length - b.path.length || (a.path < b.path ? -1 : 1))
        .slice(0, max)
        .map(({ path }) => path);
    },
  };
}

function rate(columns: PathColumns, at: number, query: FuzzyQuery): readonly { path: string; score: number }[] {
  const path = columns.paths[at] ?? "";
  const match = fuzzyMatch(query, { text: path, folded: columns.folded[at] ?? "", letters: columns.letters[at] ?? 0 });
  return match === null ? [] : [{ path, score: match.score }];
}

function addPath(columns: PathColumns, path: string): void {
  const at = columns.paths.length;
  if (at === columns.letters.length) growColumns(columns);
  const folded = foldLetters(path);
  const nameStart = path.lastIndexOf("/") + 1;
  let initials = 0;
  for (let index = nameStart; index < path.length; index += 1)
    if (isWordStart(path, index)) initials |= letterSet(folded, index, index + 1);
  columns.paths.push(path);
  columns.folded.push(folded === path ? path : folded);
  columns.nameStart[at] = nameStart;
  columns.nameLetters[at] = letterSet(folded, nameStart);
  columns.letters[at] = letterSet(folded);
  columns.initials[at] = initials;
}

function growColumns(columns: PathColumns): void {
  const grown = (column: Int32Array): Int32Array => {
    const larger = new Int32Array(column.length * 2);
    larger.set(column);
    return larger;
  };
  columns.letters = grown(columns.letters);
  columns.nameLetters = grown(columns.nameLetters);
  columns.initials = grown(columns.initials);
  columns.nameStart = grown(columns.nameStart);
}

/** Returns the indices of the paths, shortest first: a counting sort. */
function orderByLength(paths: readonly string[]): Uint32Array {
  const starts: number[] = [];
  for (const { length } of paths) starts[length + 1] = (starts[length + 1] ?? 0) + 1;
  for (let length = 1; length < starts.length; length += 1)
    starts[length] = (starts[length] ?? 0) + (starts[length - 1] ?? 0);
  const order = new Uint32Array(paths.length);
  for (const [at, { length }] of paths.entries()) {
    const place = starts[length] ?? 0;
    order[place] = at;
    starts[length] = place + 1;
  }
  return order;
}

/** Returns the candidates of the best ranks, shortest paths first in each; at least `wanted` if so many match. */
function findCandidates(
  columns: PathColumns,
  order: Uint32Array,
  query: FuzzyQuery,
  wanted: number,
): readonly number[] {
  const ranks: number[][] = Array.from({ length: rankCount }, () => []);
  const letters = query.terms.reduce((set, term) => set | term.letters, 0);
  /** Lower ranks are not looked for: enough candidates are better. */
  let least = 1;
  for (let place = 0; place < order.length; place += 1) {
    const at = order[place] ?? 0;
    if (((columns.letters[at] ?? 0) & letters) !== letters) continue;
    const rank = rankPath(columns, at, query.terms, least);
    const found = ranks[rank];
    if (rank < least || found === undefined || found.length >= wanted) continue;
    found.push(at);
    if (found.length === wanted) least = rank + 1;
  }
  const candidates: number[] = [];
  for (const found of ranks.reverse()) if (candidates.length < wanted) candidates.push(...found);
  return candidates;
}

/**
 * Ranks a path: 7 the name, 6 start of the name, 5 start of a word in the name, 4 initials of its words, 3 part of the
 * name, 2 letters of the name in order, 1 letters of the path in order, 0 no match or a rank below `least`. Several
 * terms: their mean, rounded down.
 */
function rankPath(columns: PathColumns, at: number, terms: readonly FuzzyTerm[], least: number): number {
  const path = columns.paths[at] ?? "";
  const folded = columns.folded[at] ?? "";
  // With a lower rank of this term even the best ones of the others do not reach the mean.
  const leastOfTerm = least * terms.length - (rankCount - 1) * (terms.length - 1);
  let sum = 0;
  for (const term of terms) {
    const rank = rankTerm(columns, at, path, folded, term, leastOfTerm);
    if (rank === 0) return 0;
    sum += rank;
  }
  return Math.floor(sum / terms.length);
}

function rankTerm(
  columns: PathColumns,
  at: number,
  path: string,
  folded: string,
  { folded: term, letters }: FuzzyTerm,
  least: number,
): number {
  const all = columns.letters[at] ?? 0;
  if (((columns.nameLetters[at] ?? 0) & letters) === letters) {
    const nameStart = columns.nameStart[at] ?? 0;
    const place = folded.indexOf(term, nameStart);
    if (place === nameStart) return isWholeName(folded, place + term.length) ? 7 : 6;
    if (place > nameStart && isWordStart(path, place)) return 5;
    const mayBeInitials = least <= 4 && ((columns.initials[at] ?? 0) & letters) === letters;
    if (mayBeInitials && hasInitials(term, path, folded, nameStart)) return 4;
    if (place > nameStart) return 3;
    if (least <= 2 && hasLetters(term, folded, nameStart, all)) return 2;
  }
  return least <= 1 && hasLetters(term, folded, 0, all) ? 1 : 0;
}
