// @vitest-environment happy-dom
import { redo, undo } from "@codemirror/commands";
import { searchPanelOpen } from "@codemirror/search";
import { EditorState } from "@codemirror/state";
import { EditorView } from "@codemirror/view";
import { getCM } from "@replit/codemirror-vim";
import { expect, onTestFinished, test, vi } from "vitest";
import { settingsDefaults } from "@/lib/settings/settings";
import { createFindState } from "../find/find-host";
import { goToChange } from "../git-marks/change-gutter";
import { type CodeBuffer, createBuffer } from "./code-buffer";

const findState = createFindState();
const commands = { save: vi.fn(), close: vi.fn(), saveAndClose: vi.fn() };

function openBuffer(text: string): { readonly buffer: CodeBuffer; readonly view: EditorView } {
  const buffer = createBuffer({
    path: "a.txt",
    text,
    isReadOnly: false,
    label: "",
    phrases: {},
    changeTexts: { committed: "", notCommitted: "", revert: "", close: "" },
    find: () => findState,
    otherTexts: () => [],
    commands,
    onTextChanged: () => undefined,
    onStatusChanged: () => undefined,
  });
  const view = new EditorView({ parent: document.body });
  onTestFinished(() => view.destroy());
  buffer.show(1, view);
  return { buffer, view };
}

function hideBuffer(buffer: CodeBuffer, view: EditorView): void {
  buffer.hide(1);
  view.setState(EditorState.create({}));
}

/** Number of lines with a mark of a change. */
const countMarks = (view: EditorView): number =>
  view.dom.querySelectorAll(".cm-change-changed, .cm-change-added").length;

test("an automatic cleaning leaves what can be redone", () => {
  const { buffer, view } = openBuffer("a ");
  buffer.configure({ settings: { ...settingsDefaults, editorFinalNewline: true }, style: { trimsWhitespace: true } });
  view.dispatch({ changes: { from: 2, insert: "b" }, userEvent: "input.type" });
  undo(view);
  buffer.clean("automatic");
  expect(redo(view)).toBe(true);
  expect(buffer.text()).toBe("a b");
  buffer.clean("automatic");
  expect(buffer.text()).toBe("a b\n");
});

test("with Caps Lock on, the keys of the editor are the same", () => {
  const { view } = openBuffer("text");
  const press = (key: string, shiftKey: boolean): void => {
    const init = { key, shiftKey, code: "KeyF", keyCode: 70, ctrlKey: true, bubbles: true, cancelable: true };
    view.contentDOM.dispatchEvent(new KeyboardEvent("keydown", init));
  };
  press("f", true);
  expect(searchPanelOpen(view.state)).toBe(false);
  press("F", false);
  expect(searchPanelOpen(view.state)).toBe(true);
});

const pressKeys = (view: EditorView, ...keys: readonly KeyboardEventInit[]): void => {
  for (const init of keys)
    view.contentDOM.dispatchEvent(new KeyboardEvent("keydown", { bubbles: true, cancelable: true, ...init }));
};

test("with the keys of Vim, dd deletes a line, and :w saves the file", async () => {
  const { buffer, view } = openBuffer("one\ntwo");
  buffer.configure({ settings: { ...settingsDefaults, editorKeymap: "vim" }, style: {} });
  await expect.poll(() => getCM(view)).not.toBeNull();
  pressKeys(view, { key: "d" }, { key: "d" });
  expect(buffer.text()).toBe("two");
  pressKeys(view, { key: ":" });
  const field = view.dom.querySelector<HTMLInputElement>(".cm-vim-panel input");
  if (field !== null) field.value = "w";
  field?.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", keyCode: 13, bubbles: true }));
  expect(commands.save).toHaveBeenCalledTimes(1);
  buffer.configure({ settings: settingsDefaults, style: {} });
  await expect.poll(() => getCM(view)).toBeNull();
});

test("with the keys of Emacs, C-k deletes the rest of the line, and C-x C-s saves the file", async () => {
  commands.save.mockClear();
  const { buffer, view } = openBuffer("one\ntwo");
  buffer.configure({ settings: { ...settingsDefaults, editorKeymap: "emacs" }, style: {} });
  const control = (letter: string) => ({ key: letter, code: `Key${letter.toUpperCase()}`, ctrlKey: true });
  await expect
    .poll(() => {
      pressKeys(view, control("x"), control("s"));
      return commands.save.mock.calls.length;
    })
    .toBeGreaterThan(0);
  pressKeys(view, control("k"));
  expect(buffer.text()).toBe("\ntwo");
});

test("undo and redo do not reach behind a dropped history, whether the file is shown or not", () => {
  const { buffer, view } = openBuffer("misread");
  buffer.replace("read");
  buffer.dropHistory();
  expect(undo(view)).toBe(false);
  view.dispatch({ changes: { from: 4, insert: "able" } });
  expect(undo(view)).toBe(true);
  expect(buffer.text()).toBe("read");
  hideBuffer(buffer, view);
  buffer.dropHistory();
  buffer.show(1, view);
  expect(redo(view)).toBe(false);
  expect(buffer.text()).toBe("read");
});

test("undo does not restore line endings that cleaning replaced", () => {
  const { buffer, view } = openBuffer("a\r\nb\n");
  buffer.configure({ settings: settingsDefaults, style: { lineEnding: "\r\n" } });
  view.dispatch({ changes: { from: 0, insert: "x" }, userEvent: "input.type" });
  buffer.clean("user");
  undo(view);
  expect(buffer.text()).toBe("a\r\nb\r\n");
});

test("lines that changed while the text was hidden are marked with the same committed text", () => {
  const { buffer, view } = openBuffer("one\ntwo\n");
  buffer.setCommitted("one\ntwo\n");
  hideBuffer(buffer, view);
  buffer.replace("one\nTWO\n");
  buffer.show(1, view);
  expect(countMarks(view)).toBe(0);
  buffer.setCommitted("one\ntwo\n");
  expect(countMarks(view)).toBe(1);
});

test("lines typed just before the text was hidden are marked when it is shown", async () => {
  const { buffer, view } = openBuffer("one\ntwo\n");
  buffer.setCommitted("one\ntwo\n");
  view.dispatch({ changes: { from: 0, insert: "x" } });
  hideBuffer(buffer, view);
  buffer.show(1, view);
  await expect.poll(() => countMarks(view)).toBe(1);
});

test("next and previous change go through the changed lines and around the ends", () => {
  const { buffer, view } = openBuffer("ONE\ntwo\nTHREE\nfour\nFIVE\n");
  const line = () => buffer.status().line;
  expect(goToChange(view, "next")).toBe(false);
  buffer.setCommitted("one\ntwo\nthree\nfour\nfive\n");
  const lines = (["next", "next", "next", "previous", "previous", "previous"] as const).map((direction) => {
    expect(goToChange(view, direction)).toBe(true);
    return line();
  });
  expect(lines).toEqual([3, 5, 1, 5, 3, 1]);
});

test("each ruler is a line of its own, and without one there is none", () => {
  const { buffer, view } = openBuffer("a");
  buffer.configure({ settings: { ...settingsDefaults, editorRulers: [80, 120] }, style: {} });
  const rulers = () => view.contentDOM.getAttribute("style")?.match(/\d+ \* 1ch/g) ?? [];
  expect(rulers()).toEqual(["80 * 1ch", "120 * 1ch"]);
  buffer.configure({ settings: settingsDefaults, style: {} });
  expect(rulers()).toEqual([]);
});
