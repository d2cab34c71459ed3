// @vitest-environment happy-dom
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { lawRuns } from "@/lib/testing/law-runs";
import { cpuRatio } from "@/lib/testing/test-cpu";
import { advanceSplit, emptySplit } from "./markdown-split";
import { draw, drawSplit, check } from "./test-markdown";

const samples: readonly string[] = [
  "# Title\n\nSome *text* with **bold** and `code`.\n\nSecond paragraph\nwith two lines.\n",
  "1. one\n\n2. two\n\n   more of two\n\n3. three\n\nAfter.",
  "- a\n- b\n  - c\n\n    deep\n- d\n\n\n- e\n\ntext\n\n* other list\n",
  "```ts\nconst a = 1;\n\n\nconst b = `x`;\n```\n\nafter\n\n~~~\n```\n~~~\n",
  "| a | b |\n|---|:-:|\n| 1 | `x|y` |\n| 2 | **z** |\n\nend",
  "See [one] and [two][one].\n\n> quoted\n> more\nlazy\n\n> other\n\n[one]: https://one.example\n\nAnd [one] again.\n\n[one]: https://other.example",
  "Setext\n===\n\nOther\n---\n\ntext\n---\n\n***\n\n- - -\n",
  "<div>\n<b>x</b>\n\ny\n</div>\n\n<!-- a\n\nb -->\n\nz",
  "a  \nb\\\nc\n\n    indented\n\n    more\n\ntext\r\nwith\r\n\r\ncarriage returns\r\n",
  "- [ ] open\n- [x] done\n\n  with text\n\n1) paren\n2) paren\n",
  "修复 **带参数** 的类型：\n\n1. 查找\n2. 修改 `a.ts`\n\n完成。",
  "unclosed ```\n\n``` not fence ` here\n\n**never closed\n\n_x",
];

describe("hostile markdown", () => {
  test("any text renders only allowed elements", () => {
    const pieces = [
      "<",
      ">",
      "a",
      "[",
      "](",
      ")",
      "!",
      "`",
      "```\n",
      "*",
      "_",
      "|",
      "-",
      "\n",
      "\n\n",
      "> ",
      "- ",
      "javascript:",
      "https://x.y",
      "&#60;",
      "&lt;",
      '"',
      "\\",
      "script",
      " onload=1",
      "<!--",
      "[a]: ",
      "\u202e",
      "\u0000",
    ];
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...pieces), { maxLength: 40 }), fc.boolean(), (parts, live) =>
        check(draw(parts.join(""), live)),
      ),
      { numRuns: lawRuns(400) },
    );
  });

  test.each(["> ", "- ", "1. "])("a line in %j quotes or lists to any depth is parsed in linear time", (marker) => {
    const lines = (depth: number) => `${marker.repeat(depth)}a`;
    check(draw(lines(100_000)));
    expect(
      cpuRatio(
        () => draw(lines(100_000)),
        () => draw(lines(10_000)),
        40,
      ),
    ).toBeLessThan(40);
  });

  test("parsing delimiters of a paragraph takes linear time", () => {
    check(draw("_a_".repeat(33_000)));
    expect(
      cpuRatio(
        () => draw("_a_".repeat(33_000)),
        () => draw("_a_".repeat(3_300)),
        40,
      ),
    ).toBeLessThan(40);
  });
});

describe("streamed text", () => {
  test.each(samples.map((text) => [text]))("%j renders the same at the end for any chunks", (text) => {
    const expected = draw(text);
    const everyCharacter = [...text].map((_, index) => index + 1);
    fc.assert(
      fc.property(
        fc.oneof(fc.constant(everyCharacter), fc.array(fc.integer({ min: 0, max: text.length }), { maxLength: 12 })),
        (cuts) => {
          let split = emptySplit;
          for (const cut of [...cuts].sort((a, b) => a - b)) split = advanceSplit(split, text.slice(0, cut), true);
          split = advanceSplit(split, text, false);
          expect(`<div class="markdown">${drawSplit(split)}</div>`).toBe(
            expected.replace(/<button type="button" data-link[^>]*>(.*?)<\/button>/g, "$1"),
          );
        },
      ),
      { numRuns: lawRuns(40) },
    );
  });

  test("blocks that are final while streaming equal those of the whole text, except for links defined later", () => {
    for (const text of samples.filter((sample) => !sample.includes("]:"))) {
      const whole = advanceSplit(emptySplit, text, false).final.map((block) => block.raw.trimEnd());
      let split = emptySplit;
      for (let cut = 1; cut <= text.length; cut += 1) {
        split = advanceSplit(split, text.slice(0, cut), true);
        const final = split.final.map((block) => block.raw.trimEnd());
        expect(final).toEqual(whole.slice(0, final.length));
      }
    }
  });

  test("streaming an answer takes linear time", () => {
    const read = (times: number): void => {
      const text = samples.join("\n\n").repeat(times);
      let split = emptySplit;
      for (let cut = 16; cut < text.length; cut += 16) split = advanceSplit(split, text.slice(0, cut), true);
    };
    expect(
      cpuRatio(
        () => read(12),
        () => read(2),
        20,
      ),
    ).toBeLessThan(20);
  });
});
