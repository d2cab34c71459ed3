/** Shapes and mistakes common to several families: keys, quotes, comments, lists of edits. */
import { callBlock, callCase, type ReaderCase, proseCase, textBlock } from "./reader-case";

const family = "repairs";

export const repairCases: readonly ReaderCase[] = [
  callCase(
    family,
    "tool_calls around the list",
    '{"tool_calls": [{"name": "ls", "arguments": {}}, {"name": "read", "arguments": {"path": "a"}}]}',
    [callBlock("ls", {}), callBlock("read", { path: "a" })],
  ),
  callCase(
    family,
    "an API message",
    '{"role": "assistant", "content": null, "tool_calls": [{"id": "call_1", "type": "function", "function": {"name": "bash", "arguments": "{\\"command\\": \\"ls\\"}"}}]}',
    [callBlock("bash", { command: "ls" })],
  ),
  callCase(family, "tool and tool_input", '{"tool": "read", "tool_input": {"path": "a"}}', [
    callBlock("read", { path: "a" }),
  ]),
  callCase(family, "tool_name and parameters", '{"tool_name": "ls", "parameters": {"path": "b"}}', [
    callBlock("ls", { path: "b" }),
  ]),
  callCase(family, "action and action_input", '{"action": "grep", "action_input": {"pattern": "x"}}', [
    callBlock("grep", { pattern: "x" }),
  ]),
  callCase(family, "a bare text as the input", '{"action": "bash", "action_input": "npm ci"}', [
    callBlock("bash", { command: "npm ci" }),
  ]),
  callCase(family, "function as a name", '{"function": "ls", "args": {"path": "."}}', [callBlock("ls", { path: "." })]),
  callCase(family, "a thought beside the call", '{"thought": "look first", "tool": "ls", "args": {}}', [
    callBlock("ls", {}),
  ]),
  callCase(family, "arguments beside the tool", '{"tool": "bash", "command": "ls -la"}', [
    callBlock("bash", { command: "ls -la" }),
  ]),
  callCase(family, "a prefix of the name", '{"name": "functions.read", "arguments": {"path": "a"}}', [
    callBlock("read", { path: "a" }),
  ]),
  callCase(family, "trailing commas", '{"name": "read", "arguments": {"path": "a", "limit": 5,},}', [
    callBlock("read", { path: "a", limit: 5 }),
  ]),
  callCase(family, "keys without quotes", '{name: "read", arguments: {path: "a"}}', [callBlock("read", { path: "a" })]),
  callCase(
    family,
    "comments",
    '{\n  // the file\n  "name": "read", /* all of it */\n  "arguments": {"path": "a"} # done\n}',
    [callBlock("read", { path: "a" })],
  ),
  callCase(family, "curly quotes", "{“name”: “read”, “arguments”: {“path”: “a b.txt”}}", [
    callBlock("read", { path: "a b.txt" }),
  ]),
  callCase(family, "an escaped apostrophe", `{"name": "bash", "arguments": {"command": "echo \\'it is\\'"}}`, [
    callBlock("bash", { command: "echo 'it is'" }),
  ]),
  callCase(family, "an escape JSON does not know", '{"name": "grep", "arguments": {"pattern": "\\.ts$"}}', [
    callBlock("grep", { pattern: "\\.ts$" }),
  ]),
  callCase(
    family,
    "backticks around a file",
    '{"name": "write", "arguments": {"path": "a.js", "content": `const a = "x";\n`}}',
    [callBlock("write", { path: "a.js", content: 'const a = "x";\n' })],
  ),
  callCase(
    family,
    "emoji and surrogates",
    '{"name": "write", "arguments": {"path": "😀.txt", "content": "a\\ud83d\\ude00b 你好"}}',
    [callBlock("write", { path: "😀.txt", content: "a😀b 你好" })],
  ),
  callCase(
    family,
    "a list of edits of one file is one call",
    '{"name": "edit", "arguments": {"path": "a.ts", "edits": [{"old_string": "a", "new_string": "b"}, {"old_string": "c", "new_string": "d"}]}}',
    [
      callBlock("edit", {
        path: "a.ts",
        edits: [
          { old_string: "a", new_string: "b" },
          { old_string: "c", new_string: "d" },
        ],
      }),
    ],
  ),
  callCase(
    family,
    "a list of edits of several files is several calls",
    '<tool_call>{"name": "edit", "arguments": {"edits": [{"path": "a.ts", "old_string": "a", "new_string": "b"}, {"path": "b.ts", "old_string": "c", "new_string": "d"}]}}</tool_call>',
    [
      callBlock("edit", { path: "a.ts", old_string: "a", new_string: "b" }),
      callBlock("edit", { path: "b.ts", old_string: "c", new_string: "d" }),
    ],
  ),
  proseCase(
    family,
    "a list of edits with one that does not fit",
    '{"name": "edit", "arguments": {"path": "a.ts", "edits": [{"path": "b.ts", "old_string": "a", "new_string": "b"}, {"path": "c.ts", "old_string": "c"}]}} as one call',
  ),
  callCase(family, "arguments encoded as an empty text", '{"name": "ls", "arguments": ""}', [callBlock("ls", {})]),
  callCase(family, "arguments that are null", '{"name": "ls", "arguments": null}', [callBlock("ls", {})]),
  callCase(family, "encoded arguments after white space", '{"name": "ls", "arguments": " {\\"path\\": \\"src\\"} "}', [
    callBlock("ls", { path: "src" }),
  ]),
  callCase(
    family,
    "a deletion by an empty text",
    '{"name": "edit", "arguments": {"path": "a.ts", "old_string": "debugger;\\n", "new_string": ""}}',
    [callBlock("edit", { path: "a.ts", old_string: "debugger;\n", new_string: "" })],
  ),
  callCase(
    family,
    "a patch as an argument",
    '{"name": "bash", "arguments": {"command": "git apply <<\'EOF\'\\n--- a/x\\n+++ b/x\\n@@ -1 +1 @@\\n-a\\n+b\\nEOF"}}',
    [callBlock("bash", { command: "git apply <<'EOF'\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\nEOF" })],
  ),
  callCase(
    family,
    "a call that writes a call into a file",
    '{"name": "write", "arguments": {"path": "t.json", "content": "{\\"name\\": \\"delete\\", \\"arguments\\": {\\"path\\": \\"src\\"}}\\n"}}',
    [callBlock("write", { path: "t.json", content: '{"name": "delete", "arguments": {"path": "src"}}\n' })],
  ),
  callCase(
    family,
    "a complete call in a truncated stream",
    '<tool_call>{"name": "ls", "arguments": {}}</tool_call>\n<tool_call>{"name": "read", "argu',
    [callBlock("ls", {}), textBlock('<tool_call>{"name": "read", "argu')],
    { cut: true },
  ),
  callCase(
    family,
    "a result inside bare JSON after a call in a tag",
    '<tool_call>{"name": "ls", "arguments": {}}</tool_call>\n{"name": "write", "arguments": {"path": "a", "content": "x\nObservation: y"}}',
    [callBlock("ls", {}), callBlock("write", { path: "a", content: "x\nObservation: y" })],
  ),
  callCase(
    family,
    "a result inside a pythonic list after a call in a tag",
    "<tool_call>ls()</tool_call>\n[write(path='a', content='x\nObservation: y')]",
    [callBlock("ls", {}), callBlock("write", { path: "a", content: "x\nObservation: y" })],
  ),
  proseCase(
    family,
    "missing closers are not added in a truncated stream",
    '{"name": "read", "arguments": {"path": "a.ts"}',
    {
      cut: true,
    },
  ),
  proseCase(family, "a stream truncated in a bare input", "I will look.\nAction: read\nAction Input: src/mai", {
    cut: true,
    modes: ["native"],
    blocks: [textBlock("I will look.\nAction: read\nAction Input: src/mai")],
  }),
  proseCase(family, "too deep to be a call", `{"name": "read", "arguments": ${'{"a":'.repeat(70)}1${"}".repeat(70)}}`),
  proseCase(family, "text only", "  \n\tHello, *world*.\r\n\r\nBye.  \n"),
  proseCase(family, "white space only", " \n "),
  { family, title: "empty text", text: "", blocks: [] },
];
