import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { contrast, parseThemes } from "../theme/theme-fixture";

const { light, dark } = parseThemes(readFileSync("app/globals.css", "utf8"));

test("the edge of the selected segment has a contrast of 3 to 1 against the track in the dark theme", () => {
  expect(contrast(dark, "segment-edge", "segment-track")).toBeGreaterThanOrEqual(3);
  expect(contrast(dark, "segment", "segment-track")).toBeGreaterThanOrEqual(1.5);
});

test.each([
  ["light", light],
  ["dark", dark],
])("the text of every segment has AA contrast in the %s theme", (_name, theme) => {
  expect(contrast(theme, "ink", "segment")).toBeGreaterThanOrEqual(4.5);
  expect(contrast(theme, "ink-muted", "segment-track")).toBeGreaterThanOrEqual(4.5);
});
