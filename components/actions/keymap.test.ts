import { describe, expect, test } from "vitest";
import { settingsDefaults } from "@/lib/settings/settings";
import { actions } from "./actions";
import { findConflict, isRebound, keymapOf, rebind } from "./keymap";
import { type KeyPress, matchesKeys } from "./keys";
import { keyPress as press } from "./test-key-press";
import { recordShortcut } from "./record-shortcut";
import { findShortcutProblem } from "./shortcut-problem";

const withShortcuts = (...shortcuts: string[]) => ({ ...settingsDefaults, shortcuts });

describe("keymap", () => {
  test("without changes every action has its default", () => {
    const keymap = keymapOf(settingsDefaults);
    for (const { id, keys } of actions) expect([id, keymap.get(id)]).toEqual([id, keys]);
  });

  test("the user's keys replace those of the preset, `none` removes them, unknown actions are skipped", () => {
    const keymap = keymapOf({ keymap: "vscode", shortcuts: ["files alt+f", "sidebar none", "later mod+l"] });
    expect(keymap.get("palette")).toBe("f1");
    expect(keymap.get("files")).toBe("alt+f");
    expect(keymap.has("sidebar")).toBe(false);
    expect([...keymap.values()]).not.toContain("mod+l");
  });

  test.each(["default", "vscode"] as const)("the preset %s has no keys twice and none that cannot work", (keymap) => {
    for (const isMac of [true, false]) {
      const bound = keymapOf({ keymap, shortcuts: [] });
      for (const [id, keys] of bound) expect([id, findConflict(bound, id, keys, isMac)]).toEqual([id, undefined]);
      for (const [id, keys] of bound) expect([id, findShortcutProblem(keys, isMac)]).not.toContain("reserved");
    }
  });

  test("keys that the user gave to an action are taken from another one of the preset", () => {
    const keymap = keymapOf({ keymap: "vscode", shortcuts: ["help f1"] });
    expect([keymap.get("help"), keymap.has("palette")]).toEqual(["f1", false]);
    expect(keymapOf(withShortcuts("sidebar mod+shift+e")).has("files")).toBe(false);
  });

  test.each(["files cmd+k", "files k", "files shift+k", "files enter", "files mod+c", "files mod+w", "files mod++"])(
    "the entry %j has no effect",
    (entry) => {
      expect(keymapOf(withShortcuts(entry)).get("files")).toBe("mod+shift+e");
    },
  );

  test("an entry is stored only while it differs from the preset", () => {
    expect(rebind(settingsDefaults, "files", "alt+f")).toEqual(["files alt+f"]);
    expect(rebind(withShortcuts("files alt+f", "sidebar none"), "files", "mod+shift+e")).toEqual(["sidebar none"]);
    expect(rebind(withShortcuts("files alt+f"), "files", undefined)).toEqual([]);
    expect(rebind(settingsDefaults, "files", null)).toEqual(["files none"]);
    expect(rebind(settingsDefaults, "trash", null)).toEqual([]);
    expect(isRebound(withShortcuts("files alt+f"), "files")).toBe(true);
    expect(isRebound(withShortcuts("files alt+f"), "find")).toBe(false);
  });

  test.each([
    ["mod+b", true, "sidebar"],
    ["ctrl+b", false, "sidebar"],
    ["ctrl+b", true, undefined],
    ["shift+mod+e", false, undefined],
    ["mod+shift+y", false, undefined],
  ] as const)("%s (Mac: %s) for showing files conflicts with %s", (keys, isMac, other) => {
    expect(findConflict(keymapOf(settingsDefaults), "files", keys, isMac)).toBe(other);
  });
});

describe("recording", () => {
  test.each<[KeyPress, boolean, string | null]>([
    [press("k", { ctrlKey: true }), false, "mod+k"],
    [press("k", { metaKey: true }), true, "mod+k"],
    [press("k", { ctrlKey: true }), true, "ctrl+k"],
    [press("K", { ctrlKey: true, shiftKey: true }), false, "mod+shift+k"],
    [press("å", { altKey: true, code: "KeyA" }), true, "alt+a"],
    [press("!", { altKey: true, shiftKey: true, code: "Digit1" }), false, "alt+shift+1"],
    [press("?", { shiftKey: true, ctrlKey: true, code: "Slash" }), false, "mod+?"],
    [press("Dead", { ctrlKey: true, code: "Backquote" }), false, "mod+`"],
    [press("F5", { code: "F5" }), false, "f5"],
    [press("с", { ctrlKey: true, code: "KeyC" }), false, "mod+c"],
    [press("Л", { ctrlKey: true, shiftKey: true, code: "KeyK" }), false, "mod+shift+k"],
    [press("Process", { ctrlKey: true, code: "KeyK" }), false, null],
    [press("Control", { ctrlKey: true }), false, null],
    [press("Alt", { altKey: true }), false, null],
    [press(" ", { ctrlKey: true }), false, null],
    [press("+", { ctrlKey: true }), false, null],
    [press("Dead", { altKey: true, code: "BracketLeft" }), false, null],
    [press("k", { metaKey: true }), false, null],
    [press("k", { ctrlKey: true, isComposing: true }), false, null],
  ])("%j (Mac: %s) is %s, and the recorded keys match the press", (key, isMac, keys) => {
    expect(recordShortcut(key, isMac)).toBe(keys);
    if (keys !== null) expect(matchesKeys(keys, key, isMac)).toBe(true);
  });

  test.each([
    ["mod+w", false, "reserved"],
    ["mod+shift+n", true, "reserved"],
    ["mod+q", true, "reserved"],
    ["mod+q", false, null],
    ["alt+f4", false, "reserved"],
    ["mod+c", false, "editing"],
    ["k", false, "plain"],
    ["shift+arrowup", false, "editing"],
    ["mod+arrowleft", true, "editing"],
    ["mod+backspace", false, "editing"],
    ["mod+enter", false, "editing"],
    ["mod+shift+v", false, "editing"],
    ["alt+arrowleft", false, "reserved"],
    ["tab", false, "plain"],
    ["shift+k", false, "plain"],
    ["f2", false, null],
    ["shift+f12", false, null],
    ["mod+k", false, null],
    ["ctrl+alt+i", true, null],
  ] as const)("%s (Mac: %s) has the problem %s", (keys, isMac, problem) => {
    expect(findShortcutProblem(keys, isMac)).toBe(problem);
  });
});
