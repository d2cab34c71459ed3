/** Calls of unknown tools: those answered with an error, and data that only looks alike. */
import { call, calls, type Case, prose, text, thinking } from "./case";

const family = "strangers";
const others = { modes: ["native", "xml"] } as const;
const readFile = '{"name": "read_file", "arguments": {"path": "a.ts"}}';
const weather = '{"name": "get_weather", "arguments": {"city": "Oslo"}}';
const search = '<tool_call>\n{"name": "web_search", "arguments": {"query": "vitest"}}\n</tool_call>';
const searched = call("web_search", { query: "vitest" });
const ls = '<tool_call>\n{"name": "ls", "arguments": {}}\n</tool_call>';

const told: readonly Case[] = [
  calls(family, "an alias in bare JSON", readFile, [call("read_file", { path: "a.ts" })]),
  calls(family, "text before it", `I will read the file.\n\n\`\`\`json\n${readFile}\n\`\`\``, [
    text("I will read the file."),
    call("read_file", { path: "a.ts" }),
  ]),
  calls(
    family,
    "a name of another agent",
    '{"name": "str_replace_editor", "arguments": {"command": "view", "path": "a.ts"}}',
    [call("str_replace_editor", { command: "view", path: "a.ts" })],
  ),
  calls(family, "a list of aliases", `[${readFile}, {"name": "list_dir", "arguments": {}}]`, [
    call("read_file", { path: "a.ts" }),
    call("list_dir", {}),
  ]),
  calls(family, "an alias in ReAct lines", 'Thought: x\nAction: run_command\nAction Input: {"command": "ls"}', [
    thinking("x"),
    call("run_command", { command: "ls" }),
  ]),
  calls(family, "an alias on the line of the action", 'Action: read_file(path="a.ts")', [
    call("read_file", { path: "a.ts" }),
  ]),
  calls(
    family,
    "a hallucinated observation",
    'Action: run_command\nAction Input: {"command": "ls"}\nObservation: a.ts\nFinal Answer: one file',
    [call("run_command", { command: "ls" })],
  ),
  calls(family, "any name in a tag", search, [searched]),
  calls(family, "text around the tag", `I will search the web.\n${search}\nThen I will tell you.`, [
    text("I will search the web."),
    searched,
    text("Then I will tell you."),
  ]),
  calls(family, "thinking first", `<think>Who knows?</think>\n${search}`, [thinking("Who knows?"), searched]),
  calls(family, "a hallucinated result", `${search}\n<tool_response>\nnothing\n</tool_response>\nNo result.`, [
    searched,
  ]),
  calls(family, "a known call before it", `${ls}\n${search}`, [call("ls", {}), searched]),
  calls(
    family,
    "an element with parameters",
    "<function=web_search>\n<parameter=query>\nvitest\n</parameter>\n</function>",
    [searched],
  ),
  calls(family, "invoke", '<invoke name="web_search">\n<parameter name="query">vitest</parameter>\n</invoke>', [
    searched,
  ]),
  calls(family, "a marker that the server dropped", 'read_file[ARGS]{"path": "a.ts"}', [
    call("read_file", { path: "a.ts" }),
  ]),
  calls(family, "an element of its name", "<read_file>\n<path>a.ts</path>\n</read_file>", [
    call("read_file", { path: "a.ts" }),
  ]),
  calls(family, "an alias as recipient", '>>>read_file\n{"path": "a.ts"}', [call("read_file", { path: "a.ts" })]),
];

const data: readonly Case[] = [
  prose(family, "an unknown name in bare JSON", weather),
  prose(family, "no arguments in bare JSON", '{"name":"get_weather","arguments":{}}'),
  prose(family, "the same in a fence", `\`\`\`json\n${weather}\n\`\`\``),
  prose(family, "a list of such names", `[${weather}, ${weather}]`),
  prose(family, "an alias next to such a name", `[${readFile}, ${weather}]`),
  prose(family, "a package", '{"name": "view", "version": "1.0.0", "scripts": {"build": "tsc"}}'),
  prose(family, "a package with an input", '{"name": "search", "version": "1.0.0", "args": {"port": 80}}'),
  prose(family, "a task of an editor", '{"name": "run", "type": "node", "args": ["--watch"]}'),
  prose(family, "a name alone", '{"name": "read_file"}'),
  prose(family, "arguments beside the name", '{"tool": "read_file", "path": "a.ts"}'),
  prose(family, "arguments that are no object", '{"name": "run_command", "arguments": "ls"}'),
  prose(
    family,
    "the definition of a tool",
    '{"name": "read_file", "parameters": {"type": "object", "properties": {}}}',
  ),
  prose(family, "an example", `For example:\n\n\`\`\`json\n${readFile}\n\`\`\``),
  prose(family, "an explanation after it", `${readFile}\n\nThis reads the file.`),
  prose(family, "a shown call", `The server returned:\n\n${readFile}`),
  prose(family, "a value of a document", `{"request": ${readFile}, "status": 200}`),
  prose(family, "a statement of a language", 'open("a.ts")'),
  prose(family, "a list of statements that is no answer", '[search("x")]'),
  prose(family, "a list in a page", "<list>\n<item>a</item>\n</list>"),
  prose(family, "a tag in an example", `For example:\n${search}`),
  prose(family, "a tag in a fence", `The format:\n\n\`\`\`\n${search}\n\`\`\``),
  prose(family, "a tag in a quotation", `> ${search.replaceAll("\n", "")}\n\nThis was in the issue.`),
  prose(family, "a tag in a shown file", `<file>\n${search}\n</file>`),
  prose(family, "a tag that is explained", `${search}\n\nThis searches the web.`),
  prose(
    family,
    "a tutorial with a result",
    `${search}\n\nYou then answer with\n\n<tool_response>\n[]\n</tool_response>\n\nand so the loop goes on until the model has nothing to ask any more. It can take many rounds, and each of them costs tokens, so a limit is a good idea. Most programs set it to about fifty.`,
  ),
  calls(family, "a tag in thinking", `<think>\n${search}\n</think>\nNo.`, [thinking(search), text("No.")]),
  prose(family, "markup of something else", 'Add it to the page:\n<action name="submit" class="Form"></action>'),
  prose(family, "people's names in a tag", '<tool_call>\n{"name": "Ann Lee", "arguments": {"age": 3}}\n</tool_call>'),
  prose(family, "a name with other data in a tag", '<tool_call>\n{"name": "fly", "speed": 3}\n</tool_call>'),
  prose(family, "an action of people", "Action: open\nAction Input: the window", others),
  prose(family, "a tag that is cut off", '<tool_call>\n{"name": "web_search", "arguments": {"query": "vit', {
    cut: true,
  }),
];

export const strangerCases: readonly Case[] = [...told, ...data];
