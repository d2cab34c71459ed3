// @vitest-environment happy-dom
import { EditorState } from "@codemirror/state";
import { EditorView } from "@codemirror/view";
import { expect, onTestFinished, test } from "vitest";
import { eventually } from "@/lib/testing/test-waits";
import { conflictLens, resolveConflictAt } from "./conflict-lens";

const conflict = (name: string): string => `<<<<<<< HEAD\nours ${name}\n=======\ntheirs ${name}\n>>>>>>> feature\n`;

function openText(doc: string, isReadOnly = false) {
  const extensions = [conflictLens, EditorState.readOnly.of(isReadOnly)];
  const view = new EditorView({ parent: document.body, state: EditorState.create({ doc, extensions }) });
  onTestFinished(() => view.destroy());
  const bars = () => [...view.dom.querySelectorAll<HTMLElement>(".cm-conflict-bar")];
  return { view, bars };
}

test("each conflict has buttons, which replace it as it is now", async () => {
  const { view, bars } = openText(`a\n${conflict("1")}b\n${conflict("2")}`);
  await eventually(() => expect(bars()).toHaveLength(2));
  expect([...(bars()[0]?.querySelectorAll("button") ?? [])].map(({ textContent }) => textContent)).toEqual([
    ...["Ours", "Theirs", "Both"],
  ]);
  view.dispatch({ changes: { from: 0, insert: "typed\n" } });
  resolveConflictAt(view, view.state.doc.toString().lastIndexOf("<<<<<<<"), "both");
  expect(view.state.doc.toString()).toBe(`typed\na\n${conflict("1")}b\nours 2\ntheirs 2\n`);
  await eventually(() => expect(bars()).toHaveLength(1));
  resolveConflictAt(view, view.state.doc.toString().indexOf("<<<<<<<"), "ours");
  expect(view.state.doc.toString()).toBe("typed\na\nours 1\nb\nours 2\ntheirs 2\n");
  await eventually(() => expect(bars()).toHaveLength(0));
});

test("a conflict that is written later gets buttons; a text that cannot be changed has none", async () => {
  const { view, bars } = openText("a\n");
  view.dispatch({ changes: { from: 2, insert: conflict("1") } });
  await eventually(() => expect(bars()).toHaveLength(1));
  const fixed = openText(conflict("1"), true);
  await eventually(() => expect(fixed.view.dom.querySelectorAll(".cm-conflict-ours")).toHaveLength(1));
  expect(fixed.bars()).toHaveLength(0);
});
