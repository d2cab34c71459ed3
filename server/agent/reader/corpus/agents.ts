/** GLM, MiniMax, Kimi, Hermes: models trained for agents, with their leaked markup. */
import { callBlock, callCase, type ReaderCase, proseCase, textBlock, thinkingBlock } from "./reader-case";

export const agentCases: readonly ReaderCase[] = [
  callCase(
    "glm",
    "keys and values",
    "<tool_call>read\n<arg_key>path</arg_key>\n<arg_value>src/a.ts</arg_value>\n<arg_key>limit</arg_key>\n<arg_value>40</arg_value>\n</tool_call>",
    [callBlock("read", { path: "src/a.ts", limit: "40" })],
  ),
  callCase(
    "glm",
    "on one line, one closer too many",
    "<tool_call>read<arg_key>filePath</arg_key><arg_value>/abs/puzzle.txt</arg_value></tool_call></tool_call>",
    [callBlock("read", { filePath: "/abs/puzzle.txt" })],
  ),
  callCase("glm", "no arguments", "<tool_call>ls</tool_call>", [callBlock("ls", {})]),
  callCase(
    "glm",
    "a program as a value",
    '<tool_call>write\n<arg_key>path</arg_key>\n<arg_value>a.js</arg_value>\n<arg_key>content</arg_key>\n<arg_value>const a = { b: "</p>" };\nif (a < 1 && b > 2) {\n  console.log(`x`);\n}\n</arg_value>\n</tool_call>',
    [
      callBlock("write", {
        path: "a.js",
        content: 'const a = { b: "</p>" };\nif (a < 1 && b > 2) {\n  console.log(`x`);\n}',
      }),
    ],
  ),
  callCase(
    "glm",
    "a hallucinated observation",
    "<tool_call>ls\n<arg_key>path</arg_key>\n<arg_value>.</arg_value>\n</tool_call><|observation|>\na.txt b.txt",
    [callBlock("ls", { path: "." })],
  ),
  callCase(
    "glm",
    "thinking before it",
    "<think>Look first.</think>\nI'll look.\n<tool_call>ls\n<arg_key>path</arg_key>\n<arg_value>.</arg_value>\n</tool_call>",
    [thinkingBlock("Look first."), textBlock("I'll look."), callBlock("ls", { path: "." })],
  ),
  proseCase("glm", "a value that is still open", "<tool_call>bash\n<arg_key>command</arg_key>\n<arg_value>rm -r"),
  callCase(
    "minimax",
    "invocations",
    '<minimax:tool_call>\n<invoke name="read">\n<parameter name="path">src/a.ts</parameter>\n</invoke>\n<invoke name="ls">\n</invoke>\n</minimax:tool_call>',
    [callBlock("read", { path: "src/a.ts" }), callBlock("ls", {})],
  ),
  callCase(
    "minimax",
    "without the outer element",
    '<invoke name="bash">\n<parameter name="command">npm test 2>&1 | tail -5</parameter>\n</invoke>',
    [callBlock("bash", { command: "npm test 2>&1 | tail -5" })],
  ),
  callCase(
    "minimax",
    "arrows in place of colons",
    '[TOOL_CALL]\n{tool => "read", args => {"path": "a.ts"}}\n[/TOOL_CALL]',
    [callBlock("read", { path: "a.ts" })],
  ),
  callCase(
    "claude-like",
    "function calls",
    'I\'ll edit it now.\n\n<function_calls>\n<invoke name="edit">\n<parameter name="path">a.ts</parameter>\n<parameter name="old_string">a < b</parameter>\n<parameter name="new_string">a <= b</parameter>\n</invoke>\n</function_calls>',
    [textBlock("I'll edit it now."), callBlock("edit", { path: "a.ts", old_string: "a < b", new_string: "a <= b" })],
  ),
  callCase(
    "claude-like",
    "hallucinated results",
    '<function_calls>\n<invoke name="ls">\n</invoke>\n</function_calls>\n<function_results>\na.txt\n</function_results>\nOne file.',
    [callBlock("ls", {})],
  ),
  proseCase(
    "minimax",
    "an invocation that is cut off",
    '<minimax:tool_call>\n<invoke name="write">\n<parameter name="path">a</parameter>\n<parameter name="content">abc',
  ),
  callCase(
    "kimi",
    "sections",
    '<|tool_calls_section_begin|><|tool_call_begin|>functions.read:0<|tool_call_argument_begin|>{"path": "a.ts"}<|tool_call_end|><|tool_call_begin|>functions.ls:1<|tool_call_argument_begin|>{}<|tool_call_end|><|tool_calls_section_end|>',
    [callBlock("read", { path: "a.ts" }), callBlock("ls", {})],
  ),
  proseCase(
    "kimi",
    "a section that is cut off",
    '<|tool_calls_section_begin|><|tool_call_begin|>functions.bash:0<|tool_call_argument_begin|>{"command": "git pu',
  ),
  callCase(
    "hermes",
    "its tag with swapped keys",
    '<tool_call>\n{"arguments": {"path": "a.ts"}, "name": "read"}\n</tool_call>',
    [callBlock("read", { path: "a.ts" })],
  ),
  callCase(
    "hermes",
    "a scratch pad before it",
    '<scratch_pad>\nGoal: list\n</scratch_pad>\n<tool_call>\n{"name": "ls", "arguments": {}}\n</tool_call>',
    [textBlock("<scratch_pad>\nGoal: list\n</scratch_pad>"), callBlock("ls", {})],
  ),
  callCase("hermes", "Python's quotes", "<tool_call>\n{'arguments': {'command': 'ls'}, 'name': 'bash'}\n</tool_call>", [
    callBlock("bash", { command: "ls" }),
  ]),
  callCase("hermes", "a look-alike tag", '<function_call>{"name": "ls", "arguments": {}}</function_call>', [
    callBlock("ls", {}),
  ]),
  callCase(
    "hermes",
    "a hallucinated next turn",
    '<tool_call>\n{"name": "ls", "arguments": {}}\n</tool_call><|im_end|>\n<|im_start|>tool\n{"files": []}<|im_end|>',
    [callBlock("ls", {})],
  ),
  callCase(
    "hermes",
    "arguments that do not fit are answered with an error",
    '<tool_call>\n{"name": "write", "arguments": {"path": "a.ts"}}\n</tool_call>',
    [callBlock("write", { path: "a.ts" })],
  ),
  callCase(
    "hermes",
    "an unknown call beside a known one",
    '<tool_call>\n{"name": "fly", "arguments": {}}\n</tool_call>\n<tool_call>\n{"name": "ls", "arguments": {}}\n</tool_call>',
    [callBlock("fly", {}), callBlock("ls", {})],
  ),
  proseCase(
    "hermes",
    "an example of the tag in a fence",
    'Answer in this format:\n\n```\n<tool_call>\n{"name": "read", "arguments": {"path": "a"}}\n</tool_call>\n```\n',
  ),
  proseCase(
    "hermes",
    "a tag in a quotation",
    '> <tool_call>{"name": "delete", "arguments": {"path": "a"}}</tool_call>\n\nThis line was in the issue. Shall I do it?',
  ),
];
