import { expect, test } from "vitest";
import { type FencedPart, fencedParts } from "./fenced-parts";

const said = (text: string): FencedPart => ({ kind: "text", text });
const code = (text: string, info = "", lineBefore = ""): FencedPart => ({ kind: "code", code: text, info, lineBefore });

test.each<[string, readonly FencedPart[]]>([
  ["no code\n\nat all", [said("no code\n\nat all")]],
  [
    "Fix:\n```ts\nlet a;\n\nlet b;\n```\nplease",
    [said("Fix:"), code("let a;\n\nlet b;", "ts", "Fix:"), said("please")],
  ],
  ["```\na\n```", [code("a")]],
  ["```\r\na\r\n```\r\nb", [code("a"), said("b")]],
  ["```\na\n```\n\n```\nb\n```", [code("a"), code("b")]],
  ["~~~py\n```\n~~~", [code("```", "py")]],
  ["````\n```\na\n```\n````", [code("```\na\n```")]],
  ["```\na\n`````", [code("a")]],
  ["```\na\n``` b", [code("a\n``` b")]],
  ["  ```\n    a\n b\n  ```", [code("  a\nb")]],
  ["```\nnever closed", [code("never closed")]],
  ["```", [code("")]],
  ["what does ``` mean", [said("what does ``` mean")]],
  ["``` one `tick` ```", [said("``` one `tick` ```")]],
  ["    ```\n    indented", [said("    ```\n    indented")]],
  ["``\ntwo\n``", [said("``\ntwo\n``")]],
  ["", []],
])("%j", (text, parts) => {
  expect(fencedParts(text)).toEqual(parts);
});
