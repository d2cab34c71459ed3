import { expect, test } from "vitest";
import { keyPress } from "../actions/test-key-press";
import { findOperation, keysOfOperation } from "./tree-keys";

test.each([
  [keyPress("F2"), false, "rename"],
  [keyPress("Delete"), false, "delete"],
  [keyPress("Backspace", { metaKey: true }), true, "delete"],
  [keyPress("Backspace", { metaKey: true }), false, null],
  [keyPress("Backspace"), true, null],
  [keyPress("c", { ctrlKey: true }), false, "copy"],
  [keyPress("c", { metaKey: true }), true, "copy"],
  [keyPress("c"), false, null],
  [keyPress("x", { ctrlKey: true }), false, "cut"],
  [keyPress("v", { ctrlKey: true }), false, "paste"],
  [keyPress("v", { ctrlKey: true, shiftKey: true }), false, null],
  [keyPress("z", { ctrlKey: true }), false, "undo"],
  [keyPress("z", { metaKey: true }), true, "undo"],
  [keyPress("z", { ctrlKey: true, shiftKey: true }), false, null],
  [keyPress("a", { ctrlKey: true }), false, "selectAll"],
  [keyPress("F10", { shiftKey: true }), false, "menu"],
  [keyPress("F10"), false, null],
  [keyPress("ContextMenu"), false, "menu"],
  [keyPress("Escape"), false, "clear"],
])("the press %j (Mac: %s) is %j", (key, isMac, operation) => {
  expect(findOperation(key, isMac)).toBe(operation);
});

test("the menu shows the usual delete key of the platform", () => {
  expect(keysOfOperation("delete", false)).toBe("delete");
  expect(keysOfOperation("delete", true)).toBe("mod+backspace");
});
