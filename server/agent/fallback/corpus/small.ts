/** Phi, Granite, Command R, LFM2, SmolLM, InternLM, Nemotron, OLMo. */
import { call, calls, type Case, prose, text, thinking } from "./case";

export const smallCases: readonly Case[] = [
  calls("phi", "a token and a list", '<|tool_call|>[{"name": "read", "arguments": {"path": "a.c"}}]<|/tool_call|>', [
    call("read", { path: "a.c" }),
  ]),
  calls(
    "phi",
    "the list with its closing token and an end",
    '<|tool_calls|>[{"name": "ls", "arguments": {}}]<|/tool_calls|><|end|>',
    [call("ls", {})],
  ),
  calls(
    "phi",
    "text first",
    'Let me read it. <|tool_call|>{"name": "read", "arguments": {"path": "a.c"}}<|/tool_call|>',
    [text("Let me read it."), call("read", { path: "a.c" })],
  ),
  calls(
    "phi",
    "a fence called tool_calls",
    '```tool_calls\n[{"name": "bash", "arguments": {"command": "make -j2"}}]\n```',
    [call("bash", { command: "make -j2" })],
  ),
  prose("phi", "an empty list", "<|tool_call|>[]<|/tool_call|>"),
  calls(
    "granite",
    "a token and a list",
    '<|tool_call|>[{"name": "grep", "arguments": {"pattern": "x"}}, {"name": "ls", "arguments": {}}]',
    [call("grep", { pattern: "x" }), call("ls", {})],
  ),
  calls("granite", "the older tag", '<tool_call>[{"name": "ls", "arguments": {"path": "src"}}]', [
    call("ls", { path: "src" }),
  ]),
  calls("granite", "an end token", '<|tool_call|>[{"name": "ls", "arguments": {}}]<|end_of_text|>', [call("ls", {})]),
  prose("granite", "a list that is cut off", '<|tool_call|>[{"name": "write", "arguments": {"path": "a", "content": "'),
  calls(
    "command-r",
    "action tokens",
    '<|START_ACTION|>[\n    {"tool_call_id": "0", "tool_name": "read", "parameters": {"path": "a.ts"}}\n]<|END_ACTION|>',
    [call("read", { path: "a.ts" })],
  ),
  calls(
    "command-r",
    "thinking tokens before",
    '<|START_THINKING|>I will list.<|END_THINKING|><|START_ACTION|>[{"tool_call_id": "0", "tool_name": "ls", "parameters": {}}]<|END_ACTION|>',
    [thinking("I will list."), call("ls", {})],
  ),
  calls(
    "command-r",
    "the older form",
    'Action: ```json\n[\n    {\n        "tool_name": "grep",\n        "parameters": {\n            "pattern": "main"\n        }\n    }\n]\n```',
    [call("grep", { pattern: "main" })],
  ),
  calls(
    "command-r",
    "a plan before the older form",
    'Plan: I will search the code.\nAction: ```json\n[{"tool_name": "grep", "parameters": {"pattern": "main"}}]\n```',
    [text("Plan: I will search the code."), call("grep", { pattern: "main" })],
  ),
  prose(
    "command-r",
    "a direct answer to the user",
    'Action: ```json\n[{"tool_name": "directly_answer", "parameters": {}}]\n```',
  ),
  calls(
    "lfm2",
    "tokens and a pythonic list",
    '<|tool_call_start|>[read(path="a.ts"), grep(pattern="x", path="src")]<|tool_call_end|>',
    [call("read", { path: "a.ts" }), call("grep", { pattern: "x", path: "src" })],
  ),
  calls(
    "lfm2",
    "text after the tokens",
    '<|tool_call_start|>[ls(path="src")]<|tool_call_end|>Checking the folder.<|im_end|>',
    [call("ls", { path: "src" }), text("Checking the folder.")],
  ),
  calls("lfm2", "JSON between the tokens", '<|tool_call_start|>[{"name": "ls", "arguments": {}}]<|tool_call_end|>', [
    call("ls", {}),
  ]),
  prose("lfm2", "a call that is cut off", '<|tool_call_start|>[bash(command="rm -rf'),
  calls(
    "internlm",
    "plugin tokens",
    '<|action_start|><|plugin|>\n{"name": "read", "parameters": {"path": "a"}}<|action_end|>',
    [call("read", { path: "a" })],
  ),
  calls("nemotron", "capital tags", '<TOOLCALL>[{"name": "ls", "arguments": {}}]</TOOLCALL>', [call("ls", {})]),
  calls("olmo", "pythonic in tags", '<function_calls>\nread(path="a")\nls()\n</function_calls>', [
    call("read", { path: "a" }),
    call("ls", {}),
  ]),
  calls("jamba", "a list in tags", '<tool_calls>[\n{"name": "ls", "arguments": {}}\n]</tool_calls>', [call("ls", {})]),
  calls(
    "seed-oss",
    "its own prefix",
    "<seed:tool_call>\n<function=bash>\n<parameter=command>ls</parameter>\n</function>\n</seed:tool_call>",
    [call("bash", { command: "ls" })],
  ),
  calls("lm studio", "its own request marker", '[TOOL_REQUEST]{"name": "ls", "arguments": {}}[END_TOOL_REQUEST]', [
    call("ls", {}),
  ]),
  calls("apertus", "the name is the key", '<|tools_prefix|>[{"read": {"path": "a"}}]<|tools_suffix|>', [
    call("read", { path: "a" }),
  ]),
  calls("functionary", "a recipient and JSON", '>>>read\n{"path": "src/a.ts"}', [call("read", { path: "src/a.ts" })]),
  calls(
    "functionary",
    "text for all, then two recipients",
    '>>>all\nI will look.\n>>>ls\n{}\n>>>bash\n{"command": "git diff"}',
    [text("I will look."), call("ls", {}), call("bash", { command: "git diff" })],
  ),
  calls("functionary", "a function element", '<function=ls>{"path": "."}</function>', [call("ls", { path: "." })]),
  prose("functionary", "an unknown recipient", '>>>get_weather\n{"city": "Oslo"}'),
  prose("functionary", "nested quotations", ">>> read the file\n>> and then\n> go on"),
  prose("functionary", "the arguments are cut off", '>>>write\n{"path": "a", "content": "b'),
];
