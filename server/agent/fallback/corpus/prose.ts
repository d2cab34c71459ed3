/** Answers that look like calls but are not: examples, explanations, shown files, logs, patches, data. */
import { call, calls, type Case, prose, text, thinking } from "./case";

const family = "prose";
const json = '{"name": "delete", "arguments": {"path": "src"}}';
const tag = `<tool_call>\n${json}\n</tool_call>`;

export const proseCases: readonly Case[] = [
  prose(family, "for example", `For example:\n\n${json}`),
  prose(family, "for example, in a fence", `For example, you could send:\n\n\`\`\`json\n${json}\n\`\`\``),
  prose(family, "you could call", `To remove the folder you could call\n\n${tag}`),
  prose(family, "the format is", `The format is:\n${json}`),
  prose(family, "as a heading", `### Example\n\n\`\`\`json\n${json}\n\`\`\``),
  prose(family, "example after a colon", `Example: ${json}`),
  prose(family, "do not call", `Please do not call this:\n${json}`),
  prose(family, "two examples in a row", `Examples:\n${json}\n{"name": "ls", "arguments": {}}`),
  prose(family, "explained afterwards", `${json}\n\nThis would delete the folder.`),
  prose(
    family,
    "explained afterwards, in a fence",
    `\`\`\`json\n${json}\n\`\`\`\n\nThe name is the tool and the arguments are what it gets.`,
  ),
  prose(
    family,
    "in the middle of an explanation",
    `A call has two parts.\n\n${json}\n\nThe first part names the tool, the second one has its arguments.`,
  ),
  prose(family, "inline code", `Write \`${json}\` to delete it.`),
  prose(family, "only inline code", `\`${json}\``),
  prose(family, "a quotation", `> ${json}\n`),
  prose(family, "a quotation of several lines", `> I would run\n> ${json}\n> next.`),
  prose(family, "a patch", `The patch adds this:\n\n+${json}\n-{"name": "ls", "arguments": {}}\n`),
  prose(family, "a patch in a fence", `\`\`\`diff\n+${json}\n\`\`\``),
  prose(family, "a log", `2026-01-02 10:00:00 INFO calling ${json}\n2026-01-02 10:00:01 INFO done`),
  prose(family, "a log that is announced", `The log shows:\n\n${json}`),
  prose(family, "a numbered file", `1: {\n2: "a": 1\n3: ${json}\n`),
  prose(family, "a JavaScript fence", `\`\`\`js\nconst call = ${json};\n\`\`\``),
  prose(family, "a text fence", `\`\`\`text\n${json}\n\`\`\``),
  prose(family, "a Markdown fence around a JSON fence", `\`\`\`\`md\n\`\`\`json\n${json}\n\`\`\`\n\`\`\`\``),
  prose(family, "the file is shown", `The file contains:\n\n\`\`\`json\n${json}\n\`\`\``),
  prose(family, "the file is shown, nothing around the JSON", `test.json has this line:\n${json}`),
  prose(family, "inside other data", `{\n  "recorded": [\n    ${json}\n  ]\n}`),
  prose(family, "a record with a time", '{"name": "ls", "arguments": {}, "timestamp": "2026-01-01", "level": "info"}'),
  prose(family, "an open bracket before it", `const calls = [\n${json}\n];`),
  prose(family, "a comment in code", `// ${json}\nrun();`),
  prose(family, "a list item", `- ${json}\n- nothing`),
  prose(family, "a table", `| call | result |\n| --- | --- |\n| ${json} | gone |`),
  prose(family, "an HTML comment", `<!-- ${tag} -->`),
  prose(family, "a shown example element", `<example>\n${tag}\n</example>`),
  prose(family, "a pre element", `<pre>\n${tag}\n</pre>`),
  prose(family, "code that begins with a brace", "{ const a = 1; }\nis a block in JavaScript."),
  prose(family, "a template", "Hello {name}, your {tool} is {status}."),
  prose(family, "a set", "{1, 2, 3} is a set in Python."),
  prose(family, "generics", "Use Map<string, Set<number>> and Array<T[]> here; a < b && c > d."),
  prose(
    family,
    "a shell fence with words",
    "First:\n```bash\nnpm ci\n```\nthen\n```sh\nnpm test\n```\nand you are done.",
  ),
  prose(family, "a console fence", "```console\n$ rm -rf node_modules\n```"),
  prose(
    family,
    "an essay that ends with JSON",
    `${"Some background on how agents keep their state between two steps. ".repeat(30)}\n\n${json}`,
  ),
  prose(
    family,
    "a broken call does not expose its content",
    `{"name": "write", "arguments": {"path": "a", "content": "x "quoted" y\n${json}\n"}}`,
  ),
  prose(
    family,
    "a broken tag does not expose its content",
    `<tool_call>\n{"name": "write", "arguments": {"path": "a", "content": "x "quoted" y\n${tag}\n"}}\n</tool_call>`,
  ),
  prose(family, "a mentioned think tag keeps its text", "The <think> tag opens the reasoning of a model."),
  prose(family, "no call runs after a think tag that never closes", `I wonder <think>maybe\n${tag}`),
  calls(family, "thinking in the other spelling", `<thinking>\n${tag}\n</thinking>\nAll good.`, [
    thinking(tag),
    text("All good."),
  ]),
  calls(
    family,
    "a lead-in that mentions an example file",
    'I will look at the example file.\n{"name": "read", "arguments": {"path": "example.ts"}}',
    [text("I will look at the example file."), call("read", { path: "example.ts" })],
  ),
  calls(
    family,
    "a fact before a tag",
    `The test fails because the config file is missing.\n\n<tool_call>\n{"name": "ls", "arguments": {}}\n</tool_call>`,
    [text("The test fails because the config file is missing."), call("ls", {})],
  ),
  calls(
    family,
    "a quoted call, then a real one",
    `The log has \`${json}\`. I'll list the folder:\n{"name": "ls", "arguments": {}}`,
    [text(`The log has \`${json}\`. I'll list the folder:`), call("ls", {})],
  ),
  calls(
    family,
    "a shell fence, then a real call",
    'You can run it with:\n```bash\nnpm test\n```\nI will run it now.\n```json\n{"name": "bash", "arguments": {"command": "npm test"}}\n```',
    [text("You can run it with:\n```bash\nnpm test\n```\nI will run it now."), call("bash", { command: "npm test" })],
  ),
];

const zh = "chinese";

export const chineseCases: readonly Case[] = [
  calls(zh, "a lead-in and a call", '好的，我先看一下文件。\n\n{"name": "read", "arguments": {"path": "src/主.ts"}}', [
    text("好的，我先看一下文件。"),
    call("read", { path: "src/主.ts" }),
  ]),
  calls(
    zh,
    "a lead-in that ends in a colon",
    '让我查看项目结构：\n```json\n{"name": "ls", "arguments": {"depth": 2}}\n```',
    [text("让我查看项目结构："), call("ls", { depth: 2 })],
  ),
  calls(zh, "on the same line", '我将读取该文件：{"name": "read", "arguments": {"path": "a"}}', [
    text("我将读取该文件："),
    call("read", { path: "a" }),
  ]),
  calls(
    zh,
    "tags followed by text",
    '我来运行测试。\n<tool_call>\n{"name": "bash", "arguments": {"command": "npm test"}}\n</tool_call>\n请稍候。',
    [text("我来运行测试。"), call("bash", { command: "npm test" }), text("请稍候。")],
  ),
  calls(
    zh,
    "Chinese content",
    '{"name": "write", "arguments": {"path": "说明.md", "content": "# 说明\\n\\n“引号”和：冒号，例如 {a: 1}。\\n"}}',
    [call("write", { path: "说明.md", content: "# 说明\n\n“引号”和：冒号，例如 {a: 1}。\n" })],
  ),
  prose(zh, "an example", `例如：\n${json}`),
  prose(zh, "an example in a fence", `比如你可以这样调用：\n\n\`\`\`json\n${json}\n\`\`\``),
  prose(zh, "the format", `格式如下：\n${tag}`),
  prose(zh, "an explanation afterwards", `${json}\n\n上面的调用会删除目录。`),
  prose(zh, "the file is shown", `该文件的内容是：\n${json}`),
  prose(zh, "a shell suggestion", "请运行以下命令：\n\n```bash\nnpm install\n```"),
];
