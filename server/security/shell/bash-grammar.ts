/** Loads the bash grammar (tree-sitter, wasm) on first use. */
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { setFlagsFromString } from "node:v8";
import type { Language, Node, Parser } from "web-tree-sitter";

export type { Node } from "web-tree-sitter";

/** UTF-16 units that the parser gets at a time, and what getting a piece costs beside them. */
const pieceChars = 1_024;
const pieceCostChars = 64;

/**
 * Budget of reading one command, with the scripts in it. It is counted, so that a decision does not depend on the load of
 * the machine, and the event loop is held for a few hundredths of a second at most.
 */
interface ParseBudget {
  /** Characters that the parser may still get: it gets those after an error again and again. */
  chars: number;
  /** Nodes of trees that may still be read. */
  nodes: number;
}

export const makeParseBudget = (): ParseBudget => ({ chars: 700_000, nodes: 5_000 });

/**
 * Parses a text and passes the root node to `use`. The tree is freed when `use` returns, so its nodes must not be
 * stored. Returns null without running `use` when the budget is used up.
 */
export type BashParse = <T>(text: string, use: (root: Node) => T) => T | null;

/** Returns what parses one command and the scripts in it. */
type BashGrammar = (budget?: ParseBudget) => BashParse;

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

let loading: Promise<BashGrammar> | null = null;

/**
 * Returns the grammar, loaded once; after a failed load the next call tries again. Rejects when the wasm files are
 * missing.
 */
export function loadGrammar(): Promise<BashGrammar> {
  loading ??= loadBashParser().catch((error: unknown) => {
    loading = null;
    throw error;
  });
  return loading;
}

async function loadBashParser(): Promise<BashGrammar> {
  const tree = await import("web-tree-sitter");
  const files = wasmFiles();
  // Node 20 would optimize the lexer as soon as it has run: a second of CPU time and 40 MB, for which an exit of the
  // process waits. Parsing is not faster afterwards.
  setFlagsFromString("--liftoff-only");
  await tree.Parser.init({ locateFile: () => files.runtime });
  const parser: Parser = new tree.Parser();
  const language: Language = await tree.Language.load(files.bash);
  parser.setLanguage(language);
  return (budget = makeParseBudget()) =>
    (text, use) => {
      let isParsing = true;
      const isOver = (): boolean => budget.chars < 0;
      const piece = (at: number): string => {
        // The text of a node is read by the same function.
        if (!isParsing) return text.slice(at);
        const next = text.slice(at, at + pieceChars);
        budget.chars -= next.length + pieceCostChars;
        // An empty piece is the end of the text: the parser comes to an end soon.
        return isOver() ? "" : next;
      };
      const parsed = parser.parse(piece, null, { progressCallback: isOver });
      isParsing = false;
      if (parsed === null) {
        parser.reset();
        return null;
      }
      try {
        budget.nodes -= parsed.rootNode.descendantCount;
        return isOver() || budget.nodes < 0 ? null : use(parsed.rootNode);
      } finally {
        parsed.delete();
      }
    };
}
