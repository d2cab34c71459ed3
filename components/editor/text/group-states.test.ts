// @vitest-environment happy-dom
import { redo, undo } from "@codemirror/commands";
import { openSearchPanel, searchPanelOpen } from "@codemirror/search";
import { EditorView } from "@codemirror/view";
import { expect, onTestFinished, test } from "vitest";
import { settingsDefaults } from "@/lib/settings/settings";
import { createFindState } from "../find/find-host";
import { type CodeBuffer, createBuffer } from "./code-buffer";

interface OpenedBuffer {
  readonly buffer: CodeBuffer;
  /** Shows the text in a group. */
  readonly show: (group: number) => EditorView;
  readonly count: () => { readonly texts: number; readonly statuses: number };
}

function openSplitBuffer(text: string): OpenedBuffer {
  let texts = 0;
  let statuses = 0;
  const finds = new Map([1, 2, 3].map((group) => [group, createFindState()]));
  const buffer = createBuffer({
    path: "a.txt",
    text,
    isReadOnly: false,
    label: "",
    phrases: {},
    changeTexts: { committed: "", notCommitted: "", revert: "", close: "" },
    find: (group) => finds.get(group) ?? createFindState(),
    otherTexts: () => [],
    commands: { save: () => undefined, close: () => undefined, saveAndClose: () => undefined },
    onTextChanged: () => void (texts += 1),
    onStatusChanged: () => void (statuses += 1),
  });
  const show = (group: number): EditorView => {
    const view = new EditorView({ parent: document.body });
    onTestFinished(() => view.destroy());
    buffer.show(group, view);
    return view;
  };
  return { buffer, show, count: () => ({ texts, statuses }) };
}

const type = (view: EditorView, at: number, insert: string): void =>
  view.dispatch({
    changes: { from: at, insert },
    selection: { anchor: at + insert.length },
    userEvent: "input.type",
  });

test("a change in one group appears in the other, once, and each keeps its caret", () => {
  const { buffer, show, count } = openSplitBuffer("one\n");
  const [left, right] = [show(1), show(2)];
  left.dispatch({ selection: { anchor: 3 } });
  type(right, 0, "x ");
  type(left, 5, "!");
  expect([left, right].map(({ state }) => state.doc.toString())).toEqual(["x one!\n", "x one!\n"]);
  expect([left, right].map(({ state }) => state.selection.main.head)).toEqual([6, 2]);
  expect(buffer.text()).toBe("x one!\n");
  expect(count().texts).toBe(2);
});

test("both groups have one history, and undo goes to the caret of the group that has the focus", () => {
  const { buffer, show } = openSplitBuffer("one\ntwo\n");
  const left = show(1);
  type(left, 3, "A");
  const right = show(2);
  buffer.activate(2);
  right.dispatch({ selection: { anchor: 8 } });
  type(right, 8, "B");
  expect(undo(left)).toBe(false);
  buffer.activate(1);
  expect(undo(left)).toBe(true);
  expect(right.state.doc.toString()).toBe("oneA\ntwo\n");
  expect(left.state.selection.main.head).toBe(8);
  buffer.activate(2);
  expect(undo(right)).toBe(true);
  expect(left.state.doc.toString()).toBe("one\ntwo\n");
  expect(redo(right)).toBe(true);
  expect(buffer.text()).toBe("oneA\ntwo\n");
});

test("a change in the group without the history can be undone, too", () => {
  const { buffer, show } = openSplitBuffer("one\n");
  show(1);
  const right = show(2);
  type(right, 0, "x");
  buffer.activate(2);
  expect(undo(right)).toBe(true);
  expect(buffer.text()).toBe("one\n");
});

test("status and requested lines are those of the active group", () => {
  const { buffer, show, count } = openSplitBuffer("one\ntwo\nthree\n");
  const [left, right] = [show(1), show(2)];
  buffer.activate(2);
  buffer.reveal(3);
  expect(buffer.status().line).toBe(3);
  expect([left, right].map(({ state }) => state.doc.lineAt(state.selection.main.head).number)).toEqual([1, 3]);
  const before = count().statuses;
  left.dispatch({ selection: { anchor: 1 } });
  expect(count().statuses).toBe(before);
  buffer.activate(1);
  expect(buffer.status()).toMatchObject({ line: 1, column: 2 });
});

test("a text from disk, line endings, settings and access reach both groups", () => {
  const { buffer, show } = openSplitBuffer("a\nb\n");
  const [left, right] = [show(1), show(2)];
  buffer.replace("a\r\nB\r\n");
  buffer.configure({ settings: { ...settingsDefaults, editorTabSize: 3 }, style: {} });
  buffer.setReadOnly(true);
  for (const { state } of [left, right]) {
    expect(state.doc.toString()).toBe("a\nB\n");
    expect(state.lineBreak).toBe("\r\n");
    expect(state.tabSize).toBe(3);
    expect(state.readOnly).toBe(true);
  }
});

test("a hidden group follows, and shows its caret again", () => {
  const { buffer, show } = openSplitBuffer("one\ntwo\n");
  const [left, right] = [show(1), show(2)];
  left.dispatch({ selection: { anchor: 7 } });
  buffer.hide(1);
  left.destroy();
  buffer.activate(2);
  type(right, 0, "x");
  const again = show(1);
  expect(again.state.doc.toString()).toBe("xone\ntwo\n");
  expect(again.state.selection.main.head).toBe(8);
});

test("a moved text keeps caret and history in its new group", () => {
  const { buffer, show } = openSplitBuffer("one\n");
  const left = show(1);
  type(left, 3, "!");
  buffer.hide(1);
  left.destroy();
  const right = show(2);
  buffer.activate(2);
  expect(right.state.selection.main.head).toBe(4);
  expect(undo(right)).toBe(true);
  expect(buffer.text()).toBe("one\n");
});

test("a second group starts at the caret of the first one, without its find panel", () => {
  const { buffer, show } = openSplitBuffer("one\ntwo\n");
  const left = show(1);
  left.dispatch({ selection: { anchor: 2 } });
  openSearchPanel(left);
  const right = show(2);
  expect(right.state.selection.main.head).toBe(2);
  expect([left, right].map(({ state }) => searchPanelOpen(state))).toEqual([true, false]);
  right.dispatch({ selection: { anchor: 6 } });
  buffer.hide(2);
  right.destroy();
  buffer.keepGroups([1]);
  expect(show(2).state.selection.main.head).toBe(2);
});
