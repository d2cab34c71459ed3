// @vitest-environment happy-dom
import { foldedRanges } from "@codemirror/language";
import { EditorView } from "@codemirror/view";
import { expect, onTestFinished, test } from "vitest";
import { foldWholeText } from "./fold-whole-text";
import { loadLanguage } from "./language";

async function openCode(count: number) {
  const doc = "export function sum(a: number) {\n  return [a];\n}\n".repeat(count);
  const view = new EditorView({ doc, parent: document.body, extensions: await loadLanguage("typescript") });
  onTestFinished(() => view.destroy());
  const countFolded = (): number => {
    let folded = 0;
    foldedRanges(view.state).between(0, view.state.doc.length, () => void (folded += 1));
    return folded;
  };
  return { view, countFolded };
}

test("all functions of a long text are folded, also those that were not parsed yet", async () => {
  const { view, countFolded } = await openCode(2_000);
  await foldWholeText(view);
  expect(countFolded()).toBe(2_000);
});

test("a text that is changed while it is parsed is not folded", async () => {
  const { view, countFolded } = await openCode(2_000);
  const folding = foldWholeText(view);
  view.dispatch({ changes: { from: 0, insert: "// A comment.\n" } });
  await folding;
  expect(countFolded()).toBe(0);
});
