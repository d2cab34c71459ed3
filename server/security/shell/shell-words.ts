/** Reads a word of the bash tree: its text after quote removal, and what it may still expand to. */
import type { Node } from "./bash-grammar";

export interface Word {
  /** After quote removal; U+FFFC replaces each part that only the running shell knows. */
  readonly text: string;
  /** The shell will see exactly `text` (globs aside). */
  readonly literal: boolean;
  /** Unquoted `*`, `?` or `[`: expands to the names it matches. */
  readonly glob: boolean;
  /** As `text`, with quoted characters escaped by backslashes: the source for brace and glob expansion. */
  readonly pattern: string;
  /** Unquoted `{a,b}` or `{1..3}`: expands to several words. Never literal. */
  readonly braces: boolean;
  /** Begins with an unquoted `~/` or is `~`. */
  readonly tilde: boolean;
  /** Not literal, but only because of plain `$name`: no code runs to produce it. */
  readonly variable: boolean;
  /** Written without any quote or backslash: may be a keyword. */
  readonly bare: boolean;
}

/** The node types that form one word. */
export const wordTypes: ReadonlySet<string> = new Set([
  "word",
  "number",
  "concatenation",
  "string",
  "raw_string",
  "ansi_c_string",
  "translated_string",
  "simple_expansion",
  "expansion",
  "command_substitution",
  "process_substitution",
  "arithmetic_expansion",
  "brace_expression",
]);

/** Replaces in Word.text a part that only the running shell knows. */
export const unknownPart = "\uFFFC";

interface WordPart {
  readonly text: string;
  readonly kind: "bare" | "quoted" | "variable" | "dynamic";
}

/** Reads a word node. Null when it has an unknown form: the caller must then not trust the tree. */
export function readWord(node: Node): Word | null {
  const pieces = readWordParts(node);
  if (pieces === null) return null;
  const bareText = pieces.map((piece) => (piece.kind === "bare" ? piece.text : unknownPart)).join("");
  const dynamic = pieces.some((piece) => piece.kind === "dynamic");
  const variable = pieces.some((piece) => piece.kind === "variable");
  const tilde = /^~(?:\/|$)/.test(bareText);
  const foreignTilde = (bareText.startsWith("~") && !tilde) || /[=:]~/.test(bareText);
  // `{a,b}` and `{1..3}` expand to several words; `{}` and `HEAD@{1}` stay as they are.
  const brace = bareText.indexOf("{");
  const braces = brace >= 0 && /,|\.\./.test(bareText.slice(brace));
  const unclear = dynamic || foreignTilde || braces;
  return {
    text: pieces.map((piece) => (piece.kind === "bare" || piece.kind === "quoted" ? piece.text : unknownPart)).join(""),
    literal: !unclear && !variable,
    glob: pieces.some((piece) => piece.kind === "bare" && /[*?[]/.test(piece.text)),
    pattern: pieces.map(partPattern).join(""),
    braces,
    tilde,
    variable: variable && !unclear,
    bare: pieces.every((piece) => piece.kind === "bare"),
  };
}

function partPattern({ text, kind }: WordPart): string {
  if (kind === "bare") return text;
  return kind === "quoted" ? text.replace(/[^/]/gu, "\\$&") : unknownPart;
}

/** Makes a literal word, for commands found inside others. */
export const literalWord = (text: string): Word => ({
  text,
  literal: true,
  glob: false,
  pattern: text.replace(/[^/]/gu, "\\$&"),
  braces: false,
  tilde: false,
  variable: false,
  bare: false,
});

function readWordParts(node: Node): readonly WordPart[] | null {
  switch (node.type) {
    case "command_name":
    case "concatenation":
      return adjacentParts(node);
    case "word":
    case "number":
      return node.childCount > 0 ? [{ text: "", kind: "dynamic" }] : unquotedParts(node.text);
    case "raw_string":
      return [{ text: node.text.slice(1, -1), kind: "quoted" }];
    case "ansi_c_string": {
      const text = ansiText(node.text.slice(2, -1));
      return [text === null ? { text: "", kind: "dynamic" } : { text, kind: "quoted" }];
    }
    case "string":
      return quotedParts(node);
    case "simple_expansion":
    case "expansion":
      return [{ text: "", kind: expansionKind(node) }];
    case "command_substitution":
    case "process_substitution":
    case "arithmetic_expansion":
    case "translated_string":
    case "array":
      return [{ text: "", kind: "dynamic" }];
    case "brace_expression":
      return [/^\{[\w.+-]+\}$/.test(node.text) ? { text: node.text, kind: "bare" } : { text: "", kind: "dynamic" }];
    default:
      return null;
  }
}

/**
 * `${name}` is `$name`; every other form in braces does more. `$_` is a word of the previous command and may be
 * anything.
 */
const expansionKind = (node: Node): WordPart["kind"] =>
  /^\$(?:\w+|\{\w+\}|[^\w{])$/.test(node.text) && !/^\$\{?_\}?$/.test(node.text) ? "variable" : "dynamic";

/** Joins the parts of one word. They are adjacent; a gap means that the tree and bash disagree. */
function adjacentParts(node: Node): readonly WordPart[] | null {
  const pieces: WordPart[] = [];
  let at = node.startIndex;
  for (const child of node.children) {
    if (child.startIndex !== at) return null;
    at = child.endIndex;
    // An unnamed `$` or backtick here is literal in the grammar; bash may read more into it.
    const read = child.isNamed ? readWordParts(child) : [{ text: "", kind: "dynamic" } satisfies WordPart];
    if (read === null) return null;
    pieces.push(...read);
  }
  return at === node.endIndex ? pieces : null;
}

/** Splits unquoted text: every separator must be escaped, otherwise the word ends earlier in bash. */
function unquotedParts(source: string): readonly WordPart[] | null {
  if (!/^(?:[^\s;&|<>()`$"'\\]|\\[\s\S])+$/.test(source)) return null;
  const pieces: WordPart[] = [];
  for (const [part] of source.matchAll(/\\[\s\S]|[^\\]+/g)) {
    if (part === "\\\n") continue;
    pieces.push(part.startsWith("\\") ? { text: part.slice(1), kind: "quoted" } : { text: part, kind: "bare" });
  }
  return pieces;
}

function quotedParts(node: Node): readonly WordPart[] | null {
  const source = node.text;
  const offset = node.startIndex;
  const pieces: WordPart[] = [];
  let at = 1;
  const literalUntil = (end: number): boolean => {
    const text = source.slice(at, end);
    // Text not covered by an expansion must not contain one; `$` before a blank or the end is literal.
    if (!/^(?:[^"`\\$]|\\[\s\S]|\$(?=[\s"]|$))*$/.test(text)) return false;
    pieces.push({ text: text.replace(/\\\n/g, "").replace(/\\([$`"\\])/g, "$1"), kind: "quoted" });
    return true;
  };
  for (const child of node.namedChildren) {
    if (child.type === "string_content") continue;
    if (!["simple_expansion", "expansion", "command_substitution", "arithmetic_expansion"].includes(child.type))
      return null;
    if (!literalUntil(child.startIndex - offset)) return null;
    pieces.push({ text: "", kind: expansionKind(child) });
    at = child.endIndex - offset;
  }
  return literalUntil(source.length - 1) ? pieces : null;
}

const ansiLetters: { readonly [letter: string]: string } = {
  a: "\x07",
  b: "\b",
  e: "\x1b",
  E: "\x1b",
  f: "\f",
  n: "\n",
  r: "\r",
  t: "\t",
  v: "\v",
  "\\": "\\",
  "'": "'",
  '"': '"',
  "?": "?",
};

/**
 * Decodes the body of `$'...'`. Null for text that is not plain: control letters, bytes beyond ASCII, NUL (it ends the
 * string early).
 */
function ansiText(body: string): string | null {
  let text = "";
  for (const [part, code] of body.matchAll(
    /\\([0-7]{1,3}|x[0-9a-fA-F]{1,2}|u[0-9a-fA-F]{1,4}|U[0-9a-fA-F]{1,8}|[\s\S])|[^\\]/gu,
  )) {
    if (code === undefined) {
      text += part;
      continue;
    }
    const letter = ansiLetters[code];
    const point = /^[0-7]/.test(code) ? Number.parseInt(code, 8) : Number.parseInt(code.slice(1), 16);
    if (letter === undefined && (Number.isNaN(point) || point === 0 || point > 0x7f)) return null;
    text += letter ?? String.fromCharCode(point);
  }
  return text;
}
