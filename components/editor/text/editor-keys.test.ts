import { describe, expect, test } from "vitest";
import { findShortcutProblem } from "../../actions/shortcut-problem";
import { listEditorKeys, toShortcut } from "./editor-keys";

test.each([
  ["Mod-d", false, "mod+d"],
  ["Ctrl-m", false, "mod+m"],
  ["Ctrl-m", true, "ctrl+m"],
  ["Cmd-Alt-[", true, "mod+alt+["],
  ["Shift-Mod-k", false, "mod+shift+k"],
  ["Alt-A", false, "alt+shift+a"],
  ["Ctrl-Shift-[", false, "mod+{"],
  ["Shift-Mod-\\", true, "mod+|"],
  ["Mod-Alt-\\", false, "mod+alt+\\"],
  ["F3", false, "f3"],
  ["Ctrl-Space", false, "mod+space"],
] as const)("CodeMirror's %s, on a Mac: %s, is the shortcut %s", (name, isMac, keys) => {
  expect(toShortcut(name, isMac)).toBe(keys);
});

describe.each([true, false])("the keys of the editor, on a Mac: %s", (isMac) => {
  const keys = listEditorKeys(isMac);
  const commandOf = (shortcut: string) => keys.find((one) => one.keys === shortcut)?.command;

  test.each([
    ["mod+d", "nextOccurrence"],
    ["mod+/", "comment"],
    ["mod+shift+l", "allOccurrences"],
    ["mod+i", "selectMore"],
    ["mod+f", "find"],
    ["f3", "find"],
    ["mod+k", undefined],
    // Ctrl+G goes to a line, in a dialog of the product.
    ["mod+alt+g", undefined],
  ])("%s is %s", (shortcut, command) => {
    expect(commandOf(shortcut)).toBe(command);
  });

  test("only keys that cannot be given to an action, or the letters of a Mac, move the cursor", () => {
    const others = keys.filter((one) => one.command === "cursor" && findShortcutProblem(one.keys, isMac) === null);
    expect(others.filter((one) => !/^(?:ctrl|alt|mod)\+.*(?:\+| )?(?:[a-z]|space|`|page\w+)$/.test(one.keys))).toEqual(
      [],
    );
  });
});

test.each([
  ["mod+h", false, "find"],
  ["mod+alt+f", true, "find"],
  ["mod+{", false, "fold"],
  ["mod+alt+[", true, "fold"],
  ["alt+l", false, "selectLine"],
  ["ctrl+l", true, "selectLine"],
  ["ctrl+k", true, "cursor"],
] as const)("%s, on a Mac: %s, is %s", (keys, isMac, command) => {
  expect(listEditorKeys(isMac).find((one) => one.keys === keys)?.command).toBe(command);
});
