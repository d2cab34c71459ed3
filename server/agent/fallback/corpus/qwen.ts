/** Qwen 2.5, Qwen 2.5 Coder, Qwen 3 and QwQ: bare JSON, fences, Hermes tags and their mistakes. */
import { call, calls, type Case, prose, text, thinking } from "./case";

const coder = "qwen2.5-coder";
const qwen = "qwen2.5";
const qwen3 = "qwen3";

const component = `import { useState } from "react";

export function Counter({ start = 0 }: { start?: number }) {
  const [count, setCount] = useState(start);
  return <button onClick={() => setCount((n) => n + 1)}>{\`计数 \${count}\`}</button>;
}
`;

export const qwenCases: readonly Case[] = [
  calls(coder, "bare JSON on one line", '{"name": "read", "arguments": {"path": "src/main.ts"}}', [
    call("read", { path: "src/main.ts" }),
  ]),
  calls(
    coder,
    "bare JSON over several lines",
    '{\n"name": "read",\n"arguments": {\n"filePath": "/my/code/AGENTS.md"\n}\n}',
    [call("read", { filePath: "/my/code/AGENTS.md" })],
  ),
  calls(
    coder,
    "two objects on two lines",
    '{"name": "ls", "arguments": {"path": "."}}\n{"name": "bash", "arguments": {"command": "npm test"}}',
    [call("ls", { path: "." }), call("bash", { command: "npm test" })],
  ),
  calls(
    coder,
    "only a json fence",
    '```json\n{\n  "name": "grep",\n  "arguments": {\n    "pattern": "TODO"\n  }\n}\n```',
    [call("grep", { pattern: "TODO" })],
  ),
  calls(
    coder,
    "a fence after a lead-in",
    'Sure! Let me look at the file first.\n\n```json\n{"name": "read", "arguments": {"path": "package.json"}}\n```',
    [text("Sure! Let me look at the file first."), call("read", { path: "package.json" })],
  ),
  calls(coder, "a fence without a language", '```\n{"name": "ls", "arguments": {}}\n```', [call("ls", {})]),
  calls(
    coder,
    "a whole file with braces, quotes and CJK inside",
    `{"name": "write", "arguments": ${JSON.stringify({ path: "src/counter.tsx", content: component })}}`,
    [call("write", { path: "src/counter.tsx", content: component })],
  ),
  calls(
    coder,
    "raw line breaks and tabs inside the content",
    '{"name": "write", "arguments": {"path": "run.py", "content": "def run():\n\tprint(\'hi\')\n\nrun()\n"}}',
    [call("write", { path: "run.py", content: "def run():\n\tprint('hi')\n\nrun()\n" })],
  ),
  calls(
    coder,
    "a Markdown fence inside an argument inside a fence",
    '```json\n{"name": "write", "arguments": {"path": "README.md", "content": "# Demo\n\n```bash\nnpm start\n```\n\nDone.\n"}}\n```',
    [call("write", { path: "README.md", content: "# Demo\n\n```bash\nnpm start\n```\n\nDone.\n" })],
  ),
  calls(
    coder,
    "arguments as a JSON text",
    '{"name": "bash", "arguments": "{\\"command\\": \\"git status\\", \\"timeout\\": 20}"}',
    [call("bash", { command: "git status", timeout: 20 })],
  ),
  calls(
    coder,
    "the same JSON twice counts once",
    '{"name": "ls", "arguments": {"path": "src"}}\n{"name": "ls", "arguments": {"path": "src"}}',
    [call("ls", { path: "src" })],
  ),
  calls(coder, "one closing brace too many", '{"name": "read", "arguments": {"path": "a.ts"}}}', [
    call("read", { path: "a.ts" }),
  ]),
  calls(coder, "one closing brace too few", '{"name": "read", "arguments": {"path": "a.ts"}', [
    call("read", { path: "a.ts" }),
  ]),
  calls(
    coder,
    "closers missing, the next call on its own line",
    '{"name": "read", "arguments": {"path": "a.ts"}\n{"name": "ls", "arguments": {}}',
    [call("read", { path: "a.ts" }), call("ls", {})],
  ),
  calls(
    coder,
    "a list of calls",
    '[{"name": "ls", "arguments": {}}, {"name": "find", "arguments": {"pattern": "*.ts"}}]',
    [call("ls", {}), call("find", { pattern: "*.ts" })],
  ),
  calls(
    coder,
    "a call whose arguments do not fit is answered with the usage",
    '{"name": "read", "arguments": {"line": 3}}',
    [call("read", { line: 3 })],
  ),
  calls(
    qwen,
    "the tags it was trained on",
    '<tool_call>\n{"name": "read", "arguments": {"path": "a.py"}}\n</tool_call>',
    [call("read", { path: "a.py" })],
  ),
  calls(
    qwen,
    "several tags with text between",
    'I will look around.\n<tool_call>\n{"name": "ls", "arguments": {"path": "src"}}\n</tool_call>\nThen search:\n<tool_call>\n{"name": "grep", "arguments": {"pattern": "main\\\\(", "path": "src"}}\n</tool_call>',
    [
      text("I will look around."),
      call("ls", { path: "src" }),
      text("Then search:"),
      call("grep", { pattern: "main\\(", path: "src" }),
    ],
  ),
  calls(qwen, "the closing tag is missing", '<tool_call>\n{"name": "read", "arguments": {"path": "a.py"}}', [
    call("read", { path: "a.py" }),
  ]),
  calls(qwen, "the opening tag is missing", '{"name": "read", "arguments": {"path": "a.py"}}\n</tool_call>', [
    call("read", { path: "a.py" }),
  ]),
  calls(
    qwen,
    "two objects in one tag",
    '<tool_call>\n{"name": "ls", "arguments": {}}\n{"name": "read", "arguments": {"path": "b"}}\n</tool_call>',
    [call("ls", {}), call("read", { path: "b" })],
  ),
  calls(
    qwen,
    "the tag of the tool list is used for the call",
    '<tools>\n{"name": "ls", "arguments": {"depth": 2}}\n</tools>',
    [call("ls", { depth: 2 })],
  ),
  calls(
    qwen,
    "a stop token and a role after it",
    '<tool_call>\n{"name": "ls", "arguments": {}}\n</tool_call><|im_end|>',
    [call("ls", {})],
  ),
  calls(
    qwen,
    "the hallucinated answer of the tool is cut off",
    '<tool_call>\n{"name": "read", "arguments": {"path": "a"}}\n</tool_call>\n<tool_response>\nfile not found\n</tool_response>\nThe file does not exist.',
    [call("read", { path: "a" })],
  ),
  calls(
    qwen,
    "an incomplete number after a complete call is ignored",
    '<tool_call>{"name": "read", "arguments": {"path": "a", "limit": 20}}',
    [call("read", { path: "a", limit: 20 })],
  ),
  calls(
    qwen3,
    "thinking, then a call",
    '<think>\nI should list the folder. {"name": "delete", "arguments": {"path": "src"}} would be wrong.\n</think>\n\n<tool_call>\n{"name": "ls", "arguments": {}}\n</tool_call>',
    [
      thinking('I should list the folder. {"name": "delete", "arguments": {"path": "src"}} would be wrong.'),
      call("ls", {}),
    ],
  ),
  calls(
    qwen3,
    "thinking opened in the prompt",
    'Okay, the user wants the tests. I\'ll run them.\n<tool_call>\n{"name": "delete", "arguments": {"path": "x"}}\n</tool_call>\nNo, run them.\n</think>\n\n<tool_call>\n{"name": "bash", "arguments": {"command": "npm test"}}\n</tool_call>',
    [
      thinking(
        'Okay, the user wants the tests. I\'ll run them.\n<tool_call>\n{"name": "delete", "arguments": {"path": "x"}}\n</tool_call>\nNo, run them.',
      ),
      call("bash", { command: "npm test" }),
    ],
  ),
  calls(
    qwen3,
    "thinking that never ends",
    '<think>\nI will call\n<tool_call>\n{"name": "ls", "arguments": {}}\n</tool_call>',
    [thinking('I will call\n<tool_call>\n{"name": "ls", "arguments": {}}\n</tool_call>')],
  ),
  calls(
    qwen3,
    "JSON in a fence inside the tag",
    '<tool_call>\n```json\n{"name": "find", "arguments": {"pattern": "**/*.md"}}\n```\n</tool_call>',
    [call("find", { pattern: "**/*.md" })],
  ),
  calls(
    qwen3,
    "a short word after the tag",
    '<tool_call>\n{"name": "ls", "arguments": {}}\n</tool_call>\n\nLet me wait for the result.',
    [call("ls", {}), text("Let me wait for the result.")],
  ),
  calls(qwen3, "a name without arguments between tags", '<tool_call>\n{"name": "ls"}\n</tool_call>', [call("ls", {})]),
  prose(coder, "an unknown tool", '{"name": "Skill", "arguments": {"name": "none"}}'),
  prose(coder, "a package file", '{\n  "name": "read",\n  "version": "1.0.0",\n  "scripts": {"test": "vitest"}\n}'),
  prose(
    coder,
    "a package file in a fence",
    'Here is your package.json:\n\n```json\n{"name": "ls", "version": "1.0.0", "main": "index.js"}\n```',
  ),
  prose(coder, "a suggestion for the shell never runs", "Run the tests with:\n\n```bash\nnpm test\n```"),
  prose(coder, "a sh fence alone", "```sh\nrm -rf build\n```"),
  prose(
    coder,
    "the value is cut off inside",
    '{"name": "write", "arguments": {"path": "a.ts", "content": "export const',
  ),
  prose(
    coder,
    "a number at the end may be incomplete",
    '{"name": "bash", "arguments": {"command": "sleep 1", "timeout": 3',
  ),
  prose(coder, "a trailing comma indicates missing content", '{"name": "bash", "arguments": {"command": "ls",'),
  prose(
    coder,
    "quotes that are not escaped are not guessed",
    '{"name": "bash", "arguments": {"command": "echo "hello" && ls"}}',
  ),
  prose(
    qwen,
    "the schema of the tools",
    '<tools>\n{"type": "function", "function": {"name": "ls", "description": "Lists", "parameters": {"type": "object", "properties": {"path": {"type": "string"}}}}}\n</tools>',
  ),
  prose(
    qwen,
    "the tag is mentioned",
    "Qwen wraps its calls in <tool_call> and </tool_call> tags, one JSON object in each.",
  ),
  prose(
    qwen,
    "an example of a call",
    'For example, to read a file the model would answer:\n\n<tool_call>\n{"name": "read", "arguments": {"path": "a.txt"}}\n</tool_call>',
  ),
  prose(
    qwen,
    "a call that is explained afterwards",
    '<tool_call>\n{"name": "read", "arguments": {"path": "a.txt"}}\n</tool_call>\n\nThis tells the runtime to open a.txt and hand its lines back to the model.',
  ),
];
