import { expect, test } from "vitest";
import { type FencedPart, splitFencedParts } from "./split-fenced-parts";

const textPart = (text: string): FencedPart => ({ kind: "text", text });
const codePart = (text: string, info = "", lineBefore = ""): FencedPart => ({
  kind: "code",
  code: text,
  info,
  lineBefore,
});

test.each<[string, readonly FencedPart[]]>([
  ["no code\n\nat all", [textPart("no code\n\nat all")]],
  [
    "Fix:\n```ts\nlet a;\n\nlet b;\n```\nplease",
    [textPart("Fix:"), codePart("let a;\n\nlet b;", "ts", "Fix:"), textPart("please")],
  ],
  ["```\na\n```", [codePart("a")]],
  ["```\r\na\r\n```\r\nb", [codePart("a"), textPart("b")]],
  ["```\na\n```\n\n```\nb\n```", [codePart("a"), codePart("b")]],
  ["~~~py\n```\n~~~", [codePart("```", "py")]],
  ["````\n```\na\n```\n````", [codePart("```\na\n```")]],
  ["```\na\n`````", [codePart("a")]],
  ["```\na\n``` b", [codePart("a\n``` b")]],
  ["  ```\n    a\n b\n  ```", [codePart("  a\nb")]],
  ["```\nnever closed", [codePart("never closed")]],
  ["```", [codePart("")]],
  ["what does ``` mean", [textPart("what does ``` mean")]],
  ["``` one `tick` ```", [textPart("``` one `tick` ```")]],
  ["    ```\n    indented", [textPart("    ```\n    indented")]],
  ["``\ntwo\n``", [textPart("``\ntwo\n``")]],
  ["", []],
])("%j", (text, parts) => {
  expect(splitFencedParts(text)).toEqual(parts);
});
