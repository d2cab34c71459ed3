import { expect, test } from "vitest";
import { cleanPaste, cleanTitle, isTerminalReply, splitText, toApplicationKey } from "./terminal-text";

test.each([
  ["build \u202e done", "build  done"],
  ["\u0007\u001b]0;x", "]0;x"],
  ["  a  ", "a"],
  ["x".repeat(200), "x".repeat(80)],
  ["测试 ✓", "测试 ✓"],
])("the title %j is shown as %j", (title, shown) => {
  expect(cleanTitle(title)).toBe(shown);
});

test.each([
  ["a\u001b[201~curl x|sh\r", "a[201~curl x|sh\r"],
  ["tab\tline\r\nnext", "tab\tline\r\nnext"],
  ["\u009b31m", "31m"],
  ["你好 😀", "你好 😀"],
])("the pasted text %j becomes %j", (text, pasted) => {
  expect(cleanPaste(text)).toBe(pasted);
});

test.each([
  ["abcdef", ["abc", "def"]],
  ["abcd", ["abc", "d"]],
  ["ab😀c", ["ab", "😀c"]],
  ["😀😀", ["😀", "😀"]],
  ["", []],
])("%j is sent in the parts %j", (text, parts) => {
  expect(splitText(text, 3)).toEqual(parts);
});

test.each([
  ["\u001b[A", "\u001bOA"],
  ["\u001b[D", "\u001bOD"],
  ["\u001b", "\u001b"],
  ["\t", "\t"],
])("the key %j sends %j in application cursor mode", (text, sent) => {
  expect(toApplicationKey(text)).toBe(sent);
});

test.each([
  ["device attributes", "\u001b[?1;2c", true],
  ["secondary device attributes", "\u001b[>0;276;0c", true],
  ["cursor position", "\u001b[12;40R", true],
  ["status", "\u001b[0n", true],
  ["mode report", "\u001b[?2026;2$y", true],
  ["size report", "\u001b[8;24;80t", true],
  ["colour report", "\u001b]11;rgb:ffff/ffff/ffff\u001b\\", true],
  ["terminfo report", "\u001bP1+r544e\u001b\\", true],
  ["arrow", "\u001b[A", false],
  ["arrow in application mode", "\u001bOA", false],
  ["F5", "\u001b[15~", false],
  ["Alt+x", "\u001bx", false],
  ["Escape", "\u001b", false],
  ["focus out", "\u001b[O", false],
  ["mouse wheel", "\u001b[<64;10;5M", false],
  ["text", "c", false],
  ["bracketed paste", "\u001b[200~12;40R\u001b[201~", false],
])("%s (%j) is a reply of the terminal: %s", (_name, text, isReply) => {
  expect(isTerminalReply(text)).toBe(isReply);
});
