/** Rare forms and mistakes: functools, doubled braces, the tool as a key, numbered steps, a step on one line. */
import { callBlock, callCase, type ReaderCase, proseCase, textBlock, thinkingBlock } from "./reader-case";

const family = "slips";
const read = callBlock("read", { path: "a.ts" });
const react = { modes: ["react"] } as const;
const fenced =
  "Thought: I explain.\nFinal Answer: A step looks like this:\n```\nThought: x\nAction: ls\nAction Input: {}\n```\nThat is all.";

export const commonMistakeCases: readonly ReaderCase[] = [
  callCase("functools", "a list", 'functools[{"name": "read", "arguments": {"path": "a.ts"}}]', [read]),
  callCase(
    "functools",
    "a word before it",
    'I will read it.\n\nfunctools[{"name": "read", "arguments": {"path": "a.ts"}}]',
    [textBlock("I will read it."), read],
  ),
  callCase(
    "functools",
    "two calls",
    'functools[{"name": "read", "arguments": {"path": "a.ts"}}, {"name": "ls", "arguments": {}}]',
    [read, callBlock("ls", {})],
  ),
  proseCase("functools", "in inline code", 'Phi writes `functools[{"name": "ls", "arguments": {}}]` for a call.'),
  proseCase("functools", "an example", 'For example:\nfunctools[{"name": "ls", "arguments": {}}]'),
  proseCase("functools", "the module of Python", "Use functools[the module] or functools.reduce(add, items)."),
  callCase(family, "the tool as the only key", '{"read": {"path": "a.ts"}}', [read]),
  proseCase(family, "the tool as a key in a text", 'The config is:\n{"read": {"path": "a.ts"}}\nIt allows reading.'),
  proseCase(family, "a key that is a tool, without its arguments", '{"find": {"path": "."}}'),
  proseCase(
    family,
    "a key that is a tool among others",
    '{"read": {"path": "a"}, "write": {"path": "b", "content": ""}}',
  ),
  callCase(family, "doubled braces", '{{"name": "read", "arguments": {{"path": "a.ts"}}}}', [read]),
  callCase(
    family,
    "doubled braces in a tag",
    '<tool_call>\n{{"name": "read", "arguments": {"path": "a.ts"}}}\n</tool_call>',
    [read],
  ),
  proseCase(family, "braces of a template", "{{ user.name }} stands for the name."),
  callCase(family, "action and input on one line", 'Action: read Action Input: {"path": "a.ts"}', [read]),
  callCase(family, "action and input on one line, with a comma", 'Action: read, Action Input: {"path": "a.ts"}', [
    read,
  ]),
  callCase(family, "numbered steps", 'Thought 1: I look.\nAction 1: read\nAction Input 1: {"path": "a.ts"}', [
    thinkingBlock("I look."),
    read,
  ]),
  callCase(
    family,
    "a hallucinated numbered observation",
    'Action 1: read\nAction Input: {"path": "a.ts"}\nObservation 1: import',
    [read],
  ),
  callCase(
    family,
    "a final answer that quotes a step",
    fenced,
    [
      thinkingBlock("I explain."),
      textBlock("A step looks like this:\n```\nThought: x\nAction: ls\nAction Input: {}\n```\nThat is all."),
    ],
    react,
  ),
  callCase(
    family,
    "a final answer that quotes an observation",
    "Final Answer: It prints\n```\nAction: ls\nAction Input: {}\nObservation: a.ts\n```\nand ends.",
    [textBlock("It prints\n```\nAction: ls\nAction Input: {}\nObservation: a.ts\n```\nand ends.")],
    react,
  ),
  callCase(family, "a closing think tag in the middle of a line", "I should greet them.</think>Hello!", [
    thinkingBlock("I should greet them."),
    textBlock("Hello!"),
  ]),
  callCase(family, "the same with spaces", "Simple enough. </think> The answer is 4.", [
    thinkingBlock("Simple enough."),
    textBlock("The answer is 4."),
  ]),
  callCase(family, "a closing think tag after a stray backtick", "Its name begins with a `</think>\nDone.", [
    thinkingBlock("Its name begins with a `"),
    textBlock("Done."),
  ]),
  callCase(
    family,
    "a message that is one statement, with an unclosed element in a value",
    'write(path="a.md", content="one\n<function=ls>\ntwo")',
    [callBlock("write", { path: "a.md", content: "one\n<function=ls>\ntwo" })],
  ),
  proseCase(family, "a closer that is mentioned", "The tag </think> ends the thoughts of a model."),
];
