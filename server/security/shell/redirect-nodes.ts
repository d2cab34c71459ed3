/** Reads redirects of the bash tree, and the words that bash expands without making arguments of them. */
import type { Node } from "./bash-grammar";
import type { Redirect } from "./parsed-command";
import { readWord, type Word } from "./shell-words";
import { isShell, programName } from "./wrapped-commands";

/** Returns the redirects of a node; the grammar takes those after `<<EOF` into the here-document. */
export const redirectsOf = (node: Node): readonly Node[] =>
  node.namedChildren
    .filter((child) => child.type.endsWith("_redirect"))
    .flatMap((redirect) => [redirect, ...redirectsOf(redirect)]);

/** Returns a redirect; null when its form is unknown. */
export function readRedirect(node: Node): Redirect | null {
  const descriptor = node.childForFieldName("descriptor")?.text ?? null;
  const operator = node.children.find((child) => !child.isNamed)?.type ?? "";
  if (node.type !== "file_redirect") return { operator, descriptor, target: null };
  const targets = node.namedChildren.filter((child) => child.type !== "file_descriptor");
  const target = targets[0] === undefined ? null : readWord(targets[0]);
  // `> a b`: the grammar takes b into the redirect, bash does not.
  if (targets.length > 1 || (targets.length === 1 && target === null)) return null;
  return { operator, descriptor, target };
}

/** Returns the input that redirects give; null when they give none. */
export function inputOf(redirects: readonly Node[]): "file" | "text" | null {
  const inputs = redirects.filter(
    (node) => node.type !== "file_redirect" || node.children.some((child) => child.type.startsWith("<")),
  );
  if (inputs.length === 0) return null;
  const isFile = (node: Node): boolean =>
    node.type === "file_redirect" &&
    node.childForFieldName("destination")?.type === "word" &&
    !/^\/(?:dev|proc)\//.test(node.childForFieldName("destination")?.text ?? "");
  return inputs.every(isFile) ? "file" : "text";
}

/** Returns whether a pipeline after `<<EOF` receives the output of the command before it: `cat <<EOF | x`. */
export const isPipedText = (pipeline: Node): boolean => pipeline.parent?.childForFieldName("right")?.id !== pipeline.id;

/**
 * Returns whether bash only puts plain `$name` into these words: a here-document, a here-string, the word or a pattern
 * of `case`. Every other expansion may assign, calculate or run a command.
 */
export function expandsPlainly(node: Node): boolean {
  switch (node.type) {
    case "file_redirect":
      return true;
    case "heredoc_redirect":
      return node.namedChildren.filter((child) => child.type === "heredoc_body").every(expandsPlainly);
    case "herestring_redirect":
      return node.namedChildren.filter((child) => child.type !== "file_descriptor").every(expandsPlainly);
    case "heredoc_body":
      return (
        hasPlainText(node) &&
        node.namedChildren.every((child) => child.type === "heredoc_content" || expandsPlainly(child))
      );
    case "extglob_pattern":
      return node.childCount === 0 && !node.text.includes("$");
    default: {
      const word = readWord(node);
      return word !== null && (word.literal || word.variable);
    }
  }
}

/** The grammar reads `$_` in a here-document as text. After a quoted delimiter it is text. */
function hasPlainText(body: Node): boolean {
  const start = body.parent?.namedChildren.find((child) => child.type === "heredoc_start");
  return !/\$_(?!\w)/.test(body.text) || /^["']/.test(start?.text ?? "");
}

/** Returns the scripts that a shell without a script file reads from here-documents and here-strings. */
export function stdinScripts(words: readonly Word[], redirects: readonly Node[]): readonly string[] {
  const first = words[0];
  if (first === undefined || !isShell(programName(first))) return [];
  return redirects.flatMap((node) => {
    if (node.type === "heredoc_redirect")
      return node.namedChildren.filter((child) => child.type === "heredoc_body").map((body) => body.text);
    if (node.type !== "herestring_redirect") return [];
    const word = node.namedChildren[0] === undefined ? null : readWord(node.namedChildren[0]);
    return word?.literal ? [word.text] : [];
  });
}

/** These end with their last command, which gets the words behind them. */
const endsWithLast: ReadonlySet<string> = new Set(["list", "pipeline"]);

/** The grammar leaves the dash of `cat - <<A` out of the tree. Returns whether `gap`, before a node, is this word of a simple command. */
export function isLoneDash(gap: string, next: Node): boolean {
  if (next.type !== "heredoc_redirect" || !/^[ \t]+-[ \t]+$/.test(gap)) return false;
  let last = next.previousSibling;
  while (last !== null && endsWithLast.has(last.type)) last = last.lastChild;
  return last?.type === "command";
}

/** Returns whether the grammar left out the last word of a simple command. */
export function isBeforeLoneDash(command: Node): boolean {
  let last = command;
  while (last.parent !== null && endsWithLast.has(last.parent.type) && last.nextSibling === null) last = last.parent;
  const next = last.nextSibling;
  if (next === null || last.parent === null) return false;
  const { text, startIndex } = last.parent;
  return isLoneDash(text.slice(last.endIndex - startIndex, next.startIndex - startIndex), next);
}
