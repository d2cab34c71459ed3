import { expect, test } from "vitest";
import { type ComposerKey, interpretComposerKey, type ComposerKeyContext, createDoublePress } from "./composer-keys";

const key = (name: string, more: Partial<ComposerKey> = {}): ComposerKey => ({
  key: name,
  shift: false,
  alt: false,
  mod: false,
  isComposing: false,
  keyCode: 0,
  sinceCompositionMs: Number.POSITIVE_INFINITY,
  ...more,
});
const at = (more: Partial<ComposerKeyContext> = {}): ComposerKeyContext => ({
  sendKey: "enter",
  running: false,
  text: "hello",
  inHistory: false,
  isMenuOpen: false,
  hasQueue: false,
  ...more,
});
/** With the menu open. */
const menu = (text: string, more: Partial<ComposerKeyContext> = {}): ComposerKeyContext =>
  at({ text, isMenuOpen: true, ...more });

test.each([
  ["Enter sends", key("Enter"), at(), "send"],
  ["Shift+Enter breaks the line", key("Enter", { shift: true }), at(), "text"],
  ["Ctrl+Enter sends too", key("Enter", { mod: true }), at(), "send"],
  ["with mod-enter, Enter breaks the line", key("Enter"), at({ sendKey: "mod-enter" }), "text"],
  ["with mod-enter, Ctrl+Enter sends", key("Enter", { mod: true }), at({ sendKey: "mod-enter" }), "send"],
  ["Alt+Enter queues while a run is open", key("Enter", { alt: true }), at({ running: true }), "queue"],
  [
    "Alt+Enter queues with mod-enter too",
    key("Enter", { alt: true }),
    at({ running: true, sendKey: "mod-enter" }),
    "queue",
  ],
  ["Alt+Enter sends when nothing runs", key("Enter", { alt: true }), at(), "send"],
  ["Enter while a run is open sends (as steering)", key("Enter"), at({ running: true }), "send"],
  [
    "Enter that confirms a candidate does not send (Chrome, Firefox)",
    key("Enter", { isComposing: true, keyCode: 229 }),
    at(),
    "text",
  ],
  ["nor if only keyCode is 229 (Safari)", key("Enter", { keyCode: 229 }), at(), "text"],
  ["nor right after the composition has ended (Safari's order)", key("Enter", { sinceCompositionMs: 3 }), at(), "text"],
  ["nor with Ctrl", key("Enter", { mod: true, isComposing: true }), at({ sendKey: "mod-enter" }), "text"],
  ["the next Enter sends", key("Enter", { sinceCompositionMs: 200 }), at(), "send"],
  [
    "Esc in a composition belongs to the input method",
    key("Escape", { isComposing: true }),
    at({ running: true }),
    "text",
  ],
  ["Esc stops a run", key("Escape"), at({ running: true }), "stop"],
  ["Esc has nothing to stop", key("Escape"), at(), "escape"],
  ["Alt+Up takes back a queued message", key("ArrowUp", { alt: true }), at({ text: "", hasQueue: true }), "pull"],
  ["Alt+Up leaves a text alone", key("ArrowUp", { alt: true }), at({ hasQueue: true }), "text"],
  ["Alt+Up without a queue does nothing", key("ArrowUp", { alt: true }), at({ text: "" }), "text"],
  ["Up moves in the menu", key("ArrowUp"), menu("/"), "up"],
  ["Down moves in the menu", key("ArrowDown"), menu("/"), "down"],
  ["Up in an empty field goes back in history", key("ArrowUp"), at({ text: "" }), "older"],
  ["Up in a text moves the cursor", key("ArrowUp"), at(), "text"],
  ["Up in an unchanged history message goes further back", key("ArrowUp"), at({ inHistory: true }), "older"],
  ["Down in an unchanged history message goes forward", key("ArrowDown"), at({ inHistory: true }), "newer"],
  ["Down in a text moves the cursor", key("ArrowDown"), at(), "text"],
  ["Down in an empty field does nothing", key("ArrowDown"), at({ text: "" }), "text"],
  ["Shift+Up selects", key("ArrowUp", { shift: true }), at({ text: "" }), "text"],
  [
    "Up in a candidate list belongs to the input method",
    key("ArrowUp", { isComposing: true }),
    at({ text: "" }),
    "text",
  ],
  ["Esc closes the menu and does not stop the run", key("Escape"), menu("/co", { running: true }), "dismiss"],
  ["Esc closes the menu without a run, too", key("Escape"), menu("/"), "dismiss"],
  ["Enter picks a row of the menu", key("Enter"), menu("/co"), "complete"],
  [
    "Enter that confirms a candidate does not pick a row (Safari's order)",
    key("Enter", { sinceCompositionMs: 3 }),
    menu("/co"),
    "text",
  ],
  ["Ctrl+Enter sends the text as it is", key("Enter", { mod: true }), menu("/co"), "send"],
  ["Tab completes", key("Tab"), menu("/"), "complete"],
  ["Shift+Tab does not", key("Tab", { shift: true }), menu("/"), "text"],
  ["Tab leaves the field without a menu", key("Tab"), at(), "text"],
  ["a letter is a letter", key("a"), at(), "text"],
] as const)("%s", (_, event, situation, expected) => expect(interpretComposerKey(event, situation)).toBe(expected));

test("two Esc in quick succession are a double press; a third one starts a new one", () => {
  const isDoublePress = createDoublePress();
  expect([0, 2_000, 2_200, 2_300, 2_900].map(isDoublePress)).toEqual([false, false, true, false, false]);
});
