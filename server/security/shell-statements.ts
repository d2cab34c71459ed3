/** How the statements of a shell script hang together: which of them surely run, and where they leave the shell. Pure; used by shell-parser. */
import type { Node } from "./bash-grammar";

/** A plain `cd`. */
export const movesFolder = (node: Node): boolean =>
  node.type === "command" && node.childForFieldName("name")?.text === "cd";

/** The `cd` of `cd folder || exit`: what follows runs in the folder or not at all. */
export function enteredOrLeft(node: Node): Node | null {
  const [left, operator, right] = node.children;
  const isLeft = node.type === "list" && operator?.type === "||" && /^exit(?:[ \t]+\d{1,3})?$/.test(right?.text ?? "");
  return isLeft && left !== undefined && movesFolder(left) ? left : null;
}

/** The parts of `a && b && c`; of any other statement itself. */
export function andChain(node: Node): readonly Node[] {
  const [left, operator, right] = node.children;
  if (node.type !== "list" || left === undefined || right === undefined || operator?.type !== "&&") return [node];
  return [...andChain(left), right];
}
