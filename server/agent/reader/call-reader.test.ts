import { afterAll, describe, expect, test } from "vitest";
import type { ToolMode } from "@/lib/events/event";
import { builtInSource } from "@/server/tools/core/built-in-source";
import { makeCallReader, type ReadBlock } from "./call-reader";
import { allCases as corpus } from "./corpus/all";
import type { ReaderCase, ExpectedBlock } from "./corpus/reader-case";

const allModes: readonly ToolMode[] = ["native", "react", "xml"];

function read(pieces: readonly string[], mode: ToolMode, cut: boolean): readonly ReadBlock[] {
  const reader = makeCallReader({ tools: builtInSource.tools(), mode });
  for (const piece of pieces) {
    reader.push(piece);
    if (reader.finished) return reader.end(true);
  }
  return reader.end(!cut);
}

const plain = (blocks: readonly ReadBlock[]): readonly ExpectedBlock[] =>
  blocks.map((block) => (block.type === "call" ? { type: "call", name: block.name, input: block.input } : block));

describe.each(corpus.map((one): [string, ReaderCase] => [`${one.family}: ${one.title}`, one]))("%s", (_name, one) => {
  for (const mode of one.modes ?? allModes) {
    test(`is read in ${mode} mode`, () => {
      const blocks = read([one.text], mode, one.cut ?? false);
      expect(plain(blocks)).toEqual(one.blocks);
      for (const block of blocks) if (block.type === "call") expect(one.text).toContain(block.raw);
    });
  }
});

describe("preview of a fence of code", () => {
  const call = '{"name": "delete", "arguments": {"path": "src"}}';
  test.each([
    `\`\`\`ts\n${call}\n\`\`\`\nThat is all.`,
    `\`\`\`\`md\n\`\`\`\n${call}\n\`\`\`\n${call}\n\`\`\`\`\nThat is all.`,
    `~~~ts\n\`\`\`\n${call}\n~~~\nThat is all.`,
    `Like this:\n\n\`\`\`ts\n${call}\n\`\`\`\nThat is all.`,
  ])("shows %j as text", (text) => {
    for (const pieces of [[text], text.split("")]) {
      const reader = makeCallReader({ tools: builtInSource.tools(), mode: "native" });
      const shown = pieces.flatMap((piece) => reader.push(piece));
      expect(shown.map((piece) => (piece.kind === "text" ? piece.text : `<${piece.kind}>`)).join("")).toBe(text);
    }
  });
});

const isCall = (one: ReaderCase): boolean => one.blocks.some((block) => block.type === "call");

afterAll(() => {
  const families = new Map<string, [calls: number, prose: number]>();
  for (const one of corpus) {
    const [calls, prose] = families.get(one.family) ?? [0, 0];
    families.set(one.family, isCall(one) ? [calls + 1, prose] : [calls, prose + 1]);
  }
  const positive = corpus.filter(isCall).length;
  const lines = [...families].map(([family, [calls, prose]]) => `  ${family}: ${calls} calls, ${prose} prose`);
  const total = `corpus: ${positive} calls, ${corpus.length - positive} prose, ${families.size} families`;
  process.stdout.write(`${[total, ...lines].join("\n")}\n`);
});
