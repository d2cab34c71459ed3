import { expect, test } from "vitest";
import { cpuRatio } from "../testing/test-cpu";
import { plainMarkdownLine } from "./plain-markdown";

test.each([
  ["## What was wrong\n\nThe `total` is **too low**.", "What was wrong The total is too low."],
  ["| Place | Now |\n| --- | :---: |\n| `a.js` | 3 |", "Place · Now a.js · 3"],
  ["Run:\n\n```js\nconst a = 1 || 2;\n```\nDone.", "Run: const a = 1 || 2; Done."],
  ["- one\n- [x] two\n> three\n1. four", "one two three 1. four"],
  ["See [the guide](docs/guide.md) and ![a picture](a.png).", "See the guide and a picture."],
  ["one\n\n---\n\n***\ntwo ~~three~~", "one two three"],
  ["a - b | c, 2 * 3 * 4, snake_case, #tag, a[i](x)", "a - b · c, 2 * 3 * 4, snake_case, #tag, ai"],
  ["修复**登录**页面", "修复登录页面"],
  ["  \n ", ""],
])("%j is %j on one line", (markdown, plain) => {
  expect(plainMarkdownLine(markdown)).toBe(plain);
});

test("takes linear time", () => {
  const parts = ["[", "[a](", "|", " ", "- ", "`", "*", "-:|", "#", "\n", "_ "];
  const work = (times: number) => (): void => {
    for (const part of parts) plainMarkdownLine(part.repeat(times));
  };
  expect(cpuRatio(work(40_000), work(10_000), 8)).toBeLessThan(8);
});
