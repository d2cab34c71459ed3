/** Draws spaces and tabs as signs: everywhere, or in the selection. */
import { RangeSetBuilder } from "@codemirror/state";
import { Decoration, type DecorationSet, type EditorView, ViewPlugin } from "@codemirror/view";

const space = Decoration.mark({ class: "cm-highlightSpace" });
const tab = Decoration.mark({ class: "cm-highlightTab" });

export const whitespaceMarks = (area: "selection" | "all") =>
  ViewPlugin.define(
    (view) => ({
      marks: findMarks(view, area),
      update(update) {
        if (update.docChanged || update.viewportChanged || (area === "selection" && update.selectionSet))
          this.marks = findMarks(update.view, area);
      },
    }),
    { decorations: ({ marks }) => marks },
  );

function findMarks({ visibleRanges, state }: EditorView, area: "selection" | "all"): DecorationSet {
  const marks = new RangeSetBuilder<Decoration>();
  for (const visible of visibleRanges)
    for (const range of area === "all" ? [visible] : state.selection.ranges) {
      const from = Math.max(visible.from, range.from);
      const text = state.sliceDoc(from, Math.max(from, Math.min(visible.to, range.to)));
      for (const { index, 0: found } of text.matchAll(/[ \t]/g))
        marks.add(from + index, from + index + 1, found === "\t" ? tab : space);
    }
  return marks.finish();
}
