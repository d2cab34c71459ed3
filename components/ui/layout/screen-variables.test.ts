import { expect, test } from "vitest";
import { heightAboveKeyboard } from "./screen-variables";

test.each([
  ["no keyboard", 844, 844, 1, null],
  ["the browser's toolbars appear", 844, 760, 1, null],
  ["an on-screen keyboard", 844, 508.4, 1, 508],
  ["the page is zoomed in", 844, 422, 2, null],
])("%s", (_what, page, visible, scale, height) => {
  expect(heightAboveKeyboard(page, visible, scale)).toBe(height);
});
