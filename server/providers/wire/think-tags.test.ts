import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { makeThinkTags } from "./think-tags";

/** All text of each kind, merged. */
function split(pieces: readonly string[]): { readonly thinking: string; readonly text: string } {
  const tags = makeThinkTags();
  const parts = [...pieces.flatMap((piece) => tags.push(piece)), ...tags.flush()];
  expect(parts.every(({ text }) => text !== "")).toBe(true);
  const textOf = (type: string): string => parts.flatMap((part) => (part.type === type ? [part.text] : [])).join("");
  return { thinking: textOf("thinking"), text: textOf("text") };
}

const cases: readonly (readonly [answer: string, thinking: string, text: string])[] = [
  ["", "", ""],
  ["plain", "", "plain"],
  ["<think>a</think>b", "a", "b"],
  [" \n<think>\na\n</think>\n\n b c", "a\n", "b c"],
  ["<think></think>b", "", "b"],
  ["<think>a", "a", ""],
  ["<think>", "", ""],
  ["<think>a</think>", "a", ""],
  ["<think>a</thin", "a</thin", ""],
  ["<think>a < b </ c</think>d", "a < b </ c", "d"],
  ["<think>a</</think>d", "a</", "d"],
  ["<think>a</think>b<think>c</think>", "a", "b<think>c</think>"],
  ["<think>a<think>b</think>c", "a<think>b", "c"],
  ["Use `<think>a</think>` so", "", "Use `<think>a</think>` so"],
  ["```\n<think>a</think>\n```", "", "```\n<think>a</think>\n```"],
  ["</think>b", "", "</think>b"],
  ["<thinking>a</thinking>", "", "<thinking>a</thinking>"],
  ["<Think>a</Think>", "", "<Think>a</Think>"],
  ["<thi", "", "<thi"],
  ["  <", "", "  <"],
  ["  \n", "", "  \n"],
  ["<think>😀</think>你好", "😀", "你好"],
];

describe("think tags", () => {
  it.each(cases)("%j", (answer, thinking, text) => {
    expect(split([answer])).toEqual({ thinking, text });
    for (let cut = 1; cut < answer.length; cut++)
      expect(split([answer.slice(0, cut), answer.slice(cut)])).toEqual({ thinking, text });
    expect(split(answer.split(""))).toEqual({ thinking, text });
  });

  it("text cut anywhere splits as it does whole", () => {
    const word = fc.constantFrom("<think>", "</think>", "<th", "</", ">", " ", "\n", "a", "<");
    fc.assert(
      fc.property(fc.array(fc.array(word, { maxLength: 3 }), { maxLength: 6 }), (pieces) => {
        const texts = pieces.map((piece) => piece.join(""));
        expect(split(texts)).toEqual(split([texts.join("")]));
      }),
      { numRuns: 1000 },
    );
  });

  it("streams thinking and holds back only a possible tag", () => {
    const tags = makeThinkTags();
    expect(tags.push("<think>abc")).toEqual([{ type: "thinking", text: "abc" }]);
    expect(tags.push("d</th")).toEqual([{ type: "thinking", text: "d" }]);
    expect(tags.push("ing")).toEqual([{ type: "thinking", text: "</thing" }]);
  });
});
