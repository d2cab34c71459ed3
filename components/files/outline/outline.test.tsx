// @vitest-environment happy-dom
import { act, screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { asId, type ProjectId } from "@/lib/events/id";
import { files } from "../../messages/en/late/files";
import { connectClient, renderForUser } from "../../shell/frame/test-dom";
import type { ComponentHandles, EditorStatus, EditorSymbol } from "../../state/workbench/component-handles";
import { Outline } from "./outline";

const symbols: readonly EditorSymbol[] = [
  { name: "Shop", kind: "class", line: 1, depth: 0 },
  { name: "total", kind: "method", line: 5, depth: 1 },
  { name: "main", kind: "function", line: 20, depth: 0 },
];
const statusAt = (line: number): EditorStatus => ({
  ...{ path: "a.ts", line, column: 1, selected: 0, carets: 1, indentation: 2, lineEnding: "\n", encoding: "utf8" },
  ...{ enclosing: [], language: "typescript", isReadOnly: false },
});
const unused = (): boolean => false;
const editor: NonNullable<ComponentHandles["editor"]> = {
  ...{ save: unused, format: unused, closeTab: unused, focus: unused, find: unused, setFolded: unused },
  ...{ goToChange: unused, setIndentation: unused, setLineEnding: unused, chooseEncoding: unused },
  ...{ setLanguage: unused, togglePreview: unused, canSplit: unused, split: unused, focusOtherGroup: unused },
  ...{ moveToOtherGroup: unused, selectedText: () => "", reference: () => null, symbols: async () => symbols },
};

async function setUp() {
  const { client } = await connectClient(() => undefined);
  client.workbench.showProject(asId<ProjectId>("p1"));
  client.workbench.openFile("a.ts");
  client.handles.editor = editor;
  client.editorStatus.set(statusAt(6));
  // The virtual list draws what fits its size.
  Object.defineProperties(HTMLElement.prototype, {
    clientHeight: { configurable: true, get: () => 400 },
    clientWidth: { configurable: true, get: () => 300 },
    offsetHeight: { configurable: true, get: () => 28 },
  });
  const user = await renderForUser(client, <Outline />);
  await user.click(screen.getByRole("button", { name: files.outline }));
  await screen.findByRole("treeitem", { name: "total" });
  const target = () => client.workbench.get().revealTarget;
  return { client, user, target };
}

const current = () => document.querySelector("[aria-current=true]")?.textContent;

test("the symbol at the caret is marked, and follows the caret", async () => {
  const { client } = await setUp();
  expect(current()).toBe("total");
  act(() => client.editorStatus.set(statusAt(21)));
  expect(current()).toBe("main");
});

test("a click and the keys go to a symbol", async () => {
  const { user, target } = await setUp();
  await user.click(screen.getByRole("treeitem", { name: "main" }));
  expect(target()).toMatchObject({ path: "a.ts", line: 20 });
  screen.getByRole("tree", { name: files.outline }).focus();
  await user.keyboard("{ArrowUp}{Enter}");
  expect(target()).toMatchObject({ path: "a.ts", line: 1 });
});
