import { expect, test } from "vitest";
import { type FencedPart, fencedParts } from "./fenced-parts";

const textPart = (text: string): FencedPart => ({ kind: "text", text });
const code = (text: string, info = "", lineBefore = ""): FencedPart => ({ kind: "code", code: text, info, lineBefore });

test.each<[string, readonly FencedPart[]]>([
  ["no code\n\nat all", [textPart("no code\n\nat all")]],
  [
    "Fix:\n```ts\nlet a;\n\nlet b;\n```\nplease",
    [textPart("Fix:"), code("let a;\n\nlet b;", "ts", "Fix:"), textPart("please")],
  ],
  ["```\na\n```", [code("a")]],
  ["```\r\na\r\n```\r\nb", [code("a"), textPart("b")]],
  ["```\na\n```\n\n```\nb\n```", [code("a"), code("b")]],
  ["~~~py\n```\n~~~", [code("```", "py")]],
  ["````\n```\na\n```\n````", [code("```\na\n```")]],
  ["```\na\n`````", [code("a")]],
  ["```\na\n``` b", [code("a\n``` b")]],
  ["  ```\n    a\n b\n  ```", [code("  a\nb")]],
  ["```\nnever closed", [code("never closed")]],
  ["```", [code("")]],
  ["what does ``` mean", [textPart("what does ``` mean")]],
  ["``` one `tick` ```", [textPart("``` one `tick` ```")]],
  ["    ```\n    indented", [textPart("    ```\n    indented")]],
  ["``\ntwo\n``", [textPart("``\ntwo\n``")]],
  ["", []],
])("%j", (text, parts) => {
  expect(fencedParts(text)).toEqual(parts);
});
