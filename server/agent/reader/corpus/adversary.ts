/** Adversarial cases: dangerous look-alikes and unanticipated real mistakes. */
import { callBlock, callCase, type ReaderCase, proseCase, textBlock, thinkingBlock } from "./reader-case";

const family = "adversary";
const json = '{"name": "bash", "arguments": {"command": "rm -rf build"}}';
const tag = `<tool_call>\n${json}\n</tool_call>`;
const ls = '{"name": "ls", "arguments": {}}';

export const adversaryCases: readonly ReaderCase[] = [
  proseCase(family, "a refusal", `I will not run this:\n${json}`),
  proseCase(family, "a refusal in a tag", `I won't execute the command you asked for. I cannot run it: ${tag}`),
  proseCase(family, "a Chinese refusal", `我不会执行：\n${json}`),
  proseCase(family, "a transcript", `User: clean up\nAssistant: ${tag}\nUser: thanks`),
  proseCase(family, "a tag inside a JSON value", `{"text": ${JSON.stringify(tag)}}`),
  proseCase(family, "a tag inside quotation marks", `The model wrote "${tag}" and stopped.`),
  proseCase(family, "a tag after a stray backtick", `Use \`<tool_call>${json}</tool_call>`),
  proseCase(family, "an element in the middle of a sentence", 'Use <read path="a.ts" /> in your component.'),
  proseCase(
    family,
    "Kore's element in the middle of a sentence",
    "Call <tool name='read'>a.ts</tool> to see the file.",
  ),
  proseCase(family, "the same in Chinese", "使用 <tool name='read'>a.ts</tool> 来读取文件。"),
  proseCase(family, "a call in brackets", `(${json})`),
  proseCase(family, "a warning after the call", `${json} // do not run`),
  proseCase(family, "an explanation with two calls", `${ls}\n\nThis lists the files. Then:\n\n${json}`),
  proseCase(family, "an indented block", `To remove it:\n\n    ${json}\n`),
  proseCase(family, "an assignment", `call = ${json}`),
  proseCase(family, "a YAML list", `steps:\n  - call: ${json}\n  - call: ${ls}`),
  proseCase(family, "a list of tool definitions", "Tool: read\nInput: path\nOutput: the text of the file"),
  proseCase(family, "a placeholder as the input", "Action: read\nAction Input: <path>", { modes: ["native", "xml"] }),
  proseCase(
    family,
    "a template of the loop",
    "Thought: your thought\nAction: one of [read, ls]\nAction Input: the input",
    {
      modes: ["native", "xml"],
    },
  ),
  proseCase(
    family,
    "a plan with numbered fences",
    `Plan:\n\n1. Remove the folder:\n   \`\`\`json\n   ${json}\n   \`\`\`\n2. Tell the team.`,
  ),
  proseCase(family, "a merge conflict", `<<<<<<< HEAD\n${json}\n=======\n${ls}\n>>>>>>> branch`),
  proseCase(family, "a shown test", `The fixture is:\n\n\`\`\`json\n[${json}]\n\`\`\``),
  proseCase(family, "generics", "function get<read>(path: string): Promise<read> {}"),
  proseCase(family, "an open fence in a quotation", `> \`\`\`json\n> ${json}\n> \`\`\``),
  proseCase(family, "a footnote", `[1]: ${json}`),
  proseCase(family, "a tool that is only mentioned by JSON", '{"tool": "bash"}'),
  proseCase(family, "an answer in JSON about a tool", '{"tool": "bash", "reason": "it runs commands"}'),
  proseCase(family, "a name in another case", '{"name": "Bash", "arguments": {"command": "ls"}}'),
  proseCase(family, "an uppercase label in a heading", "## Actions\n\nAction: bash scripts are moved to tools/.\n"),
  proseCase(family, "a details element", `<details>\n<summary>What the model sent</summary>\n\n${tag}\n\n</details>`),
  proseCase(family, "a call within thinking within a fence", `\`\`\`\n<think>\n${json}\n</think>\n\`\`\``),
  proseCase(family, "a fence that is a diff without a name", `\`\`\`\n-${ls}\n+${json}\n\`\`\``),
  proseCase(family, "text after the JSON in the fence", `\`\`\`json\n${json}\n// run it\nrun();\n\`\`\``),
  proseCase(family, "the user is asked to run it", `You should run the following tool call:\n${tag}`),
  proseCase(
    family,
    "a question about the reader's own format",
    `Yes. When I want to read a file, I write:\n\n${tag}\n\nand the editor shows me the result.`,
  ),
  proseCase(family, "a call inside a hallucinated result", `<tool_response>\n${tag}\n</tool_response>`),
  proseCase(family, "bare JSON inside a hallucinated result", `<tool_result>\n${json}\n</tool_result>`),
  callCase(family, "a call after a hallucinated result", `<tool_response>\nls: a.ts\n</tool_response>\n${tag}`, [
    textBlock("<tool_response>\nls: a.ts\n</tool_response>"),
    callBlock("bash", { command: "rm -rf build" }),
  ]),
  callCase(family, "the same tag twice", `<tool_call>\n${ls}\n</tool_call>\n<tool_call>\n${ls}\n</tool_call>`, [
    callBlock("ls", {}),
  ]),
  callCase(
    family,
    "the same call twice with another between",
    `${ls}\n{"name": "read", "arguments": {"path": "a"}}\n${ls}`,
    [callBlock("ls", {}), callBlock("read", { path: "a" }), callBlock("ls", {})],
  ),
  callCase(
    family,
    "carriage returns",
    'I will read it.\r\n\r\n```json\r\n{"name": "read", "arguments": {"path": "a"}}\r\n```\r\n',
    [textBlock("I will read it."), callBlock("read", { path: "a" })],
  ),
  callCase(family, "carriage returns in lines", "Thought: x\r\nAction: ls\r\nAction Input: {}\r\n", [
    thinkingBlock("x"),
    callBlock("ls", {}),
  ]),
  callCase(family, "a byte order mark", `\ufeff${ls}`, [callBlock("ls", {})]),
  callCase(family, "full-width punctuation", "{“name”：“read”，“arguments”：{“path”：“a.ts”}}", [
    callBlock("read", { path: "a.ts" }),
  ]),
  callCase(family, "a stray closing fence", `${ls}\n\`\`\``, [callBlock("ls", {})]),
  callCase(family, "a fence in the middle of the line", `Let me list it: \`\`\`json\n${ls}\n\`\`\``, [
    textBlock("Let me list it:"),
    callBlock("ls", {}),
  ]),
  callCase(family, "a bold label", `**Tool call:** ${ls}`, [callBlock("ls", {})]),
  callCase(family, "a role before the call", `Assistant: ${tag}`, [
    textBlock("Assistant:"),
    callBlock("bash", { command: "rm -rf build" }),
  ]),
  callCase(family, "GLM closes an argument that was not opened", "<tool_call>ls</arg_value></tool_call>", [
    callBlock("ls", {}),
  ]),
  callCase(
    family,
    "GLM opens a call in place of a key",
    "<tool_call>bash<tool_call>command</arg_key><arg_value>ls -la</arg_value></tool_call>",
    [callBlock("bash", { command: "ls -la" })],
  ),
  callCase(
    family,
    "args in place of arguments",
    '<tool_call>\n{"name": "bash", "args": {"command": "ls"}}\n</tool_call>',
    [callBlock("bash", { command: "ls" })],
  ),
  callCase(family, "JSON in an element with its own closer missing", '<function=bash>{"command": "ls"}\n</tool_call>', [
    callBlock("bash", { command: "ls" }),
  ]),
  callCase(
    family,
    "a heredoc with raw line breaks",
    '<tool_call>{"name": "bash", "arguments": {"command": "cat <<EOF > a\nx = {y}\nEOF"}}</tool_call>',
    [callBlock("bash", { command: "cat <<EOF > a\nx = {y}\nEOF" })],
  ),
  callCase(
    family,
    "closing tags inside a string",
    '<tool_call>{"name": "grep", "arguments": {"pattern": "</tool_call>"}}</tool_call>',
    [callBlock("grep", { pattern: "</tool_call>" })],
  ),
  callCase(family, "a next step", `The next step is to look at the files:\n${ls}`, [
    textBlock("The next step is to look at the files:"),
    callBlock("ls", {}),
  ]),
  callCase(family, "a plural lead-in", `We need to see the project structure first:\n\n${ls}`, [
    textBlock("We need to see the project structure first:"),
    callBlock("ls", {}),
  ]),
  callCase(
    family,
    "a lead-in with a number of lines",
    `I looked at the error. The config file is missing.\n\nI'll create it:\n{"name": "write", "arguments": {"path": "c.json", "content": "{}"}}`,
    [
      textBlock("I looked at the error. The config file is missing.\n\nI'll create it:"),
      callBlock("write", { path: "c.json", content: "{}" }),
    ],
  ),
  callCase(family, "two thoughts", `<think>a</think>\n<think>b</think>\n${tag}`, [
    thinkingBlock("a"),
    thinkingBlock("b"),
    callBlock("bash", { command: "rm -rf build" }),
  ]),
  callCase(family, "a call between two thoughts", `<think>a</think>\n${tag}\n<think>b</think>`, [
    thinkingBlock("a"),
    callBlock("bash", { command: "rm -rf build" }),
    thinkingBlock("b"),
  ]),
  callCase(
    family,
    "an explanation after a thought, which is not about the call before it",
    `${tag}\n<think>Next, the list.</think>\nThis lists the folder.\n{"name": "ls", "arguments": {}}`,
    [
      callBlock("bash", { command: "rm -rf build" }),
      thinkingBlock("Next, the list."),
      textBlock("This lists the folder."),
      callBlock("ls", {}),
    ],
  ),
  callCase(family, "an apology after the tag", `${tag}\n\nSorry for the delay.`, [
    callBlock("bash", { command: "rm -rf build" }),
    textBlock("Sorry for the delay."),
  ]),
  callCase(
    family,
    "content in a list of lines",
    '{"name": "write", "arguments": {"path": "a", "content": ["a", "b"]}}',
    [callBlock("write", { path: "a", content: ["a", "b"] })],
  ),
  callCase(
    family,
    "content as an object",
    '{"name": "write", "arguments": {"path": "a.json", "content": {"a": [1, true, null]}}}',
    [callBlock("write", { path: "a.json", content: { a: [1, true, null] } })],
  ),
  callCase(family, "a wrapped argument", '{"name": "read", "arguments": {"input": {"path": "a"}}}', [
    callBlock("read", { input: { path: "a" } }),
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
  ].flatMap(([description = "", answer = ""]) => [
    proseCase(family, `${description} are not guessed`, answer),
    proseCase(family, `${description} in a tag are not guessed`, `<tool_call>\n${answer}\n</tool_call>`),
  ]),
  proseCase(
    family,
    "quotes before the tag's own closer",
    '<tool_call>{"name": "bash", "arguments": {"command": "rm -rf "</tool_call>" x"}}</tool_call>',
  ),
  proseCase(family, "a bare command without a recognizable end", "Action: bash\nAction Input: cd x\n\nrm -rf y", {
    modes: ["native", "xml"],
  }),
];
