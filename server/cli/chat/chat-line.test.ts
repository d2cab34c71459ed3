import { expect, test } from "vitest";
import { mentionedPaths, parseChatLine, type ChatLine } from "./chat-line";

test.each<[text: string, line: ChatLine]>([
  ["fix it", { kind: "message", text: "fix it" }],
  ["修好它\n/new", { kind: "message", text: "修好它\n/new" }],
  ["/etc/hosts is wrong", { kind: "message", text: "/etc/hosts is wrong" }],
  ["/skill:release now", { kind: "message", text: "/skill:release now" }],
  ["/new", { kind: "command", name: "new", argument: "" }],
  [" /mode  plan ", { kind: "command", name: "mode", argument: "plan" }],
  ["/title 登录 页面", { kind: "command", name: "title", argument: "登录 页面" }],
  ["/models", { kind: "unknown", word: "models" }],
  ["/constructor", { kind: "unknown", word: "constructor" }],
])("parses %j", (text, line) => {
  expect(parseChatLine(text)).toEqual(line);
});

test.each<[text: string, paths: readonly string[]]>([
  ["@src/a.ts and @b", ["src/a.ts", "b"]],
  ["look at @src/a.ts, please", ["src/a.ts,", "src/a.ts"]],
  ["看 @文件.md。", ["文件.md。", "文件.md"]],
  ['in @"my file.ts"', ["my file.ts"]],
  [`@${"x".repeat(1_001)} @y`, ["y"]],
  ["me@example.com @ @@", ["@"]],
])("finds the paths in %s", (text, paths) => {
  expect(mentionedPaths(text)).toEqual(paths);
});
