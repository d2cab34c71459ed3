// Configures the server bundle and the files that lie beside it.
import { cp, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { root } from "./root.mjs";

/** Output folder of the bundle; bin/gopi-web.mjs starts main.js from there. */
export const serverFolder = join(root, "dist/server");

// Bundled CommonJS packages call `require`, which an ES module does not have.
const requireBanner =
  'import{createRequire as __createRequire}from"node:module";const require=__createRequire(import.meta.url);';

/**
 * The esbuild options of the server bundle. Chunks lie beside main.js, so that `import.meta.url` names the same folder
 * in every module of the bundle.
 */
export const serverBundle = {
  absWorkingDir: root,
  entryPoints: {
    main: "server/main.ts",
    "page-worker": "server/features/web/page/page-worker.ts",
    "openapi-worker": "server/features/openapi/worker/openapi-worker.ts",
    "import-worker": "server/features/mcp/import/import-worker.ts",
  },
  outdir: serverFolder,
  bundle: true,
  splitting: true,
  platform: "node",
  format: "esm",
  target: "node20",
  // Its other format loads its parts by a function that is not bundled.
  alias: {
    "jsonc-parser": join(root, "node_modules/jsonc-parser/lib/esm/main.js"),
    // The other build contains a DOM; ours gets nodes.
    turndown: join(root, "node_modules/turndown/lib/turndown.browser.es.js"),
  },
  external: ["better-sqlite3", "@vscode/ripgrep", "@lydell/node-pty", "playwright"],
  banner: { js: requireBanner },
  logLevel: "warning",
};

async function copyMarkdown(from, to) {
  for (const entry of await readdir(from, { withFileTypes: true, recursive: true })) {
    if (!entry.isFile() || !entry.name.endsWith(".md")) continue;
    const path = join(entry.parentPath, entry.name);
    await cp(path, join(to, path.slice(from.length)));
  }
}

/** Copies the files that the server reads at run time to the bundle's folder: migrations, prompts, evals, grammars. */
export async function copyServerFiles() {
  const into = (name) => join(serverFolder, name);
  for (const name of ["migrations", "prompts", "evals", "wasm"]) await rm(into(name), { recursive: true, force: true });
  await cp(join(root, "server/store/migrations"), into("migrations"), { recursive: true });
  await cp(join(root, "evals"), into("evals"), { recursive: true });
  await copyMarkdown(join(root, "server/prompts"), into("prompts"));
  for (const name of ["web-tree-sitter/web-tree-sitter.wasm", "tree-sitter-bash/tree-sitter-bash.wasm"]) {
    await cp(join(root, "node_modules", name), into(join("wasm", name.split("/")[1])));
  }
}
