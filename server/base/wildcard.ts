/**
 * Wildcard patterns of one path component: `*`, `?`, `[a-z]` and `\x`. No regular expressions: a match takes at most
 * pattern × name steps for any pattern.
 */

export type WildcardAtom =
  | { readonly kind: "char"; readonly char: string }
  | { readonly kind: "any" }
  | { readonly kind: "star" }
  | CharacterClass;

export interface CharacterClass {
  readonly kind: "class";
  readonly negated: boolean;
  readonly ranges: readonly (readonly [string, string])[];
  /** POSIX classes by name (`alpha`), and equivalence classes and collating symbols (`=e=`, `.x.`). */
  readonly named: readonly string[];
}

/** Maximum characters scanned for unclosed brackets; a name has at most 255. */
const maxUnclosedBracketSteps = 20_000;

/**
 * Parses a pattern into atoms. An unclosed bracket is a literal character, as is a trailing backslash. After too many
 * unclosed brackets, each further one becomes a star: more names may match, never fewer.
 */
export function wildcardAtoms(pattern: string): readonly WildcardAtom[] {
  const chars = [...pattern];
  const atoms: WildcardAtom[] = [];
  const lastClose = chars.lastIndexOf("]");
  let vain = 0;
  for (let at = 0; at < chars.length; at += 1) {
    const char = chars[at] ?? "";
    const isOpen = char === "[" && at + 1 < lastClose;
    if (isOpen && vain > maxUnclosedBracketSteps) {
      if (atoms.at(-1)?.kind !== "star") atoms.push({ kind: "star" });
      continue;
    }
    const set = isOpen ? parseClass(chars, at) : null;
    if (isOpen && set === null) vain += lastClose - at;
    if (set !== null) {
      atoms.push(set.atom);
      at = set.end;
    } else if (char === "*") {
      if (atoms.at(-1)?.kind !== "star") atoms.push({ kind: "star" });
    } else if (char === "?") {
      atoms.push({ kind: "any" });
    } else {
      if (char === "\\" && at + 1 < chars.length) at += 1;
      atoms.push({ kind: "char", char: chars[at] ?? "" });
    }
  }
  return atoms;
}

/** Returns the text of atoms without wildcards; null if there is a wildcard. */
export function literalText(atoms: readonly WildcardAtom[]): string | null {
  let text = "";
  for (const atom of atoms) {
    if (atom.kind !== "char") return null;
    text += atom.char;
  }
  return text;
}

function parseClass(
  chars: readonly string[],
  start: number,
): { readonly atom: CharacterClass; readonly end: number } | null {
  const negated = chars[start + 1] === "!" || chars[start + 1] === "^";
  const first = start + (negated ? 2 : 1);
  const ranges: (readonly [string, string])[] = [];
  const named: string[] = [];
  for (let at = first; at < chars.length; at += 1) {
    const char = chars[at] ?? "";
    if (char === "]" && at > first) return { atom: { kind: "class", negated, ranges, named }, end: at };
    if (char === "/") return null;
    const name = char === "[" ? parseNamedClass(chars, at) : null;
    if (name !== null) {
      named.push(name.text);
      at = name.end;
      continue;
    }
    if (char === "\\" && at + 1 < chars.length) at += 1;
    const from = chars[at] ?? "";
    if (chars[at + 1] !== "-" || chars[at + 2] === "]" || at + 2 >= chars.length) {
      ranges.push([from, from]);
      continue;
    }
    at += 2;
    if (chars[at] === "\\" && at + 1 < chars.length) at += 1;
    ranges.push([from, chars[at] ?? ""]);
  }
  return null;
}

/** Parses `[:alpha:]`, `[=e=]` or `[.x.]` inside a class; the longest POSIX name has 6 letters. */
function parseNamedClass(
  chars: readonly string[],
  start: number,
): { readonly text: string; readonly end: number } | null {
  const sign = chars[start + 1] ?? "";
  if (sign !== ":" && sign !== "=" && sign !== ".") return null;
  for (let end = start + 2; end < Math.min(chars.length, start + 20); end += 1) {
    if (chars[end] !== sign || chars[end + 1] !== "]") continue;
    const name = chars.slice(start + 2, end).join("");
    return { text: sign === ":" ? name : `${sign}${name}${sign}`, end: end + 1 };
  }
  return null;
}

const posixClasses: Readonly<Record<string, RegExp>> = {
  alpha: /^[A-Za-z]$/,
  digit: /^[0-9]$/,
  alnum: /^[A-Za-z0-9]$/,
  upper: /^[A-Z]$/,
  lower: /^[a-z]$/,
  punct: /^[!-/:-@[-`{-~]$/,
  space: /^[ \t-\r]$/,
  blank: /^[ \t]$/,
  cntrl: /^[\0-\x1f\x7f]$/,
  graph: /^[!-~]$/,
  print: /^[ -~]$/,
  xdigit: /^[0-9A-Fa-f]$/,
  word: /^\w$/,
};

/** True if the class contains the character; ranges are by code point. */
export function classContains({ negated, ranges, named }: CharacterClass, char: string): boolean {
  const code = char.codePointAt(0) ?? 0;
  const has =
    ranges.some(([from, to]) => (from.codePointAt(0) ?? 0) <= code && code <= (to.codePointAt(0) ?? 0)) ||
    named.some((name) => Object.hasOwn(posixClasses, name) && posixClasses[name]?.test(char) === true);
  return has !== negated;
}

/** True if the atom, which is not a star, matches the character. */
type AtomMatcher = (atom: WildcardAtom, char: string) => boolean;

/** Exact, case-sensitive match. */
export const atomMatches: AtomMatcher = (atom, char) =>
  atom.kind === "any" ||
  (atom.kind === "char" && atom.char === char) ||
  (atom.kind === "class" && classContains(atom, char));

/** True if the atoms match the whole name. */
export function matchAtoms(
  atoms: readonly WildcardAtom[],
  name: readonly string[],
  fits: AtomMatcher = atomMatches,
): boolean {
  // Such a pattern needs more characters than the name has; this bounds the work for long patterns.
  if (atoms.length > name.length * 2 + 1) return false;
  return matchWithStars(atoms, name, fits, isStar);
}

const isStar = (atom: WildcardAtom): boolean => atom.kind === "star";

/** Wildcard match that backtracks only to the last star: at most pattern × subject calls of `fits`. */
export function matchWithStars<P, S>(
  pattern: readonly P[],
  subject: readonly S[],
  fits: (pattern: P, subject: S) => boolean,
  isWild: (pattern: P) => boolean,
): boolean {
  let at = 0;
  let starAt = -1;
  let resumeAt = 0;
  for (let position = 0; position < subject.length; ) {
    const part = pattern[at];
    const item = subject[position];
    if (part !== undefined && isWild(part)) {
      starAt = at;
      resumeAt = position;
      at += 1;
    } else if (part !== undefined && item !== undefined && fits(part, item)) {
      at += 1;
      position += 1;
    } else if (starAt !== -1) {
      resumeAt += 1;
      position = resumeAt;
      at = starAt + 1;
    } else {
      return false;
    }
  }
  return pattern.slice(at).every(isWild);
}
