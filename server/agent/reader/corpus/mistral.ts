/** Mistral, Ministral, Devstral, Magistral. */
import { callBlock, callCase, type ReaderCase, proseCase, textBlock, thinkingBlock } from "./reader-case";

const old = "mistral";
const dev = "devstral";

export const mistralCases: readonly ReaderCase[] = [
  callCase(old, "the marker and a list", '[TOOL_CALLS][{"name": "read", "arguments": {"path": "a.ts"}}]', [
    callBlock("read", { path: "a.ts" }),
  ]),
  callCase(
    old,
    "a space after the marker, ids, several calls",
    '[TOOL_CALLS] [{"name": "ls", "arguments": {}, "id": "VvvODy9mT"}, {"name": "bash", "arguments": {"command": "make"}, "id": "abc123def"}]',
    [callBlock("ls", {}), callBlock("bash", { command: "make" })],
  ),
  callCase(
    old,
    "text before the marker",
    'I will check the build file.\n[TOOL_CALLS][{"name": "read", "arguments": {"path": "Makefile"}}]</s>',
    [textBlock("I will check the build file."), callBlock("read", { path: "Makefile" })],
  ),
  callCase(old, "the list without its marker", '[{"name": "read", "arguments": {"path": "a.ts"}}]', [
    callBlock("read", { path: "a.ts" }),
  ]),
  callCase(old, "the list is not closed", '[TOOL_CALLS][{"name": "read", "arguments": {"path": "a.ts"}}', [
    callBlock("read", { path: "a.ts" }),
  ]),
  callCase(
    old,
    "the hallucinated results",
    '[TOOL_CALLS][{"name": "ls", "arguments": {}}]\n[TOOL_RESULTS]{"content": ["a"]}[/TOOL_RESULTS]There is one file.',
    [callBlock("ls", {})],
  ),
  callCase(old, "single quotes", "[TOOL_CALLS] [{'name': 'bash', 'arguments': {'command': 'echo \"hi\"'}}]", [
    callBlock("bash", { command: 'echo "hi"' }),
  ]),
  callCase(dev, "a name and its arguments", '[TOOL_CALLS]read[ARGS]{"path": "src/main.ts"}', [
    callBlock("read", { path: "src/main.ts" }),
  ]),
  callCase(
    dev,
    "several of them",
    '[TOOL_CALLS]grep[ARGS]{"pattern": "Paris"}[TOOL_CALLS]grep[ARGS]{"pattern": "Tokyo"}',
    [callBlock("grep", { pattern: "Paris" }), callBlock("grep", { pattern: "Tokyo" })],
  ),
  callCase(dev, "without the arguments' marker", '[TOOL_CALLS]find{"pattern": "*.go"}', [
    callBlock("find", { pattern: "*.go" }),
  ]),
  callCase(dev, "an argument called name", '[TOOL_CALLS]grep{"name": "TODO"}', [callBlock("grep", { name: "TODO" })]),
  callCase(dev, "with a call id", '[TOOL_CALLS]bash[CALL_ID]a1B2c3D4e[ARGS]{"command": "pytest -q"}', [
    callBlock("bash", { command: "pytest -q" }),
  ]),
  callCase(
    dev,
    "the first marker was dropped by the server",
    'grep[ARGS]{"pattern": "TODO"}\n\nLet me search for that.',
    [callBlock("grep", { pattern: "TODO" }), textBlock("Let me search for that.")],
  ),
  callCase(
    dev,
    "an edit with code",
    '[TOOL_CALLS]edit[ARGS]{"path": "a.go", "old_string": "if err != nil {\\n\\treturn err\\n}", "new_string": "if err != nil {\\n\\treturn fmt.Errorf(\\"read: %w\\", err)\\n}"}',
    [
      callBlock("edit", {
        path: "a.go",
        old_string: "if err != nil {\n\treturn err\n}",
        new_string: 'if err != nil {\n\treturn fmt.Errorf("read: %w", err)\n}',
      }),
    ],
  ),
  callCase(
    "magistral",
    "thinking in brackets",
    '[THINK]I could [TOOL_CALLS]delete[ARGS]{"path": "a"} but no.[/THINK]\n[TOOL_CALLS]ls[ARGS]{}',
    [thinkingBlock('I could [TOOL_CALLS]delete[ARGS]{"path": "a"} but no.'), callBlock("ls", {})],
  ),
  proseCase(old, "the marker is mentioned", "Mistral puts [TOOL_CALLS] before a JSON list of calls."),
  proseCase(
    old,
    "the list is cut off inside",
    '[TOOL_CALLS][{"name": "write", "arguments": {"path": "a.md", "content": "# Ti',
  ),
  proseCase(dev, "the arguments are cut off", '[TOOL_CALLS]bash[ARGS]{"command": "rm -r'),
  callCase(dev, "an unknown tool", '[TOOL_CALLS]web_search[ARGS]{"query": "news"}', [
    callBlock("web_search", { query: "news" }),
  ]),
  proseCase(
    dev,
    "a template is shown",
    'The template looks like this:\n\n[TOOL_CALLS]read[ARGS]{"path": "a.txt"}\n\nEvery name is followed by its arguments as JSON, and there may be more than one of them in one message.',
  ),
];
