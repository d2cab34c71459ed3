import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { contrast, themesOf } from "./theme-fixture";

const { light, dark } = themesOf(readFileSync("app/globals.css", "utf8"));

test("the chosen segment stands out of the track by an edge of 3 to 1 in the dark theme", () => {
  expect(contrast(dark, "segment-edge", "segment-track")).toBeGreaterThanOrEqual(3);
  expect(contrast(dark, "segment", "segment-track")).toBeGreaterThanOrEqual(1.5);
});

test.each([
  ["light", light],
  ["dark", dark],
])("the words of every segment have AA contrast in the %s theme", (_name, theme) => {
  expect(contrast(theme, "ink", "segment")).toBeGreaterThanOrEqual(4.5);
  expect(contrast(theme, "ink-muted", "segment-track")).toBeGreaterThanOrEqual(4.5);
});
