import { describe, expect, test } from "vitest";
import { actions } from "./actions";
import { type KeyPress, formatShortcut, matchesKeys } from "./keys";

const press = (key: string, part: Partial<KeyPress> = {}): KeyPress => ({
  key,
  code: "",
  ctrlKey: false,
  metaKey: false,
  altKey: false,
  shiftKey: false,
  isComposing: false,
  ...part,
});

describe("shortcut", () => {
  test.each<[string, KeyPress, boolean, boolean]>([
    ["mod+k", press("k", { ctrlKey: true }), false, true],
    ["mod+k", press("k", { metaKey: true }), true, true],
    ["mod+k", press("k", { ctrlKey: true }), true, false],
    ["mod+k", press("k", { metaKey: true }), false, false],
    ["mod+k", press("K", { ctrlKey: true, shiftKey: true }), false, false],
    ["mod+shift+f", press("F", { ctrlKey: true, shiftKey: true }), false, true],
    ["mod+k", press("k", { ctrlKey: true, altKey: true }), false, false],
    ["mod+k", press("k", { ctrlKey: true, isComposing: true }), false, false],
    ["alt+a", press("å", { code: "KeyA", altKey: true }), true, true],
    ["alt+1", press("¡", { code: "Digit1", altKey: true }), true, true],
    ["alt+a", press("a", { code: "KeyA" }), false, false],
    ["?", press("?", { shiftKey: true }), false, true],
    ["?", press("?"), false, true],
    ["mod+,", press(",", { ctrlKey: true }), false, true],
    ["k", press("k"), false, true],
    ["ctrl+`", press("Dead", { code: "Backquote", ctrlKey: true }), false, true],
    ["ctrl+`", press("`", { code: "Backquote", ctrlKey: true }), true, true],
    ["ctrl+`", press("`", { code: "Backquote", metaKey: true }), true, false],
    ["ctrl+`", press("`", { code: "Backquote" }), false, false],
  ])("%s and %j (Mac: %s) match: %s", (keys, key, isMac, isFit) => {
    expect(matchesKeys(keys, key, isMac)).toBe(isFit);
  });

  test.each([
    ["mod+k", true, "⌘K"],
    ["mod+k", false, "Ctrl+K"],
    ["mod+shift+e", true, "⌘⇧E"],
    ["alt+enter", false, "Alt+Enter"],
    ["?", false, "?"],
  ])("%s (Mac: %s) is displayed as %s", (keys, isMac, text) => {
    expect(formatShortcut(keys, isMac)).toBe(text);
  });
});

test("no two actions have the same keys, and none uses keys reserved by the browser", () => {
  const keys = actions.flatMap((action) => (action.keys === undefined ? [] : [action.keys]));
  expect(new Set(keys).size).toBe(keys.length);
  const kept = ["mod+w", "mod+n", "mod+t", "mod+shift+n", "mod+shift+r", "mod+tab"];
  expect(keys.filter((one) => kept.includes(one))).toEqual([]);
});
