// @vitest-environment happy-dom
import { screen, waitFor } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import type { EditorStatus } from "../../state/workbench/component-handles";
import { connectClient, renderForUser } from "../frame/test-dom";
import { emptyLocation } from "../frame/test-render";
import { StatusBar } from "./status-bar";

const status: EditorStatus = {
  path: "src/app.ts",
  line: 12,
  column: 3,
  selected: 0,
  carets: 1,
  indentation: 2,
  lineEnding: "\n",
  encoding: "utf8-bom",
  enclosing: [],
  language: "typescript",
  isReadOnly: false,
};

async function show(shown: EditorStatus | null) {
  const { client } = await connectClient(() => undefined);
  const editor = {
    save: vi.fn(),
    format: vi.fn(),
    closeTab: vi.fn(),
    focus: vi.fn(),
    find: vi.fn(),
    symbols: async () => null,
    togglePreview: vi.fn(),
    split: vi.fn(),
    focusOtherGroup: vi.fn(),
    moveToOtherGroup: vi.fn(),
    selectedText: () => "",
    reference: () => null,
    goToChange: vi.fn(),
    setFolded: vi.fn(),
    chooseEncoding: vi.fn(),
    setIndentation: vi.fn(),
    setLineEnding: vi.fn(),
    setLanguage: vi.fn(),
    canSplit: vi.fn(() => true),
  };
  client.handles.editor = editor;
  client.editorStatus.set(shown);
  const user = await renderForUser(client, <StatusBar place={emptyLocation} />);
  return { client, user, editor };
}

test("the status bar shows caret and format of the open text, and nothing without one", async () => {
  const { client } = await show(status);
  expect(await screen.findByText("Ln 12, Col 3")).toBeDefined();
  for (const text of ["Spaces: 2", "LF", "UTF-8 BOM", "TypeScript"]) expect(screen.getByText(text)).toBeDefined();
  client.editorStatus.set({ ...status, carets: 2, selected: 8 });
  expect(await screen.findByText("2 cursors (8 characters selected)")).toBeDefined();
  client.editorStatus.set(null);
  await waitFor(() => expect(screen.queryByText("LF")).toBeNull());
});

test.each([
  ["Indentation", "Tabs", "setIndentation", "tab"],
  ["Line endings", "CRLF", "setLineEnding", "\r\n"],
  ["Encoding", "Reopen with encoding…", "chooseEncoding", "reopen"],
  ["Encoding", "Save with encoding…", "chooseEncoding", "save"],
  ["Language", "Python", "setLanguage", "python"],
  ["Language", "Plain text", "setLanguage", null],
] as const)("%s can be changed to %s", async (_menu, choice, handle, value) => {
  const { user, editor } = await show(status);
  const button = { Indentation: "Spaces: 2", "Line endings": "LF", Encoding: "UTF-8 BOM", Language: "TypeScript" }[
    _menu
  ];
  await user.click(await screen.findByText(button));
  await user.click(await screen.findByText(choice));
  expect(editor[handle]).toHaveBeenCalledWith(value);
});

test("a text that cannot be edited has no menus but the language", async () => {
  await show({ ...status, isReadOnly: true });
  await screen.findByText("Ln 12, Col 3");
  expect(screen.getAllByRole("button").map(({ textContent }) => textContent)).toEqual(["Ln 12, Col 3", "TypeScript"]);
});

test("a click on the caret asks for a line", async () => {
  const { user, client } = await show(status);
  await user.click(await screen.findByText("Ln 12, Col 3"));
  expect(client.workbench.get().overlay).toBe("go_to_line");
});
