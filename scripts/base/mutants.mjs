// Lists the small changes of a TypeScript file that its tests should notice: comparisons, logic, conditions, numbers,
// statements without a result.
import ts from "typescript";

const swaps = new Map([
  ["===", "!=="],
  ["!==", "==="],
  ["<", "<="],
  ["<=", "<"],
  [">", ">="],
  [">=", ">"],
  ["&&", "||"],
  ["||", "&&"],
  ["+", "-"],
  ["-", "+"],
]);

/** Text that replaces a node, or null. `within` is the node that is replaced: an operator, a condition, a statement. */
function replacementOf(node, source) {
  if (ts.isBinaryExpression(node)) {
    const text = swaps.get(node.operatorToken.getText(source));
    return text === undefined ? null : { within: node.operatorToken, text };
  }
  if (ts.isPrefixUnaryExpression(node) && node.operator === ts.SyntaxKind.ExclamationToken)
    return { within: node, text: node.operand.getText(source) };
  if (node.kind === ts.SyntaxKind.TrueKeyword) return { within: node, text: "false" };
  if (node.kind === ts.SyntaxKind.FalseKeyword) return { within: node, text: "true" };
  // A larger number is a limit, whose exact value no behaviour depends on.
  if (ts.isNumericLiteral(node) && Number(node.text) <= 2) return { within: node, text: String(Number(node.text) + 1) };
  if (ts.isIfStatement(node)) return { within: node.expression, text: "false" };
  if (ts.isConditionalExpression(node))
    return {
      within: node,
      text: `${node.condition.getText(source)} ? ${node.whenFalse.getText(source)} : ${node.whenTrue.getText(source)}`,
    };
  if (ts.isExpressionStatement(node)) return { within: node, text: ";" };
  return null;
}

/**
 * Returns the changes in order of position: `from` and `to` are offsets in `text`, `line` and `column` count from 1,
 * `was` is the replaced source in one line.
 */
export function listMutants(file, text) {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const mutants = [];
  const visit = (node) => {
    if (ts.isTypeNode(node) || ts.isImportDeclaration(node) || ts.isInterfaceDeclaration(node)) return;
    const found = replacementOf(node, source);
    if (found !== null) {
      const from = found.within.getStart(source);
      const { line, character } = source.getLineAndCharacterOfPosition(from);
      const original = found.within.getText(source).replace(/\s+/g, " ").slice(0, 80);
      mutants.push({
        file,
        from,
        to: found.within.getEnd(),
        line: line + 1,
        column: character + 1,
        was: original,
        text: found.text,
      });
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return mutants;
}
