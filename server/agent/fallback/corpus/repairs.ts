/** Shapes and mistakes common to several families: keys, quotes, comments, lists of edits. */
import { call, calls, type Case, prose, text } from "./case";

const family = "repairs";

export const repairCases: readonly Case[] = [
  calls(
    family,
    "tool_calls around the list",
    '{"tool_calls": [{"name": "ls", "arguments": {}}, {"name": "read", "arguments": {"path": "a"}}]}',
    [call("ls", {}), call("read", { path: "a" })],
  ),
  calls(
    family,
    "an API message",
    '{"role": "assistant", "content": null, "tool_calls": [{"id": "call_1", "type": "function", "function": {"name": "bash", "arguments": "{\\"command\\": \\"ls\\"}"}}]}',
    [call("bash", { command: "ls" })],
  ),
  calls(family, "tool and tool_input", '{"tool": "read", "tool_input": {"path": "a"}}', [call("read", { path: "a" })]),
  calls(family, "tool_name and parameters", '{"tool_name": "ls", "parameters": {"path": "b"}}', [
    call("ls", { path: "b" }),
  ]),
  calls(family, "action and action_input", '{"action": "grep", "action_input": {"pattern": "x"}}', [
    call("grep", { pattern: "x" }),
  ]),
  calls(family, "a bare text as the input", '{"action": "bash", "action_input": "npm ci"}', [
    call("bash", { command: "npm ci" }),
  ]),
  calls(family, "function as a name", '{"function": "ls", "args": {"path": "."}}', [call("ls", { path: "." })]),
  calls(family, "a thought beside the call", '{"thought": "look first", "tool": "ls", "args": {}}', [call("ls", {})]),
  calls(family, "arguments beside the tool", '{"tool": "bash", "command": "ls -la"}', [
    call("bash", { command: "ls -la" }),
  ]),
  calls(family, "a prefix of the name", '{"name": "functions.read", "arguments": {"path": "a"}}', [
    call("read", { path: "a" }),
  ]),
  calls(family, "trailing commas", '{"name": "read", "arguments": {"path": "a", "limit": 5,},}', [
    call("read", { path: "a", limit: 5 }),
  ]),
  calls(family, "keys without quotes", '{name: "read", arguments: {path: "a"}}', [call("read", { path: "a" })]),
  calls(
    family,
    "comments",
    '{\n  // the file\n  "name": "read", /* all of it */\n  "arguments": {"path": "a"} # done\n}',
    [call("read", { path: "a" })],
  ),
  calls(family, "curly quotes", "{“name”: “read”, “arguments”: {“path”: “a b.txt”}}", [
    call("read", { path: "a b.txt" }),
  ]),
  calls(family, "an escaped apostrophe", `{"name": "bash", "arguments": {"command": "echo \\'it is\\'"}}`, [
    call("bash", { command: "echo 'it is'" }),
  ]),
  calls(family, "an escape JSON does not know", '{"name": "grep", "arguments": {"pattern": "\\.ts$"}}', [
    call("grep", { pattern: "\\.ts$" }),
  ]),
  calls(
    family,
    "backticks around a file",
    '{"name": "write", "arguments": {"path": "a.js", "content": `const a = "x";\n`}}',
    [call("write", { path: "a.js", content: 'const a = "x";\n' })],
  ),
  calls(
    family,
    "emoji and surrogates",
    '{"name": "write", "arguments": {"path": "😀.txt", "content": "a\\ud83d\\ude00b 你好"}}',
    [call("write", { path: "😀.txt", content: "a😀b 你好" })],
  ),
  calls(
    family,
    "a list of edits of one file is one call",
    '{"name": "edit", "arguments": {"path": "a.ts", "edits": [{"old_string": "a", "new_string": "b"}, {"old_string": "c", "new_string": "d"}]}}',
    [
      call("edit", {
        path: "a.ts",
        edits: [
          { old_string: "a", new_string: "b" },
          { old_string: "c", new_string: "d" },
        ],
      }),
    ],
  ),
  calls(
    family,
    "a list of edits of several files is several calls",
    '<tool_call>{"name": "edit", "arguments": {"edits": [{"path": "a.ts", "old_string": "a", "new_string": "b"}, {"path": "b.ts", "old_string": "c", "new_string": "d"}]}}</tool_call>',
    [
      call("edit", { path: "a.ts", old_string: "a", new_string: "b" }),
      call("edit", { path: "b.ts", old_string: "c", new_string: "d" }),
    ],
  ),
  prose(
    family,
    "a list of edits with one that does not fit",
    '{"name": "edit", "arguments": {"path": "a.ts", "edits": [{"path": "b.ts", "old_string": "a", "new_string": "b"}, {"path": "c.ts", "old_string": "c"}]}} as one call',
  ),
  calls(
    family,
    "a deletion by an empty text",
    '{"name": "edit", "arguments": {"path": "a.ts", "old_string": "debugger;\\n", "new_string": ""}}',
    [call("edit", { path: "a.ts", old_string: "debugger;\n", new_string: "" })],
  ),
  calls(
    family,
    "a patch as an argument",
    '{"name": "bash", "arguments": {"command": "git apply <<\'EOF\'\\n--- a/x\\n+++ b/x\\n@@ -1 +1 @@\\n-a\\n+b\\nEOF"}}',
    [call("bash", { command: "git apply <<'EOF'\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\nEOF" })],
  ),
  calls(
    family,
    "a call that writes a call into a file",
    '{"name": "write", "arguments": {"path": "t.json", "content": "{\\"name\\": \\"delete\\", \\"arguments\\": {\\"path\\": \\"src\\"}}\\n"}}',
    [call("write", { path: "t.json", content: '{"name": "delete", "arguments": {"path": "src"}}\n' })],
  ),
  calls(
    family,
    "a complete call in a truncated stream",
    '<tool_call>{"name": "ls", "arguments": {}}</tool_call>\n<tool_call>{"name": "read", "argu',
    [call("ls", {}), text('<tool_call>{"name": "read", "argu')],
    { cut: true },
  ),
  prose(
    family,
    "missing closers are not added in a truncated stream",
    '{"name": "read", "arguments": {"path": "a.ts"}',
    {
      cut: true,
    },
  ),
  prose(family, "a stream truncated in a bare input", "I will look.\nAction: read\nAction Input: src/mai", {
    cut: true,
    modes: ["native"],
    blocks: [text("I will look.\nAction: read\nAction Input: src/mai")],
  }),
  prose(family, "too deep to be a call", `{"name": "read", "arguments": ${'{"a":'.repeat(70)}1${"}".repeat(70)}}`),
  prose(family, "text only", "  \n\tHello, *world*.\r\n\r\nBye.  \n"),
  prose(family, "white space only", " \n "),
  { family, says: "empty text", text: "", blocks: [] },
];
