/** Matches glob patterns against project paths without regular expressions, so that no pattern is slow. */
import { expandBraces, listBraceChoices } from "@/server/base/braces";
import { matchAtoms, matchWithStars, type WildcardAtom, wildcardAtoms } from "@/server/base/wildcard";

type GlobComponent = "**" | readonly WildcardAtom[];

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
        (component, name) => component !== "**" && matchAtoms(component, name),
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
  return components.map((name) => (name === "**" ? name : wildcardAtoms(name)));
}

const isAnyDepth = (part: GlobComponent): boolean => part === "**";
