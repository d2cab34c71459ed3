/** A call that is quoted, thought, shown or written into a file never runs, in any form and position. */
import { describe, expect, test } from "vitest";
import type { ToolMode } from "@/lib/events/event";
import { builtInSource } from "@/server/tools/core/built-in-source";
import { makeCallReader } from "./call-reader";

const json = '{"name": "delete", "arguments": {"path": "src"}}';

/** A dangerous call in every form that runs on its own. */
const forms: readonly (readonly [name: string, text: string])[] = [
  ["bare JSON", json],
  ["JSON over lines", '{\n  "name": "delete",\n  "arguments": {\n    "path": "src"\n  }\n}'],
  ["a list", `[${json}]`],
  ["tool_calls", `{"tool_calls": [${json}]}`],
  ["a fence", `\`\`\`json\n${json}\n\`\`\``],
  ["a tag", `<tool_call>\n${json}\n</tool_call>`],
  ["a function", "<function=delete>\n<parameter=path>\nsrc\n</parameter>\n</function>"],
  ["an invocation", '<invoke name="delete">\n<parameter name="path">src</parameter>\n</invoke>'],
  ["Kore's element", "<tool name='delete'>src</tool>"],
  ["Cline's element", "<delete>\n<path>src</path>\n</delete>"],
  ["Mistral's list", `[TOOL_CALLS][${json}]`],
  ["Mistral's name", '[TOOL_CALLS]delete[ARGS]{"path": "src"}'],
  ["a name with arguments", 'delete[ARGS]{"path": "src"}'],
  ["Llama's tag", `<|python_tag|>${json}`],
  ["a pythonic list", '[delete(path="src")]'],
  ["tool code", '```tool_code\nprint(default_api.delete(path="src"))\n```'],
  [
    "DeepSeek",
    '<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>delete<｜tool▁sep｜>{"path": "src"}<｜tool▁call▁end｜><｜tool▁calls▁end｜>',
  ],
  ["harmony", '<|channel|>commentary to=functions.delete<|message|>{"path": "src"}<|call|>'],
  ["harmony without tokens", 'commentary to=functions.delete json{"path": "src"}'],
  ["GLM", "<tool_call>delete\n<arg_key>path</arg_key>\n<arg_value>src</arg_value>\n</tool_call>"],
  ["Cohere", `<|START_ACTION|>[{"tool_name": "delete", "parameters": {"path": "src"}}]<|END_ACTION|>`],
  ["functionary", '>>>delete\n{"path": "src"}'],
  [
    "MiniMax M3",
    ']<]minimax[>[<tool_call>]<]minimax[>[<invoke name="delete">]<]minimax[>[<path>src]<]minimax[>[</path>]<]minimax[>[</invoke>]<]minimax[>[</tool_call>',
  ],
  [
    "Kimi K3",
    '<|open|>tools<|sep|><|open|>call tool="delete" index="1"<|sep|><|open|>argument key="path" type="string"<|sep|>src<|close|>argument<|sep|><|close|>call<|sep|><|close|>tools<|sep|>',
  ],
  ["Kimi K2 without tokens", 'functions.delete:0{"path": "src"}'],
  [
    "DSML",
    '<|DSML|tool_calls><|DSML|invoke name="delete"><|DSML|parameter name="path" string="true">src</|DSML|parameter></|DSML|invoke></|DSML|tool_calls>',
  ],
  ["compact DSML", "<｜｜DSML｜｜r=delete>\n<parameter=path>src</parameter>\n<｜｜DSML｜｜m>"],
  [
    "Hunyuan",
    "<tool_calls:a1><tool_call:a1>delete<tool_sep:a1><arg_key:a1>path</arg_key:a1><arg_value:a1>src</arg_value:a1></tool_call:a1></tool_calls:a1>",
  ],
  [
    "Step 3",
    '<｜tool_calls_begin｜><｜tool_call_begin｜>function<｜tool_sep｜><steptml:invoke name="delete"><steptml:parameter name="path">src</steptml:parameter></steptml:invoke><｜tool_call_end｜><｜tool_calls_end｜>',
  ],
  [
    "Solar",
    '<|tool_calls|><|tool_call:begin|>1<|tool_call:name|>delete<|tool_call:args|>{"path":"src"}<|tool_call:end|>',
  ],
  [
    "Solar 2",
    "<|tool_call:start|>delete\n<|tool_arg:start|>path<|tool_arg:value|>src<|tool_arg:end|>\n<|tool_call:end|>",
  ],
  ["LongCat", `<longcat_tool_call>${json}</longcat_tool_call>`],
  ["GigaChat", `function call<|role_sep|>\n${json}`],
  ["Inkling", '<|message_model|>delete<|content_invoke_tool_json|>{"path": "src"}<|end_message|>'],
  [
    "Muse",
    ' to=delete<|message|><atem:function_calls>\n<atem:invoke name="delete">\n<atem:parameter name="path">src</atem:parameter>\n</atem:invoke>\n</atem:function_calls>',
  ],
  ["HyperCLOVA", ` -> tool/function_call\n[${json}]`],
  ["ReAct", 'Action: delete\nAction Input: {"path": "src"}'],
  ["ReAct with a bare text", "Action: delete\nAction Input: src"],
];

const lines = (text: string, before: string): string =>
  text
    .split("\n")
    .map((line) => before + line)
    .join("\n");
const fence = (language: string) => (text: string) => `Here it is.\n\n\`\`\`\`${language}\n${text}\n\`\`\`\`\n`;

/** Positions in which no call may run. */
const places: readonly (readonly [name: string, put: (text: string) => string])[] = [
  ["a thought", (text) => `<think>\n${text}\n</think>\nDone.`],
  ["a thought that never ends", (text) => `<think>\n${text}`],
  ["a thought opened by the prompt", (text) => `I could do this:\n${text}\n</think>\nDone.`],
  ["a thought in brackets", (text) => `[THINK]${text}[/THINK]Done.`],
  ["thinking in the other spelling", (text) => `<thinking>\n${text}\n</thinking>\nDone.`],
  ["an open thought behind words", (text) => `Well <think>maybe\n${text}\n`],
  ["the analysis channel", (text) => `<|channel|>analysis<|message|>${text.replaceAll(/<\|[^|]*\|>/g, "")}<|end|>`],
  ["the final channel", (text) => `<|channel|>final<|message|>${text.replaceAll(/<\|[^|]*\|>/g, "")}`],
  ["a quotation", (text) => lines(text, "> ")],
  ["a quotation with an answer", (text) => `${lines(text, "> ")}\n\nShall I do that?`],
  ["a JavaScript fence", fence("js")],
  ["a Python fence", fence("python")],
  ["a shell fence", fence("bash")],
  ["a text fence", fence("text")],
  ["a Markdown fence", fence("md")],
  ["a diff fence", (text) => fence("diff")(lines(text, "+"))],
  ["a fence without a name, with other words", (text) => fence("")(`$ cat call.txt\n${text}`)],
  ["a patch", (text) => `The patch:\n\n${lines(text, "+")}\n`],
  [
    "a numbered file",
    (text) =>
      text
        .split("\n")
        .map((line, index) => `${index + 1}: ${line}`)
        .join("\n"),
  ],
  ["a log", (text) => lines(text, "2026-01-02 03:04:05 INFO ")],
  ["a comment of code", (text) => lines(text, "// ")],
  ["a comment of a page", (text) => `<!--\n${text}\n-->\n`],
  ["a pre element", (text) => `<pre>\n${text}\n</pre>`],
  ["an example element", (text) => `<example>\n${text}\n</example>`],
  ["a shown document", (text) => `<document>\n${text}\n</document>\nThe document asks me to delete src. I will not.`],
  ["an example", (text) => `For example:\n\n${text}`],
  ["a refusal", (text) => `I will not run this:\n\n${text}`],
  [
    "an explanation",
    (text) =>
      `${text}\n\nThis is how a call is written. The name says which tool is meant, and the arguments are what it gets. The server reads them, runs the tool, and puts what it answers into the conversation, so that the model can go on with it.`,
  ],
  ["JSON data", (text) => JSON.stringify({ recorded: [text] })],
  ["a table", (text) => `| form | text |\n| --- | --- |\n| x | ${text.replaceAll("\n", " ")} |`],
  [
    "a file that is written",
    (text) => JSON.stringify({ name: "write", arguments: { path: "a.md", content: `# A\n\n${text}\n` } }),
  ],
  [
    "a file in a tag",
    (text) =>
      `<tool_call>\n${JSON.stringify({ name: "write", arguments: { path: "a.md", content: text } })}\n</tool_call>`,
  ],
  [
    "a file in a fence",
    (text) => `\`\`\`json\n${JSON.stringify({ name: "write", arguments: { path: "a.md", content: text } })}\n\`\`\``,
  ],
  ["a file in a triple-quoted string", (text) => `[write(path="a.md", content='''${text.replaceAll("'", '"')}''')]`],
  [
    "a file in DeepSeek's form",
    (text) =>
      `<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>write<｜tool▁sep｜>${JSON.stringify({ path: "a", content: text })}<｜tool▁call▁end｜>`,
  ],
  ["a file in ReAct's form", (text) => `Action: write\nAction Input: ${JSON.stringify({ path: "a", content: text })}`],
  [
    "a file that is cut off",
    (text) =>
      `<tool_call>\n{"name": "write", "arguments": {"path": "a.md", "content": ${JSON.stringify(text).slice(0, -1)}`,
  ],
  [
    "a file with raw line breaks that is cut off",
    (text) => `<tool_call>\n{"name": "write", "arguments": {"path": "a.md", "content": "# A\n${text}`,
  ],
  [
    "a broken file",
    (text) =>
      `<tool_call>\n{"name": "write", "arguments": {"path": "a.md", "content": "say "hi"\n${text}\n"}}\n</tool_call>`,
  ],
  [
    "a broken file without a tag",
    (text) => `{"name": "write", "arguments": {"path": "a.md", "content": "say "hi"\n${text}\n"}}`,
  ],
  [
    "a parameter",
    (text) =>
      `<function=write>\n<parameter=path>\na.md\n</parameter>\n<parameter=content>\nA\n${text}\nB\n</parameter>\n</function>`,
  ],
  [
    "a parameter that is cut off",
    (text) => `<function=write>\n<parameter=path>\na.md\n</parameter>\n<parameter=content>\nA\n${text}`,
  ],
  ["a child element", (text) => `<write>\n<path>a.md</path>\n<content>\n${text}\nB\n</content>\n</write>`],
  [
    "a value of GLM's",
    (text) =>
      `<tool_call>write\n<arg_key>path</arg_key>\n<arg_value>a</arg_value>\n<arg_key>content</arg_key>\n<arg_value>A\n${text}\nB</arg_value>\n</tool_call>`,
  ],
];

const modes: readonly ToolMode[] = ["native", "react", "xml"];
const namesIn = (text: string, mode: ToolMode): readonly string[] => {
  const reader = makeCallReader({ tools: builtInSource.tools(), mode });
  reader.push(text);
  return reader.end(true).flatMap((block) => (block.type === "call" ? [block.name] : []));
};

describe.each(forms)("a dangerous call as %s", (_form, written) => {
  test("runs on its own", () => {
    for (const mode of modes) expect(namesIn(written, mode)).toEqual(["delete"]);
  });

  test.each(places)("never runs in %s", (_place, put) => {
    for (const mode of modes) expect(namesIn(put(written), mode)).not.toContain("delete");
  });

  test.each(places)("is not a call in %s under an alias either", (_place, put) => {
    const other = put(written.replaceAll("delete", "remove_file"));
    for (const mode of modes) expect(namesIn(other, mode)).not.toContain("remove_file");
  });
});
