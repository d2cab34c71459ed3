/**
 * Expands an unquoted glob or brace of a command. Bash's result depends on its version, options and locale, so the
 * result is "maybe" where they differ: the judged set is never smaller than the set bash would open.
 */
import { expandBraces, listBraceChoices } from "@/server/base/braces";
import {
  type WildcardAtom,
  atomMatches,
  type CharacterClass,
  classContains,
  matchAtoms,
  literalText,
  wildcardAtoms,
} from "@/server/base/wildcard";

type Certainty = "yes" | "maybe" | "no";

/** One component of a glob: the literal text it names, or a test for names. */
type ShellComponent =
  | { readonly kind: "plain"; readonly text: string }
  | { readonly kind: "wild"; match(name: string): Certainty };

/** Compiles a component, in which quoted characters follow a backslash; it contains no slash. */
export function shellComponent(component: string): ShellComponent {
  const atoms = wildcardAtoms(component);
  const text = literalText(atoms);
  if (text !== null) return { kind: "plain", text };
  const bytes = wildcardAtoms(latin1Bytes(component));
  return { kind: "wild", match: (name) => leastCertain(matchLeadingDot(atoms, name), matchName(atoms, bytes, name)) };
}

/** Matches without the rule for hidden names: for a name whose middle is only known at run time. */
export function mayMatch(component: string, name: string): boolean {
  return matchName(wildcardAtoms(component), wildcardAtoms(latin1Bytes(component)), name) !== "no";
}

/** Under a byte locale `?` matches one byte, so a name beyond ASCII is tried both ways. */
const latin1Bytes = (text: string): string => Buffer.from(text).toString("latin1");

const isAscii = (text: string): boolean => /^[\0-\x7f]*$/.test(text);

const leastCertain = (a: Certainty, b: Certainty): Certainty => (a === "no" || b === "no" ? "no" : a === "yes" ? b : a);

/** A hidden name needs its dot written out. A class with a dot matches it in some shells only. */
function matchLeadingDot([first]: readonly WildcardAtom[], name: string): Certainty {
  if (!name.startsWith(".")) return "yes";
  if (first?.kind === "char") return name === "." || name === ".." ? "maybe" : "yes";
  return first?.kind === "class" && classMayMatch(first, ".") ? "maybe" : "no";
}

function matchName(atoms: readonly WildcardAtom[], bytes: readonly WildcardAtom[], name: string): Certainty {
  // U+FFFD: the name's bytes are not valid text, so only its beginning is known.
  if (name.includes("\uFFFD")) return "maybe";
  const chars = [...name];
  if (matchAtoms(atoms, chars, matchesCertainly)) return "yes";
  if (matchAtoms(atoms, chars, matchesPossibly)) return "maybe";
  return !isAscii(name) && matchAtoms(bytes, [...latin1Bytes(name)], matchesPossibly) ? "maybe" : "no";
}

/**
 * Case matters only on some disks and under some options: the other case counts as certain too, since one name too
 * many does no harm.
 */
const caseVariants = (char: string): readonly string[] => [char, char.toLowerCase(), char.toUpperCase()];

const matchesCertainly = (atom: WildcardAtom, char: string): boolean => {
  if (atom.kind === "char") return caseVariants(char).includes(atom.char);
  if (atom.kind === "class")
    return isPlainClass(atom) && isAscii(char) && caseVariants(char).some((one) => atomMatches(atom, one));
  return true;
};

const matchesPossibly = (atom: WildcardAtom, char: string): boolean =>
  atom.kind === "class" ? classMayMatch(atom, char) : matchesCertainly(atom, char);

const classMayMatch = (atom: CharacterClass, char: string): boolean =>
  !isPlainClass(atom) || !isAscii(char) || caseVariants(char).some((one) => classContains(atom, one));

/** A class of letters, digits and characters that mean themselves: the same under every locale. */
const isPlainClass = ({ ranges, named }: CharacterClass): boolean =>
  named.every((name) => /^[a-z]+$/.test(name)) &&
  ranges.every(([from, to]) => from === to || /^(?:[a-z][a-z]|[A-Z][A-Z]|[0-9][0-9])$/.test(from + to));

const maxBraceWords = 500;
const maxSequenceLength = 200;

/**
 * Expands braces, in the form of `Word.pattern`: quoted characters follow a backslash. Null when there are too many
 * words. `unknown` replaces a long sequence of numbers.
 */
export const braceExpansion = (pattern: string, unknown: string): readonly string[] | null =>
  expandBraces(pattern, (inside, commas) => listBraceChoices(inside, commas) ?? expandSequence(inside, unknown), {
    maxWords: maxBraceWords,
  });

/** Expands `{a..f}` and `{1..9}`. */
function expandSequence(inside: string, unknown: string): readonly string[] | null {
  const letters = /^([A-Za-z])\.\.([A-Za-z])(?:\.\.[-+]?\d+)?$/.exec(inside);
  if (letters !== null) return charactersBetween(letters[1] ?? "", letters[2] ?? "");
  const numbers = /^([-+]?\d+)\.\.([-+]?\d+)(?:\.\.[-+]?\d+)?$/.exec(inside);
  if (numbers === null) return null;
  const [low, high] = [Number(numbers[1]), Number(numbers[2])].toSorted((a, b) => a - b);
  if (low === undefined || high === undefined || high - low >= maxSequenceLength || /^[-+]?0\d/.test(inside))
    return [unknown];
  return Array.from({ length: high - low + 1 }, (_, index) => String(low + index));
}

/** Returns the characters between two letters, escaped: `{Z..a}` contains characters with a meaning in globs. */
function charactersBetween(from: string, to: string): readonly string[] {
  const [low = 0, high = 0] = [from.charCodeAt(0), to.charCodeAt(0)].toSorted((a, b) => a - b);
  return Array.from({ length: high - low + 1 }, (_, index) => `\\${String.fromCharCode(low + index)}`);
}
