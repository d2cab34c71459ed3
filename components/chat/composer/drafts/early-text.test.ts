import { describe, expect, test } from "vitest";
import { mergeEarlyText } from "./early-text";

describe("text typed before the composer is ready", () => {
  test.each([
    ["nothing was typed", "kept", "", "", "kept"],
    ["the draft was shown and left alone", "kept", "kept", "kept", "kept"],
    ["the draft was shown and edited", "kept", "kept", "kept and more", "kept and more"],
    ["the edit was stored meanwhile", "kept and more", "kept", "kept and more", "kept and more"],
    ["storage is switched off", "", "", "typed", "typed"],
    [
      "another draft than the shown one",
      "of this project",
      "of another",
      "of another and more",
      "of this project\nof another and more",
    ],
    ["a draft that was not shown", "kept", "", "typed", "kept\ntyped"],
    ["another project without a draft", "", "of another", "of another and more", "of another and more"],
  ])("%s", (_case, draft, prefilled, text, expected) => {
    expect(mergeEarlyText(draft, { text, prefilled })).toBe(expected);
  });
});
