/** Qwen 3 Coder: elements with parameters, often without the opening tag. */
import { callBlock, callCase, type ReaderCase, proseCase, textBlock } from "./reader-case";

const family = "qwen3-coder";

const script = `import sys

def main(argv: list[str]) -> int:
    if len(argv) < 2 and not sys.stdin.isatty():
        print("usage: <file> [--flag]")
        return 1
    return 0 if {"a": [1, 2]} else 2
`;

export const qwenCoderCases: readonly ReaderCase[] = [
  callCase(
    family,
    "the whole form",
    "<tool_call>\n<function=read>\n<parameter=path>\nsrc/main.ts\n</parameter>\n<parameter=limit>\n50\n</parameter>\n</function>\n</tool_call>",
    [callBlock("read", { path: "src/main.ts", limit: "50" })],
  ),
  callCase(
    family,
    "without the opening tag, with an orphaned closer",
    "<function=bash>\n<parameter=command>\necho LEAK_TEST\n</parameter>\n</function>\n</tool_call>",
    [callBlock("bash", { command: "echo LEAK_TEST" })],
  ),
  callCase(
    family,
    "text before it and no opening tag",
    "I'll check the model information first.\n\n<function=bash>\n<parameter=command>\necho $BASE_URL && ls -la | head\n</parameter>\n</function>\n</tool_call>",
    [
      textBlock("I'll check the model information first."),
      callBlock("bash", { command: "echo $BASE_URL && ls -la | head" }),
    ],
  ),
  callCase(
    family,
    "a whole program as a parameter",
    `<tool_call>\n<function=write>\n<parameter=path>\ntools/run.py\n</parameter>\n<parameter=content>\n${script}\n</parameter>\n</function>\n</tool_call>`,
    [callBlock("write", { path: "tools/run.py", content: script })],
  ),
  callCase(
    family,
    "an edit with its indentation",
    "<tool_call>\n<function=edit>\n<parameter=path>\na.py\n</parameter>\n<parameter=old_string>\n    if x:\n        return 1\n</parameter>\n<parameter=new_string>\n    if x and y:\n        return 2\n</parameter>\n</function>\n</tool_call>",
    [
      callBlock("edit", {
        path: "a.py",
        old_string: "    if x:\n        return 1",
        new_string: "    if x and y:\n        return 2",
      }),
    ],
  ),
  callCase(
    family,
    "a parameter that was not closed before the next",
    "<function=grep>\n<parameter=pattern>\nfoo\n<parameter=path>\nsrc\n</parameter>\n</function>",
    [callBlock("grep", { pattern: "foo", path: "src" })],
  ),
  callCase(family, "a parameter closed by the function", "<function=read>\n<parameter=path>\na.md\n</function>", [
    callBlock("read", { path: "a.md" }),
  ]),
  callCase(
    family,
    "two calls in a row",
    "<tool_call>\n<function=ls>\n</function>\n</tool_call>\n<tool_call>\n<function=find>\n<parameter=pattern>\n*.ts\n</parameter>\n</function>\n</tool_call>",
    [callBlock("ls", {}), callBlock("find", { pattern: "*.ts" })],
  ),
  callCase(
    family,
    "HTML with tags of its own",
    '<function=write>\n<parameter=path>\nindex.html\n</parameter>\n<parameter=content>\n<!doctype html>\n<body class="a">\n  <p>1 &lt; 2</p>\n</body>\n</parameter>\n</function>\n</tool_call>',
    [
      callBlock("write", {
        path: "index.html",
        content: '<!doctype html>\n<body class="a">\n  <p>1 &lt; 2</p>\n</body>',
      }),
    ],
  ),
  callCase(
    family,
    "a file about this very syntax",
    "<function=write>\n<parameter=path>\ndoc.md\n</parameter>\n<parameter=content>\nCalls look like this:\n<function=read>\n<parameter=path>\na\n</parameter>\n</function>\nThat is all.\n</parameter>\n</function>",
    [
      callBlock("write", {
        path: "doc.md",
        content: "Calls look like this:\n<function=read>\n<parameter=path>\na\n</parameter>\n</function>\nThat is all.",
      }),
    ],
  ),
  callCase(
    family,
    "everything on one line",
    "<function=ls><parameter=path>src</parameter><parameter=depth>2</parameter></function>",
    [callBlock("ls", { path: "src", depth: "2" })],
  ),
  callCase(
    family,
    "the closers of function and call are missing",
    "<tool_call>\n<function=read>\n<parameter=path>\nsrc/a.ts\n</parameter>",
    [callBlock("read", { path: "src/a.ts" })],
  ),
  proseCase(
    family,
    "a parameter that is still open",
    "<tool_call>\n<function=bash>\n<parameter=command>\nrm -rf build/tm",
  ),
  proseCase(
    family,
    "a complete call in a stream truncated before its closers",
    "<tool_call>\n<function=bash>\n<parameter=command>\nls\n</parameter>\n",
    { cut: true },
  ),
  callCase(family, "no parameters and no closer of its own", "<tool_call>\n<function=ls>\n</tool_call>", [
    callBlock("ls", {}),
  ]),
  callCase(
    family,
    "a second call before the first is closed",
    "<tool_call>\n<function=read>\n<parameter=path>\na.md\n</parameter>\n<tool_call>\n<function=ls>\n</function>\n</tool_call>",
    [callBlock("read", { path: "a.md" }), callBlock("ls", {})],
  ),
  callCase(
    family,
    "an unknown function",
    "<function=WebFetch>\n<parameter=url>\nhttps://example.com\n</parameter>\n</function>\n</tool_call>",
    [callBlock("WebFetch", { url: "https://example.com" })],
  ),
  proseCase(
    family,
    "the syntax is explained",
    "Tool calls are written like this:\n\n<function=read>\n<parameter=path>\na.txt\n</parameter>\n</function>\n\nThe runtime then parses the parameters and calls the tool, and its answer goes back to the model.",
  ),
  proseCase(
    family,
    "the syntax in inline code",
    "A call starts with `<function=read>` and has `<parameter=path>a</parameter>` in it.",
  ),
  proseCase(
    family,
    "the syntax in a fence after an explanation",
    "Here is what a tool call looks like:\n\n```xml\n<function=read>\n<parameter=path>a</parameter>\n</function>\n```\n\nEach parameter is an element.",
  ),
];
