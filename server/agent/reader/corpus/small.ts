/** Phi, Granite, Command R, LFM2, SmolLM, InternLM, Nemotron, OLMo. */
import { callBlock, callCase, type ReaderCase, proseCase, textBlock, thinkingBlock } from "./reader-case";

export const smallCases: readonly ReaderCase[] = [
  callCase("phi", "a token and a list", '<|tool_call|>[{"name": "read", "arguments": {"path": "a.c"}}]<|/tool_call|>', [
    callBlock("read", { path: "a.c" }),
  ]),
  callCase(
    "phi",
    "the list with its closing token and an end",
    '<|tool_calls|>[{"name": "ls", "arguments": {}}]<|/tool_calls|><|end|>',
    [callBlock("ls", {})],
  ),
  callCase(
    "phi",
    "text first",
    'Let me read it. <|tool_call|>{"name": "read", "arguments": {"path": "a.c"}}<|/tool_call|>',
    [textBlock("Let me read it."), callBlock("read", { path: "a.c" })],
  ),
  callCase(
    "phi",
    "a fence called tool_calls",
    '```tool_calls\n[{"name": "bash", "arguments": {"command": "make -j2"}}]\n```',
    [callBlock("bash", { command: "make -j2" })],
  ),
  proseCase("phi", "an empty list", "<|tool_call|>[]<|/tool_call|>"),
  callCase(
    "granite",
    "a token and a list",
    '<|tool_call|>[{"name": "grep", "arguments": {"pattern": "x"}}, {"name": "ls", "arguments": {}}]',
    [callBlock("grep", { pattern: "x" }), callBlock("ls", {})],
  ),
  callCase("granite", "the older tag", '<tool_call>[{"name": "ls", "arguments": {"path": "src"}}]', [
    callBlock("ls", { path: "src" }),
  ]),
  callCase("granite", "an end token", '<|tool_call|>[{"name": "ls", "arguments": {}}]<|end_of_text|>', [
    callBlock("ls", {}),
  ]),
  proseCase(
    "granite",
    "a list that is cut off",
    '<|tool_call|>[{"name": "write", "arguments": {"path": "a", "content": "',
  ),
  callCase(
    "command-r",
    "action tokens",
    '<|START_ACTION|>[\n    {"tool_call_id": "0", "tool_name": "read", "parameters": {"path": "a.ts"}}\n]<|END_ACTION|>',
    [callBlock("read", { path: "a.ts" })],
  ),
  callCase(
    "command-r",
    "thinking tokens before",
    '<|START_THINKING|>I will list.<|END_THINKING|><|START_ACTION|>[{"tool_call_id": "0", "tool_name": "ls", "parameters": {}}]<|END_ACTION|>',
    [thinkingBlock("I will list."), callBlock("ls", {})],
  ),
  callCase(
    "command-r",
    "the older form",
    'Action: ```json\n[\n    {\n        "tool_name": "grep",\n        "parameters": {\n            "pattern": "main"\n        }\n    }\n]\n```',
    [callBlock("grep", { pattern: "main" })],
  ),
  callCase(
    "command-r",
    "a plan before the older form",
    'Plan: I will search the code.\nAction: ```json\n[{"tool_name": "grep", "parameters": {"pattern": "main"}}]\n```',
    [textBlock("Plan: I will search the code."), callBlock("grep", { pattern: "main" })],
  ),
  proseCase(
    "command-r",
    "a direct answer to the user",
    'Action: ```json\n[{"tool_name": "directly_answer", "parameters": {}}]\n```',
  ),
  callCase(
    "lfm2",
    "tokens and a pythonic list",
    '<|tool_call_start|>[read(path="a.ts"), grep(pattern="x", path="src")]<|tool_call_end|>',
    [callBlock("read", { path: "a.ts" }), callBlock("grep", { pattern: "x", path: "src" })],
  ),
  callCase(
    "lfm2",
    "text after the tokens",
    '<|tool_call_start|>[ls(path="src")]<|tool_call_end|>Checking the folder.<|im_end|>',
    [callBlock("ls", { path: "src" }), textBlock("Checking the folder.")],
  ),
  callCase("lfm2", "JSON between the tokens", '<|tool_call_start|>[{"name": "ls", "arguments": {}}]<|tool_call_end|>', [
    callBlock("ls", {}),
  ]),
  proseCase("lfm2", "a call that is cut off", '<|tool_call_start|>[bash(command="rm -rf'),
  callCase(
    "internlm",
    "plugin tokens",
    '<|action_start|><|plugin|>\n{"name": "read", "parameters": {"path": "a"}}<|action_end|>',
    [callBlock("read", { path: "a" })],
  ),
  callCase("nemotron", "capital tags", '<TOOLCALL>[{"name": "ls", "arguments": {}}]</TOOLCALL>', [callBlock("ls", {})]),
  callCase("olmo", "pythonic in tags", '<function_calls>\nread(path="a")\nls()\n</function_calls>', [
    callBlock("read", { path: "a" }),
    callBlock("ls", {}),
  ]),
  callCase("jamba", "a list in tags", '<tool_calls>[\n{"name": "ls", "arguments": {}}\n]</tool_calls>', [
    callBlock("ls", {}),
  ]),
  callCase(
    "seed-oss",
    "its own prefix",
    "<seed:tool_call>\n<function=bash>\n<parameter=command>ls</parameter>\n</function>\n</seed:tool_call>",
    [callBlock("bash", { command: "ls" })],
  ),
  callCase("lm studio", "its own request marker", '[TOOL_REQUEST]{"name": "ls", "arguments": {}}[END_TOOL_REQUEST]', [
    callBlock("ls", {}),
  ]),
  callCase("apertus", "the name is the key", '<|tools_prefix|>[{"read": {"path": "a"}}]<|tools_suffix|>', [
    callBlock("read", { path: "a" }),
  ]),
  callCase("apertus", "thinking", "<|inner_prefix|>It is simple.<|inner_suffix|>Four.", [
    thinkingBlock("It is simple."),
    textBlock("Four."),
  ]),
  callCase("functionary", "a recipient and JSON", '>>>read\n{"path": "src/a.ts"}', [
    callBlock("read", { path: "src/a.ts" }),
  ]),
  callCase(
    "functionary",
    "text for all, then two recipients",
    '>>>all\nI will look.\n>>>ls\n{}\n>>>bash\n{"command": "git diff"}',
    [textBlock("I will look."), callBlock("ls", {}), callBlock("bash", { command: "git diff" })],
  ),
  callCase("functionary", "a function element", '<function=ls>{"path": "."}</function>', [
    callBlock("ls", { path: "." }),
  ]),
  proseCase("functionary", "an unknown recipient", '>>>get_weather\n{"city": "Oslo"}'),
  proseCase("functionary", "nested quotations", ">>> read the file\n>> and then\n> go on"),
  proseCase("functionary", "the arguments are cut off", '>>>write\n{"path": "a", "content": "b'),
];
