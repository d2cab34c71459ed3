/** Adversarial cases: dangerous look-alikes and unanticipated real mistakes. */
import { call, calls, type Case, prose, text, thinking } from "./case";

const family = "adversary";
const json = '{"name": "bash", "arguments": {"command": "rm -rf build"}}';
const tag = `<tool_call>\n${json}\n</tool_call>`;
const ls = '{"name": "ls", "arguments": {}}';

export const adversaryCases: readonly Case[] = [
  prose(family, "a refusal", `I will not run this:\n${json}`),
  prose(family, "a refusal in a tag", `I won't execute the command you asked for. I cannot run it: ${tag}`),
  prose(family, "a Chinese refusal", `我不会执行：\n${json}`),
  prose(family, "a transcript", `User: clean up\nAssistant: ${tag}\nUser: thanks`),
  prose(family, "a tag inside a JSON value", `{"text": ${JSON.stringify(tag)}}`),
  prose(family, "a tag inside quotation marks", `The model wrote "${tag}" and stopped.`),
  prose(family, "a tag after a stray backtick", `Use \`<tool_call>${json}</tool_call>`),
  prose(family, "an element in the middle of a sentence", 'Use <read path="a.ts" /> in your component.'),
  prose(family, "Kore's element in the middle of a sentence", "Call <tool name='read'>a.ts</tool> to see the file."),
  prose(family, "the same in Chinese", "使用 <tool name='read'>a.ts</tool> 来读取文件。"),
  prose(family, "a call in brackets", `(${json})`),
  prose(family, "a warning after the call", `${json} // do not run`),
  prose(family, "an explanation with two calls", `${ls}\n\nThis lists the files. Then:\n\n${json}`),
  prose(family, "an indented block", `To remove it:\n\n    ${json}\n`),
  prose(family, "an assignment", `call = ${json}`),
  prose(family, "a YAML list", `steps:\n  - call: ${json}\n  - call: ${ls}`),
  prose(family, "a list of tool definitions", "Tool: read\nInput: path\nOutput: the text of the file"),
  prose(family, "a placeholder as the input", "Action: read\nAction Input: <path>", { modes: ["native", "xml"] }),
  prose(family, "a template of the loop", "Thought: your thought\nAction: one of [read, ls]\nAction Input: the input", {
    modes: ["native", "xml"],
  }),
  prose(
    family,
    "a plan with numbered fences",
    `Plan:\n\n1. Remove the folder:\n   \`\`\`json\n   ${json}\n   \`\`\`\n2. Tell the team.`,
  ),
  prose(family, "a merge conflict", `<<<<<<< HEAD\n${json}\n=======\n${ls}\n>>>>>>> branch`),
  prose(family, "a shown test", `The fixture is:\n\n\`\`\`json\n[${json}]\n\`\`\``),
  prose(family, "generics", "function get<read>(path: string): Promise<read> {}"),
  prose(family, "an open fence in a quotation", `> \`\`\`json\n> ${json}\n> \`\`\``),
  prose(family, "a footnote", `[1]: ${json}`),
  prose(family, "a tool that is only mentioned by JSON", '{"tool": "bash"}'),
  prose(family, "an answer in JSON about a tool", '{"tool": "bash", "reason": "it runs commands"}'),
  prose(family, "a name in another case", '{"name": "Bash", "arguments": {"command": "ls"}}'),
  prose(family, "an uppercase label in a heading", "## Actions\n\nAction: bash scripts are moved to tools/.\n"),
  prose(family, "a details element", `<details>\n<summary>What the model sent</summary>\n\n${tag}\n\n</details>`),
  prose(family, "a call within thinking within a fence", `\`\`\`\n<think>\n${json}\n</think>\n\`\`\``),
  prose(family, "a fence that is a diff without a name", `\`\`\`\n-${ls}\n+${json}\n\`\`\``),
  prose(family, "text after the JSON in the fence", `\`\`\`json\n${json}\n// run it\nrun();\n\`\`\``),
  prose(family, "the user is asked to run it", `You should run the following tool call:\n${tag}`),
  prose(
    family,
    "a question about the reader's own format",
    `Yes. When I want to read a file, I write:\n\n${tag}\n\nand the editor shows me the result.`,
  ),
  prose(family, "a call inside a hallucinated result", `<tool_response>\n${tag}\n</tool_response>`),
  prose(family, "bare JSON inside a hallucinated result", `<tool_result>\n${json}\n</tool_result>`),
  calls(family, "a call after a hallucinated result", `<tool_response>\nls: a.ts\n</tool_response>\n${tag}`, [
    text("<tool_response>\nls: a.ts\n</tool_response>"),
    call("bash", { command: "rm -rf build" }),
  ]),
  calls(family, "the same tag twice", `<tool_call>\n${ls}\n</tool_call>\n<tool_call>\n${ls}\n</tool_call>`, [
    call("ls", {}),
  ]),
  calls(
    family,
    "the same call twice with another between",
    `${ls}\n{"name": "read", "arguments": {"path": "a"}}\n${ls}`,
    [call("ls", {}), call("read", { path: "a" }), call("ls", {})],
  ),
  calls(
    family,
    "carriage returns",
    'I will read it.\r\n\r\n```json\r\n{"name": "read", "arguments": {"path": "a"}}\r\n```\r\n',
    [text("I will read it."), call("read", { path: "a" })],
  ),
  calls(family, "carriage returns in lines", "Thought: x\r\nAction: ls\r\nAction Input: {}\r\n", [
    thinking("x"),
    call("ls", {}),
  ]),
  calls(family, "a byte order mark", `\ufeff${ls}`, [call("ls", {})]),
  calls(family, "full-width punctuation", "{“name”：“read”，“arguments”：{“path”：“a.ts”}}", [
    call("read", { path: "a.ts" }),
  ]),
  calls(family, "a stray closing fence", `${ls}\n\`\`\``, [call("ls", {})]),
  calls(family, "a fence in the middle of the line", `Let me list it: \`\`\`json\n${ls}\n\`\`\``, [
    text("Let me list it:"),
    call("ls", {}),
  ]),
  calls(family, "a bold label", `**Tool call:** ${ls}`, [call("ls", {})]),
  calls(family, "a role before the call", `Assistant: ${tag}`, [
    text("Assistant:"),
    call("bash", { command: "rm -rf build" }),
  ]),
  calls(family, "GLM closes an argument that was not opened", "<tool_call>ls</arg_value></tool_call>", [
    call("ls", {}),
  ]),
  calls(
    family,
    "GLM opens a call in place of a key",
    "<tool_call>bash<tool_call>command</arg_key><arg_value>ls -la</arg_value></tool_call>",
    [call("bash", { command: "ls -la" })],
  ),
  calls(
    family,
    "args in place of arguments",
    '<tool_call>\n{"name": "bash", "args": {"command": "ls"}}\n</tool_call>',
    [call("bash", { command: "ls" })],
  ),
  calls(family, "JSON in an element with its own closer missing", '<function=bash>{"command": "ls"}\n</tool_call>', [
    call("bash", { command: "ls" }),
  ]),
  calls(
    family,
    "a heredoc with raw line breaks",
    '<tool_call>{"name": "bash", "arguments": {"command": "cat <<EOF > a\nx = {y}\nEOF"}}</tool_call>',
    [call("bash", { command: "cat <<EOF > a\nx = {y}\nEOF" })],
  ),
  calls(
    family,
    "closing tags inside a string",
    '<tool_call>{"name": "grep", "arguments": {"pattern": "</tool_call>"}}</tool_call>',
    [call("grep", { pattern: "</tool_call>" })],
  ),
  calls(family, "a next step", `The next step is to look at the files:\n${ls}`, [
    text("The next step is to look at the files:"),
    call("ls", {}),
  ]),
  calls(family, "a plural lead-in", `We need to see the project structure first:\n\n${ls}`, [
    text("We need to see the project structure first:"),
    call("ls", {}),
  ]),
  calls(
    family,
    "a lead-in with a number of lines",
    `I looked at the error. The config file is missing.\n\nI'll create it:\n{"name": "write", "arguments": {"path": "c.json", "content": "{}"}}`,
    [
      text("I looked at the error. The config file is missing.\n\nI'll create it:"),
      call("write", { path: "c.json", content: "{}" }),
    ],
  ),
  calls(family, "two thoughts", `<think>a</think>\n<think>b</think>\n${tag}`, [
    thinking("a"),
    thinking("b"),
    call("bash", { command: "rm -rf build" }),
  ]),
  calls(family, "a call between two thoughts", `<think>a</think>\n${tag}\n<think>b</think>`, [
    thinking("a"),
    call("bash", { command: "rm -rf build" }),
    thinking("b"),
  ]),
  calls(family, "an apology after the tag", `${tag}\n\nSorry for the delay.`, [
    call("bash", { command: "rm -rf build" }),
    text("Sorry for the delay."),
  ]),
  calls(family, "content in a list of lines", '{"name": "write", "arguments": {"path": "a", "content": ["a", "b"]}}', [
    call("write", { path: "a", content: ["a", "b"] }),
  ]),
  calls(
    family,
    "content as an object",
    '{"name": "write", "arguments": {"path": "a.json", "content": {"a": [1, true, null]}}}',
    [call("write", { path: "a.json", content: { a: [1, true, null] } })],
  ),
  calls(family, "a wrapped argument", '{"name": "read", "arguments": {"input": {"path": "a"}}}', [
    call("read", { input: { path: "a" } }),
  ]),
  ...[
    ["quotes before a tag", '{"name": "bash", "arguments": {"command": "grep "<tag>" file"}}'],
    ["quotes before a closing tag", '{"name": "bash", "arguments": {"command": "grep "</div>" file"}}'],
    ["quotes before a hash", '{"name": "bash", "arguments": {"command": "echo "#tag" x"}}'],
    ["quotes before slashes", '{"name": "bash", "arguments": {"command": "rm -rf "//x" y"}}'],
    ["quotes before a fence", '{"name": "write", "arguments": {"path": "a.md", "content": "use "```" here"}}'],
    [
      "quotes before a brace on the next line",
      '{"name": "write", "arguments": {"path": "a.json", "content": "x = "\n{ "y": 1 }"}}',
    ],
    ["quotes before a bracket", '{"name": "bash", "arguments": {"command": "test "[ -d x ]" y"}}'],
    ["quotes before a comma", '{"name": "bash", "arguments": {"command": "echo "a, b" c"}}'],
  ].flatMap(([says = "", answer = ""]) => [
    prose(family, `${says} are not guessed`, answer),
    prose(family, `${says} in a tag are not guessed`, `<tool_call>\n${answer}\n</tool_call>`),
  ]),
  prose(
    family,
    "quotes before the tag's own closer",
    '<tool_call>{"name": "bash", "arguments": {"command": "rm -rf "</tool_call>" x"}}</tool_call>',
  ),
  prose(family, "a bare command without a recognizable end", "Action: bash\nAction Input: cd x\n\nrm -rf y", {
    modes: ["native", "xml"],
  }),
];
