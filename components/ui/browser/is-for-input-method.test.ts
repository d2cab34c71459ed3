import { expect, test } from "vitest";
import { isForInputMethod } from "./is-for-input-method";

test.each([
  ["while a text is composed", { key: "Enter", isComposing: true, keyCode: 13 }, true],
  ["in Safari, after the composition", { key: "Enter", isComposing: false, keyCode: 229 }, true],
  ["another key in Safari", { key: "Escape", isComposing: false, keyCode: 229 }, true],
  ["right after the composition", { key: "Enter", isComposing: false, keyCode: 13, sinceCompositionMs: 10 }, true],
  ["later", { key: "Enter", isComposing: false, keyCode: 13, sinceCompositionMs: 500 }, false],
  ["without a composition", { key: "Enter", isComposing: false, keyCode: 13 }, false],
])("a key %s belongs to an input method: %j %s", (_when, key, expected) => {
  expect(isForInputMethod(key)).toBe(expected);
});
