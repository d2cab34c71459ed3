// Configures the server bundle and the files that lie beside it.
import { cp, readdir, rm } from "node:fs/promises";
import { builtinModules } from "node:module";
import { basename, join } from "node:path";
import { root } from "./root.mjs";

/** Output folder of the bundle; bin/gopi-web.mjs starts main.js from there. */
export const serverFolder = join(root, "dist/server");

// Loaded in this order by a start. The modules of a step are one file: each file costs a start about 0.3 ms.
const startSteps = ["server/main.ts", "server/serve.ts", "server/home.ts", "server/compose.ts"];

const workers = {
  "page-worker": "server/features/web/page/page-worker.ts",
  "openapi-worker": "server/features/openapi/worker/openapi-worker.ts",
  "import-worker": "server/features/mcp/import/import-worker.ts",
};

/** Returns the modules that are loaded with the one at `path`. `chunking` has Rolldown's module graph. */
function loadedWith(path, chunking) {
  const found = new Set();
  const waiting = [path];
  for (let id = waiting.pop(); id; id = waiting.pop()) {
    if (found.has(id)) continue;
    found.add(id);
    waiting.push(...(chunking.getModuleInfo(id)?.importedIds ?? []));
  }
  return found;
}

/**
 * Returns the groups of modules that become one file each: those of every step of a start, without those of the steps
 * before it. What a worker or a client of the server loads as well is a group of its own, so that these load little.
 */
function startGroups() {
  let plan;
  const makePlan = (chunking) => {
    const steps = startSteps.map((path) => join(root, path));
    const loadedLate = steps.slice(0, 2).flatMap((id) => chunking.getModuleInfo(id)?.dynamicallyImportedIds ?? []);
    const others = [...Object.values(workers).map((path) => join(root, path)), ...loadedLate];
    const ofOthers = others.filter((id) => !steps.includes(id)).map((id) => loadedWith(id, chunking));
    return {
      ofSteps: steps.map((id) => loadedWith(id, chunking)),
      isShared: (id) => ofOthers.some((modules) => modules.has(id)),
    };
  };
  const group = (step, isShared, position) => {
    const debugName = `${basename(startSteps[step], ".ts")}${isShared ? "-shared" : ""}`;
    return {
      debugName,
      // A group takes what its modules import, so the first ones have priority.
      priority: 2 * startSteps.length - position,
      name(id, chunking) {
        plan ??= makePlan(chunking);
        const isOfStep = plan.ofSteps.findIndex((modules) => modules.has(id)) === step;
        return isOfStep && plan.isShared(id) === isShared ? debugName : null;
      },
    };
  };
  return startSteps.flatMap((_, step) => [group(step, true, 2 * step), group(step, false, 2 * step + 1)]);
}

// Rolldown's own code imports node:module.
const builtinNames = builtinModules.filter((name) => name !== "module");

/**
 * Makes an import of a Node module an access to its object. An `import` in the output would read every export at once,
 * and those of node:http load the client of fetch, which takes longer than our own code (35 ms on Node 24).
 */
const builtinsByAccess = {
  name: "builtins-by-access",
  resolveId: {
    filter: { id: new RegExp(`^(?:node:)?(?:${builtinNames.join("|")})$`) },
    handler: (id) => `\0node:${id.replace(/^node:/, "")}`,
  },
  load: {
    filter: { id: /^\0node:/ },
    handler: (id) => `module.exports = process.getBuiltinModule("${id.slice(1)}");`,
  },
};

/** Leaves the schema validator of the MCP client out: client-link.ts passes another one, and the client has ajv in any case. */
const withoutMcpValidator = {
  name: "without-mcp-validator",
  load: {
    filter: { id: /@modelcontextprotocol\/client\/dist\/ajvProvider-[\w-]+\.mjs$/ },
    handler: () => "export class n {}",
  },
};

/**
 * Escapes characters outside of Latin-1: a file with one of them takes two bytes of memory for each of its characters. In
 * `String.raw` such a character may only be part of a regular expression, which reads the escape.
 */
const latinOnly = {
  name: "latin-only",
  generateBundle(_options, bundle) {
    for (const file of Object.values(bundle))
      if (file.type === "chunk")
        file.code = file.code.replaceAll(
          /[^\0-\xff]/g,
          (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`,
        );
  },
};

/**
 * The Rolldown options of the server bundle. Chunks lie beside main.js, so that `import.meta.url` names the same folder
 * in every module of the bundle.
 */
export const serverBundle = {
  cwd: root,
  input: { main: startSteps[0], ...workers },
  platform: "node",
  transform: { target: "node20" },
  external: ["better-sqlite3", "@vscode/ripgrep", "@lydell/node-pty", "playwright"],
  resolve: {
    alias: {
      // Its other format loads its parts by a function that is not bundled.
      "jsonc-parser": join(root, "node_modules/jsonc-parser/lib/esm/main.js"),
      // The other build contains a DOM; ours gets nodes.
      turndown: join(root, "node_modules/turndown/lib/turndown.browser.es.js"),
    },
  },
  plugins: [builtinsByAccess, withoutMcpValidator],
  // Packages call eval on purpose, and an import() of a Node module is always reported.
  checks: { eval: false, ineffectiveDynamicImport: false },
  output: { dir: serverFolder, format: "esm" },
};

/** The same for use, as opposed to development: small, and with few files for a start. */
export const finalServerBundle = {
  ...serverBundle,
  plugins: [...serverBundle.plugins, latinOnly],
  output: { ...serverBundle.output, minify: true, codeSplitting: { groups: startGroups() } },
};

/** Copies the files with this ending, with their folders. */
async function copyEnding(ending, from, to) {
  for (const entry of await readdir(from, { withFileTypes: true, recursive: true })) {
    if (!entry.isFile() || !entry.name.endsWith(ending)) continue;
    const path = join(entry.parentPath, entry.name);
    await cp(path, join(to, path.slice(from.length)));
  }
}

/** Copies the files that the server reads at run time to the bundle's folder: migrations, prompts, evals, grammars. */
export async function copyServerFiles() {
  const into = (name) => join(serverFolder, name);
  for (const name of ["migrations", "prompts", "evals", "wasm"]) await rm(into(name), { recursive: true, force: true });
  // Without the snapshots of drizzle-kit.
  await copyEnding(".sql", join(root, "server/store/migrations"), into("migrations"));
  await cp(join(root, "evals"), into("evals"), { recursive: true });
  await copyEnding(".md", join(root, "server/prompts"), into("prompts"));
  for (const name of ["web-tree-sitter/web-tree-sitter.wasm", "tree-sitter-bash/tree-sitter-bash.wasm"]) {
    await cp(join(root, "node_modules", name), into(join("wasm", name.split("/")[1])));
  }
}
