/** Answers that look like calls but are not: examples, explanations, shown files, logs, patches, data. */
import { callBlock, callCase, type ReaderCase, proseCase, textBlock, thinkingBlock } from "./reader-case";

const family = "prose";
const json = '{"name": "delete", "arguments": {"path": "src"}}';
const tag = `<tool_call>\n${json}\n</tool_call>`;

export const proseCases: readonly ReaderCase[] = [
  proseCase(family, "for example", `For example:\n\n${json}`),
  proseCase(family, "for example, in a fence", `For example, you could send:\n\n\`\`\`json\n${json}\n\`\`\``),
  proseCase(family, "you could call", `To remove the folder you could call\n\n${tag}`),
  proseCase(family, "the format is", `The format is:\n${json}`),
  proseCase(family, "as a heading", `### Example\n\n\`\`\`json\n${json}\n\`\`\``),
  proseCase(family, "example after a colon", `Example: ${json}`),
  proseCase(family, "do not call", `Please do not call this:\n${json}`),
  proseCase(family, "two examples in a row", `Examples:\n${json}\n{"name": "ls", "arguments": {}}`),
  proseCase(family, "explained afterwards", `${json}\n\nThis would delete the folder.`),
  proseCase(
    family,
    "explained afterwards, in a fence",
    `\`\`\`json\n${json}\n\`\`\`\n\nThe name is the tool and the arguments are what it gets.`,
  ),
  proseCase(
    family,
    "in the middle of an explanation",
    `A call has two parts.\n\n${json}\n\nThe first part names the tool, the second one has its arguments.`,
  ),
  proseCase(family, "inline code", `Write \`${json}\` to delete it.`),
  proseCase(family, "only inline code", `\`${json}\``),
  proseCase(family, "a quotation", `> ${json}\n`),
  proseCase(family, "a quotation of several lines", `> I would run\n> ${json}\n> next.`),
  proseCase(family, "a patch", `The patch adds this:\n\n+${json}\n-{"name": "ls", "arguments": {}}\n`),
  proseCase(family, "a patch in a fence", `\`\`\`diff\n+${json}\n\`\`\``),
  proseCase(family, "a log", `2026-01-02 10:00:00 INFO calling ${json}\n2026-01-02 10:00:01 INFO done`),
  proseCase(family, "a log that is announced", `The log shows:\n\n${json}`),
  proseCase(family, "a numbered file", `1: {\n2: "a": 1\n3: ${json}\n`),
  proseCase(family, "a JavaScript fence", `\`\`\`js\nconst call = ${json};\n\`\`\``),
  proseCase(family, "a text fence", `\`\`\`text\n${json}\n\`\`\``),
  proseCase(family, "a Markdown fence around a JSON fence", `\`\`\`\`md\n\`\`\`json\n${json}\n\`\`\`\n\`\`\`\``),
  proseCase(family, "the file is shown", `The file contains:\n\n\`\`\`json\n${json}\n\`\`\``),
  proseCase(family, "the file is shown, nothing around the JSON", `test.json has this line:\n${json}`),
  proseCase(family, "inside other data", `{\n  "recorded": [\n    ${json}\n  ]\n}`),
  proseCase(
    family,
    "a record with a time",
    '{"name": "ls", "arguments": {}, "timestamp": "2026-01-01", "level": "info"}',
  ),
  proseCase(family, "an open bracket before it", `const calls = [\n${json}\n];`),
  proseCase(family, "a comment in code", `// ${json}\nrun();`),
  proseCase(family, "a list item", `- ${json}\n- nothing`),
  proseCase(family, "a table", `| call | result |\n| --- | --- |\n| ${json} | gone |`),
  proseCase(family, "an HTML comment", `<!-- ${tag} -->`),
  proseCase(family, "a shown example element", `<example>\n${tag}\n</example>`),
  proseCase(family, "a pre element", `<pre>\n${tag}\n</pre>`),
  proseCase(family, "code that begins with a brace", "{ const a = 1; }\nis a block in JavaScript."),
  proseCase(family, "a template", "Hello {name}, your {tool} is {status}."),
  proseCase(family, "a set", "{1, 2, 3} is a set in Python."),
  proseCase(family, "generics", "Use Map<string, Set<number>> and Array<T[]> here; a < b && c > d."),
  proseCase(
    family,
    "a shell fence with words",
    "First:\n```bash\nnpm ci\n```\nthen\n```sh\nnpm test\n```\nand you are done.",
  ),
  proseCase(family, "a console fence", "```console\n$ rm -rf node_modules\n```"),
  proseCase(
    family,
    "an essay that ends with JSON",
    `${"Some background on how agents keep their state between two steps. ".repeat(30)}\n\n${json}`,
  ),
  proseCase(
    family,
    "a broken call does not expose its content",
    `{"name": "write", "arguments": {"path": "a", "content": "x "quoted" y\n${json}\n"}}`,
  ),
  proseCase(
    family,
    "a broken tag does not expose its content",
    `<tool_call>\n{"name": "write", "arguments": {"path": "a", "content": "x "quoted" y\n${tag}\n"}}\n</tool_call>`,
  ),
  proseCase(family, "a mentioned think tag keeps its text", "The <think> tag opens the reasoning of a model."),
  proseCase(family, "no call runs after a think tag that never closes", `I wonder <think>maybe\n${tag}`),
  callCase(family, "thinking in the other spelling", `<thinking>\n${tag}\n</thinking>\nAll good.`, [
    thinkingBlock(tag),
    textBlock("All good."),
  ]),
  callCase(
    family,
    "a lead-in that mentions an example file",
    'I will look at the example file.\n{"name": "read", "arguments": {"path": "example.ts"}}',
    [textBlock("I will look at the example file."), callBlock("read", { path: "example.ts" })],
  ),
  callCase(
    family,
    "a fact before a tag",
    `The test fails because the config file is missing.\n\n<tool_call>\n{"name": "ls", "arguments": {}}\n</tool_call>`,
    [textBlock("The test fails because the config file is missing."), callBlock("ls", {})],
  ),
  callCase(
    family,
    "a quoted call, then a real one",
    `The log has \`${json}\`. I'll list the folder:\n{"name": "ls", "arguments": {}}`,
    [textBlock(`The log has \`${json}\`. I'll list the folder:`), callBlock("ls", {})],
  ),
  callCase(
    family,
    "a shell fence, then a real call",
    'You can run it with:\n```bash\nnpm test\n```\nI will run it now.\n```json\n{"name": "bash", "arguments": {"command": "npm test"}}\n```',
    [
      textBlock("You can run it with:\n```bash\nnpm test\n```\nI will run it now."),
      callBlock("bash", { command: "npm test" }),
    ],
  ),
  ...["as one call of a tool.", "instead of a native call.", "whenever it needs a file."].map((rest) =>
    proseCase(family, `a sentence around a call: ${rest}`, `The model writes\n\n${tag}\n\n${rest}`),
  ),
  proseCase(family, "a line of a log with its time", `[08:01:02] model: ${tag}\n[08:01:03] server: done`),
  proseCase(family, "the context of a hunk", `@@ -1 +1 @@\n functions.delete:0{"path": "src"}\n-old\n+new`),
  proseCase(family, "the lines of a here-document", `cat > a.txt <<'EOF'\n${tag}\nEOF`),
  proseCase(family, "a conflict of a merge", `<<<<<<< HEAD\n${tag}\n=======\nold\n>>>>>>> other`),
  proseCase(family, "a call that begins a sentence", `${tag} is the form of this family.`),
];

const zh = "chinese";

export const chineseCases: readonly ReaderCase[] = [
  callCase(
    zh,
    "a lead-in and a call",
    '好的，我先看一下文件。\n\n{"name": "read", "arguments": {"path": "src/主.ts"}}',
    [textBlock("好的，我先看一下文件。"), callBlock("read", { path: "src/主.ts" })],
  ),
  callCase(
    zh,
    "a lead-in that ends in a colon",
    '让我查看项目结构：\n```json\n{"name": "ls", "arguments": {"depth": 2}}\n```',
    [textBlock("让我查看项目结构："), callBlock("ls", { depth: 2 })],
  ),
  callCase(zh, "on the same line", '我将读取该文件：{"name": "read", "arguments": {"path": "a"}}', [
    textBlock("我将读取该文件："),
    callBlock("read", { path: "a" }),
  ]),
  callCase(
    zh,
    "tags followed by text",
    '我来运行测试。\n<tool_call>\n{"name": "bash", "arguments": {"command": "npm test"}}\n</tool_call>\n请稍候。',
    [textBlock("我来运行测试。"), callBlock("bash", { command: "npm test" }), textBlock("请稍候。")],
  ),
  callCase(
    zh,
    "Chinese content",
    '{"name": "write", "arguments": {"path": "说明.md", "content": "# 说明\\n\\n“引号”和：冒号，例如 {a: 1}。\\n"}}',
    [callBlock("write", { path: "说明.md", content: "# 说明\n\n“引号”和：冒号，例如 {a: 1}。\n" })],
  ),
  proseCase(zh, "an example", `例如：\n${json}`),
  proseCase(zh, "an example in a fence", `比如你可以这样调用：\n\n\`\`\`json\n${json}\n\`\`\``),
  proseCase(zh, "the format", `格式如下：\n${tag}`),
  proseCase(zh, "an explanation afterwards", `${json}\n\n上面的调用会删除目录。`),
  proseCase(zh, "a sentence around a call", `解析器会把\n${tag}\n当作一次调用。`),
  proseCase(zh, "the file is shown", `该文件的内容是：\n${json}`),
  proseCase(zh, "a shell suggestion", "请运行以下命令：\n\n```bash\nnpm install\n```"),
];
