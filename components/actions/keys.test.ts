import { describe, expect, test } from "vitest";
import { actions } from "./actions";
import { type KeyPress, formatShortcut, matchesKeys } from "./keys";
import { keyPress } from "./test-key-press";

describe("shortcut", () => {
  test.each<[string, KeyPress, boolean, boolean]>([
    ["mod+k", keyPress("k", { ctrlKey: true }), false, true],
    ["mod+k", keyPress("k", { metaKey: true }), true, true],
    ["mod+k", keyPress("k", { ctrlKey: true }), true, false],
    ["mod+k", keyPress("k", { metaKey: true }), false, false],
    ["mod+k", keyPress("K", { ctrlKey: true, shiftKey: true }), false, false],
    ["mod+shift+f", keyPress("F", { ctrlKey: true, shiftKey: true }), false, true],
    ["mod+k", keyPress("k", { ctrlKey: true, altKey: true }), false, false],
    ["mod+k", keyPress("k", { ctrlKey: true, isComposing: true }), false, false],
    ["alt+a", keyPress("å", { code: "KeyA", altKey: true }), true, true],
    ["alt+1", keyPress("¡", { code: "Digit1", altKey: true }), true, true],
    ["alt+a", keyPress("a", { code: "KeyA" }), false, false],
    ["?", keyPress("?", { shiftKey: true }), false, true],
    ["?", keyPress("?"), false, true],
    ["mod+,", keyPress(",", { ctrlKey: true }), false, true],
    ["k", keyPress("k"), false, true],
    ["ctrl+`", keyPress("Dead", { code: "Backquote", ctrlKey: true }), false, true],
    ["ctrl+`", keyPress("`", { code: "Backquote", ctrlKey: true }), true, true],
    ["ctrl+`", keyPress("`", { code: "Backquote", metaKey: true }), true, false],
    ["ctrl+`", keyPress("`", { code: "Backquote" }), false, false],
    // Caps Lock
    ["mod+shift+f", keyPress("f", { code: "KeyF", ctrlKey: true, shiftKey: true }), false, true],
    ["mod+f", keyPress("F", { code: "KeyF", ctrlKey: true }), false, true],
    // Cyrillic and Greek
    ["mod+shift+f", keyPress("А", { code: "KeyF", ctrlKey: true, shiftKey: true }), false, true],
    ["mod+k", keyPress("κ", { code: "KeyK", ctrlKey: true }), false, true],
    ["mod+,", keyPress("б", { code: "Comma", ctrlKey: true }), false, true],
    ["mod+\\", keyPress("\\", { code: "Backslash", ctrlKey: true }), false, true],
    // AZERTY
    ["mod+a", keyPress("a", { code: "KeyQ", ctrlKey: true }), false, true],
    ["mod+q", keyPress("a", { code: "KeyQ", ctrlKey: true }), false, false],
    ["alt+1", keyPress("&", { code: "Digit1", altKey: true }), false, true],
    ["mod+2", keyPress("é", { code: "Digit2", ctrlKey: true }), false, true],
    // Dvorak
    ["mod+shift+f", keyPress("F", { code: "KeyY", ctrlKey: true, shiftKey: true }), false, true],
    ["mod+shift+f", keyPress("U", { code: "KeyF", ctrlKey: true, shiftKey: true }), false, false],
    ["mod+w", keyPress(",", { code: "KeyW", ctrlKey: true }), false, false],
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
  const browserShortcuts = ["mod+w", "mod+n", "mod+t", "mod+shift+n", "mod+shift+r", "mod+tab"];
  expect(keys.filter((one) => browserShortcuts.includes(one))).toEqual([]);
});
