// Lint rule gopi/messages: a sentence the user sees belongs in components/messages, once per language, never in markup.

const letter = /\p{L}/u;
const spokenAttributes = new Set([
  "alt",
  "aria-description",
  "aria-label",
  "aria-roledescription",
  "label",
  "placeholder",
  "title",
]);

function jsxText(node) {
  if (node?.type === "JSXText" || node?.type === "Literal") return typeof node.value === "string" ? node.value : "";
  if (node?.type === "TemplateLiteral") return node.quasis.map((quasi) => quasi.value.raw).join("");
  if (node?.type === "JSXExpressionContainer") return jsxText(node.expression);
  if (node?.type === "ConditionalExpression") return jsxText(node.consequent) + jsxText(node.alternate);
  if (node?.type === "LogicalExpression") return jsxText(node.right);
  return "";
}

export const messages = {
  meta: {
    type: "problem",
    schema: [],
    messages: { literal: "Put {{text}} into components/messages (en.ts and zh-CN.ts) and name it here." },
  },
  create(context) {
    const check = (node, valueNode) => {
      const text = jsxText(valueNode).trim();
      if (letter.test(text)) context.report({ node, messageId: "literal", data: { text: JSON.stringify(text) } });
    };
    return {
      JSXText: (node) => check(node, node),
      "JSXElement > JSXExpressionContainer": (node) => check(node, node),
      "JSXFragment > JSXExpressionContainer": (node) => check(node, node),
      JSXAttribute: (node) => {
        if (spokenAttributes.has(node.name.name)) check(node, node.value);
      },
    };
  },
};
