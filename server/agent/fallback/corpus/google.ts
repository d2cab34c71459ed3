/** Gemma 2, 3, 3n, FunctionGemma. */
import { call, calls, type Case, prose, text } from "./case";

const family = "gemma";

export const googleCases: readonly Case[] = [
  calls(family, "tool code with its api", '```tool_code\nprint(default_api.read(path="src/a.ts"))\n```', [
    call("read", { path: "src/a.ts" }),
  ]),
  calls(family, "tool code without print", "```tool_code\nls(path='src', depth=2)\n```", [
    call("ls", { path: "src", depth: 2 }),
  ]),
  calls(
    family,
    "two lines of tool code",
    '```tool_code\nprint(default_api.ls())\nprint(default_api.grep(pattern="port", ignore_case=True))\n```',
    [call("ls", {}), call("grep", { pattern: "port", ignore_case: true })],
  ),
  calls(family, "text before the tool code", "Okay, I will check the folder.\n\n```tool_code\nls()\n```\n", [
    text("Okay, I will check the folder."),
    call("ls", {}),
  ]),
  calls(
    family,
    "a file written by tool code",
    '```tool_code\nprint(default_api.write(path="a.sh", content="""#!/bin/sh\nset -e\necho "$1" | tr \'a\' \'b\'\n"""))\n```',
    [call("write", { path: "a.sh", content: "#!/bin/sh\nset -e\necho \"$1\" | tr 'a' 'b'\n" })],
  ),
  calls(family, "an assigned result", "```tool_code\nresult = print(default_api.ls())\n```", [call("ls", {})]),
  calls(family, "a tool_call fence", '```tool_call\n{"name": "read", "arguments": {"path": "b.ts"}}\n```', [
    call("read", { path: "b.ts" }),
  ]),
  calls(family, "a JSON list in a fence", '```json\n[\n  {"name": "read", "parameters": {"path": "a"}}\n]\n```', [
    call("read", { path: "a" }),
  ]),
  calls(
    family,
    "the turn continues with a hallucination",
    "```tool_code\nls()\n```<end_of_turn>\n<start_of_turn>user\n```tool_output\na.txt\n```",
    [call("ls", {})],
  ),
  calls(
    "functiongemma",
    "its own tokens",
    "<start_function_call>call:read{path:<escape>src/a.ts<escape>,limit:20}<end_function_call>",
    [call("read", { path: "src/a.ts", limit: 20 })],
  ),
  calls("gemma4", "its own tokens", '<|tool_call>call:bash{command:<|"|>echo "hi"<|"|>}<tool_call|>', [
    call("bash", { command: 'echo "hi"' }),
  ]),
  prose(
    family,
    "tool code that is explained",
    'In Gemma you can call tools like this:\n\n```tool_code\nprint(default_api.read(path="a"))\n```\n\nThe output is then put into a tool_output block.',
  ),
  calls(family, "an unknown function", '```tool_code\nprint(google_search.search(queries=["x"]))\n```', [
    call("google_search.search", { queries: ["x"] }),
  ]),
  prose(family, "tool code is cut off", '```tool_code\nprint(default_api.write(path="a", content="abc'),
];
