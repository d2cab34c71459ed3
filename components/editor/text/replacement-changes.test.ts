import { EditorSelection, EditorState, Text } from "@codemirror/state";
import fc from "fast-check";
import { describe, expect, it } from "vitest";

import { maxComparedLines } from "../git-marks/change-regions";
import { toReplacementChanges } from "./replacement-changes";

function replace(before: readonly string[], after: readonly string[], caret = 0): { text: string; caret: number } {
  const state = EditorState.create({ doc: Text.of([...before]), selection: EditorSelection.cursor(caret) });
  const { state: next } = state.update({ changes: [...toReplacementChanges(state.doc, after)] });
  return { text: next.doc.toString(), caret: next.selection.main.head };
}

describe("replacing a text by small changes", () => {
  it("results in the other text, whatever the two are", () => {
    const lines = fc.array(fc.constantFrom("", "a", "b", "  a", "b;", "é漢"), { minLength: 1, maxLength: 8 });
    fc.assert(fc.property(lines, lines, (before, after) => replace(before, after).text === after.join("\n")));
  });

  it.each([
    {
      name: "after a line that is indented",
      before: ["if (a) {", "b()", "}"],
      after: ["if (a) {", "  b();", "}"],
      caret: 10,
    },
    { name: "behind lines that are joined", before: ["f(", "  a", ")", "g()"], after: ["f(a);", "g();"], caret: 11 },
  ])("keeps the caret $name", ({ before, after, caret }) => {
    const character = before.join("\n")[caret];
    const replaced = replace(before, after, caret);
    expect(replaced.text[replaced.caret]).toBe(character);
  });

  it("replaces a text that differs in very many places by one change", () => {
    const lines = Array.from({ length: 3_000 }, (_, index) => `line ${index}`);
    const changed = lines.map((line, index) => (index % 3 === 0 ? `${line};` : line));
    expect(toReplacementChanges(Text.of(lines), changed)).toHaveLength(1);
    expect(replace(lines, changed).text).toBe(changed.join("\n"));
  });

  it("replaces a very long text by one change", () => {
    const long = Array.from({ length: maxComparedLines + 1 }, (_, index) => `line ${index}`);
    const changed = long.map((line, index) => (index === 3 || index === 900 ? `${line}!` : line));
    expect(toReplacementChanges(Text.of(long), changed)).toHaveLength(1);
    expect(replace(long, changed).text).toBe(changed.join("\n"));
  });
});
