/** Calls of unknown tools: those answered with an error, and data that only looks alike. */
import { callBlock, callCase, type ReaderCase, proseCase, textBlock, thinkingBlock } from "./reader-case";

const family = "strangers";
const otherModes = { modes: ["native", "xml"] } as const;
const readFile = '{"name": "read_file", "arguments": {"path": "a.ts"}}';
const weather = '{"name": "get_weather", "arguments": {"city": "Oslo"}}';
const search = '<tool_call>\n{"name": "web_search", "arguments": {"query": "vitest"}}\n</tool_call>';
const searched = callBlock("web_search", { query: "vitest" });
const ls = '<tool_call>\n{"name": "ls", "arguments": {}}\n</tool_call>';

const reportedCases: readonly ReaderCase[] = [
  callCase(family, "an alias in bare JSON", readFile, [callBlock("read_file", { path: "a.ts" })]),
  callCase(family, "text before it", `I will read the file.\n\n\`\`\`json\n${readFile}\n\`\`\``, [
    textBlock("I will read the file."),
    callBlock("read_file", { path: "a.ts" }),
  ]),
  callCase(
    family,
    "a name of another agent",
    '{"name": "str_replace_editor", "arguments": {"command": "view", "path": "a.ts"}}',
    [callBlock("str_replace_editor", { command: "view", path: "a.ts" })],
  ),
  callCase(family, "a list of aliases", `[${readFile}, {"name": "list_dir", "arguments": {}}]`, [
    callBlock("read_file", { path: "a.ts" }),
    callBlock("list_dir", {}),
  ]),
  callCase(
    family,
    "arguments encoded as text",
    String.raw`{"name": "read_file", "arguments": "{\"path\": \"a.ts\"}"}`,
    [callBlock("read_file", { path: "a.ts" })],
  ),
  callCase(
    family,
    "encoded arguments without their closer stay text",
    String.raw`<tool_call>{"name": "web_search", "arguments": "{\"query\": \"x\""}</tool_call>`,
    [callBlock("web_search", '{"query": "x"')],
  ),
  callCase(family, "an alias in ReAct lines", 'Thought: x\nAction: run_command\nAction Input: {"command": "ls"}', [
    thinkingBlock("x"),
    callBlock("run_command", { command: "ls" }),
  ]),
  callCase(family, "an alias on the line of the action", 'Action: read_file(path="a.ts")', [
    callBlock("read_file", { path: "a.ts" }),
  ]),
  callCase(
    family,
    "a hallucinated observation",
    'Action: run_command\nAction Input: {"command": "ls"}\nObservation: a.ts\nFinal Answer: one file',
    [callBlock("run_command", { command: "ls" })],
  ),
  callCase(family, "any name in a tag", search, [searched]),
  callCase(
    family,
    "a search in a tag",
    '<tool_call>\n{"name": "search", "arguments": {"query": "vitest"}}\n</tool_call>',
    [callBlock("search", { query: "vitest" })],
  ),
  callCase(family, "text around the tag", `I will search the web.\n${search}\nThen I will tell you.`, [
    textBlock("I will search the web."),
    searched,
    textBlock("Then I will tell you."),
  ]),
  callCase(family, "thinking first", `<think>Who knows?</think>\n${search}`, [thinkingBlock("Who knows?"), searched]),
  callCase(family, "a hallucinated result", `${search}\n<tool_response>\nnothing\n</tool_response>\nNo result.`, [
    searched,
  ]),
  callCase(family, "a known call before it", `${ls}\n${search}`, [callBlock("ls", {}), searched]),
  callCase(
    family,
    "an element with parameters",
    "<function=web_search>\n<parameter=query>\nvitest\n</parameter>\n</function>",
    [searched],
  ),
  callCase(family, "invoke", '<invoke name="web_search">\n<parameter name="query">vitest</parameter>\n</invoke>', [
    searched,
  ]),
  callCase(family, "a marker that the server dropped", 'read_file[ARGS]{"path": "a.ts"}', [
    callBlock("read_file", { path: "a.ts" }),
  ]),
  callCase(family, "an element of its name", "<read_file>\n<path>a.ts</path>\n</read_file>", [
    callBlock("read_file", { path: "a.ts" }),
  ]),
  callCase(family, "an alias as recipient", '>>>read_file\n{"path": "a.ts"}', [
    callBlock("read_file", { path: "a.ts" }),
  ]),
];

const data: readonly ReaderCase[] = [
  proseCase(family, "an unknown name in bare JSON", weather),
  proseCase(family, "no arguments in bare JSON", '{"name":"get_weather","arguments":{}}'),
  proseCase(family, "the same in a fence", `\`\`\`json\n${weather}\n\`\`\``),
  proseCase(family, "a list of such names", `[${weather}, ${weather}]`),
  proseCase(family, "an alias next to such a name", `[${readFile}, ${weather}]`),
  proseCase(family, "a package", '{"name": "view", "version": "1.0.0", "scripts": {"build": "tsc"}}'),
  proseCase(family, "a package with an input", '{"name": "search", "version": "1.0.0", "args": {"port": 80}}'),
  proseCase(family, "a search that may be of the web", '{"name": "search", "arguments": {"query": "vitest"}}'),
  proseCase(family, "such a search in a fence", '```json\n{"name": "search", "arguments": {"query": "vitest"}}\n```'),
  proseCase(family, "a task of an editor", '{"name": "run", "type": "node", "args": ["--watch"]}'),
  proseCase(family, "a name alone", '{"name": "read_file"}'),
  proseCase(family, "arguments beside the name", '{"tool": "read_file", "path": "a.ts"}'),
  proseCase(family, "arguments that are no object", '{"name": "run_command", "arguments": "ls"}'),
  proseCase(
    family,
    "the definition of a tool",
    '{"name": "read_file", "parameters": {"type": "object", "properties": {}}}',
  ),
  proseCase(family, "an example", `For example:\n\n\`\`\`json\n${readFile}\n\`\`\``),
  proseCase(family, "an explanation after it", `${readFile}\n\nThis reads the file.`),
  proseCase(family, "a shown call", `The server returned:\n\n${readFile}`),
  proseCase(family, "a value of a document", `{"request": ${readFile}, "status": 200}`),
  proseCase(family, "a statement of a language", 'open("a.ts")'),
  proseCase(family, "a list of statements that is no answer", '[search("x")]'),
  proseCase(family, "a list in a page", "<list>\n<item>a</item>\n</list>"),
  proseCase(family, "a tag in an example", `For example:\n${search}`),
  proseCase(family, "a tag in a fence", `The format:\n\n\`\`\`\n${search}\n\`\`\``),
  proseCase(family, "a tag in a quotation", `> ${search.replaceAll("\n", "")}\n\nThis was in the issue.`),
  proseCase(family, "a tag in a shown file", `<file>\n${search}\n</file>`),
  proseCase(family, "a tag that is explained", `${search}\n\nThis searches the web.`),
  proseCase(
    family,
    "a tutorial with a result",
    `${search}\n\nYou then answer with\n\n<tool_response>\n[]\n</tool_response>\n\nand so the loop goes on until the model has nothing to ask any more. It can take many rounds, and each of them costs tokens, so a limit is a good idea. Most programs set it to about fifty.`,
  ),
  callCase(family, "a tag in thinking", `<think>\n${search}\n</think>\nNo.`, [thinkingBlock(search), textBlock("No.")]),
  proseCase(family, "markup of something else", 'Add it to the page:\n<action name="submit" class="Form"></action>'),
  proseCase(
    family,
    "people's names in a tag",
    '<tool_call>\n{"name": "Ann Lee", "arguments": {"age": 3}}\n</tool_call>',
  ),
  proseCase(family, "a name with other data in a tag", '<tool_call>\n{"name": "fly", "speed": 3}\n</tool_call>'),
  proseCase(family, "an action of people", "Action: open\nAction Input: the window", otherModes),
  proseCase(family, "a tag that is cut off", '<tool_call>\n{"name": "web_search", "arguments": {"query": "vit', {
    cut: true,
  }),
];

export const unknownToolCases: readonly ReaderCase[] = [...reportedCases, ...data];
