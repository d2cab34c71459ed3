/** Checks whether the tree of an error-tolerant grammar matches what bash will do. */
import type { Node } from "./bash-grammar";
import { nodeKind } from "./node-kinds";
import { isLoneDash } from "./redirect-nodes";

/** Inside these, text between the children is content, not blank. */
const looseTypes: ReadonlySet<string> = new Set([
  "string",
  "translated_string",
  "heredoc_body",
  "expansion",
  "regex",
  "extglob_pattern",
]);

/** Their children are adjacent: `$ x` is a dollar sign and a word, not a variable. */
const tightTypes: ReadonlySet<string> = new Set(["simple_expansion", "concatenation", "file_descriptor"]);

/** Their text runs nothing, whatever it contains. */
const inertTypes: ReadonlySet<string> = new Set([
  "raw_string",
  "ansi_c_string",
  "comment",
  "heredoc_start",
  "heredoc_end",
]);

/** Returns null when the tree can be trusted; otherwise an identifier of the problem. */
export function findTreeProblem(root: Node, text: string): string | null {
  if (root.hasError) return "syntax";
  if (!isBlankGap(text.slice(0, root.startIndex)) || !isBlankGap(text.slice(root.endIndex))) return "gap";
  return findNodeProblem(root, text, 0, false);
}

const isBlankGap = (gap: string): boolean => /^(?:[ \t\n]|\\\n)*$/.test(gap);

/** Blank inside the text. A line continuation alone does not separate words: bash joins the text around it. */
const isSeparator = (gap: string): boolean => isBlankGap(gap) && !/^(?:\\\n)+$/.test(gap);

/** Returns whether text that the grammar read as plain contains no substitution. */
const isInert = (text: string): boolean => !/`|\$[({[]|[<>]\(/.test(text.replace(/\\[\s\S]/g, ""));

function findNodeProblem(node: Node, text: string, depth: number, substituted: boolean): string | null {
  if (depth > 200) return "too_deep";
  if (node.isMissing || node.isError || (node.isNamed && nodeKind(node.type) === null)) return node.type;
  const special = findSpecialProblem(node, text, substituted);
  if (special !== null) return special;
  const within = substituted || node.type === "command_substitution" || node.type === "process_substitution";
  if (node.childCount === 0) return isTrustedLeaf(node) ? null : "leaf";
  let at = node.startIndex;
  for (const child of node.children) {
    const gap = text.slice(at, child.startIndex);
    if (!isAllowedGap(node, gap) && !isLoneDash(gap, child)) return "gap";
    if (gap === "" && child.previousSibling?.isNamed && mustBeSeparated(node, child)) return "joined";
    at = child.endIndex;
    const found = findNodeProblem(child, text, depth + 1, within);
    if (found !== null) return found;
  }
  return isAllowedGap(node, text.slice(at, node.endIndex)) ? null : "gap";
}

/**
 * Returns whether two adjacent children must be separated. Two words without a blank are one word in bash: `a=(1)b c`
 * does not contain a command `b`.
 */
function mustBeSeparated(node: Node, child: Node): boolean {
  if (!child.isNamed || child.type.endsWith("_redirect") || node.type === "heredoc_redirect") return false;
  return !tightTypes.has(node.type) && !looseTypes.has(node.type);
}

function isAllowedGap(node: Node, gap: string): boolean {
  if (tightTypes.has(node.type)) return gap === "";
  return looseTypes.has(node.type) ? isInert(gap) : isSeparator(gap);
}

function isTrustedLeaf(node: Node): boolean {
  if (!node.isNamed || inertTypes.has(node.type)) return true;
  if (node.type === "heredoc_body")
    return (
      /^["']/.test(node.parent?.namedChildren.find((child) => child.type === "heredoc_start")?.text ?? "") ||
      isInert(node.text)
    );
  if (node.type === "word" && node.text.startsWith("#") && node.parent?.type === "command") return false;
  // In `"$ x"` the grammar takes the blank into the name; in bash the dollar sign is literal.
  if (node.type === "variable_name") return /^\w+$/.test(node.text);
  return isInert(node.text);
}

function findSpecialProblem(node: Node, text: string, substituted: boolean): string | null {
  switch (node.type) {
    case "comment":
      // Inside `$( )` and backticks bash ends a comment at a different place than the grammar.
      return !substituted && !node.text.includes("\n") && /^$|[\s;&|()]/.test(text.charAt(node.startIndex - 1))
        ? null
        : "comment";
    case "command_substitution":
      // Backticks remove one layer of backslashes before the inner text is read.
      return node.text.startsWith("`") && node.text.includes("\\") ? "backtick" : null;
    case "file_descriptor":
      return /^\d+$/.test(node.text) && /^$|[\s;&|()<>]/.test(text.charAt(node.startIndex - 1)) ? null : "descriptor";
    case "file_redirect":
      // In bash a number directly before the operator is its descriptor, not a word.
      return /(?:^|[\s;&|()])\d+$/.test(text.slice(Math.max(0, node.startIndex - 20), node.startIndex))
        ? "descriptor"
        : null;
    case "heredoc_redirect":
      return findHeredocProblem(node, text);
    default:
      return null;
  }
}

/** Accepts one here-document per line with a plain delimiter and an end where bash finds it. */
function findHeredocProblem(node: Node, text: string): string | null {
  const start = node.namedChildren.find((child) => child.type === "heredoc_start");
  const end = node.namedChildren.find((child) => child.type === "heredoc_end");
  if (start === undefined || end === undefined || node.childForFieldName("argument") !== null) return "heredoc";
  const delimiter = /^(['"]?)([A-Za-z_][\w-]*)\1$/.exec(start.text);
  const lineEnd = text.indexOf("\n", start.endIndex);
  if (delimiter === null || lineEnd < 0 || /<<|['"`\\#]/.test(text.slice(start.endIndex, lineEnd))) return "heredoc";
  const stripsTabs = node.children.some((child) => child.type === "<<-");
  let at = lineEnd + 1;
  for (const line of text.slice(at).split("\n")) {
    if ((stripsTabs ? line.replace(/^\t+/, "") : line) === delimiter[2]) {
      const bodyHolds = delimiter[1] === "" && text.slice(lineEnd, at).includes("\\\n");
      return end.startIndex >= at &&
        end.startIndex <= at + line.length &&
        end.text.trim() === delimiter[2] &&
        !bodyHolds
        ? null
        : "heredoc";
    }
    at += line.length + 1;
  }
  return "heredoc";
}
