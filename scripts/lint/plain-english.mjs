// Lint rule gopi/plain-english: comments, documents, test titles and declared names use the field's terms.
// The list holds words this code base once used as metaphors; each entry names what to write in their place.

const words = [
  ["told", "sent, reported, passed"],
  ["anew", "again"],
  ["whoever", "the user, the caller, the client"],
  ["nobody", "no client, no caller, none"],
  ["hands", "files, tools, environment"],
  ["heard", "received"],
];

const phrases = [
  ["stands(?! for)", "is, applies, remains"],
  ["goes on", "continues"],
  ["of what", "the noun it means"],
  ["takes for granted", "assumes"],
  ["at home in", "belongs to"],
  ["makes honest", "repairs"],
  ["for ever", "forever, without limit"],
];

const inText = [...words, ...phrases].map(([text, instead]) => ({
  text: text.replace(/\(.*\)/, ""),
  instead,
  pattern: new RegExp(`\\b${text.replace(" ", "\\s+(?:[*/]+\\s+)?")}\\b`, "i"),
}));
const inNames = new Map(words);

/** Words that say nothing as the whole name of a local variable or parameter. */
const emptyNames = new Map([
  ["asked", "request, requested"],
  ["kept", "stored, retained, cached"],
  ["known", "existing, cached, listed"],
  ["given", "input, options, value"],
  ["said", "text, message, output"],
  ["says", "pattern, expected, text"],
  ["sees", "hasVision, effect"],
  ["tells", "reports, the condition it is"],
  ["world", "environment, services"],
  ["of", "the noun it means"],
  ["what", "the noun it means"],
  ["how", "mode, options"],
  ["who", "owner, client, user"],
  ["why", "reason, cause"],
]);

/** The first banned word or phrase of a text with what to write instead, or null. Quoted and code parts do not count. */
export function findBannedWord(text) {
  const prose = text.replace(/`[^`]*`/g, "").replace(/"[^"\n]*"|“[^”]*”/g, "");
  return inText.find(({ pattern }) => pattern.test(prose)) ?? null;
}

/** The start of a doc or head comment that is a fragment without a noun or a verb. A question may begin with What. */
const fragmentStart = /^[\s*]*(Of|Those|Whose|What(?![^]*\?\s*$))\s/;

/** The doc comments of a file and its head comment, which may come after a shebang or a comment for a tool (`@name`). */
function headAndDocComments(comments) {
  const head = comments.find(({ value }) => !/^\s*[@/]/.test(value));
  return comments.filter((comment) => comment === head || comment.value.startsWith("*"));
}

/** Whether a declared name repeats the name of a destructured member, which is checked where the member is declared. */
const isMemberOfPattern = ({ parent }) =>
  (parent.type === "AssignmentPattern" ? parent.parent : parent).shorthand === true;

/** The parts of a camelCase, PascalCase, snake_case or kebab-case name, in lower case. */
function partsOfName(name) {
  return name.match(/[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+/g)?.map((part) => part.toLowerCase()) ?? [];
}

const memberTypes = new Set([
  "Property",
  "PropertyDefinition",
  "MethodDefinition",
  "TSPropertySignature",
  "TSMethodSignature",
]);

const isMemberName = (node) =>
  memberTypes.has(node.parent.type) && node.parent.key === node && !node.parent.computed && !node.parent.shorthand;

export const plainEnglish = {
  meta: {
    type: "suggestion",
    schema: [],
    messages: {
      text: "Write plain English: not {{text}}, but for example: {{instead}}.",
      start:
        "Begin the comment with the noun or the verb it means, not with {{word}}: Size of the file; Returns the size.",
      name: "Name it in the field's terms: not {{text}} in {{name}}, but for example: {{instead}}.",
    },
  },
  create(context) {
    const checkText = (node, value) => {
      const found = findBannedWord(value);
      if (found) context.report({ node, messageId: "text", data: { text: found.text, instead: found.instead } });
    };
    const checkName = (node) => {
      const part = partsOfName(node.name).find((candidate) => inNames.has(candidate));
      if (part === undefined) return;
      context.report({ node, messageId: "name", data: { text: part, name: node.name, instead: inNames.get(part) } });
    };
    const checkTitle = (node) => {
      const [title] = node.arguments;
      if (title?.type === "Literal" && typeof title.value === "string") checkText(title, title.value);
    };
    return {
      Program() {
        const comments = context.sourceCode.getAllComments();
        for (const comment of comments) checkText(comment, comment.value);
        for (const comment of headAndDocComments(comments)) {
          const [, word] = fragmentStart.exec(comment.value) ?? [];
          if (word !== undefined) context.report({ node: comment, messageId: "start", data: { word } });
        }
      },
      "CallExpression[callee.name=/^(test|it|describe)$/]": checkTitle,
      Identifier(node) {
        if (isMemberName(node)) checkName(node);
      },
      "Program:exit"() {
        const declarations = context.sourceCode.scopeManager.scopes
          .flatMap(({ variables }) => variables.flatMap(({ defs }) => defs))
          .filter(({ type }) => type !== "ImportBinding");
        for (const name of new Set(declarations.map((declaration) => declaration.name))) {
          checkName(name);
          if (emptyNames.has(name.name) && !isMemberOfPattern(name))
            context.report({
              node: name,
              messageId: "name",
              data: { text: name.name, name: name.name, instead: emptyNames.get(name.name) },
            });
        }
      },
    };
  },
};
