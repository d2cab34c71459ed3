/** Properties for any text: independent of chunking, prose is preserved, linear time, early preview. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { ToolMode } from "@/lib/events/event";
import { lawRuns } from "@/lib/testing/law-runs";
import { measureCpuMs } from "@/lib/testing/test-cpu";
import { builtInSource } from "@/server/tools/core/built-in-source";
import { makeCallReader, type ReadBlock, type ReaderPiece } from "./call-reader";
import { allCases } from "./corpus/all";
import { orphanThoughtCloser } from "./grammars/thinking";
import { heldMaxChars } from "./preview/live-constructs";
import { trimAnswerTokens } from "./stop-tokens";

const modes: readonly ToolMode[] = ["native", "react", "xml"];

function read(pieces: readonly string[], mode: ToolMode, whole = true) {
  const reader = makeCallReader({ tools: builtInSource.tools(), mode });
  const shown: ReaderPiece[] = [];
  let finished = false;
  for (const piece of pieces) {
    shown.push(...reader.push(piece));
    finished = reader.finished;
    if (finished) break;
  }
  return { blocks: reader.end(whole || finished), shown, finished };
}

const textOf = (shown: readonly ReaderPiece[], kind: ReaderPiece["kind"]): string =>
  shown.flatMap((piece) => (piece.kind === kind ? [piece.text] : [])).join("");

const words = fc.constantFrom(
  "<tool_call>",
  "</tool_call>",
  '{"name": "ls", "arguments": {"path": "a"}}',
  '{"name": "read", "arguments": {',
  '"path": "',
  '"}}',
  "<function=read>",
  "<parameter=path>",
  "</parameter>",
  "</function>",
  "[TOOL_CALLS]",
  "read[ARGS]",
  "```json\n",
  "```\n",
  "`",
  "\n",
  "Action: read\n",
  "Action Input: ",
  "Observation: ",
  "Final Answer: ",
  "Thought: ",
  "<think>",
  "</think>",
  "<tool_response>",
  '{"name": "read_file", "arguments": {"path": "a"}}',
  "<function=fly>",
  "Action: run_command\n",
  "[ls(",
  'path="a"',
  ")]",
  "<|channel|>commentary to=functions.ls<|message|>{}",
  "<|call|>",
  "I will read it.\n",
  "For example:\n",
  "> ",
  "]<]minimax[>[<tool_call>",
  '<|open|>call tool="ls" index="1"<|sep|>',
  "<|close|>call<|sep|>",
  'functions.ls:0{"path": "a"}',
  "<|DSML|tool_calls>",
  "<|tool_call:start|>ls\n",
  "<|tool_call:end|>",
  "function call",
  " to=read<|message|>",
  "<|eot_id|>",
  " opens a call, and ",
  "The element ",
  "<response>",
  "</response>",
  "é😀",
  "{",
  "}",
  "<",
  "[",
  ">",
);
const answer = fc.array(words, { maxLength: 14 }).map((parts) => parts.join(""));

describe("any text", () => {
  test("is read identically for any chunking", () => {
    const generated = fc.tuple(answer, fc.constantFrom(...modes), fc.boolean());
    const listed = fc
      .constantFrom(...allCases)
      .map((one): [string, ToolMode, boolean] => [one.text, one.modes?.[0] ?? "native", one.cut !== true]);
    fc.assert(
      fc.property(
        fc.oneof(generated, listed),
        fc.array(fc.nat(4_000), { maxLength: 6 }),
        ([text, mode, whole], cuts) => {
          const places = [0, ...cuts.map((cut) => cut % (text.length + 1)).toSorted((a, b) => a - b), text.length];
          const pieces = places.slice(1).map((end, index) => text.slice(places[index], end));
          const { blocks, finished } = read([text], mode, whole);
          expect(read(pieces, mode, whole)).toMatchObject({ blocks, finished });
          expect(read(text.split(""), mode, whole)).toMatchObject({ blocks, finished });
        },
      ),
      { numRuns: lawRuns(5_000) },
    );
  });

  test("displays a prefix of the stored text, whatever marks the text before a call names", () => {
    const named = fc.constantFrom(
      "I look at it. ",
      "The element <tool_call> opens a call, ",
      "The marks <function=read> and [TOOL_CALLS] do so too. ",
      "as does <|python_tag|> here.\n",
      "It is sent to=functions.read in a header.\n",
      "A <tool_response> has a result, ",
      "`<tool_call>` is code.\n",
      "<tools> are listed first. ",
      "A set {1, 2} and a [list].\n",
      'The call <invoke name="read"> needs a path.\n',
      "It ends with <|eot_id|>, ",
    );
    const closesUnopened = new RegExp(orphanThoughtCloser);
    const cases = allCases.filter(
      (one) => one.cut !== true && !closesUnopened.test(one.text) && !one.text.startsWith("analysis"),
    );
    fc.assert(
      fc.property(fc.array(named, { maxLength: 4 }), fc.constantFrom(...cases), (before, one) => {
        const text = `${before.join("")}\n${one.text}`;
        const { blocks, shown } = read([...text], one.modes?.[0] ?? "native");
        const stored = blocks.map((block) => (block.type === "text" ? block.text : "")).join("");
        const displayed = textOf(shown, "text").replaceAll(/\s/g, "");
        expect(stored.replaceAll(/\s/g, "").slice(0, displayed.length)).toBe(displayed);
      }),
      { numRuns: lawRuns(4_000) },
    );
  });

  test("without a call and without thinking is unchanged between its tokens", () => {
    fc.assert(
      fc.property(answer, (text) => {
        const { blocks } = read([text], "native");
        if (
          blocks.some((block) => block.type !== "text") ||
          /channel|think>|<response>|^\s*Thought:\s*Final/.test(text)
        )
          return;
        const words = trimAnswerTokens(text);
        expect(text).toContain(words);
        expect(blocks).toEqual(words === "" ? [] : [{ type: "text", text: words }]);
      }),
      { numRuns: lawRuns(1_000) },
    );
  });

  test("aliases never add a call of an offered tool, and a truncated stream never has one that the whole stream lacks", () => {
    fc.assert(
      fc.property(answer, fc.constantFrom(...modes), (text, mode) => {
        const names: readonly string[] = builtInSource.tools().map((tool) => tool.name);
        const callsOf = (blocks: readonly ReadBlock[]) =>
          blocks.flatMap((block) => (block.type === "call" && names.includes(block.name) ? [block] : []));
        const whole = callsOf(read([text], mode).blocks);
        const reader = makeCallReader({ tools: builtInSource.tools(), mode });
        reader.push(text);
        const without = callsOf(reader.end(true)).map(({ name, input }) => ({ name, input }));
        for (const { name, input } of whole) expect(without).toContainEqual({ name, input });
        expect(text === "" || whole.every((block) => text.includes(block.raw))).toBe(true);
        for (const block of callsOf(read([text], mode, false).blocks))
          expect(whole.map(({ name, input }) => ({ name, input }))).toContainEqual({
            name: block.name,
            input: block.input,
          });
      }),
      { numRuns: lawRuns(1_000) },
    );
  });
});

test("an answer with calls that is cut off anywhere has only calls of the whole one", () => {
  const closesUnopened = new RegExp(orphanThoughtCloser);
  const cases = allCases.filter(
    ({ text, cut, blocks }) =>
      cut !== true && !closesUnopened.test(text) && blocks.some((block) => block.type === "call"),
  );
  const callsOf = (text: string, mode: ToolMode, whole: boolean) =>
    read([text], mode, whole).blocks.flatMap((block) => (block.type === "call" ? [[block.name, block.input]] : []));
  fc.assert(
    fc.property(fc.constantFrom(...cases), fc.nat(2_000), (one, place) => {
      const { text } = one;
      const mode = one.modes?.[0] ?? "native";
      const cut = text.slice(0, place % text.length);
      const whole = callsOf(text, mode, true);
      for (const call of callsOf(cut, mode, false)) expect(whole).toContainEqual(call);
    }),
    { numRuns: lawRuns(10_000) },
  );
});

describe("preview", () => {
  test("shows prose at once and holds back little", () => {
    const text = "A set {1, 2} and a <b>tag</b>, `code`, [a link](x) and to do.\nAnd so on, T is for Thought.\n";
    const reader = makeCallReader({ tools: builtInSource.tools(), mode: "native" });
    let shown = "";
    for (const [index, one] of [...text].entries()) {
      shown += textOf(reader.push(one), "text");
      expect(index + 1 - shown.length).toBeLessThanOrEqual(heldMaxChars);
      expect(text.startsWith(shown)).toBe(true);
    }
    expect(shown).toBe(text);
  });

  test.each([
    ['{"name": "write", "arguments": {"path": "a.ts", "content": "x"}}', "native"],
    ['I will write it.\n\n```json\n{"name": "write", "arguments": {"path": "a"', "native"],
    ['<tool_call>\n{"name": "write", "arguments": {"path"', "native"],
    ["<tool_call>\n<function=write>\n<parameter=path>", "native"],
    ['<invoke name="write">\n<parameter name="path">', "native"],
    ["<tool name='write'><path>a</path>", "xml"],
    ["<write>\n<path>a", "xml"],
    ['[TOOL_CALLS]write[ARGS]{"path": ', "native"],
    ['[write(path="a", content="', "native"],
    ['Thought: x\nAction: write\nAction Input: {"path"', "react"],
    ['<|channel|>commentary to=functions.write <|constrain|>json<|message|>{"path"', "native"],
    ['<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>write\n```json\n{"path', "native"],
    [']<]minimax[>[<tool_call>\n]<]minimax[>[<invoke name="write">]<]minimax[>[<path>', "native"],
    ['<|open|>tools<|sep|><|open|>call tool="write" index="1"<|sep|><|open|>argument', "native"],
    ['I write it.functions.write:0{"path": ', "native"],
    ['<|DSML|tool_calls><|DSML|invoke name="write"><|DSML|parameter name="path"', "native"],
    ["<｜｜DSML｜｜r=write>\n<parameter=path>", "native"],
    ["<tool_calls:6124c78e><tool_call:6124c78e>write<tool_sep:6124c78e>", "native"],
    ['<|tool_calls|><|tool_call:begin|>1<|tool_call:name|>write<|tool_call:args|>{"path"', "native"],
    ["<|tool_call:start|>write\n<|tool_arg:start|>path<|tool_arg:value|>", "native"],
    ['<longcat_tool_call>{"name": "write", "arguments": {"path"', "native"],
    ['function call<|role_sep|>\n{"name": "write", "arguments": {"path"', "native"],
    ['<|message_model|>write<|content_invoke_tool_json|>{"path"', "native"],
    [' to=write<|message|><atem:function_calls>\n<atem:invoke name="write">\n', "native"],
    [' to=functions.write<|channel|>commentary <|constrain|>json<|message|>{"path"', "native"],
    [' -> tool/function_call\n[{"name": "write", "arguments": {"path"', "native"],
  ] as const)("names the tool while %j is being written", (text, mode) => {
    for (const pieces of [[text], text.split("")]) {
      const { shown } = read(pieces, mode);
      expect(
        shown.flatMap((piece) => (piece.kind === "input" && piece.name !== undefined ? [piece.name] : [])),
      ).toEqual(["write"]);
      expect(textOf(shown, "text")).not.toContain('write"');
    }
  });

  test.each([
    "The element <tool_call> opens a call.",
    "<tool_call> opens a call.",
    'The marks <function=read>, <invoke name="read"> and [TOOL_CALLS] open one, <tool_response> opens a result.',
    "A model writes <|python_tag|> before code, or ]<]minimax[>[<tool_call> in others.",
    "It is sent to=functions.read in the header, as <read> is in the XML.",
  ])("shows %j at once although it names marks", (text) => {
    for (const pieces of [[text], text.split("")]) {
      const { blocks, shown } = read([...pieces, " Then it goes on.\n"], "xml");
      expect(textOf(shown, "text")).toBe(`${text} Then it goes on.\n`);
      expect(blocks).toEqual([{ type: "text", text: `${text} Then it goes on.\n` }]);
    }
  });

  test("shows thinking as thinking, also text under the Thought label in react mode", () => {
    expect(textOf(read("<think>\nhm</think>\nYes.".split(""), "native").shown, "thinking")).toBe("\nhm");
    expect(textOf(read("<think>\nhm</think>\nYes.".split(""), "native").shown, "text")).toBe("Yes.");
    const { shown } = read("Thought: I look.\nAction: ls\nAction Input: {}".split(""), "react");
    expect(textOf(shown, "thinking").trim()).toBe("I look.");
    expect(textOf(read("Thought: ok\nFinal Answer: 42 it is".split(""), "react").shown, "text")).toContain("42 it is");
  });

  test("never splits a character", () => {
    const pieces = read("a😀{😀<😀`😀".split(""), "native").shown;
    for (const piece of pieces) expect(piece.text).not.toMatch(/[\uD800-\uDBFF]$|^[\uDC00-\uDFFF]/);
  });
});

describe("hallucinated result", () => {
  test.each([
    ["Action: ls\nAction Input: {}\nObservation:", "react"],
    ['<tool_call>{"name": "ls", "arguments": {}}</tool_call>\n<tool_response>', "native"],
    ['[TOOL_CALLS][{"name": "ls", "arguments": {}}][TOOL_RESULTS]', "native"],
    ['<tool_call>{"name": "ls", "arguments": {}}</tool_call><|im_end|>\n<|im_start|>user', "native"],
  ] as const)("finishes the reader at its marker: %j", (text, mode) => {
    const reader = makeCallReader({ tools: builtInSource.tools(), mode });
    reader.push(text.slice(0, -1));
    expect(reader.finished).toBe(false);
    reader.push(text.slice(-1));
    expect(reader.finished).toBe(true);
    const blocks = reader.end(true);
    reader.push(" and much more");
    expect(reader.end(true)).toEqual(blocks);
    expect(blocks).toMatchObject([{ type: "call", name: "ls" }]);
  });

  test.each([
    "Observation: it rains.",
    "I saw <tool_response> in the log.",
    'Action: ls\nAction Input: {"path": "Observation:',
    `<tool_response>${"a ".repeat(60)}\n<tool_call>{"name": "ls", "arguments": {}}</tool_call>\n</tool_response>`,
  ])("requires a call before it: %j", (text) => {
    const reader = makeCallReader({ tools: builtInSource.tools(), mode: "native" });
    reader.push(text);
    expect(reader.finished).toBe(false);
  });
});

describe("CPU time", () => {
  const size = 1_000_000;
  const fill = (unit: string): string => unit.repeat(Math.ceil(size / unit.length)).slice(0, size);
  function take(text: string, mode: ToolMode): number {
    return measureCpuMs(() => {
      const reader = makeCallReader({ tools: builtInSource.tools(), mode });
      for (let at = 0; at < text.length; at += 50_000) reader.push(text.slice(at, at + 50_000));
      reader.end(true);
    });
  }
  /** Ordinary code as the baseline. */
  const plain = Math.max(take(fill("if (a[0] < b) { log({ c: [1, d] }); } // `x`\n"), "react"), 40);

  test.each([
    "{",
    "[",
    "<",
    "`",
    "```\n",
    "~~~\n",
    "> ",
    "\n",
    " ",
    "\n    {",
    '{"',
    '{"a":',
    '{"name": "read", "arguments": {"path": "',
    '{"name": "ls", "arguments": {}}\n',
    '{"name": "ls", "arguments": {}}\nThen:\n',
    "[1,",
    "[read(",
    "read(",
    "{/*",
    "{'",
    "Action:",
    "Action: read\n",
    "Action: read\nAction Input: x\n",
    "Action: read\nAction Input: {\n",
    "Action: read_file\nAction Input: {}\n",
    '<tool_call>{"name": "fly", "arguments": {}}</tool_call>\n',
    "Observation:\n",
    "Thought: x\n",
    "<tool_call>",
    "<tool_call>\n",
    "<tool_call>{",
    '<tool_call>{"name": "ls"}</tool_call>',
    "</tool_call>",
    "<function=read>",
    "<function=read><parameter=path>",
    "<parameter=path></parameter>",
    "<tool name='read'>",
    "<read>",
    "<read><path>",
    "<think>",
    "</think>",
    "</think>\n",
    "<think></think>x",
    "<!--",
    "<pre>",
    "[TOOL_CALLS]",
    "[TOOL_CALLS]read[ARGS]",
    "read[ARGS]",
    "<|channel|>analysis",
    "<|channel|>analysis<|message|>",
    "<|start|>assistant",
    "to=functions.read",
    "to=functions.read {",
    "<｜tool▁calls▁begin｜>",
    ">>>read\n",
    "<arg_key>",
    "]",
    "]<]minimax[>[",
    "]<]minimax[>[<path>",
    '<|open|>argument key="a"<|sep|>',
    '<|open|>call tool="ls"<|sep|>',
    "<|tool_call:start|>ls",
    "functions.ls:0 {",
    "function call\n",
    "to=read<",
    "<|channel>thought",
    "\\",
    '"',
    "*",
    "#",
    "　",
  ])("1 MB of %j takes about as long as ordinary code", (unit) => {
    expect(take(fill(unit), "react") / plain).toBeLessThan(15);
  });

  test.each([
    ["Action: bash\nAction Input: x", " "],
    ["Action: bash\nAction Input: x", "\n"],
    ["Action: bash\nAction Input: x", "\n    *"],
    ["Action: bash", " "],
    ["<tool_call>", " "],
    ["<tool_call>\nread", "\n"],
    ['{"name":', " "],
    ['{"name": "ls"', "\n#"],
    ["<function=read>", "\n"],
    ["<function=write><parameter=content>", "<parameter=a>"],
    ["<function=write><parameter=content>", "</parameter> x "],
    ["<think>", "</thin"],
    ["[read(", " "],
    ["```json\n", "\n"],
    ["<|channel|>commentary to=functions.read<|message|>", " "],
    ['{"name": "ls", "arguments": {}}', " "],
    ['{"name": "ls", "arguments": {}}', "}"],
    ['<tool_call>{"name": "ls"}</tool_call>', "</tool_call>"],
    ['<tool_call>{"name": "ls"}</tool_call>', "<|im_end|>"],
  ])("%j followed by 1 MB of %j takes about as long", (start, unit) => {
    expect(take(start + fill(unit), "react") / plain).toBeLessThan(15);
  });

  test.each(["Thought: x\n", "Thought: x\nFinal Answer: y\n", "Thought:\n```\nFinal Answer:\n"])(
    "1 MB of %j outside react mode is read about as fast",
    (unit) => {
      expect(take(fill(unit), "native") / plain).toBeLessThan(15);
    },
  );

  test("a call with 1 MB of content takes about as long", () => {
    const content = fill('const a = { "b": [1, 2] }; // <b> `c`\n');
    const text = JSON.stringify({ name: "write", arguments: { path: "a.ts", content } });
    expect(take(text, "native") / plain).toBeLessThan(15);
    expect(
      take(
        `<function=write>\n<parameter=path>a</parameter>\n<parameter=content>\n${content}</parameter>\n</function>`,
        "native",
      ) / plain,
    ).toBeLessThan(15);
  });
});
