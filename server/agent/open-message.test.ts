/**
 * The answer pipeline: wire bytes, parts, reader, live deltas, stored value and folded view. The server's chunking
 * has no effect, and displayed text stays.
 */
import { describe, expect, test } from "vitest";
import type { Block } from "@/lib/content";
import type { ToolMode } from "@/lib/event";
import { type Said, travel, wires } from "./test-road";

const modes: readonly ToolMode[] = ["native", "react", "xml"];
const textOf = (blocks: readonly { readonly type: string; readonly text?: string }[]): string =>
  blocks.flatMap((block) => (block.type === "text" ? [block.text ?? ""] : [])).join("");
const plain = (blocks: readonly Block[]) =>
  blocks.map((block) =>
    block.type === "call"
      ? { type: "call", name: block.name, input: block.input }
      : { type: block.type, text: "text" in block ? block.text : "" },
  );

/** One piece per character, one per word, and all at once. */
const cuts = {
  characters: (text: string): readonly string[] => [...text],
  words: (text: string): readonly string[] => text.split(/(?<=\s)/),
  whole: (text: string): readonly string[] => [text],
} as const;

const openings = [
  "## Summary\n\nAll is well.",
  "[The guide](docs/guide.md) says so.",
  "```ts\nconst a = 1;\n```\n\nThat is it.",
  "**Done.** It runs.",
  "- one\n- two\n",
  "1. one\n2. two",
  "> quoted\n\nand answered",
  "`npm test` passes.",
  "<b>Bold</b> and <details>more</details>",
  "to do: nothing",
  "{not json} at all",
  "[x] ticked",
  "Thoughts on this: none.",
  "A plain answer.",
  "| a | b |\n| - | - |\n| 1 | 2 |",
  "Toast: two slices",
  "最终的结果是好的。",
];

describe.each(wires)("an answer on the wire of %s", (wire) => {
  test.each(openings)("keeps the text after thinking and after a call: %j", (answer) => {
    for (const cut of Object.values(cuts)) {
      const pieces = cut(answer).map((text): Said => ({ text }));
      const thought: readonly Said[] = [{ thinking: "Let me " }, { thinking: "see." }];
      const call: Said = { call: { name: "ls", input: { path: "a" } } };
      for (const mode of modes) {
        const after = travel(wire, mode, [...thought, ...pieces]);
        expect(plain(after.stored)).toEqual([
          { type: "thinking", text: "Let me see." },
          { type: "text", text: answer },
        ]);
        expect(answer.startsWith(textOf(after.shown))).toBe(true);
      }
      const behind = travel(wire, "native", [call, ...pieces]);
      const expected = { type: "call", name: "ls", input: { path: "a" } };
      expect(plain(behind.stored)).toEqual([expected, { type: "text", text: answer }]);
      expect(plain(travel(wire, "native", [...thought, ...pieces, call]).stored)).toEqual([
        { type: "thinking", text: "Let me see." },
        { type: "text", text: answer.trimEnd() },
        expected,
      ]);
    }
  });

  test("stores a native call under this product's tool name when the model uses an alias", () => {
    const call: Said = { call: { name: "str_replace", input: { path: "a", old_str: "x", new_str: "y" } } };
    expect(plain(travel(wire, "native", [call]).stored)).toEqual([
      { type: "call", name: "edit", input: { path: "a", old_str: "x", new_str: "y" } },
    ]);
    expect(travel(wire, "native", [call]).shown).toMatchObject([{ type: "input", name: "edit" }]);
  });
});
