/** Reads the words a command expands besides its arguments: assigned values and the words of loops. */
import type { Node } from "./bash-grammar";
import { namesInExpansion, namesInExpression } from "./calculated-names";
import type { CommandSegment } from "./parsed-command";
import { isBeforeLoneDash } from "./redirect-nodes";
import { literalWord, readWord, type Word, wordTypes } from "./shell-words";

/** Returns the names a statement sets; a single empty name when they cannot be determined. */
export function assignedNames(node: Node): readonly string[] {
  const assignments = node.type === "variable_assignment" ? [node] : node.namedChildren;
  const names = assignments.map((child) => child.childForFieldName("name")?.text ?? child.text);
  return names.length === 0 ? [""] : names;
}

/** Returns the assigned values, elements of arrays included. Null for an unknown form. */
export function assignedValues(nodes: readonly Node[]): readonly Word[] | null {
  const assigned = nodes.flatMap((node) => (node.type === "variable_assignments" ? node.namedChildren : [node]));
  const values = assigned.flatMap((node) => {
    const value = node.type === "variable_assignment" ? node.childForFieldName("value") : null;
    if (value === null) return [];
    return value.type === "array" ? value.namedChildren : [value];
  });
  return readAllWords(values);
}

/** Returns the assignments whose value is a single word, or empty. */
export function assignedWords(nodes: readonly Node[]): readonly { readonly name: string; readonly value: Word }[] {
  return nodes.flatMap((node): readonly { readonly name: string; readonly value: Word }[] => {
    if (node.type === "variable_assignments") return assignedWords(node.namedChildren);
    if (node.type !== "variable_assignment") return [];
    const value = node.childForFieldName("value");
    const word = value === null ? literalWord("") : readWord(value);
    return word === null ? [] : [{ name: node.childForFieldName("name")?.text ?? "", value: word }];
  });
}

/** Returns what an expansion evaluates, and the words that it puts in; null when it only puts in a variable. */
export function expandedPart(node: Node): Partial<CommandSegment> | null {
  const isArithmetic = node.type === "arithmetic_expansion";
  const calculates = isArithmetic ? namesInExpression(node) : namesInExpansion(node);
  const expandedWords = defaultWords(node);
  return isArithmetic || calculates.length + expandedWords.length > 0
    ? { special: true, calculates, expandedWords }
    : null;
}

/** Returns the words that `${name:-word}` and its kind put in and that may name a file. */
function defaultWords(node: Node): readonly Word[] {
  if (node.type !== "expansion" || !/^\$\{\w+:?[-+=]/.test(node.text.trimStart())) return [];
  return node.namedChildren
    .slice(1)
    .flatMap((child) => readWord(child) ?? [])
    .filter(({ text }) => /[./]/.test(text));
}

/** Returns the words a `for` iterates over; null for an unknown form. */
export function loopWords(node: Node): readonly Word[] | null {
  const body = node.childForFieldName("body");
  return readAllWords(
    node.namedChildren.filter((child) => wordTypes.has(child.type) && child.startIndex < (body?.startIndex ?? 0)),
  );
}

function readAllWords(nodes: readonly Node[]): readonly Word[] | null {
  const words = nodes.map(readWord).filter((word) => word !== null);
  return words.length === nodes.length ? words : null;
}

/** Returns the words of `declare`, `export` and their kind, as a command would have them. Null for an unknown form. */
export function declarationWords(node: Node): readonly Word[] | null {
  const words = node.namedChildren.map((child) =>
    child.type === "variable_name" || child.type === "variable_assignment" ? literalWord(child.text) : readWord(child),
  );
  const read = words.filter((word) => word !== null);
  return read.length === words.length ? [literalWord(node.text.split(/\s/, 1)[0] ?? ""), ...read] : null;
}

/** Returns the words and assigned names of a simple command without its redirects, and the first part that is unreadable. */
export function readSimpleWords(node: Node) {
  const words: Word[] = [];
  const assignments: string[] = [];
  let problem: string | null = null;
  for (const child of node.children) {
    if (child.type.endsWith("_redirect")) continue;
    if (child.type === "variable_assignment") {
      assignments.push(...assignedNames(child));
    } else if (child.type === "command_name" || wordTypes.has(child.type)) {
      const word = readWord(child);
      if (word === null) problem ??= "word";
      else words.push(word);
    } else {
      problem ??= child.type;
    }
  }
  if (isBeforeLoneDash(node)) words.push(literalWord("-"));
  return { words, assignments, problem };
}
