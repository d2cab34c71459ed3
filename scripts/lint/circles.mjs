// Lint rule gopi/circles: no file may import itself, directly or through other files. Type imports and dynamic
// imports (`await import()`) do not count, because they are not evaluated when a module starts.
import { readFileSync, statSync } from "node:fs";
import { dirname, relative, resolve } from "node:path";

const statement = /^(?:import|export)\s+(?!type\b)(?:([^"';]*?)\sfrom\s+)?["']([^"']+)["']/gm;
const endings = ["", ".ts", ".tsx", "/index.ts", "/index.tsx"];

/** Returns the sources that a module's text imports as values when it starts. */
export function valueImports(text) {
  return [...text.matchAll(statement)]
    .filter(([, names]) => !/^\{\s*(?:type\s[^,}]+,?\s*)+\}$/.test(names?.trim() ?? ""))
    .map(([, , source]) => source);
}

function isFile(path) {
  return statSync(path, { throwIfNoEntry: false })?.isFile() ?? false;
}

function resolveImport(source, importer, root) {
  const isOurs = source.startsWith(".") || source.startsWith("@/");
  if (!isOurs) return null;
  const target = source.startsWith("@/") ? resolve(root, source.slice(2)) : resolve(dirname(importer), source);
  return endings.map((ending) => target + ending).find(isFile) ?? null;
}

// Each file's imports are read once per lint run.
const importsByFile = new Map();

function importsOf(file, root) {
  const cached = importsByFile.get(file);
  if (cached) return cached;
  const code = /\.tsx?$/.test(file) ? readFileSync(file, "utf8") : "";
  const targets = valueImports(code).map((source) => resolveImport(source, file, root));
  const found = targets.filter((target) => target !== null);
  importsByFile.set(file, found);
  return found;
}

/** Returns the shortest path from one file to another along value imports, both ends included, or null. */
function importPath(from, to, root) {
  const cameFrom = new Map([[from, null]]);
  for (const file of cameFrom.keys()) {
    if (file === to) {
      const path = [];
      for (let step = file; step !== null; step = cameFrom.get(step)) path.unshift(step);
      return path;
    }
    for (const next of importsOf(file, root)) if (!cameFrom.has(next)) cameFrom.set(next, file);
  }
  return null;
}

export const circles = {
  meta: { type: "problem", schema: [], messages: { circle: "This import closes a cycle: {{path}}." } },
  create(context) {
    const { filename, cwd: root } = context;
    const check = (node) => {
      // valueImports decides from the text whether a statement imports values.
      const [source] = valueImports(context.sourceCode.getText(node));
      const target = source && resolveImport(source, filename, root);
      const back = target && importPath(target, filename, root);
      if (!back) return;
      const path = [filename, ...back].map((file) => relative(root, file)).join(" → ");
      context.report({ node, messageId: "circle", data: { path } });
    };
    return {
      ImportDeclaration: check,
      ExportAllDeclaration: check,
      ExportNamedDeclaration: (node) => {
        if (node.source) check(node);
      },
    };
  },
};
