// Lint rules for the sentences that the user sees. gopi/messages: they belong in components/messages, once per language, never in
// markup. gopi/message-words: in the catalogues, one word stands for one thing.

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

/** Words of the interface that other words replaced, in English and Chinese, and those that stand for the thing now. */
const replacedWords = [
  [/\bundid\b/i, "Undone"],
  [/\b(?:bring|brings|brought)\b.{0,30}\bback\b/i, "Redo"],
  [/^undo (?:them )?again\b/i, "Undo"],
  [/找回/, "重做"],
  [/\bruns a program\b/i, "what the program does (writes files, uses the network)"],
  [/(?<!可能会)运行程序/, "程序做什么（写入文件、联网）"],
  [/, waited\b/i, "12 s + 23 s for you"],
  [/，等待 ?$/, "16 秒 + 等你 1 分钟"],
  [/^first token\b|^首词元/, "the line of the run's details"],
  [/\bisn't trusted yet, so\b/i, "Git is off until you trust this folder."],
  [/\bqueues this\b/i, "Enter sends this after your decision"],
  [/\byou're offline\b/i, "gopi-web isn't reachable"],
  [/\bafter your next message\b/i, "Waiting. Send now"],
];

export const messageWords = {
  meta: {
    type: "problem",
    schema: [],
    messages: { replaced: 'The interface has another word for "{{text}}": {{instead}}' },
  },
  create(context) {
    const check = (node, value) => {
      if (typeof value !== "string") return;
      for (const [pattern, instead] of replacedWords) {
        const text = pattern.exec(value)?.[0];
        if (text !== undefined) context.report({ node, messageId: "replaced", data: { text, instead } });
      }
    };
    return {
      Literal: (node) => check(node, node.value),
      TemplateElement: (node) => check(node, node.value.cooked),
    };
  },
};
