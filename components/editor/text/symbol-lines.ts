/** The symbols of a text that no editor shows, each with its last line. */
import { ensureSyntaxTree, syntaxTree } from "@codemirror/language";
import { EditorState } from "@codemirror/state";
import type { EditorSymbol } from "../../state/workbench/component-handles";
import { detectLanguage, loadLanguage } from "./language";
import { findEnclosing, findSymbols } from "./symbols";

/** Longest time for parsing a text, ms; on a busy machine a large one takes seconds. A text that takes longer has no symbols. */
const parseMs = 10_000;
/** Longest time for which parsing blocks the page, ms. */
const sliceMs = 20;

/** A symbol with its lines, both from 1 and included. */
interface SymbolLines extends EditorSymbol {
  readonly endLine: number;
}

/** Returns the symbols in text order; the language follows from the path. Rejects with the signal's reason. */
export async function findSymbolLines(
  path: string,
  text: string,
  signal: AbortSignal,
): Promise<readonly SymbolLines[]> {
  const language = detectLanguage(path);
  const unparsed = EditorState.create({ doc: text, extensions: await loadLanguage(language) });
  const began = performance.now();
  while (ensureSyntaxTree(unparsed, unparsed.doc.length, sliceMs) === null && performance.now() - began < parseMs) {
    await new Promise((resolve) => setTimeout(resolve));
    signal.throwIfAborted();
  }
  // The parsed tree belongs to the next state.
  const { state } = unparsed.update({});
  const symbols = findSymbols(state, language);
  return symbols.map((symbol, index) => ({ ...symbol, endLine: findEndLine(state, symbols, symbol, index) }));
}

function findEndLine(
  state: EditorState,
  symbols: readonly EditorSymbol[],
  symbol: EditorSymbol,
  index: number,
): number {
  const { doc } = state;
  const to = findEnd(state, symbol);
  const next = symbols.find(({ depth }, other) => other > index && depth <= symbol.depth);
  let last = to === null ? (next === undefined ? doc.lines : next.line - 1) : doc.lineAt(to).number;
  // A node may end in the line break after it.
  if (to !== null && last > symbol.line && doc.line(last).from === to) last -= 1;
  while (last > symbol.line && doc.line(last).text.trim() === "") last -= 1;
  return Math.max(last, symbol.line);
}

/** The end of a declaration in the syntax tree; null = it ends where the next symbol begins. */
function findEnd(state: EditorState, { name, kind, line, depth }: EditorSymbol): number | null {
  if (kind === "heading" || kind === "key") return null;
  const { from, to } = state.doc.line(line);
  const declaration = findEnclosing(state, to).findLast((one) => one.name === name);
  if (declaration !== undefined) return declaration.to;
  const statement = depth === 0 ? syntaxTree(state).topNode.childAfter(from) : null;
  return statement !== null && statement.from <= to ? statement.to : null;
}
