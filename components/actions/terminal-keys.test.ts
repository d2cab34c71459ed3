import { expect, test } from "vitest";
import { settingsDefaults } from "@/lib/settings/settings";
import { keymapOf } from "./keymap";
import { isFindKey, isPageKey } from "./terminal-keys";

const press = (code: string, modifiers = "") => ({
  key: "",
  code,
  isComposing: false,
  ctrlKey: modifiers.includes("c"),
  metaKey: modifiers.includes("m"),
  altKey: modifiers.includes("a"),
  shiftKey: modifiers.includes("s"),
});

test.each([
  ["Ctrl+` shows and hides the terminal", press("Backquote", "c"), true, true],
  ["Ctrl+K deletes to the end of the line", press("KeyK", "c"), false, false],
  ["Ctrl+B is the prefix of tmux", press("KeyB", "c"), false, false],
  ["Ctrl+F goes forward", press("KeyF", "c"), false, false],
  ["Ctrl+Shift+F finds in the output", press("KeyF", "cs"), true, false],
  ["Alt+1 is an argument of the shell", press("Digit1", "a"), false, false],
  ["Escape belongs to the program", press("Escape"), false, false],
  ["Command+K is the page's on a Mac, where the modifier is Command", press("KeyK", "m"), false, true],
  ["Command+F finds in the output on a Mac", press("KeyF", "m"), false, true],
])("%s", (_title, key, elsewhere, onMac) => {
  const keymap = keymapOf(settingsDefaults);
  expect([isPageKey(key, keymap, false), isPageKey(key, keymap, true)]).toEqual([elsewhere, onMac]);
});

test("a changed shortcut shows and hides the terminal, and the default belongs to the shell", () => {
  const keymap = keymapOf({ ...settingsDefaults, shortcuts: ["terminal alt+t"] });
  expect([isPageKey(press("KeyT", "a"), keymap, false), isPageKey(press("Backquote", "c"), keymap, false)]).toEqual([
    true,
    false,
  ]);
});

test("the find key differs by platform", () => {
  expect([isFindKey(press("KeyF", "cs"), false), isFindKey(press("KeyF", "m"), true)]).toEqual([true, true]);
  expect([isFindKey(press("KeyF", "c"), true), isFindKey(press("KeyF", "m"), false)]).toEqual([false, false]);
});
