/**
 * Expands an unquoted glob or brace of a command. Bash's result depends on its version, options and locale, so the
 * result is "maybe" where they differ: the judged set is never smaller than the set bash would open.
 */
import { expandBraces, listChoices } from "../base/braces";
import {
  type Atom,
  atomFits,
  type CharacterClass,
  classHas,
  matchAtoms,
  plainText,
  wildcardAtoms,
} from "../base/wildcard";

export type Certainty = "yes" | "maybe" | "no";

/** One component of a glob: the literal text it names, or a test for names. */
export type ShellComponent =
  | { readonly kind: "plain"; readonly text: string }
  | { readonly kind: "wild"; match(name: string): Certainty };

/** Compiles a component, in which quoted characters follow a backslash; it contains no slash. */
export function shellComponent(component: string): ShellComponent {
  const atoms = wildcardAtoms(component);
  const text = plainText(atoms);
  if (text !== null) return { kind: "plain", text };
  const bytes = wildcardAtoms(bytesOf(component));
  return { kind: "wild", match: (name) => leastSure(dotRule(atoms, name), matchName(atoms, bytes, name)) };
}

/** Matches without the rule for hidden names: for a name whose middle is only known at run time. */
export function mayBecome(component: string, name: string): boolean {
  return matchName(wildcardAtoms(component), wildcardAtoms(bytesOf(component)), name) !== "no";
}

/** Under a byte locale `?` matches one byte, so a name beyond ASCII is tried both ways. */
const bytesOf = (text: string): string => Buffer.from(text).toString("latin1");

const isAscii = (text: string): boolean => /^[\0-\x7f]*$/.test(text);

const leastSure = (a: Certainty, b: Certainty): Certainty => (a === "no" || b === "no" ? "no" : a === "yes" ? b : a);

/** A hidden name needs its dot written out. A class with a dot matches it in some shells only. */
function dotRule([first]: readonly Atom[], name: string): Certainty {
  if (!name.startsWith(".")) return "yes";
  if (first?.kind === "char") return name === "." || name === ".." ? "maybe" : "yes";
  return first?.kind === "class" && mayTake(first, ".") ? "maybe" : "no";
}

function matchName(atoms: readonly Atom[], bytes: readonly Atom[], name: string): Certainty {
  // U+FFFD: the name's bytes are not valid text, so only its beginning is known.
  if (name.includes("\uFFFD")) return "maybe";
  const chars = [...name];
  if (matchAtoms(atoms, chars, fitsSurely)) return "yes";
  if (matchAtoms(atoms, chars, mayFit)) return "maybe";
  return !isAscii(name) && matchAtoms(bytes, [...bytesOf(name)], mayFit) ? "maybe" : "no";
}

/**
 * Case matters only on some disks and under some options: the other case counts as certain too, since one name too
 * many does no harm.
 */
const cases = (char: string): readonly string[] => [char, char.toLowerCase(), char.toUpperCase()];

const fitsSurely = (atom: Atom, char: string): boolean => {
  if (atom.kind === "char") return cases(char).includes(atom.char);
  if (atom.kind === "class")
    return isPlainClass(atom) && isAscii(char) && cases(char).some((one) => atomFits(atom, one));
  return true;
};

const mayFit = (atom: Atom, char: string): boolean =>
  atom.kind === "class" ? mayTake(atom, char) : fitsSurely(atom, char);

const mayTake = (atom: CharacterClass, char: string): boolean =>
  !isPlainClass(atom) || !isAscii(char) || cases(char).some((one) => classHas(atom, one));

/** A class of letters, digits and characters that mean themselves: the same under every locale. */
const isPlainClass = ({ ranges, named }: CharacterClass): boolean =>
  named.every((name) => /^[a-z]+$/.test(name)) &&
  ranges.every(([from, to]) => from === to || /^(?:[a-z][a-z]|[A-Z][A-Z]|[0-9][0-9])$/.test(from + to));

const maxWords = 500;
const maxSequence = 200;

/**
 * Expands braces, in the form of `Word.pattern`: quoted characters follow a backslash. Null when there are too many
 * words. `unknown` replaces a long sequence of numbers.
 */
export const braceExpansion = (pattern: string, unknown: string): readonly string[] | null =>
  expandBraces(pattern, (inside, commas) => listChoices(inside, commas) ?? sequence(inside, unknown), { maxWords });

/** Expands `{a..f}` and `{1..9}`. */
function sequence(inside: string, unknown: string): readonly string[] | null {
  const letters = /^([A-Za-z])\.\.([A-Za-z])(?:\.\.[-+]?\d+)?$/.exec(inside);
  if (letters !== null) return codesBetween(letters[1] ?? "", letters[2] ?? "");
  const numbers = /^([-+]?\d+)\.\.([-+]?\d+)(?:\.\.[-+]?\d+)?$/.exec(inside);
  if (numbers === null) return null;
  const [low, high] = [Number(numbers[1]), Number(numbers[2])].toSorted((a, b) => a - b);
  if (low === undefined || high === undefined || high - low >= maxSequence || /^[-+]?0\d/.test(inside))
    return [unknown];
  return Array.from({ length: high - low + 1 }, (_, index) => String(low + index));
}

/** Returns the characters between two letters, escaped: `{Z..a}` contains characters with a meaning in globs. */
function codesBetween(from: string, to: string): readonly string[] {
  const [low = 0, high = 0] = [from.charCodeAt(0), to.charCodeAt(0)].toSorted((a, b) => a - b);
  return Array.from({ length: high - low + 1 }, (_, index) => `\\${String.fromCharCode(low + index)}`);
}
