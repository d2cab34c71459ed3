// Lint rule gopi/layers: reports an import that layer-table.mjs does not allow, and names the allowed layers. Type
// imports count. Test files may import lib and every layer of their side (server, components, …), and only they import test files.
import { isBuiltin } from "node:module";
import { dirname, relative, resolve, sep } from "node:path";
import { closedFiles, mayImport, onlyPackages, packageLayers, replacedPackages } from "./layer-table.mjs";

const testFile = /(?:\.test\.tsx?|\.contract\.ts)$|(?:^|\/)test-[^/]*\.tsx?$|(?:^|\/)__fixtures__\//;

/**
 * Returns the layer of a path relative to the root ("server/agent", "lib", "components/chat"), or null outside the
 * table.
 */
export function layerOf(path) {
  const [top, second, third, ...rest] = path.split("/");
  if (top === "server" && second === "features" && rest.length > 0) return `server/features/${third}`;
  if (top === "server") return third === undefined ? "server" : `server/${second}`;
  if (top === "components") return third === undefined ? null : `components/${second}`;
  return top in mayImport ? top : null;
}

// Returns the entry of a layer by its own name or by a pattern ("components/*"); its own name takes precedence.
function entryFor(table, layer) {
  if (layer in table) return table[layer];
  const pattern = Object.keys(table).find((key) => key.endsWith("/*") && layer.startsWith(key.slice(0, -1)));
  return pattern && table[pattern];
}

function isIn(allowedLayers, layer) {
  return Boolean(entryFor(Object.fromEntries(allowedLayers.map((name) => [name, true])), layer));
}

function packageName(source) {
  return isBuiltin(source) ? "node" : source.split("/", source.startsWith("@") ? 2 : 1).join("/");
}

const sharedFixtures = [
  "protected-server.",
  "scripted-model.",
  "tiny-model.",
  "tiny-projector.",
  "find-llama-server",
  "engine-mirror",
  "hub-files",
  "telegram/",
];

// The fixtures of e2e that unit tests share: model servers, models and the server of a messenger.
function isTestOf(from, to, layer) {
  if (!testFile.test(from.path)) return false;
  const isTheirs = layer === "lib" || from.path.split("/")[0] === layer.split("/")[0];
  return isTheirs || sharedFixtures.some((fixture) => to.startsWith(`e2e/fixtures/${fixture}`));
}

function packageProblem(from, source) {
  const name = packageName(source);
  if (replacedPackages[source]) return `Import ${replacedPackages[source]} in place of ${source}.`;
  if (testFile.test(from.path)) return null;
  const only = onlyPackages[from.layer];
  if (only && !only.includes(source)) return `${from.layer} may import only ${only.join(", ")}, not ${source}.`;
  const allowedLayers = packageLayers[name];
  if (!allowedLayers || isIn(allowedLayers, from.layer)) return null;
  const label = name === "node" ? `Node's own modules (${source})` : source;
  return `${from.layer} may not import ${label}; only ${allowedLayers.join(", ")} may.`;
}

function layerProblem(from, to, isType) {
  const layer = layerOf(to);
  if (testFile.test(`${to}.ts`) && !testFile.test(from.path) && from.layer !== "e2e")
    return `${to} is for tests: only a test file may import it.`;
  if (layer === null || layer === from.layer || isTestOf(from, to, layer)) return null;
  const allowed = entryFor(mayImport, from.layer) ?? {};
  const entry = entryFor(allowed, layer);
  if (entry === "types" && !isType) return `${from.layer} may import only types from ${layer}: write "import type".`;
  if (!entry) {
    const list = Object.keys(allowed).join(", ") || "no other layer";
    return `${from.layer} may not import ${layer}; it may import ${list}. server/compose.ts can pass in anything else as a function.`;
  }
  if (!isType && closedFiles[from.layer]?.includes(to)) return `${from.layer} may import only types from ${to}.`;
  return null;
}

function pathOf(absolute, root) {
  return relative(root, absolute).split(sep).join("/");
}

/** Returns one sentence that states what is wrong with importing `source` from the file `filename`, or null. */
export function importProblem({ source, filename, root, isType }) {
  const path = pathOf(filename, root);
  const layer = layerOf(path);
  if (layer === null) return null;
  const isFile = source.startsWith(".") || source.startsWith("@/");
  if (!isFile) return packageProblem({ path, layer }, source);
  const target = source.startsWith("@/") ? resolve(root, source.slice(2)) : resolve(dirname(filename), source);
  return layerProblem({ path, layer }, pathOf(target, root), isType);
}

function isTypeOnly(node) {
  if (node.importKind === "type" || node.exportKind === "type" || node.type === "TSImportType") return true;
  const named = node.specifiers ?? [];
  return named.length > 0 && named.every((one) => one.importKind === "type" || one.exportKind === "type");
}

export const layers = {
  meta: { type: "problem", schema: [], messages: { wrong: "{{problem}}" } },
  create(context) {
    const check = (node) => {
      const literal = node.source?.literal ?? node.source;
      if (typeof literal?.value !== "string") return;
      const { filename, cwd: root } = context;
      const problem = importProblem({ source: literal.value, filename, root, isType: isTypeOnly(node) });
      if (problem) context.report({ node: literal, messageId: "wrong", data: { problem } });
    };
    return {
      ImportDeclaration: check,
      ExportNamedDeclaration: check,
      ExportAllDeclaration: check,
      ImportExpression: check,
      TSImportType: check,
    };
  },
};
