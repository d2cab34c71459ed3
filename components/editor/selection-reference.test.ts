import { EditorState } from "@codemirror/state";
import { expect, test } from "vitest";
import type { NewReference } from "@/lib/protocol/reference-commands";
import { selectionReference } from "./selection-reference";

const doc = "one\ntwo\nthree\n";

test.each<readonly [string, readonly [from: number, to: number], boolean, NewReference]>([
  ["no selection is the file", [5, 5], false, { kind: "file", path: "a.ts" }],
  ["a part of a line is the line", [5, 6], false, { kind: "file", path: "a.ts", lines: { first: 2, last: 2 } }],
  ["a backward selection", [9, 1], false, { kind: "file", path: "a.ts", lines: { first: 1, last: 3 } }],
  ["the end at the start of a line", [0, 8], false, { kind: "file", path: "a.ts", lines: { first: 1, last: 2 } }],
  ["unsaved lines are a text", [5, 9], true, { kind: "text", label: "a.ts:2-3", text: "two\nthree" }],
  ["an unsaved file is a text", [0, 0], true, { kind: "text", label: "a.ts", text: doc }],
])("%s", (_what, [anchor, head], isDirty, reference) => {
  expect(selectionReference(EditorState.create({ doc, selection: { anchor, head } }), "a.ts", isDirty)).toEqual(
    reference,
  );
});
