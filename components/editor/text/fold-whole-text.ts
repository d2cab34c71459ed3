/** Folds a text that is not parsed yet to its end. */
import { foldAll, forceParsing } from "@codemirror/language";
import type { EditorView } from "@codemirror/view";

/** Longest time for parsing a text, ms; a text that takes longer is folded as far as it is parsed. */
const parseMs = 10_000;
/** Longest time for which parsing blocks the page, ms. */
const sliceMs = 20;

/** Folds everything that can be folded. Does nothing once the text has changed. */
export async function foldWholeText(view: EditorView): Promise<void> {
  const { doc } = view.state;
  const began = performance.now();
  while (!forceParsing(view, doc.length, sliceMs) && performance.now() - began < parseMs) {
    await new Promise((resolve) => setTimeout(resolve));
    if (view.state.doc !== doc) return;
  }
  foldAll(view);
}
