/** Mistral, Ministral, Devstral, Magistral. */
import { call, calls, type Case, prose, text, thinking } from "./case";

const old = "mistral";
const dev = "devstral";

export const mistralCases: readonly Case[] = [
  calls(old, "the marker and a list", '[TOOL_CALLS][{"name": "read", "arguments": {"path": "a.ts"}}]', [
    call("read", { path: "a.ts" }),
  ]),
  calls(
    old,
    "a space after the marker, ids, several calls",
    '[TOOL_CALLS] [{"name": "ls", "arguments": {}, "id": "VvvODy9mT"}, {"name": "bash", "arguments": {"command": "make"}, "id": "abc123def"}]',
    [call("ls", {}), call("bash", { command: "make" })],
  ),
  calls(
    old,
    "text before the marker",
    'I will check the build file.\n[TOOL_CALLS][{"name": "read", "arguments": {"path": "Makefile"}}]</s>',
    [text("I will check the build file."), call("read", { path: "Makefile" })],
  ),
  calls(old, "the list without its marker", '[{"name": "read", "arguments": {"path": "a.ts"}}]', [
    call("read", { path: "a.ts" }),
  ]),
  calls(old, "the list is not closed", '[TOOL_CALLS][{"name": "read", "arguments": {"path": "a.ts"}}', [
    call("read", { path: "a.ts" }),
  ]),
  calls(
    old,
    "the hallucinated results",
    '[TOOL_CALLS][{"name": "ls", "arguments": {}}]\n[TOOL_RESULTS]{"content": ["a"]}[/TOOL_RESULTS]There is one file.',
    [call("ls", {})],
  ),
  calls(old, "single quotes", "[TOOL_CALLS] [{'name': 'bash', 'arguments': {'command': 'echo \"hi\"'}}]", [
    call("bash", { command: 'echo "hi"' }),
  ]),
  calls(dev, "a name and its arguments", '[TOOL_CALLS]read[ARGS]{"path": "src/main.ts"}', [
    call("read", { path: "src/main.ts" }),
  ]),
  calls(
    dev,
    "several of them",
    '[TOOL_CALLS]grep[ARGS]{"pattern": "Paris"}[TOOL_CALLS]grep[ARGS]{"pattern": "Tokyo"}',
    [call("grep", { pattern: "Paris" }), call("grep", { pattern: "Tokyo" })],
  ),
  calls(dev, "without the arguments' marker", '[TOOL_CALLS]find{"pattern": "*.go"}', [
    call("find", { pattern: "*.go" }),
  ]),
  calls(dev, "an argument called name", '[TOOL_CALLS]grep{"name": "TODO"}', [call("grep", { name: "TODO" })]),
  calls(dev, "with a call id", '[TOOL_CALLS]bash[CALL_ID]a1B2c3D4e[ARGS]{"command": "pytest -q"}', [
    call("bash", { command: "pytest -q" }),
  ]),
  calls(dev, "the first marker was dropped by the server", 'grep[ARGS]{"pattern": "TODO"}\n\nLet me search for that.', [
    call("grep", { pattern: "TODO" }),
    text("Let me search for that."),
  ]),
  calls(
    dev,
    "an edit with code",
    '[TOOL_CALLS]edit[ARGS]{"path": "a.go", "old_string": "if err != nil {\\n\\treturn err\\n}", "new_string": "if err != nil {\\n\\treturn fmt.Errorf(\\"read: %w\\", err)\\n}"}',
    [
      call("edit", {
        path: "a.go",
        old_string: "if err != nil {\n\treturn err\n}",
        new_string: 'if err != nil {\n\treturn fmt.Errorf("read: %w", err)\n}',
      }),
    ],
  ),
  calls(
    "magistral",
    "thinking in brackets",
    '[THINK]I could [TOOL_CALLS]delete[ARGS]{"path": "a"} but no.[/THINK]\n[TOOL_CALLS]ls[ARGS]{}',
    [thinking('I could [TOOL_CALLS]delete[ARGS]{"path": "a"} but no.'), call("ls", {})],
  ),
  prose(old, "the marker is mentioned", "Mistral puts [TOOL_CALLS] before a JSON list of calls."),
  prose(
    old,
    "the list is cut off inside",
    '[TOOL_CALLS][{"name": "write", "arguments": {"path": "a.md", "content": "# Ti',
  ),
  prose(dev, "the arguments are cut off", '[TOOL_CALLS]bash[ARGS]{"command": "rm -r'),
  calls(dev, "an unknown tool", '[TOOL_CALLS]web_search[ARGS]{"query": "news"}', [
    call("web_search", { query: "news" }),
  ]),
  prose(
    dev,
    "a template is shown",
    'The template looks like this:\n\n[TOOL_CALLS]read[ARGS]{"path": "a.txt"}\n\nEvery name is followed by its arguments as JSON, and there may be more than one of them in one message.',
  ),
];
