/** gpt-oss: channels, with and without their special tokens. */
import { callBlock, callCase, type ReaderCase, proseCase, textBlock, thinkingBlock } from "./reader-case";

const family = "gpt-oss";

export const harmonyCases: readonly ReaderCase[] = [
  callCase(
    family,
    "analysis, then a call",
    '<|channel|>analysis<|message|>Need to read the file.<|end|><|start|>assistant<|channel|>commentary to=functions.read <|constrain|>json<|message|>{"path":"a.ts"}<|call|>',
    [thinkingBlock("Need to read the file."), callBlock("read", { path: "a.ts" })],
  ),
  callCase(
    family,
    "the call alone",
    '<|channel|>commentary to=functions.bash <|constrain|>json<|message|>{"command":"ls"}<|call|>',
    [callBlock("bash", { command: "ls" })],
  ),
  callCase(
    family,
    "the recipient in the role",
    '<|start|>assistant to=functions.ls<|channel|>commentary json<|message|>{"path":"src"}<|call|>',
    [callBlock("ls", { path: "src" })],
  ),
  callCase(
    family,
    "the end of the call is missing",
    '<|channel|>commentary to=functions.grep<|message|>{\n  "pattern": "x"\n}',
    [callBlock("grep", { pattern: "x" })],
  ),
  callCase(
    family,
    "a preamble for the user",
    "<|channel|>commentary<|message|>I will list the files.<|end|><|start|>assistant<|channel|>commentary to=functions.ls <|constrain|>json<|message|>{}<|call|>",
    [textBlock("I will list the files."), callBlock("ls", {})],
  ),
  callCase(
    family,
    "two calls",
    '<|channel|>commentary to=functions.ls<|message|>{}<|call|><|start|>assistant<|channel|>commentary to=functions.read<|message|>{"path":"b"}<|call|>',
    [callBlock("ls", {}), callBlock("read", { path: "b" })],
  ),
  callCase(family, "the tokens were dropped", 'commentary to=functions.read json{"path": "a.ts"}', [
    callBlock("read", { path: "a.ts" }),
  ]),
  callCase(
    family,
    "thinking and a call, the tokens were dropped",
    'analysisWe need to see the file.assistantcommentary to=functions.read json{"path":"a.ts"}',
    [thinkingBlock("We need to see the file."), callBlock("read", { path: "a.ts" })],
  ),
  callCase(
    family,
    "a recipient at the head of the answer",
    ' to=functions.ls<|channel|>commentary <|constrain|>json<|message|>{"path":"src"}<|call|>',
    [callBlock("ls", { path: "src" })],
  ),
  callCase(family, "a flat object", '{"name":"read","path":"src/a.ts"}', [callBlock("read", { path: "src/a.ts" })]),
  callCase(
    family,
    "the final channel",
    "<|channel|>analysis<|message|>Easy.<|end|><|start|>assistant<|channel|>final<|message|>It is 4.<|return|>",
    [thinkingBlock("Easy."), textBlock("It is 4.")],
  ),
  callCase(family, "final, the tokens were dropped", "analysisWe need one word.assistantfinalfour", [
    thinkingBlock("We need one word."),
    textBlock("four"),
  ]),
  callCase(
    family,
    "a call in the analysis channel is thinking",
    '<|channel|>analysis<|message|>Maybe {"name":"delete","arguments":{"path":"a"}}<|end|><|start|>assistant<|channel|>final<|message|>Done.',
    [thinkingBlock('Maybe {"name":"delete","arguments":{"path":"a"}}'), textBlock("Done.")],
  ),
  callCase(
    family,
    "a call in the final channel is text",
    '<|channel|>final<|message|>The log has {"name":"bash","arguments":{"command":"ls"}}',
    [textBlock('The log has {"name":"bash","arguments":{"command":"ls"}}')],
  ),
  proseCase(
    family,
    "the arguments are cut off",
    '<|channel|>commentary to=functions.write <|constrain|>json<|message|>{"path":"a","content":"x',
  ),
  callCase(
    family,
    "an unknown function",
    '<|channel|>commentary to=functions.browser <|constrain|>json<|message|>{"url":"x"}<|call|>',
    [callBlock("browser", { url: "x" })],
  ),
  callCase(
    family,
    "arguments that are not JSON in a truncated stream, after their end",
    "<|channel|>commentary to=functions.read<|message|>src/a.ts<|call|>",
    [callBlock("read", { path: "src/a.ts" })],
    { cut: true },
  ),
  callCase(
    family,
    "words after arguments that are not JSON",
    "<|channel|>commentary to=functions.read<|message|>src/a.ts<|call|>Then I will edit it.",
    [callBlock("read", { path: "src/a.ts" }), textBlock("Then I will edit it.")],
  ),
  proseCase(
    family,
    "arguments that are not JSON without an end",
    "<|channel|>commentary to=functions.read<|message|>src/a.ts",
  ),
  proseCase(
    family,
    "a repeated result",
    '<|start|>functions.ls to=assistant<|channel|>commentary<|message|>{"files":[]}',
  ),
  proseCase(
    family,
    "a sentence that starts with the word analysis",
    "analysis of the code shows two problems. The assistant can fix both.",
  ),
  proseCase(family, "the recipient is mentioned", "The header says to=functions.read and the body is JSON."),
];
