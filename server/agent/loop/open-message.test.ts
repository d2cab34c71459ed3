/**
 * The answer pipeline: wire bytes, parts, reader, live deltas, stored value and folded view. The server's chunking
 * has no effect, and displayed text stays.
 */
import { describe, expect, test } from "vitest";
import type { Block } from "@/lib/events/content";
import type { ToolMode } from "@/lib/events/event";
import { type StreamPiece, runPipeline, providerWires } from "./test-pipeline";

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

describe.each(providerWires)("an answer on the wire of %s", (wire) => {
  test.each(openings)("keeps the text after thinking and after a call: %j", (answer) => {
    for (const cut of Object.values(cuts)) {
      const pieces = cut(answer).map((text): StreamPiece => ({ text }));
      const thought: readonly StreamPiece[] = [{ thinking: "Let me " }, { thinking: "see." }];
      const call: StreamPiece = { call: { name: "ls", input: { path: "a" } } };
      for (const mode of modes) {
        const after = runPipeline(wire, mode, [...thought, ...pieces]);
        expect(plain(after.stored)).toEqual([
          { type: "thinking", text: "Let me see." },
          { type: "text", text: answer },
        ]);
        expect(answer.startsWith(textOf(after.displayed))).toBe(true);
      }
      const behind = runPipeline(wire, "native", [call, ...pieces]);
      const expected = { type: "call", name: "ls", input: { path: "a" } };
      expect(plain(behind.stored)).toEqual([expected, { type: "text", text: answer }]);
      expect(plain(runPipeline(wire, "native", [...thought, ...pieces, call]).stored)).toEqual([
        { type: "thinking", text: "Let me see." },
        { type: "text", text: answer.trimEnd() },
        expected,
      ]);
    }
  });

  test("stores a native call under this product's tool name when the model uses an alias", () => {
    const call: StreamPiece = { call: { name: "str_replace", input: { path: "a", old_str: "x", new_str: "y" } } };
    expect(plain(runPipeline(wire, "native", [call]).stored)).toEqual([
      { type: "call", name: "edit", input: { path: "a", old_str: "x", new_str: "y" } },
    ]);
    expect(runPipeline(wire, "native", [call]).displayed).toMatchObject([{ type: "input", name: "edit" }]);
  });
});
