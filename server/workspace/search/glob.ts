/** Matches glob patterns against project paths without regular expressions, so that no pattern is slow. */
import { expandBraces, listBraceChoices } from "@/server/base/braces";
import { matchWithStars } from "@/server/base/wildcard";

type GlobPart =
  | { readonly kind: "char"; readonly char: string }
  | { readonly kind: "any" }
  | { readonly kind: "star" }
  | { readonly kind: "class"; readonly negated: boolean; readonly ranges: readonly (readonly [string, string])[] };

type GlobComponent = "**" | readonly GlobPart[];

const maxAlternatives = 256;
/**
 * Total length of all alternatives; every path is compared with each. Beyond it, or beyond `maxAlternatives`, braces
 * are literal text.
 */
const maxAlternativeChars = 8_192;
/** Longer patterns match nothing: no path is longer either. */
const maxPatternChars = 4_096;

/**
 * Returns a predicate for paths (forward slashes, relative to the searched folder). `*` and `?` stay within one
 * component, `**` spans any number, `{a,b}` and `[a-z]` work as in a shell, `\\` escapes the next character, a
 * leading `!` negates. A pattern without a slash matches at any depth. Case-sensitive.
 */
export function makeGlob(pattern: string): (path: string) => boolean {
  if (pattern.length > maxPatternChars) return () => false;
  const negated = pattern.startsWith("!");
  const plain = negated ? pattern.slice(1) : pattern;
  const expanded = expandBraces(plain, listBraceChoices, { maxWords: maxAlternatives }) ?? [plain];
  const isBounded = expanded.reduce((sum, one) => sum + one.length, 0) <= maxAlternativeChars;
  const alternatives = (isBounded ? expanded : [plain]).map(parseGlob);
  return (path) => {
    const names = path.split("/").map((name) => [...name]);
    const matches = alternatives.some((components) =>
      matchWithStars(
        components,
        names,
        (component, name) => component !== "**" && matchWithStars(component, name, matchesChar, isStarPart),
        isAnyDepth,
      ),
    );
    return matches !== negated;
  };
}

function parseGlob(pattern: string): readonly GlobComponent[] {
  const plain = pattern.replace(/^(?:\.?\/)+/, "");
  const names = plain.split("/");
  const anchored = names.length > 1 || pattern !== plain;
  const components = (anchored ? names : ["**", ...names]).filter((name) => name !== "");
  // A trailing slash matches everything in the folder.
  if (plain.endsWith("/")) components.push("**");
  return components.map((name) => (name === "**" ? name : parseComponent(name)));
}

function parseComponent(name: string): readonly GlobPart[] {
  const chars = [...name];
  const found: GlobPart[] = [];
  for (let at = 0; at < chars.length; at += 1) {
    const char = chars[at] ?? "";
    const set = char === "[" ? parseClassAt(chars, at) : null;
    if (set !== null) {
      found.push(set.piece);
      at = set.end;
    } else if (char === "*") {
      if (found.at(-1)?.kind !== "star") found.push({ kind: "star" });
    } else if (char === "?") {
      found.push({ kind: "any" });
    } else {
      if (char === "\\" && at + 1 < chars.length) at += 1;
      found.push({ kind: "char", char: chars[at] ?? "" });
    }
  }
  return found;
}

/** Parses `[a-z]` or `[!a-z]` at `start`; null if it is not closed: then the bracket is a literal character. */
function parseClassAt(
  chars: readonly string[],
  start: number,
): { readonly piece: GlobPart; readonly end: number } | null {
  const negated = chars[start + 1] === "!" || chars[start + 1] === "^";
  const first = start + (negated ? 2 : 1);
  const end = chars.indexOf("]", first + 1);
  if (end === -1) return null;
  const ranges: (readonly [string, string])[] = [];
  for (let at = first; at < end; at += 1) {
    const from = chars[at] ?? "";
    const isRange = chars[at + 1] === "-" && at + 2 < end;
    ranges.push([from, isRange ? (chars[at + 2] ?? "") : from]);
    if (isRange) at += 2;
  }
  return { piece: { kind: "class", negated, ranges }, end };
}

const isStarPart = (piece: GlobPart): boolean => piece.kind === "star";

function matchesChar(piece: GlobPart, char: string): boolean {
  switch (piece.kind) {
    case "char":
      return piece.char === char;
    case "any":
      return true;
    case "star":
      return false;
    case "class":
      return piece.ranges.some(([from, to]) => from <= char && char <= to) !== piece.negated;
  }
}

const isAnyDepth = (part: GlobComponent): boolean => part === "**";
