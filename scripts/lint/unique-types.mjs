// Lint rule gopi/unique-types: an exported type has a name that no other file exports, so a search for it has one answer.
import { readdirSync, readFileSync } from "node:fs";
import { join, relative, sep } from "node:path";

const folders = ["app", "components", "e2e", "lib", "server"];
const exportedType = /^export (?:declare )?(?:abstract )?(?:interface|type|class|enum) (\w+)/gm;
const tables = new Map();

function readTable(root) {
  const files = new Map();
  for (const folder of folders) {
    for (const entry of readdirSync(join(root, folder), { recursive: true, withFileTypes: true })) {
      if (!entry.isFile() || !/\.tsx?$/.test(entry.name)) continue;
      const path = join(entry.parentPath, entry.name);
      for (const [, name] of readFileSync(path, "utf8").matchAll(exportedType))
        files.set(name, [...(files.get(name) ?? []), relative(root, path).split(sep).join("/")]);
    }
  }
  return files;
}

/** Name of each exported type -> the files that export it, relative to `root`. Read once per process. */
function tableOf(root) {
  if (!tables.has(root)) tables.set(root, readTable(root));
  return tables.get(root);
}

export const uniqueTypes = {
  meta: {
    type: "problem",
    schema: [{ type: "object", properties: { root: { type: "string" } }, additionalProperties: false }],
    messages: { twice: "The type {{name}} is exported by {{others}} too; give it a name of its own." },
  },
  create(context) {
    const root = context.options[0]?.root ?? context.cwd;
    const file = relative(root, context.filename).split(sep).join("/");
    const check = (node) => {
      const { id } = node.declaration ?? {};
      if (!id) return;
      const others = (tableOf(root).get(id.name) ?? []).filter((path) => path !== file);
      if (others.length > 0)
        context.report({ node: id, messageId: "twice", data: { name: id.name, others: others.join(", ") } });
    };
    return {
      "ExportNamedDeclaration[declaration.type=/^(TSInterfaceDeclaration|TSTypeAliasDeclaration|ClassDeclaration)$/]":
        check,
    };
  },
};
