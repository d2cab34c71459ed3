/**
 * Determines whether a word of a command names something protected, in any spelling: quotes, braces, globs, variables.
 */
import { homedir } from "node:os";
import { posix } from "node:path";
import type { Look } from "./look";
import { isProtectedName, isProtectedPath, type PathPolicy } from "./paths";
import { braceExpansion, shellComponent } from "./shell-glob";
import { unknownPart, type Word } from "./shell-words";

/** The context in which a word is judged. */
export interface WordPlace {
  readonly policy: PathPolicy;
  readonly look: Look;
  /** Null when the folder in which the command runs is not known. */
  readonly cwd: string | null;
}

/** unsure = it may name something protected, as far as can be read. */
export type WordProtection =
  | { readonly kind: "protected"; readonly detail: string }
  | { readonly kind: "unsure" }
  | { readonly kind: "none" };

const none: WordProtection = { kind: "none" };
const unsure: WordProtection = { kind: "unsure" };

/**
 * Judges one word. `exact`: the word as a whole is a path; otherwise part of it may be one (`--file=x`, `@x`, `a:x`).
 */
export function wordProtection(word: Word, place: WordPlace, exact: boolean): WordProtection {
  if (word.literal && !word.glob) return plainProtection(word, place, exact);
  const patterns = word.braces ? braceExpansion(word.pattern, unknownPart) : [word.pattern];
  if (patterns === null) return unsure;
  let worst: WordProtection = none;
  for (const pattern of patterns) {
    const found = patternProtection(pattern, word, place, exact);
    if (found.kind === "protected") return found;
    if (found.kind === "unsure") worst = found;
  }
  return worst;
}

function plainProtection(word: Word, place: WordPlace, exact: boolean): WordProtection {
  const { policy } = place;
  if (exact) return leadsToProtected(operandText(word), place) ? { kind: "protected", detail: word.text } : none;
  if (/\s/.test(word.text)) return namesProtected(word.text, policy) ? { kind: "protected", detail: word.text } : none;
  const detail = candidates(word).find((text) => leadsToProtected(text, place));
  return detail === undefined ? none : { kind: "protected", detail };
}

function leadsToProtected(text: string, { policy, look, cwd }: WordPlace): boolean {
  return text !== "" && look.place(text, cwd ?? policy.root).kind === "protected";
}

/** Words with blanks are mostly prose, so only a whole component counts. */
const namesProtected = (text: string, policy: PathPolicy): boolean =>
  text.includes("/") && text.split("/").some((part) => !/\s/.test(part) && isProtectedName(part, policy));

/** Returns the operand as a path: a quoted `~` is a plain character. */
export const operandText = (word: Word): string =>
  word.text.startsWith("~") && !word.tilde ? `./${word.text}` : word.text;

/** Returns the ways a word of an unknown program may name a file: itself, `--x=file`, `-Xfile`, `@file`, `a:file`. */
export function candidates(word: Word): readonly string[] {
  const option = /^-[A-Za-z](.+)$/s.exec(word.text)?.[1];
  const parts = word.text.split(/[=:,]/).flatMap((part) => [part, part.replace(/^@/, "")]);
  const all = [operandText(word), ...(option === undefined ? [] : [option, option.replace(/^@/, "")]), ...parts];
  return [...new Set(all)];
}

function patternProtection(pattern: string, word: Word, place: WordPlace, exact: boolean): WordProtection {
  if (pattern.includes(unknownPart)) return partlyKnown(pattern, word, place.policy);
  const components = pattern.split("/").map(shellComponent);
  if (components.every((component) => component.kind === "plain")) {
    const text = components.map((component) => (component.kind === "plain" ? component.text : "")).join("/");
    return plainProtection({ ...word, text, literal: true, glob: false }, place, exact);
  }
  const { policy, look, cwd } = place;
  if (cwd === null) return partlyKnown(pattern, word, policy);
  const names = look.expand(globPattern(pattern, word), cwd);
  if (names === null) return unsure;
  let worst: WordProtection = none;
  const folder = posix.relative(policy.root, cwd);
  for (const { text, sure, plain } of names) {
    // Most names can be judged without access to the disk.
    const isProtected = plain
      ? isProtectedPath(posix.join(folder, text), policy)
      : leadsToProtected(text.startsWith("~") ? `./${text}` : text, place);
    if (isProtected && sure) return { kind: "protected", detail: text };
    if (isProtected) worst = unsure;
  }
  return worst;
}

/** Returns the pattern with the home folder in place of an unquoted `~`. */
export const globPattern = (pattern: string, word: Word): string =>
  word.tilde ? pattern.replace(/^~/, homedir().replace(/[^/]/gu, "\\$&")) : pattern;

/** Names that are protected in every project, for patterns whose folder is not known. */
const alwaysProtected = [".env", ".env.local", ".git"] as const;

/**
 * Judges a word made partly at run time: complete components as they are, the others by their prefix. `$x` alone may
 * be anything and is not judged.
 */
function partlyKnown(pattern: string, word: Word, policy: PathPolicy): WordProtection {
  const wanted = [...alwaysProtected, ...policy.protectedNames.filter((name) => !name.includes("*"))];
  const homes = (policy.privatePlaces ?? []).map((place) => posix.basename(place).toLowerCase());
  let worst: WordProtection = none;
  for (const part of pattern.split("/")) {
    const isKnown = !part.includes(unknownPart);
    const component = shellComponent(part);
    if (isKnown && component.kind === "plain") {
      // `$HOME/.gopi-web`: the program's own home, whatever its name is.
      if (homes.includes(component.text.toLowerCase())) worst = unsure;
      if (isProtectedName(component.text, policy))
        return { kind: "protected", detail: word.text.replaceAll(unknownPart, "…") };
    } else if (isKnown && component.kind === "wild") {
      if (wanted.some((name) => component.match(name) !== "no")) worst = unsure;
    } else if (!part.startsWith(unknownPart) && !part.startsWith("-")) {
      const open = shellComponent(part.replaceAll(unknownPart, "*"));
      if (open.kind === "wild" && wanted.some((name) => open.match(name) !== "no")) worst = unsure;
    }
  }
  return worst;
}
