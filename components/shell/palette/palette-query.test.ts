import { expect, test } from "vitest";
import { parsePaletteText } from "./palette-query";

test.each([
  ["", { scope: "files", typed: "" }],
  ["menu", { scope: "files", typed: "menu" }],
  ["menu.tsx:12", { scope: "files", typed: "menu.tsx", line: 12 }],
  ["menu.tsx:12:3", { scope: "files", typed: "menu.tsx", line: 12, column: 3 }],
  ["menu.tsx:", { scope: "files", typed: "menu.tsx" }],
  ["menu.tsx:12:", { scope: "files", typed: "menu.tsx", line: 12 }],
  ["menu.tsx:0", { scope: "files", typed: "menu.tsx" }],
  ["a:b", { scope: "files", typed: "a:b" }],
  [":", { scope: "line", typed: "" }],
  [":7", { scope: "line", typed: "", line: 7 }],
  [": 7", { scope: "line", typed: "" }],
  ["@fold", { scope: "symbols", typed: "fold" }],
  ["> theme", { scope: "commands", typed: "theme" }],
])("%j among files", (text, expected) => expect(parsePaletteText(text, "files")).toEqual(expected));

test("the palette of everything reads the same prefixes, but no line", () => {
  expect(parsePaletteText("a:1", "all")).toEqual({ scope: "all", typed: "a:1" });
  expect(parsePaletteText(">a", "all")).toEqual({ scope: "commands", typed: "a" });
  expect(parsePaletteText(":3", "all")).toEqual({ scope: "line", typed: "", line: 3 });
});
