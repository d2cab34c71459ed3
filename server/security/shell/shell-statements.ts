/** Analyses the statements of a shell script: which of them certainly run, and where they exit the shell. Pure. */
import type { Node } from "./bash-grammar";

/** Returns whether a node is a plain `cd`. */
export const isCdCommand = (node: Node): boolean =>
  node.type === "command" && node.childForFieldName("name")?.text === "cd";

/** Returns the `cd` of `cd folder || exit`: what follows runs in that folder or not at all. */
export function cdOrExit(node: Node): Node | null {
  const [left, operator, right] = node.children;
  const isLeft = node.type === "list" && operator?.type === "||" && /^exit(?:[ \t]+\d{1,3})?$/.test(right?.text ?? "");
  return isLeft && left !== undefined && isCdCommand(left) ? left : null;
}

/** Returns the parts of `a && b && c`; for any other statement, the statement itself. */
export function andChain(node: Node): readonly Node[] {
  const [left, operator, right] = node.children;
  if (node.type !== "list" || left === undefined || right === undefined || operator?.type !== "&&") return [node];
  return [...andChain(left), right];
}

/** Returns whether a statement leaves a process in the background. */
export const startsBackground = (node: Node): boolean =>
  node.children.some((child) => child.type === "&" || startsBackground(child));

/** Returns the loop without its body. */
export function loopHead(node: Node): string {
  const body = node.childForFieldName("body");
  return body === null
    ? node.text
    : node.text
        .slice(0, body.startIndex - node.startIndex)
        .trimEnd()
        .replace(/;$/, "");
}

/** Returns the items of a `case`, and the words that bash expands: its word and every pattern. */
export function caseParts(node: Node) {
  const items = node.namedChildren.filter((child) => child.type === "case_item");
  const isValue = (child: Node, parent: Node): boolean =>
    parent.childrenForFieldName("value").some((value) => value?.id === child.id);
  const values = [node, ...items].flatMap((parent) => parent.namedChildren.filter((child) => isValue(child, parent)));
  return { items, values, isValue };
}
