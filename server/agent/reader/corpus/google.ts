/** Gemma 2, 3, 3n, FunctionGemma. */
import { callBlock, callCase, type ReaderCase, proseCase, textBlock, thinkingBlock } from "./reader-case";

const family = "gemma";

export const googleCases: readonly ReaderCase[] = [
  callCase(family, "tool code with its api", '```tool_code\nprint(default_api.read(path="src/a.ts"))\n```', [
    callBlock("read", { path: "src/a.ts" }),
  ]),
  callCase(family, "tool code without print", "```tool_code\nls(path='src', depth=2)\n```", [
    callBlock("ls", { path: "src", depth: 2 }),
  ]),
  callCase(
    family,
    "two lines of tool code",
    '```tool_code\nprint(default_api.ls())\nprint(default_api.grep(pattern="port", ignore_case=True))\n```',
    [callBlock("ls", {}), callBlock("grep", { pattern: "port", ignore_case: true })],
  ),
  callCase(family, "text before the tool code", "Okay, I will check the folder.\n\n```tool_code\nls()\n```\n", [
    textBlock("Okay, I will check the folder."),
    callBlock("ls", {}),
  ]),
  callCase(
    family,
    "a file written by tool code",
    '```tool_code\nprint(default_api.write(path="a.sh", content="""#!/bin/sh\nset -e\necho "$1" | tr \'a\' \'b\'\n"""))\n```',
    [callBlock("write", { path: "a.sh", content: "#!/bin/sh\nset -e\necho \"$1\" | tr 'a' 'b'\n" })],
  ),
  callCase(family, "the closer of print is missing", '<tool_call>print(read(path="a.ts")</tool_call>', [
    callBlock("read", { path: "a.ts" }),
  ]),
  proseCase(
    family,
    "the closer of print is missing in a truncated stream",
    '<tool_call>print(read(path="a.ts")</tool_call>',
    { cut: true },
  ),
  callCase(
    family,
    "white space before the closer of print, in a truncated stream",
    '<tool_call>print(read(path="a.ts") )</tool_call>',
    [callBlock("read", { path: "a.ts" })],
    { cut: true },
  ),
  proseCase(family, "print of more than the call", '<tool_call>print(read(path="a.ts") + "b")</tool_call>'),
  callCase(family, "an assigned result", "```tool_code\nresult = print(default_api.ls())\n```", [callBlock("ls", {})]),
  callCase(family, "a tool_call fence", '```tool_call\n{"name": "read", "arguments": {"path": "b.ts"}}\n```', [
    callBlock("read", { path: "b.ts" }),
  ]),
  callCase(family, "a JSON list in a fence", '```json\n[\n  {"name": "read", "parameters": {"path": "a"}}\n]\n```', [
    callBlock("read", { path: "a" }),
  ]),
  callCase(
    family,
    "the turn continues with a hallucination",
    "```tool_code\nls()\n```<end_of_turn>\n<start_of_turn>user\n```tool_output\na.txt\n```",
    [callBlock("ls", {})],
  ),
  callCase(
    "functiongemma",
    "its own tokens",
    "<start_function_call>call:read{path:<escape>src/a.ts<escape>,limit:20}<end_function_call>",
    [callBlock("read", { path: "src/a.ts", limit: 20 })],
  ),
  callCase("gemma4", "its own tokens", '<|tool_call>call:bash{command:<|"|>echo "hi"<|"|>}<tool_call|>', [
    callBlock("bash", { command: 'echo "hi"' }),
  ]),
  callCase("gemma4", "thinking and an answer", "<|channel>thought\nIt is simple.\n<channel|>Four.", [
    thinkingBlock("It is simple."),
    textBlock("Four."),
  ]),
  callCase(
    "gemma4",
    "thinking and a call",
    '<|channel>thought\nI look.<channel|><|tool_call>call:ls{path:<|"|>src<|"|>}<tool_call|>',
    [thinkingBlock("I look."), callBlock("ls", { path: "src" })],
  ),
  proseCase(
    family,
    "tool code that is explained",
    'In Gemma you can call tools like this:\n\n```tool_code\nprint(default_api.read(path="a"))\n```\n\nThe output is then put into a tool_output block.',
  ),
  callCase(family, "an unknown function", '```tool_code\nprint(google_search.search(queries=["x"]))\n```', [
    callBlock("google_search.search", { queries: ["x"] }),
  ]),
  proseCase(family, "tool code is cut off", '```tool_code\nprint(default_api.write(path="a", content="abc'),
];
