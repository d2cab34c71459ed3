/**
 * Fuzzy matching of typed letters against file paths and names, as in quick open of code editors: the letters of each
 * term occur in order; starts of words, camel humps and letters side by side score higher. Case and accents are
 * ignored; a Latin letter also matches a Chinese character whose pinyin starts with it. Pure.
 *
 * Method: a local alignment of term and text (Smith and Waterman 1981) with affine gaps, as in fzf.
 */
import { hanInitial, isHan } from "./pinyin-initial";

/** A typed text, split at blanks into terms that must all match. */
export interface FuzzyQuery {
  readonly terms: readonly FuzzyTerm[];
}

export interface FuzzyTerm {
  readonly folded: string;
  readonly letters: number;
}

export interface FuzzyMatch {
  /** Higher is better; comparable between texts for the same query. */
  readonly score: number;
  /** Indices of the matched characters, UTF-16, ascending. */
  readonly positions: readonly number[];
}

/** A text to search in, with the data that makes a first check fast. */
interface FuzzyText {
  readonly text: string;
  /** `text` without case and accents, of the same length. */
  readonly folded: string;
  /** Set of the characters in `folded`, see `letterSet`. */
  readonly letters: number;
}

/** Characters beyond this length of a term are ignored. */
const termMaxChars = 64;
const termsMax = 8;

export function parseFuzzyQuery(typed: string): FuzzyQuery {
  const terms = foldLetters(typed.normalize("NFC").replaceAll("\\", "/"))
    .split(/\s+/)
    .filter((term) => term !== "");
  return {
    terms: terms.slice(0, termsMax).map((term) => {
      const folded = term.slice(0, termMaxChars);
      return { folded, letters: letterSet(folded) };
    }),
  };
}

export function toFuzzyText(text: string): FuzzyText {
  const folded = foldLetters(text);
  return { text, folded, letters: letterSet(folded) };
}

/** Returns the text in lower case and without accents, with the same number of UTF-16 units. */
export function foldLetters(text: string): string {
  if (!/[^ -~]/.test(text)) return text.toLowerCase();
  return text.replace(/[^ -~]|[A-Z]/g, foldCharacter);
}

function foldCharacter(character: string): string {
  // Hangul syllables decompose into several letters.
  const base = /[\uac00-\ud7a3]/.test(character) ? character : character.normalize("NFD").charAt(0);
  const lower = base.toLowerCase();
  return lower.length === 1 ? lower : character;
}

const digitBit = 26;
const wideBit = 31;

/**
 * Returns the set of characters as bits: one for each letter, one for two digits each, the sign for what is not ASCII.
 * Punctuation has none: it is in nearly all paths.
 */
export function letterSet(folded: string, start = 0, end = folded.length): number {
  let set = 0;
  for (let at = start; at < end; at += 1) {
    const code = folded.charCodeAt(at);
    set |= setOf(code);
    if (isHan(code)) set |= setOf(hanInitial(code));
  }
  return set;
}

/** The set of one character, 0 = it is not counted. */
function setOf(code: number): number {
  if (code >= 97 && code <= 122) return 1 << (code - 97);
  if (code >= 48 && code <= 57) return 1 << (digitBit + ((code - 48) >> 1));
  return code < 128 ? 0 : 1 << wideBit;
}

/** Whether all characters of a set are ASCII. */
const isAsciiSet = (letters: number): boolean => letters >= 0;

/** Returns whether a match that ends at `end` is a whole name, or one without its extension. */
export const isWholeName = (folded: string, end: number): boolean =>
  end === folded.length || (folded.charCodeAt(end) === 46 && !folded.includes("/", end));

/** Returns whether the letters of the term start words of the text, in order. */
export function hasInitials(term: string, text: string, folded: string, start: number): boolean {
  let next = 0;
  for (let at = start; at < text.length && next < term.length; at += 1)
    if (isEqual(term.charCodeAt(next), folded.charCodeAt(at)) && isWordStart(text, at)) next += 1;
  return next === term.length;
}

/** Returns whether the letters of the term occur in the text, in order. `letters` = the set of the text. */
export function hasLetters(term: string, folded: string, start: number, letters: number): boolean {
  if (!isAsciiSet(letters)) return hasWideLetters(term, folded, start);
  let at = start;
  for (let next = 0; next < term.length; next += 1) {
    at = folded.indexOf(term.charAt(next), at) + 1;
    if (at === 0) return false;
  }
  return true;
}

function hasWideLetters(term: string, folded: string, start: number): boolean {
  let next = 0;
  for (let at = start; at < folded.length && next < term.length; at += 1)
    if (isEqual(term.charCodeAt(next), folded.charCodeAt(at))) next += 1;
  return next === term.length;
}

const isEqual = (typed: number, code: number): boolean =>
  typed === code || (code > 127 && isHan(code) && hanInitial(code) === typed);

const isUpper = (code: number): boolean => code >= 65 && code <= 90;
const isLower = (code: number): boolean => code >= 97 && code <= 122;
const isDigit = (code: number): boolean => code >= 48 && code <= 57;
const isSeparator = (code: number): boolean => code < 128 && !isUpper(code) && !isLower(code) && !isDigit(code);

/** Returns whether a word starts at the character: after a separator, at a camel hump, at a first digit. */
export function isWordStart(text: string, at: number): boolean {
  if (at === 0) return true;
  const before = text.charCodeAt(at - 1);
  const code = text.charCodeAt(at);
  if (isSeparator(before)) return true;
  if (isUpper(code)) return !isUpper(before) || isLower(text.charCodeAt(at + 1));
  return (isDigit(code) && !isDigit(before)) || isHan(code);
}

const matchPoints = 16;
const adjacentPoints = 8;
const wordStartPoints = 9;
const segmentStartPoints = 10;
const gapStartPoints = -4;
const gapPoints = -1;
/** Points of each letter that is found in the last segment. */
const namePoints = 6;
const wholeNamePoints = 12;
/** Points of a whole name that is followed by more than an extension, such as `.test.ts`. */
const wholeNameWithSuffixPoints = 6;
const impossible = -1_000_000;

/** Returns score and positions; null if a term does not match. An empty query matches everything with score 0. */
export function fuzzyMatch(query: FuzzyQuery, { text, folded, letters }: FuzzyText): FuzzyMatch | null {
  const positions = new Set<number>();
  let score = 0;
  const nameStart = folded.lastIndexOf("/") + 1;
  for (const term of query.terms) {
    if ((term.letters & letters) !== term.letters) return null;
    const inName = term.folded.includes("/") ? null : alignTerm(term.folded, { text, folded, letters }, nameStart);
    const found = inName ?? alignTerm(term.folded, { text, folded, letters }, 0);
    if (found === null) return null;
    score += found.score;
    if (inName !== null) {
      score += namePoints * term.folded.length;
      const [first] = found.positions;
      const end = nameStart + term.folded.length;
      if (first === nameStart && isWholeName(folded, end))
        score += folded.includes(".", end + 1) ? wholeNameWithSuffixPoints : wholeNamePoints;
    }
    for (const position of found.positions) positions.add(position);
  }
  return { score, positions: [...positions].sort((a, b) => a - b) };
}

/** Returns the best alignment of a term with the text from `start`; null if the letters do not occur in order. */
function alignTerm(term: string, { text, folded, letters }: FuzzyText, start: number): FuzzyMatch | null {
  if (!hasLetters(term, folded, start, letters)) return null;
  const width = folded.length - start;
  /** Best score with letter `row` at `column`, and the column of the letter before. */
  const scores = new Int32Array(term.length * width).fill(impossible);
  const previous = new Int32Array(term.length * width);
  for (let row = 0; row < term.length; row += 1) {
    const letter = term.charCodeAt(row);
    let bestBefore = impossible;
    let bestColumn = -1;
    for (let column = row; column < width; column += 1) {
      const above = (row - 1) * width + column;
      // The letter before is at least two columns away: a gap.
      if (row > 0 && column > 1) {
        const candidate = scores[above - 2] ?? impossible;
        bestBefore += gapPoints;
        if (candidate + gapStartPoints > bestBefore) {
          bestBefore = candidate + gapStartPoints;
          bestColumn = column - 2;
        }
      }
      if (!isEqual(letter, folded.charCodeAt(start + column))) continue;
      const points = matchPoints + startPoints(text, start + column) * (row === 0 ? 2 : 1);
      const adjacent = row === 0 ? 0 : (scores[above - 1] ?? impossible) + adjacentPoints;
      const isAdjacent = row === 0 || adjacent >= bestBefore;
      scores[row * width + column] = points + (isAdjacent ? adjacent : bestBefore);
      previous[row * width + column] = isAdjacent ? column - 1 : bestColumn;
    }
  }
  return readAlignment(scores, previous, term.length, width, start);
}

const startPoints = (text: string, at: number): number => {
  if (at === 0 || text.charCodeAt(at - 1) === 47) return segmentStartPoints;
  return isWordStart(text, at) ? wordStartPoints : 0;
};

function readAlignment(
  scores: Int32Array,
  previous: Int32Array,
  rows: number,
  width: number,
  start: number,
): FuzzyMatch | null {
  const last = (rows - 1) * width;
  let end = -1;
  let score = impossible / 2;
  for (let column = 0; column < width; column += 1) {
    const candidate = scores[last + column] ?? impossible;
    if (candidate > score) {
      score = candidate;
      end = column;
    }
  }
  if (end < 0) return null;
  const positions: number[] = [];
  for (let row = rows - 1, column = end; row >= 0; row -= 1) {
    positions.push(start + column);
    column = previous[row * width + column] ?? 0;
  }
  return { score, positions: positions.reverse() };
}
