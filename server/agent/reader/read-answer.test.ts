import { isJsonObject } from "@/lib/events/content";
import { describe, expect, test } from "vitest";
import type { ToolMode } from "@/lib/events/event";
import { builtInSource } from "@/server/tools/core/built-in-source";
import { makeCallReader } from "./call-reader";
import { mayBeginCall } from "./quoted-spans";
import { type ReadBlock, readAnswer } from "./read-answer";

const rawsOf = (text: string): readonly string[] =>
  readAnswer(text, { tools: builtInSource.tools(), mode: "native" }, true).flatMap((block: ReadBlock) =>
    block.type === "call" ? [block.raw] : [],
  );
const ls = '{"name": "ls", "arguments": {}}';
const read = '{"name": "read", "arguments": {"path": "a"}}';

describe("raw text of a call", () => {
  test.each<readonly [string, readonly string[]]>([
    [ls, [ls]],
    [`I'll look.\n${ls}\n`, [ls]],
    [
      `<tool_call>\n${ls}\n</tool_call>\n<tool_call>${read}</tool_call>`,
      [`<tool_call>\n${ls}\n</tool_call>`, `<tool_call>${read}</tool_call>`],
    ],
    [`<tool_call>\n${ls}\n${read}\n</tool_call>`, [`<tool_call>\n${ls}`, `${read}\n</tool_call>`]],
    [`\`\`\`json\n${ls}\n\`\`\`\n`, [`\`\`\`json\n${ls}\n\`\`\``]],
    [`[${ls}, ${read}]`, [`[${ls}, ${read}]`, `[${ls}, ${read}]`]],
    [`${ls}\n\n${ls}`, [`${ls}\n\n${ls}`]],
    [`${ls}}`, [`${ls}}`]],
    ["Thought: x\nAction: ls\nAction Input: {}\nObservation: a", ["Action: ls\nAction Input: {}"]],
    ["x <tool_response>\n[ls()]", ["[ls()]"]],
  ])("of %j is the model's text, markers included", (text, raws) => {
    expect(rawsOf(text)).toEqual(raws);
  });
});

test.each<readonly [string, ToolMode, string, readonly string[]]>([
  [
    "an input that is broken hides no later action",
    "react",
    `Action: read\nAction Input: {"path" "b"}\nAction: read\nAction Input: {"path": "a"}\n`,
    ["a"],
  ],
  [
    "a call without its closers before a result",
    "native",
    `<tool_call>${read.slice(0, -1)}\n<tool_response>\n1`,
    ["a"],
  ],
  ["an element without content", "native", '<invoke name="ls"></invoke>', [""]],
])("%s: the calls of it are read", (_name, mode, text, paths) => {
  const blocks = readAnswer(text, { tools: builtInSource.tools(), mode }, true);
  const called = blocks.filter((block) => block.type === "call");
  expect(called.map(({ input }) => (isJsonObject(input) ? (input.path ?? "") : input))).toEqual(paths);
  expect(JSON.stringify(blocks)).not.toContain("tool_response");
});

test("a hallucinated result ends the answer also if its end is in the same piece", () => {
  const reader = makeCallReader({ tools: builtInSource.tools(), mode: "native" });
  reader.push(`<tool_call>${read}</tool_call>\n<tool_response>\n1\n</tool_response>`);
  expect(reader.finished).toBe(true);
});

test("bare JSON begins no call after a long text on its line", () => {
  const at = 500;
  expect(mayBeginCall(`${"x".repeat(at - 2)}: ${ls}`, at, 0, false)).toBe(false);
  expect(mayBeginCall(`${"x".repeat(at - 12)}\nSo I list: ${ls}`, at, 0, false)).toBe(true);
});

describe("an answer with several calls", () => {
  test("keeps the text between them and their order", () => {
    const file = (path: string) =>
      `\`\`\`json\n{"name": "write", "arguments": {"path": "${path}", "content": "x\\n"}}\n\`\`\``;
    const text = `I'll create the three files.\n\nFirst the entry:\n\n${file("a.ts")}\n\nNow the helper:\n\n${file("b.ts")}\n\nFinally the test:\n\n${file("c.ts")}\n`;
    expect(readAnswer(text, { tools: builtInSource.tools(), mode: "native" }, true)).toMatchObject([
      { type: "text", text: "I'll create the three files.\n\nFirst the entry:" },
      { type: "call", input: { path: "a.ts" } },
      { type: "text", text: "Now the helper:" },
      { type: "call", input: { path: "b.ts" } },
      { type: "text", text: "Finally the test:" },
      { type: "call", input: { path: "c.ts" } },
    ]);
  });

  test("with many bare inputs is read to its end", () => {
    const paths = Array.from({ length: 60 }, (_, index) => `src/folder/file-${index}.ts`);
    const text = paths.map((path) => `Action: read\nAction Input: ${path}\n`).join("");
    const blocks = readAnswer(text, { tools: builtInSource.tools(), mode: "react" }, true);
    expect(blocks).toMatchObject(paths.map((path) => ({ type: "call", input: { path } })));
  });

  test("with an unknown tool first keeps the order", () => {
    const fly = '{"name": "fly", "arguments": {"to": "a"}}';
    const text = `<tool_call>${fly}</tool_call>\n<tool_call>${ls}</tool_call>\n<tool_call>${fly}</tool_call>`;
    const blocks = readAnswer(text, { tools: builtInSource.tools(), mode: "native" }, true);
    expect(blocks).toMatchObject(["fly", "ls", "fly"].map((name) => ({ type: "call", name })));
  });

  test("with more calls than plausible is prose", () => {
    const text = `${ls}\n${read}\n`.repeat(600);
    expect(readAnswer(text, { tools: builtInSource.tools(), mode: "native" }, true)).toEqual([{ type: "text", text }]);
  });
});
