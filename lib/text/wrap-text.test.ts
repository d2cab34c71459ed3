import { expect, test } from "vitest";
import { textColumns, wrapText } from "./wrap-text";

test.each<[what: string, text: string, indent: string, lines: readonly string[]]>([
  ["a text that fits is one line", "short", "", ["short"]],
  ["words are kept whole", "one two three", "", ["one two", "three"]],
  [
    "further lines are indented, the first one keeps its own spaces",
    "  1  one two three",
    "     ",
    ["  1  one", "     two", "     three"],
  ],
  ["a space at the end of a full line begins no line", "one two th and", "", ["one two th", "and"]],
  ["a word wider than a line is broken", "abcdefghijklm", "", ["abcdefghij", "klm"]],
  ["Chinese is broken anywhere, by its width", "模型服务器没有响应", "", ["模型服务器", "没有响应"]],
  ["an empty text is one empty line", "", "", [""]],
])("%s", (_what, text, indent, lines) => {
  expect(wrapText(text, 10, indent)).toEqual(lines);
  expect(lines.every((line) => textColumns(line) <= 10)).toBe(true);
});
