/** Globs of `.editorconfig` sections. No regular expressions: a match takes at most pattern × path steps for any glob. */
import { expandBraces, listBraceChoices } from "@/server/base/braces";
import { atomMatches, type WildcardAtom, wildcardAtoms } from "@/server/base/wildcard";

type GlobPart =
  | WildcardAtom
  /** `**`: any text, with slashes. */
  | { readonly kind: "everything" }
  /** A slash, or a slash, any text and another slash. */
  | { readonly kind: "folders" }
  /** `{-3..10}`: an integer in the range. */
  | { readonly kind: "number"; readonly least: number; readonly most: number };

const maxAlternatives = 256;
/** Longer globs match nothing; the specification allows 1,024 characters. */
const maxGlobChars = 1_024;

/**
 * Returns a predicate for paths with forward slashes, relative to the folder of the `.editorconfig`. A glob without a
 * slash, or after a leading `**` and slash, matches in this folder and in every folder below.
 */
export function makeEditorConfigGlob(glob: string): (path: string) => boolean {
  if (glob.length > maxGlobChars) return () => false;
  const plain = glob.startsWith("/") ? glob.slice(1) : glob;
  const isAnywhere = !glob.includes("/");
  const words = expandBraces(plain, listBraceChoices, { maxWords: maxAlternatives }) ?? [plain];
  const alternatives = words.map((word) => {
    const below = word.replace(/^(?:\*\*\/)+/, "");
    return { parts: parseGlobParts(below), isAnywhere: isAnywhere || below !== word };
  });
  return (path) => {
    const chars = [...path];
    const starts = chars.flatMap((char, index) => (char === "/" ? [index + 1] : []));
    return alternatives.some((one) => matchesFrom(one.parts, chars, one.isAnywhere ? [0, ...starts] : [0]));
  };
}

const specialParts = /(\\[^])|(\/\*\*\/)|(\*\*+)|\{([+-]?\d{1,9})\.\.([+-]?\d{1,9})\}/g;

function parseGlobParts(glob: string): readonly GlobPart[] {
  const parts: GlobPart[] = [];
  let text = "";
  let from = 0;
  for (const found of glob.matchAll(specialParts)) {
    text += glob.slice(from, found.index);
    from = found.index + found[0].length;
    const [all, escaped, folders, everything, low, high] = found;
    if (escaped !== undefined) {
      text += all;
      continue;
    }
    parts.push(...wildcardAtoms(text));
    text = "";
    const [least = 0, most = 0] = [Number(low), Number(high)].toSorted((one, other) => one - other);
    if (folders !== undefined) parts.push({ kind: "folders" });
    else if (everything !== undefined) parts.push({ kind: "everything" });
    else parts.push({ kind: "number", least, most });
  }
  return [...parts, ...wildcardAtoms(text + glob.slice(from))];
}

/** Advances a set of offsets through all parts; true if one of them is the end. */
function matchesFrom(parts: readonly GlobPart[], chars: readonly string[], starts: readonly number[]): boolean {
  let offsets = new Set(starts);
  for (const part of parts) {
    const next = new Set<number>();
    for (const offset of offsets) advance(part, chars, offset, next);
    if (next.size === 0) return false;
    offsets = next;
  }
  return offsets.has(chars.length);
}

/** Adds the offsets at which the part can end when it starts at the offset. */
function advance(part: GlobPart, chars: readonly string[], offset: number, ends: Set<number>): void {
  const char = chars[offset];
  if (part.kind === "star" || part.kind === "everything") {
    // An offset that is already an end has added all later ones.
    for (let end = offset; !ends.has(end); end += 1) {
      ends.add(end);
      if (end === chars.length || (part.kind === "star" && chars[end] === "/")) return;
    }
  } else if (part.kind === "folders") {
    if (char !== "/") return;
    for (let end = offset + 1; end <= chars.length; end += 1) if (chars[end - 1] === "/") ends.add(end);
  } else if (part.kind === "number") {
    const [digits] = /^[+-]?\d{1,9}(?!\d)/.exec(chars.slice(offset, offset + 12).join("")) ?? [];
    if (digits === undefined || /^[+-]?0\d/.test(digits)) return;
    if (part.least <= Number(digits) && Number(digits) <= part.most) ends.add(offset + digits.length);
  } else if (char !== undefined && (char !== "/" || part.kind === "char") && atomMatches(part, char)) {
    ends.add(offset + 1);
  }
}
