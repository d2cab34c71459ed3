/**
 * Determines whether a word of a command names something protected, in any spelling: quotes, braces, globs, variables.
 */
import { homedir } from "node:os";
import { posix } from "node:path";
import type { FsProbe } from "../paths/fs-probe";
import { isProtectedName, isProtectedPath, type PathPolicy } from "../paths/safe-path";
import { braceExpansion, mayMatch, shellComponent } from "../shell/shell-glob";
import { unknownPart, type Word } from "../shell/shell-words";

/** The context in which a word is judged. */
interface WordContext {
  readonly policy: PathPolicy;
  readonly probe: FsProbe;
  /** Null when the folder in which the command runs is not known. */
  readonly cwd: string | null;
}

/** unsure = it may name something protected, as far as can be read. */
export type WordProtection =
  | { readonly kind: "protected"; readonly detail: string }
  | { readonly kind: "unsure" }
  | { readonly kind: "none" };

const unprotected: WordProtection = { kind: "none" };
const maybeProtected: WordProtection = { kind: "unsure" };

/**
 * Judges one word. `exact`: the word as a whole is a path; otherwise part of it may be one (`--file=x`, `@x`, `a:x`).
 */
export function wordProtection(word: Word, place: WordContext, exact: boolean): WordProtection {
  if (word.literal && !word.glob) return literalProtection(word, place, exact);
  const patterns = word.braces ? braceExpansion(word.pattern, unknownPart) : [word.pattern];
  if (patterns === null) return maybeProtected;
  let worst: WordProtection = unprotected;
  for (const pattern of patterns) {
    const found = patternProtection(pattern, word, place, exact);
    if (found.kind === "protected") return found;
    if (found.kind === "unsure") worst = found;
  }
  return worst;
}

function literalProtection(word: Word, place: WordContext, exact: boolean): WordProtection {
  const { policy } = place;
  if (exact) return locatesProtected(operandText(word), place) ? { kind: "protected", detail: word.text } : unprotected;
  if (/\s/.test(word.text))
    return hasProtectedComponent(word.text, policy) ? { kind: "protected", detail: word.text } : unprotected;
  const detail = possiblePaths(word).find((text) => locatesProtected(text, place));
  return detail === undefined ? unprotected : { kind: "protected", detail };
}

function locatesProtected(text: string, { policy, probe, cwd }: WordContext): boolean {
  return text !== "" && probe.locate(text, cwd ?? policy.root).kind === "protected";
}

/** Words with blanks are mostly prose, so only a whole component counts. */
const hasProtectedComponent = (text: string, policy: PathPolicy): boolean =>
  text.includes("/") && text.split("/").some((part) => !/\s/.test(part) && isProtectedName(part, policy));

/** Returns the operand as a path: a quoted `~` is a plain character. */
export const operandText = (word: Word): string =>
  word.text.startsWith("~") && !word.tilde ? `./${word.text}` : word.text;

/** Returns the ways a word of an unknown program may name a file: itself, `--x=file`, `-Xfile`, `@file`, `a:file`. */
export function possiblePaths(word: Word): readonly string[] {
  const option = /^-[A-Za-z](.+)$/s.exec(word.text)?.[1];
  const parts = word.text.split(/[=:,]/).flatMap((part) => [part, part.replace(/^@/, "")]);
  const all = [operandText(word), ...(option === undefined ? [] : [option, option.replace(/^@/, "")]), ...parts];
  return [...new Set(all)];
}

function patternProtection(pattern: string, word: Word, place: WordContext, exact: boolean): WordProtection {
  if (pattern.includes(unknownPart)) return partialWordProtection(pattern, word, place.policy);
  const components = pattern.split("/").map(shellComponent);
  if (components.every((component) => component.kind === "plain")) {
    const text = components.map((component) => (component.kind === "plain" ? component.text : "")).join("/");
    return literalProtection({ ...word, text, literal: true, glob: false }, place, exact);
  }
  const { policy, probe, cwd } = place;
  if (cwd === null) return partialWordProtection(pattern, word, policy);
  const names = probe.expand(expandTildePattern(pattern, word), cwd);
  if (names === null)
    return startsOutside(pattern, word, place) ? outsideProtection(pattern, word, policy) : maybeProtected;
  let worst: WordProtection = unprotected;
  const folder = posix.relative(policy.root, cwd);
  for (const { text, certain, unlinked } of names) {
    // Most names can be judged without access to the disk.
    const isProtected = unlinked
      ? isProtectedPath(posix.join(folder, text), policy)
      : locatesProtected(text.startsWith("~") ? `./${text}` : text, place);
    if (isProtected && certain) return { kind: "protected", detail: text };
    if (isProtected) worst = maybeProtected;
  }
  return worst;
}

/** Returns whether the folder of the first wildcard is outside the project: what is there is not read. */
function startsOutside(pattern: string, word: Word, { probe, cwd, policy }: WordContext): boolean {
  const components = expandTildePattern(pattern, word).split("/");
  const wild = components.findIndex((component) => shellComponent(component).kind === "wild");
  const folder = components
    .slice(0, wild)
    .join("/")
    .replace(/\\([\s\S])/g, "$1");
  return probe.locate(wild === 1 && folder === "" ? "/" : folder || ".", cwd ?? policy.root).kind === "outside";
}

/** Judges by the components, some of which may lead back into the project or into the program's own home. */
function outsideProtection(pattern: string, word: Word, policy: PathPolicy): WordProtection {
  const found = partialWordProtection(pattern, word, { ...policy, protectedNames: [] });
  return found.kind === "none" ? unprotected : maybeProtected;
}

/** Returns the pattern with the home folder in place of an unquoted `~`. */
export const expandTildePattern = (pattern: string, word: Word): string =>
  word.tilde ? pattern.replace(/^~/, homedir().replace(/[^/]/gu, "\\$&")) : pattern;

/** Names that are protected in every project, for patterns whose folder is not known. */
const alwaysProtected = [".env", ".env.local", ".git"] as const;

/**
 * Judges a word made partly at run time: complete components as they are, the others by their prefix. `$x` alone may
 * be anything and is not judged.
 */
function partialWordProtection(pattern: string, word: Word, policy: PathPolicy): WordProtection {
  const wanted = [...alwaysProtected, ...policy.protectedNames.filter((name) => !name.includes("*"))];
  const homes = (policy.privateRoots ?? []).map((place) => posix.basename(place).toLowerCase());
  let worst: WordProtection = unprotected;
  for (const part of pattern.split("/")) {
    const isKnown = !part.includes(unknownPart);
    const component = shellComponent(part);
    if (isKnown && component.kind === "plain") {
      // `$HOME/.gopi-web`: the program's own home, whatever its name is.
      if (homes.includes(component.text.toLowerCase())) worst = maybeProtected;
      if (isProtectedName(component.text, policy))
        return { kind: "protected", detail: word.text.replaceAll(unknownPart, "…") };
    } else if (isKnown && component.kind === "wild") {
      if (wanted.some((name) => component.match(name) !== "no")) worst = maybeProtected;
    } else {
      // The unknown part may be empty, or the beginning of a hidden name.
      const texts = part.startsWith("-") ? part.split(/[=:,@]/).slice(1) : [part, ...part.split(/[=:,@]/)];
      const named = texts.filter((text) => text.replaceAll(unknownPart, "") !== "");
      if (named.some((text) => wanted.some((name) => mayMatch(text.replaceAll(unknownPart, "*"), name))))
        worst = maybeProtected;
    }
  }
  return worst;
}
