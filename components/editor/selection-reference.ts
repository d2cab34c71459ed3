/** The selection of the editor as a reference for a message. */
import type { EditorState } from "@codemirror/state";
import type { NewReference } from "@/lib/protocol/reference-commands";

/** The selected lines, or the whole file. Text that is not saved is a reference to the text itself. */
export function selectionReference(state: EditorState, path: string, isDirty: boolean): NewReference {
  const { from, to, empty } = state.selection.main;
  const end = state.doc.lineAt(to);
  const first = state.doc.lineAt(from).number;
  // A selection that ends at the start of a line does not contain it.
  const last = to === end.from && end.number > first ? end.number - 1 : end.number;
  const lines = empty ? undefined : { first, last };
  if (!isDirty) return { kind: "file", path, ...(lines === undefined ? {} : { lines }) };
  if (lines === undefined) return { kind: "text", label: path, text: state.doc.toString() };
  const text = state.sliceDoc(state.doc.line(first).from, state.doc.line(last).to);
  return { kind: "text", label: `${path}:${first}-${last}`, text };
}
