/** Extracts the words of `[ … ]` from the bash tree when bash certainly reads them the same way. */
import type { CommandSegment } from "./parsed-command";
import type { Node } from "./bash-grammar";
import { literalWord, readWord, type Word, wordTypes } from "./shell-words";

const testOperatorPattern = /^(?:[\[\]()!]|==?|!=|-[a-zA-Z]+)$/;
const comparisonPattern = /^(?:==?|!=|-(?:eq|ne|lt|gt|le|ge))$/;

/**
 * Returns `[`, its arguments and `]`. Null for `[[ … ]]`, which evaluates more than words, and where a variable may
 * expand to an operator: `[ -n $x ]` would run code if x contained `-o -v 'name[$(…)]'`.
 */
export function testWords(node: Node): readonly Word[] | null {
  if (!node.text.startsWith("[ ")) return null;
  const words = childWords(node);
  if (words === null || words.every((word) => word.literal)) return words;
  const [first, second] = words.slice(1, -1);
  const isPlain =
    (words.length === 4 && /^-[nz]$/.test(first?.text ?? "")) ||
    (words.length === 5 && comparisonPattern.test(second?.text ?? ""));
  return isPlain ? words.map((word) => (word.literal ? word : literalWord(""))) : null;
}

const fileOperators = /^-(?:[a-hkprsuwxGLNOS]|nt|ot|ef)$/;

/** Returns the operands of the file operators of `[[ … ]]`. */
export function testedFiles(node: Node): readonly Word[] {
  const found = node.children.flatMap((child, at) => {
    const asks =
      fileOperators.test(node.children[at - 1]?.text ?? "") || fileOperators.test(node.children[at + 1]?.text ?? "");
    const word = asks && wordTypes.has(child.type) ? readWord(child) : null;
    return word === null ? [] : [word];
  });
  return [...found, ...node.namedChildren.filter((child) => child.type.endsWith("_expression")).flatMap(testedFiles)];
}

function childWords(node: Node): readonly Word[] | null {
  const words: Word[] = [];
  for (const child of node.children) {
    const inner = wordTypes.has(child.type)
      ? singleWord(child)
      : child.childCount > 0
        ? childWords(child)
        : operatorWord(child);
    if (inner === null) return null;
    words.push(...inner);
  }
  return words;
}

/** Returns the node as one word: a quoted variable stays one word, and so does a number such as `$?`. */
function singleWord(node: Node): readonly Word[] | null {
  const word = readWord(node);
  const single = node.type === "string" || /^\$[?#$]$/.test(node.text);
  return word === null || (!word.literal && !(word.variable && single)) ? null : [word];
}

/**
 * Returns an operator token. Not every token is one: the grammar parses the `~` of `~/x` as an operator. After `!=` it
 * parses a pattern, which bash does only in `[[ ]]`.
 */
function operatorWord(node: Node): readonly Word[] | null {
  const plain =
    testOperatorPattern.test(node.text) || (node.type === "extglob_pattern" && /^[\w.:/-]+$/.test(node.text));
  return plain ? [literalWord(node.text)] : null;
}

/** `[ … ]` is test with words; `[[ … ]]`, and anything that does not read as plain words, stays special. */
export const testCommandSegment = (
  words: readonly Word[] | null,
): Partial<Pick<CommandSegment, "special" | "words">> => (words === null ? { special: true } : { words });
