// Lint rule gopi/unique-exports: an exported type or function has a name that no other file exports, so a search for it has one answer.
import { readdirSync, readFileSync } from "node:fs";
import { join, relative, sep } from "node:path";

const folders = ["app", "components", "e2e", "lib", "server"];
const exported = {
  type: /^export (?:declare )?(?:abstract )?(?:interface|type|class|enum) (\w+)/gm,
  // The first line of a constant with a function ends with its arrow, or opens its parameters or type parameters.
  function: /^export (?:(?:async )?function\*? (\w+)|const (\w+)[^=\n]*=\s+(?:async )?(?:[<(]|\w+ =>))/gm,
};
const tables = new Map();

function readTable(root) {
  const files = new Map();
  for (const folder of folders) {
    for (const entry of readdirSync(join(root, folder), { recursive: true, withFileTypes: true })) {
      if (!entry.isFile() || !/\.tsx?$/.test(entry.name)) continue;
      const path = join(entry.parentPath, entry.name);
      const text = readFileSync(path, "utf8");
      for (const [kind, pattern] of Object.entries(exported))
        for (const [, first, second] of text.matchAll(pattern)) {
          const key = `${kind} ${first ?? second}`;
          files.set(key, [...(files.get(key) ?? []), relative(root, path).split(sep).join("/")]);
        }
    }
  }
  return files;
}

/** "type Name" or "function name" of each export -> the files that export it, relative to `root`. Read once per process. */
function tableOf(root) {
  if (!tables.has(root)) tables.set(root, readTable(root));
  return tables.get(root);
}

export const uniqueExports = {
  meta: {
    type: "problem",
    schema: [{ type: "object", properties: { root: { type: "string" } }, additionalProperties: false }],
    messages: { twice: "The {{kind}} {{name}} is exported by {{others}} too; give it a name of its own." },
  },
  create(context) {
    const root = context.options[0]?.root ?? context.cwd;
    const file = relative(root, context.filename).split(sep).join("/");
    const check = (kind) => (node) => {
      const { id } = node;
      if (!id) return;
      const others = (tableOf(root).get(`${kind} ${id.name}`) ?? []).filter((path) => path !== file);
      if (others.length > 0)
        context.report({ node: id, messageId: "twice", data: { kind, name: id.name, others: others.join(", ") } });
    };
    return {
      "ExportNamedDeclaration > :matches(TSInterfaceDeclaration, TSTypeAliasDeclaration, ClassDeclaration)":
        check("type"),
      "ExportNamedDeclaration > FunctionDeclaration": check("function"),
      "ExportNamedDeclaration > VariableDeclaration > VariableDeclarator[init.type='ArrowFunctionExpression']":
        check("function"),
    };
  },
};
