/** MiniMax M3, Kimi K2 and K3, Hunyuan, Step 3, Solar Open, LongCat, GigaChat, Inkling, Muse Glimmer, HyperCLOVA, dots. */
import { callBlock, callCase, type ReaderCase, proseCase, textBlock, thinkingBlock } from "./reader-case";

const ns = "]<]minimax[>[";
const m3Invoke = (name: string, fields: string): string => `${ns}<invoke name="${name}">${fields}${ns}</invoke>`;
const m3Field = (name: string, value: string): string => `${ns}<${name}>${value}${ns}</${name}>`;
const m3 = (calls: string): string => `${ns}<tool_call>\n${calls}\n${ns}</tool_call>`;

const minimax: readonly ReaderCase[] = [
  callCase("minimax-m3", "one call", m3(m3Invoke("read", m3Field("path", "a.py"))), [
    callBlock("read", { path: "a.py" }),
  ]),
  callCase(
    "minimax-m3",
    "thinking, text and two calls",
    `<mm:think>I look.</mm:think>I will read both.\n${m3(`${m3Invoke("read", m3Field("path", "a.py"))}\n${m3Invoke("ls", "")}`)}`,
    [
      thinkingBlock("I look."),
      textBlock("I will read both."),
      callBlock("read", { path: "a.py" }),
      callBlock("ls", {}),
    ],
  ),
  callCase(
    "minimax-m3",
    "a file with tags of the same names",
    m3(m3Invoke("write", m3Field("path", "a.xml") + m3Field("content", "<path>\n</content>\n</invoke>\n"))),
    [callBlock("write", { path: "a.xml", content: "<path>\n</content>\n</invoke>\n" })],
  ),
  callCase(
    "minimax-m3",
    "nested values",
    m3(
      m3Invoke(
        "edit",
        m3Field("path", "a.ts") +
          m3Field("edits", m3Field("item", m3Field("old_string", "a") + m3Field("new_string", "b"))),
      ),
    ),
    [callBlock("edit", { path: "a.ts", edits: [{ old_string: "a", new_string: "b" }] })],
  ),
  proseCase("minimax-m3", "a value is cut off", `${ns}<tool_call>\n${ns}<invoke name="bash">${ns}<command>rm -r`),
  proseCase("minimax-m3", "the end is cut off", m3Invoke("bash", m3Field("command", "rm -r")).slice(0, -10), {
    cut: true,
  }),
  proseCase("minimax-m3", "a mention", `The model writes ${ns} before each tag.`),
];

const argument = (key: string, value: string, type = "string"): string =>
  `<|open|>argument key="${key}" type="${type}"<|sep|>${value}<|close|>argument<|sep|>`;
const k3Call = (tool: string, fields: string, index = 1): string =>
  `<|open|>call tool="${tool}" index="${index}"<|sep|>${fields}<|close|>call<|sep|>`;
const k3 = (calls: string): string => `<|open|>tools<|sep|>${calls}<|close|>tools<|sep|>`;

const kimi: readonly ReaderCase[] = [
  callCase("kimi-k3", "one call", k3(k3Call("ls", argument("path", "src"))), [callBlock("ls", { path: "src" })]),
  callCase(
    "kimi-k3",
    "thinking, an answer and two calls",
    `<|open|>think<|sep|>Hm.<|close|>think<|sep|><|open|>response<|sep|>I look.<|close|>response<|sep|>${k3(
      k3Call("read", argument("path", "a.ts") + argument("limit", "20", "number")) + k3Call("ls", "", 2),
    )}<|close|>message<|sep|>`,
    [thinkingBlock("Hm."), textBlock("I look."), callBlock("read", { path: "a.ts", limit: 20 }), callBlock("ls", {})],
  ),
  callCase(
    "kimi-k3",
    "a file that contains a whole call",
    k3(
      k3Call("write", argument("path", "a.md") + argument("content", `# K3\n${k3Call("ls", argument("path", "a"))}\n`)),
    ),
    [callBlock("write", { path: "a.md", content: `# K3\n${k3Call("ls", argument("path", "a"))}\n` })],
  ),
  proseCase(
    "kimi-k3",
    "a value without its closer is ambiguous",
    k3(k3Call("bash", argument("command", "rm -r a")).replace("<|close|>argument<|sep|>", "")),
  ),
  proseCase("kimi-k3", "a call that is cut off", '<|open|>tools<|sep|><|open|>call tool="bash" index="1"<|sep|>'),
  callCase("kimi-k2", "no special tokens", 'functions.ls:0{"path": "src"}', [callBlock("ls", { path: "src" })]),
  callCase(
    "kimi-k2",
    "text and two calls without special tokens",
    'I look at both.functions.ls:0{"path": "src"}functions.read:1 {"path": "a.ts"}',
    [textBlock("I look at both."), callBlock("ls", { path: "src" }), callBlock("read", { path: "a.ts" })],
  ),
  proseCase("kimi-k2", "a mentioned id", "The call functions.ls:0 failed. Its id is functions.ls:0."),
];

const pair = (key: string, value: string, id = ""): string =>
  `<arg_key${id}>${key}</arg_key${id}>\n<arg_value${id}>${value}</arg_value${id}>`;
const hunyuan = (name: string, fields: string, id = ""): string =>
  `<tool_calls${id}>\n<tool_call${id}>${name}<tool_sep${id}>\n${fields}\n</tool_call${id}>\n</tool_calls${id}>`;

const elements: readonly ReaderCase[] = [
  callCase("hunyuan", "a separator after the name", hunyuan("ls", pair("path", "src")), [
    callBlock("ls", { path: "src" }),
  ]),
  callCase("hunyuan", "no arguments", "<tool_calls><tool_call>ls<tool_sep></tool_call></tool_calls>", [
    callBlock("ls", {}),
  ]),
  callCase(
    "hunyuan",
    "suffixed tags with thinking",
    `<think:6124c78e>Hm.</think:6124c78e>${hunyuan("read", pair("path", "a.ts", ":6124c78e"), ":6124c78e")}`,
    [thinkingBlock("Hm."), callBlock("read", { path: "a.ts" })],
  ),
  callCase(
    "hunyuan",
    "suffixed tags without a separator",
    hunyuan("read", pair("path", "a.ts", ":6124c78e"), ":6124c78e").replace("<tool_sep:6124c78e>", ""),
    [callBlock("read", { path: "a.ts" })],
  ),
  callCase(
    "step3",
    "an element in DeepSeek's marks",
    '<｜tool_calls_begin｜><｜tool_call_begin｜>function<｜tool_sep｜><steptml:invoke name="ls"><steptml:parameter name="path">src</steptml:parameter></steptml:invoke><｜tool_call_end｜><｜tool_calls_end｜>',
    [callBlock("ls", { path: "src" })],
  ),
  callCase("longcat", "JSON", '<longcat_tool_call>{"name": "ls", "arguments": {"path": "src"}}</longcat_tool_call>', [
    callBlock("ls", { path: "src" }),
  ]),
  callCase(
    "longcat",
    "keys and values",
    "<longcat_think>\nHm.\n</longcat_think>\n<longcat_tool_call>read\n<longcat_arg_key>path</longcat_arg_key>\n<longcat_arg_value>a.ts</longcat_arg_value>\n</longcat_tool_call>",
    [thinkingBlock("Hm."), callBlock("read", { path: "a.ts" })],
  ),
  callCase(
    "dots",
    "elements",
    '<dots_function_call>\n<invoke name="read">\n<parameter name="path">a.ts</parameter>\n</invoke>\n</dots_function_call>',
    [callBlock("read", { path: "a.ts" })],
  ),
];

const ifm = (name: string): readonly [string, string] => [`<ifm|${name}>`, `</ifm|${name}>`];
const wrap = (name: string, text: string): string => ifm(name).join(text);
const plamo = (name: string): string => `<|plamo:${name}:plamo|>`;

const others: readonly ReaderCase[] = [
  callCase(
    "k2-horizon",
    "keys, types and values",
    `<ifm|think_fast>Hm.</ifm|think_fast>\n${wrap(
      "tool_calls",
      `\n${wrap("tool_call", `read\n${wrap("arg_key", "path")}${wrap("arg_type", "string")}${wrap("arg_value", "a.ts")}`)}\n`,
    )}`,
    [thinkingBlock("Hm."), callBlock("read", { path: "a.ts" })],
  ),
  callCase("k2-horizon", "JSON", wrap("tool_call", '{"name": "ls", "arguments": {"path": "src"}}'), [
    callBlock("ls", { path: "src" }),
  ]),
  callCase(
    "iquest",
    "keys and values",
    "<iquestcoder_tool_call>read\n<arg_key>path</arg_key>\n<arg_value>a.ts</arg_value>\n</iquestcoder_tool_call>",
    [callBlock("read", { path: "a.ts" })],
  ),
  callCase(
    "pangu",
    "a list",
    '[unused16]Hm.[unused17][unused11][{"name": "ls", "arguments": {}}][unused12][unused10]',
    [thinkingBlock("Hm."), callBlock("ls", {})],
  ),
  callCase(
    "plamo",
    "two requests",
    plamo("begin_tool_requests") +
      ["ls", "read"]
        .map(
          (name) =>
            `${plamo("begin_tool_request")}${plamo("begin_tool_name")}${name}${plamo("end_tool_name")}${plamo("begin_tool_arguments")}{"path": "a"}${plamo("end_tool_arguments")}${plamo("end_tool_request")}`,
        )
        .join("") +
      plamo("end_tool_requests"),
    [callBlock("ls", { path: "a" }), callBlock("read", { path: "a" })],
  ),
  callCase("cwm", "the name behind a colon", "<tool: bash>\ngit status\n</tool>", [
    callBlock("bash", { command: "git status" }),
  ]),
];

const solar: readonly ReaderCase[] = [
  callCase(
    "solar",
    "two calls",
    '<|tool_calls|><|tool_call:begin|>1<|tool_call:name|>ls<|tool_call:args|>{"path":"src"}<|tool_call:end|><|tool_call:begin|>2<|tool_call:name|>read<|tool_call:args|>{"path":"a<|tool_call:end|>"}<|tool_call:end|>',
    [callBlock("ls", { path: "src" }), callBlock("read", { path: "a<|tool_call:end|>" })],
  ),
  callCase(
    "solar",
    "thinking first",
    "<|think|>Hm.<|end|><|begin|>assistant<|tool_calls|><|tool_call:begin|>1<|tool_call:name|>ls<|tool_call:args|>{}<|tool_call:end|>",
    [thinkingBlock("Hm."), callBlock("ls", {})],
  ),
  callCase(
    "solar",
    "fields",
    "<|tool_call:start|>write\n<|tool_arg:start|>path<|tool_arg:value|>a.ts<|tool_arg:end|>\n<|tool_arg:start|>content<|tool_arg:value|>a\n  b\n<|tool_arg:end|>\n<|tool_call:end|>",
    [callBlock("write", { path: "a.ts", content: "a\n  b\n" })],
  ),
  proseCase(
    "solar",
    "the arguments are cut off",
    '<|tool_calls|><|tool_call:begin|>1<|tool_call:name|>bash<|tool_call:args|>{"command":"rm -r',
  ),
  proseCase(
    "solar",
    "a field is cut off",
    "<|tool_call:start|>bash\n<|tool_arg:start|>command<|tool_arg:value|>rm -r a",
  ),
];

const headers: readonly ReaderCase[] = [
  callCase("gigachat", "a header without its tokens", 'function call{"name": "ls", "arguments": {"path": "src"}}', [
    callBlock("ls", { path: "src" }),
  ]),
  callCase(
    "gigachat",
    "text first",
    'I look.<|message_sep|>\n\nfunction call<|role_sep|>\n{"name": "ls", "arguments": {"path": "src"}}</s>',
    [textBlock("I look."), callBlock("ls", { path: "src" })],
  ),
  callCase(
    "gigachat",
    "elements",
    '<｜GCML｜tool_calls>\n<｜GCML｜invoke name="read">\n<｜GCML｜parameter name="path" string="true">a.ts</｜GCML｜parameter>\n</｜GCML｜invoke>\n</｜GCML｜tool_calls>',
    [callBlock("read", { path: "a.ts" })],
  ),
  proseCase("gigachat", "a sentence", 'A function call {"a": 1} has arguments.'),
  callCase("inkling", "arguments", '<|message_model|>ls<|content_invoke_tool_json|>{"path":"src"}<|end_message|>', [
    callBlock("ls", { path: "src" }),
  ]),
  callCase(
    "inkling",
    "thinking, text, and a whole call as the arguments",
    '<|content_thinking|>Hm.<|end_message|><|message_model|><|content_text|>I look.<|end_message|><|message_model|>ls<|content_invoke_tool_json|>{"name":"ls","args":{"path":"src"}}<|end_message|><|content_model_end_sampling|>',
    [thinkingBlock("Hm."), textBlock("I look."), callBlock("ls", { path: "src" })],
  ),
  proseCase(
    "inkling",
    "another name in the arguments",
    '<|message_model|>ls<|content_invoke_tool_json|>{"name":"bash","args":{"command":"rm -r a"}',
  ),
  callCase(
    "muse",
    "a recipient and elements",
    ' to=read<|message|><atem:function_calls>\n<atem:invoke name="read">\n<atem:parameter name="path">a.py</atem:parameter>\n</atem:invoke>\n</atem:function_calls><|eot|>',
    [callBlock("read", { path: "a.py" })],
  ),
  callCase(
    "muse",
    "thinking and a repeated name",
    ' to=self<|message|>I look.<|eom|><|start|>assistant to=read<|message|><atem:function_calls>\n<atem:invoke name="read.read">\n<atem:parameter name="path">a.py</atem:parameter>\n</atem:invoke>\n</atem:function_calls>',
    [thinkingBlock("I look."), callBlock("read", { path: "a.py" })],
  ),
  callCase("muse", "an answer to the user", " to=user<|message|>It is 4.<|eot|>", [textBlock("It is 4.")]),
  callCase("hyperclova", "a role line", ' -> tool/function_call\n[{"name": "ls", "arguments": {"path": "src"}}]', [
    callBlock("ls", { path: "src" }),
  ]),
  callCase(
    "hyperclova",
    "a role line after text",
    'I look.<|im_end|>\n<|im_start|>assistant -> tool/function_call\n[{"name": "ls", "arguments": {}}, {"name": "read", "arguments": {"path": "a"}}]<|im_end|>',
    [textBlock("I look."), callBlock("ls", {}), callBlock("read", { path: "a" })],
  ),
  proseCase("hyperclova", "an arrow in a text", "The route is\n-> tool/function_call\nin the log."),
];

/** Returns a case for tokens that servers leave around an answer without a call. */
const framed = ([title, text, words = "Four."]: readonly [title: string, text: string, words?: string]): ReaderCase =>
  callCase("frame", title, text, [textBlock(words)]);

const frames: readonly ReaderCase[] = [
  framed(["an end token", "Four.<|eot_id|>"]),
  framed(["two end tokens and a line break", "Four.<|im_end|>\n<|endoftext|>\n"]),
  framed(["Command R's tokens", "<|START_TEXT|>Four.<|END_TEXT|>"]),
  framed(["a role and an end", "<|im_start|>assistant\nFour.<|im_end|>"]),
  framed(["Gemma's end", "Four.<turn|>"]),
  framed(["the end of a sentence", "Four.<｜end▁of▁sentence｜>"]),
  framed(["MiniMax's end", "Four.[e~["]),
  framed(["an end in a closing tag", "Four.</s>"]),
  framed(["Kimi K3's response", "<|open|>response<|sep|>Four.<|close|>response<|sep|><|close|>message<|sep|>"]),
  framed(["an element around the answer", "<response>\nFour.\n</response>"]),
  framed(["an element without its closer", "<answer>Four."]),
  callCase(
    "frame",
    "Kimi K3's response of two sentences before its calls",
    '<|open|>response<|sep|>I look. Now.<|close|>response<|sep|><|open|>tools<|sep|><|open|>call tool="ls" index="1"<|sep|><|close|>call<|sep|><|close|>tools<|sep|>',
    [textBlock("I look. Now."), callBlock("ls", {})],
  ),
  callCase(
    "frame",
    "an element around text and a call",
    '<answer>I look.\n<tool_call>{"name": "ls", "arguments": {}}</tool_call></answer>',
    [textBlock("I look."), callBlock("ls", {})],
  ),
  callCase("frame", "an element after thinking", "<think>Hm.</think><answer>Four.</answer>", [
    thinkingBlock("Hm."),
    textBlock("Four."),
  ]),
  proseCase("frame", "a token in inline code", "The end is `<|eot_id|>`"),
  proseCase("frame", "a token in a fence", "```\nFour.<|eot_id|>\n```"),
  proseCase("frame", "a token in a fence that is cut off", "```\nFour.<|eot_id|>"),
  proseCase("frame", "a token that is named", "Its last token is <|eot_id|>"),
  proseCase("frame", "a token that is named in a list", "- Qwen: <|im_end|>\n- Gemma: <end_of_turn>"),
  proseCase("frame", "a closing tag that is named", "An answer of it ends with </s>"),
  proseCase("frame", "an element that is named", "The tag <response> is around it: </response>"),
  proseCase("frame", "an answer in XML", "<response><status>ok</status></response>"),
  proseCase("frame", "text that is struck out", "<s>Five.</s> Four, and no longer <s>five</s>"),
];

export const specialTokenCases: readonly ReaderCase[] = [
  ...minimax,
  ...kimi,
  ...elements,
  ...others,
  ...solar,
  ...headers,
  ...frames,
];
