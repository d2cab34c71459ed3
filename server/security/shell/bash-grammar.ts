/** Loads the bash grammar (tree-sitter, wasm) on first use. */
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { setFlagsFromString } from "node:v8";
import type { Language, Node, Parser } from "web-tree-sitter";

/** Timeout of parsing one command, ms. */
const commandParseMs = 1_000;

export type { Node } from "web-tree-sitter";

/**
 * Parses a text and passes the root node to `use`. The tree is freed when `use` returns, so its nodes must not be
 * stored. Returns null without running `use` when parsing takes longer than commandParseMs.
 */
export type BashParse = <T>(text: string, use: (root: Node) => T) => T | null;

/** Returns the paths of the two wasm files: in `wasm/` beside the bundled program, otherwise in node_modules. */
export function wasmFiles(program = dirname(fileURLToPath(import.meta.url))): { runtime: string; bash: string } {
  const bundled = join(program, "wasm");
  if (existsSync(bundled)) {
    return { runtime: join(bundled, "web-tree-sitter.wasm"), bash: join(bundled, "tree-sitter-bash.wasm") };
  }
  const { resolve } = createRequire(import.meta.url);
  return {
    runtime: resolve("web-tree-sitter/web-tree-sitter.wasm"),
    bash: resolve("tree-sitter-bash/tree-sitter-bash.wasm"),
  };
}

let loading: Promise<BashParse> | null = null;

/**
 * Returns the grammar, loaded once; after a failed load the next call tries again. Rejects when the wasm files are
 * missing.
 */
export function loadGrammar(): Promise<BashParse> {
  loading ??= loadBashParser().catch((error: unknown) => {
    loading = null;
    throw error;
  });
  return loading;
}

async function loadBashParser(): Promise<BashParse> {
  const tree = await import("web-tree-sitter");
  const files = wasmFiles();
  // Node 20 would optimize the lexer as soon as it has run: a second of CPU time and 40 MB, for which an exit of the
  // process waits. Parsing is not faster afterwards.
  setFlagsFromString("--liftoff-only");
  await tree.Parser.init({ locateFile: () => files.runtime });
  const parser: Parser = new tree.Parser();
  const language: Language = await tree.Language.load(files.bash);
  parser.setLanguage(language);
  return (text, use) => {
    const deadline = performance.now() + commandParseMs;
    const parsed = parser.parse(text, null, { progressCallback: () => performance.now() > deadline });
    if (parsed === null) {
      parser.reset();
      return null;
    }
    try {
      return use(parsed.rootNode);
    } finally {
      parsed.delete();
    }
  };
}
