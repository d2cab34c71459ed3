/** Qwen 2.5, Qwen 2.5 Coder, Qwen 3 and QwQ: bare JSON, fences, Hermes tags and their mistakes. */
import { callBlock, callCase, type ReaderCase, proseCase, textBlock, thinkingBlock } from "./reader-case";

const coder = "qwen2.5-coder";
const qwen = "qwen2.5";
const qwen3 = "qwen3";

const component = `import { useState } from "react";

export function Counter({ start = 0 }: { start?: number }) {
  const [count, setCount] = useState(start);
  return <button onClick={() => setCount((n) => n + 1)}>{\`计数 \${count}\`}</button>;
}
`;

export const qwenCases: readonly ReaderCase[] = [
  callCase(coder, "bare JSON on one line", '{"name": "read", "arguments": {"path": "src/main.ts"}}', [
    callBlock("read", { path: "src/main.ts" }),
  ]),
  callCase(
    coder,
    "bare JSON over several lines",
    '{\n"name": "read",\n"arguments": {\n"filePath": "/my/code/AGENTS.md"\n}\n}',
    [callBlock("read", { filePath: "/my/code/AGENTS.md" })],
  ),
  callCase(
    coder,
    "two objects on two lines",
    '{"name": "ls", "arguments": {"path": "."}}\n{"name": "bash", "arguments": {"command": "npm test"}}',
    [callBlock("ls", { path: "." }), callBlock("bash", { command: "npm test" })],
  ),
  callCase(
    coder,
    "only a json fence",
    '```json\n{\n  "name": "grep",\n  "arguments": {\n    "pattern": "TODO"\n  }\n}\n```',
    [callBlock("grep", { pattern: "TODO" })],
  ),
  callCase(
    coder,
    "a fence after a lead-in",
    'Sure! Let me look at the file first.\n\n```json\n{"name": "read", "arguments": {"path": "package.json"}}\n```',
    [textBlock("Sure! Let me look at the file first."), callBlock("read", { path: "package.json" })],
  ),
  callCase(coder, "a fence without a language", '```\n{"name": "ls", "arguments": {}}\n```', [callBlock("ls", {})]),
  callCase(
    coder,
    "a whole file with braces, quotes and CJK inside",
    `{"name": "write", "arguments": ${JSON.stringify({ path: "src/counter.tsx", content: component })}}`,
    [callBlock("write", { path: "src/counter.tsx", content: component })],
  ),
  callCase(
    coder,
    "raw line breaks and tabs inside the content",
    '{"name": "write", "arguments": {"path": "run.py", "content": "def run():\n\tprint(\'hi\')\n\nrun()\n"}}',
    [callBlock("write", { path: "run.py", content: "def run():\n\tprint('hi')\n\nrun()\n" })],
  ),
  callCase(
    coder,
    "a Markdown fence inside an argument inside a fence",
    '```json\n{"name": "write", "arguments": {"path": "README.md", "content": "# Demo\n\n```bash\nnpm start\n```\n\nDone.\n"}}\n```',
    [callBlock("write", { path: "README.md", content: "# Demo\n\n```bash\nnpm start\n```\n\nDone.\n" })],
  ),
  callCase(
    coder,
    "arguments as a JSON text",
    '{"name": "bash", "arguments": "{\\"command\\": \\"git status\\", \\"timeout\\": 20}"}',
    [callBlock("bash", { command: "git status", timeout: 20 })],
  ),
  callCase(
    coder,
    "the same JSON twice counts once",
    '{"name": "ls", "arguments": {"path": "src"}}\n{"name": "ls", "arguments": {"path": "src"}}',
    [callBlock("ls", { path: "src" })],
  ),
  callCase(coder, "one closing brace too many", '{"name": "read", "arguments": {"path": "a.ts"}}}', [
    callBlock("read", { path: "a.ts" }),
  ]),
  callCase(coder, "one closing brace too few", '{"name": "read", "arguments": {"path": "a.ts"}', [
    callBlock("read", { path: "a.ts" }),
  ]),
  callCase(
    coder,
    "closers missing, the next call on its own line",
    '{"name": "read", "arguments": {"path": "a.ts"}\n{"name": "ls", "arguments": {}}',
    [callBlock("read", { path: "a.ts" }), callBlock("ls", {})],
  ),
  callCase(
    coder,
    "a list of calls",
    '[{"name": "ls", "arguments": {}}, {"name": "find", "arguments": {"pattern": "*.ts"}}]',
    [callBlock("ls", {}), callBlock("find", { pattern: "*.ts" })],
  ),
  callCase(
    coder,
    "a call whose arguments do not fit is answered with the usage",
    '{"name": "read", "arguments": {"line": 3}}',
    [callBlock("read", { line: 3 })],
  ),
  callCase(
    qwen,
    "the tags it was trained on",
    '<tool_call>\n{"name": "read", "arguments": {"path": "a.py"}}\n</tool_call>',
    [callBlock("read", { path: "a.py" })],
  ),
  callCase(
    qwen,
    "several tags with text between",
    'I will look around.\n<tool_call>\n{"name": "ls", "arguments": {"path": "src"}}\n</tool_call>\nThen search:\n<tool_call>\n{"name": "grep", "arguments": {"pattern": "main\\\\(", "path": "src"}}\n</tool_call>',
    [
      textBlock("I will look around."),
      callBlock("ls", { path: "src" }),
      textBlock("Then search:"),
      callBlock("grep", { pattern: "main\\(", path: "src" }),
    ],
  ),
  callCase(qwen, "the closing tag is missing", '<tool_call>\n{"name": "read", "arguments": {"path": "a.py"}}', [
    callBlock("read", { path: "a.py" }),
  ]),
  callCase(qwen, "the opening tag is missing", '{"name": "read", "arguments": {"path": "a.py"}}\n</tool_call>', [
    callBlock("read", { path: "a.py" }),
  ]),
  callCase(
    qwen,
    "two objects in one tag",
    '<tool_call>\n{"name": "ls", "arguments": {}}\n{"name": "read", "arguments": {"path": "b"}}\n</tool_call>',
    [callBlock("ls", {}), callBlock("read", { path: "b" })],
  ),
  callCase(
    qwen,
    "the tag of the tool list is used for the call",
    '<tools>\n{"name": "ls", "arguments": {"depth": 2}}\n</tools>',
    [callBlock("ls", { depth: 2 })],
  ),
  callCase(
    qwen,
    "a stop token and a role after it",
    '<tool_call>\n{"name": "ls", "arguments": {}}\n</tool_call><|im_end|>',
    [callBlock("ls", {})],
  ),
  callCase(
    qwen,
    "the hallucinated answer of the tool is cut off",
    '<tool_call>\n{"name": "read", "arguments": {"path": "a"}}\n</tool_call>\n<tool_response>\nfile not found\n</tool_response>\nThe file does not exist.',
    [callBlock("read", { path: "a" })],
  ),
  callCase(
    qwen,
    "an incomplete number after a complete call is ignored",
    '<tool_call>{"name": "read", "arguments": {"path": "a", "limit": 20}}',
    [callBlock("read", { path: "a", limit: 20 })],
  ),
  callCase(
    qwen3,
    "thinking, then a call",
    '<think>\nI should list the folder. {"name": "delete", "arguments": {"path": "src"}} would be wrong.\n</think>\n\n<tool_call>\n{"name": "ls", "arguments": {}}\n</tool_call>',
    [
      thinkingBlock('I should list the folder. {"name": "delete", "arguments": {"path": "src"}} would be wrong.'),
      callBlock("ls", {}),
    ],
  ),
  callCase(
    qwen3,
    "thinking opened in the prompt",
    'Okay, the user wants the tests. I\'ll run them.\n<tool_call>\n{"name": "delete", "arguments": {"path": "x"}}\n</tool_call>\nNo, run them.\n</think>\n\n<tool_call>\n{"name": "bash", "arguments": {"command": "npm test"}}\n</tool_call>',
    [
      thinkingBlock(
        'Okay, the user wants the tests. I\'ll run them.\n<tool_call>\n{"name": "delete", "arguments": {"path": "x"}}\n</tool_call>\nNo, run them.',
      ),
      callBlock("bash", { command: "npm test" }),
    ],
  ),
  callCase(
    qwen3,
    "thinking that never ends",
    '<think>\nI will call\n<tool_call>\n{"name": "ls", "arguments": {}}\n</tool_call>',
    [thinkingBlock('I will call\n<tool_call>\n{"name": "ls", "arguments": {}}\n</tool_call>')],
  ),
  callCase(
    qwen3,
    "JSON in a fence inside the tag",
    '<tool_call>\n```json\n{"name": "find", "arguments": {"pattern": "**/*.md"}}\n```\n</tool_call>',
    [callBlock("find", { pattern: "**/*.md" })],
  ),
  callCase(
    qwen3,
    "a short word after the tag",
    '<tool_call>\n{"name": "ls", "arguments": {}}\n</tool_call>\n\nLet me wait for the result.',
    [callBlock("ls", {}), textBlock("Let me wait for the result.")],
  ),
  callCase(qwen3, "a name without arguments between tags", '<tool_call>\n{"name": "ls"}\n</tool_call>', [
    callBlock("ls", {}),
  ]),
  proseCase(coder, "an unknown tool", '{"name": "Skill", "arguments": {"name": "none"}}'),
  proseCase(coder, "a package file", '{\n  "name": "read",\n  "version": "1.0.0",\n  "scripts": {"test": "vitest"}\n}'),
  proseCase(
    coder,
    "a package file in a fence",
    'Here is your package.json:\n\n```json\n{"name": "ls", "version": "1.0.0", "main": "index.js"}\n```',
  ),
  proseCase(coder, "a suggestion for the shell never runs", "Run the tests with:\n\n```bash\nnpm test\n```"),
  proseCase(coder, "a sh fence alone", "```sh\nrm -rf build\n```"),
  proseCase(
    coder,
    "the value is cut off inside",
    '{"name": "write", "arguments": {"path": "a.ts", "content": "export const',
  ),
  proseCase(
    coder,
    "a number at the end may be incomplete",
    '{"name": "bash", "arguments": {"command": "sleep 1", "timeout": 3',
  ),
  proseCase(coder, "a trailing comma indicates missing content", '{"name": "bash", "arguments": {"command": "ls",'),
  proseCase(
    coder,
    "quotes that are not escaped are not guessed",
    '{"name": "bash", "arguments": {"command": "echo "hello" && ls"}}',
  ),
  proseCase(
    qwen,
    "the schema of the tools",
    '<tools>\n{"type": "function", "function": {"name": "ls", "description": "Lists", "parameters": {"type": "object", "properties": {"path": {"type": "string"}}}}}\n</tools>',
  ),
  proseCase(
    qwen,
    "the tag is mentioned",
    "Qwen wraps its calls in <tool_call> and </tool_call> tags, one JSON object in each.",
  ),
  proseCase(
    qwen,
    "an example of a call",
    'For example, to read a file the model would answer:\n\n<tool_call>\n{"name": "read", "arguments": {"path": "a.txt"}}\n</tool_call>',
  ),
  proseCase(
    qwen,
    "a call that is explained afterwards",
    '<tool_call>\n{"name": "read", "arguments": {"path": "a.txt"}}\n</tool_call>\n\nThis tells the runtime to open a.txt and hand its lines back to the model.',
  ),
];
