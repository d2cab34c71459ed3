/** Rare forms and mistakes: functools, doubled braces, the tool as a key, numbered steps, a step on one line. */
import { call, calls, type Case, prose, text, thinking } from "./case";

const family = "slips";
const read = call("read", { path: "a.ts" });
const react = { modes: ["react"] } as const;
const fenced =
  "Thought: I explain.\nFinal Answer: A step looks like this:\n```\nThought: x\nAction: ls\nAction Input: {}\n```\nThat is all.";

export const slipCases: readonly Case[] = [
  calls("functools", "a list", 'functools[{"name": "read", "arguments": {"path": "a.ts"}}]', [read]),
  calls(
    "functools",
    "a word before it",
    'I will read it.\n\nfunctools[{"name": "read", "arguments": {"path": "a.ts"}}]',
    [text("I will read it."), read],
  ),
  calls(
    "functools",
    "two calls",
    'functools[{"name": "read", "arguments": {"path": "a.ts"}}, {"name": "ls", "arguments": {}}]',
    [read, call("ls", {})],
  ),
  prose("functools", "in inline code", 'Phi writes `functools[{"name": "ls", "arguments": {}}]` for a call.'),
  prose("functools", "an example", 'For example:\nfunctools[{"name": "ls", "arguments": {}}]'),
  prose("functools", "the module of Python", "Use functools[the module] or functools.reduce(add, items)."),
  calls(family, "the tool as the only key", '{"read": {"path": "a.ts"}}', [read]),
  prose(family, "the tool as a key in a text", 'The config is:\n{"read": {"path": "a.ts"}}\nIt allows reading.'),
  prose(family, "a key that is a tool, without its arguments", '{"find": {"path": "."}}'),
  prose(family, "a key that is a tool among others", '{"read": {"path": "a"}, "write": {"path": "b", "content": ""}}'),
  calls(family, "doubled braces", '{{"name": "read", "arguments": {{"path": "a.ts"}}}}', [read]),
  calls(
    family,
    "doubled braces in a tag",
    '<tool_call>\n{{"name": "read", "arguments": {"path": "a.ts"}}}\n</tool_call>',
    [read],
  ),
  prose(family, "braces of a template", "{{ user.name }} stands for the name."),
  calls(family, "action and input on one line", 'Action: read Action Input: {"path": "a.ts"}', [read]),
  calls(family, "action and input on one line, with a comma", 'Action: read, Action Input: {"path": "a.ts"}', [read]),
  calls(family, "numbered steps", 'Thought 1: I look.\nAction 1: read\nAction Input 1: {"path": "a.ts"}', [
    thinking("I look."),
    read,
  ]),
  calls(
    family,
    "a hallucinated numbered observation",
    'Action 1: read\nAction Input: {"path": "a.ts"}\nObservation 1: import',
    [read],
  ),
  calls(
    family,
    "a final answer that quotes a step",
    fenced,
    [
      thinking("I explain."),
      text("A step looks like this:\n```\nThought: x\nAction: ls\nAction Input: {}\n```\nThat is all."),
    ],
    react,
  ),
  calls(
    family,
    "a final answer that quotes an observation",
    "Final Answer: It prints\n```\nAction: ls\nAction Input: {}\nObservation: a.ts\n```\nand ends.",
    [text("It prints\n```\nAction: ls\nAction Input: {}\nObservation: a.ts\n```\nand ends.")],
    react,
  ),
  calls(family, "a closing think tag in the middle of a line", "I should greet them.</think>Hello!", [
    thinking("I should greet them."),
    text("Hello!"),
  ]),
  calls(family, "the same with spaces", "Simple enough. </think> The answer is 4.", [
    thinking("Simple enough."),
    text("The answer is 4."),
  ]),
  prose(family, "a closer that is mentioned", "The tag </think> ends the thoughts of a model."),
];
