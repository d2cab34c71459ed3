/** gpt-oss: channels, with and without their special tokens. */
import { call, calls, type Case, prose, text, thinking } from "./case";

const family = "gpt-oss";

export const harmonyCases: readonly Case[] = [
  calls(
    family,
    "analysis, then a call",
    '<|channel|>analysis<|message|>Need to read the file.<|end|><|start|>assistant<|channel|>commentary to=functions.read <|constrain|>json<|message|>{"path":"a.ts"}<|call|>',
    [thinking("Need to read the file."), call("read", { path: "a.ts" })],
  ),
  calls(
    family,
    "the call alone",
    '<|channel|>commentary to=functions.bash <|constrain|>json<|message|>{"command":"ls"}<|call|>',
    [call("bash", { command: "ls" })],
  ),
  calls(
    family,
    "the recipient in the role",
    '<|start|>assistant to=functions.ls<|channel|>commentary json<|message|>{"path":"src"}<|call|>',
    [call("ls", { path: "src" })],
  ),
  calls(
    family,
    "the end of the call is missing",
    '<|channel|>commentary to=functions.grep<|message|>{\n  "pattern": "x"\n}',
    [call("grep", { pattern: "x" })],
  ),
  calls(
    family,
    "a preamble for the user",
    "<|channel|>commentary<|message|>I will list the files.<|end|><|start|>assistant<|channel|>commentary to=functions.ls <|constrain|>json<|message|>{}<|call|>",
    [text("I will list the files."), call("ls", {})],
  ),
  calls(
    family,
    "two calls",
    '<|channel|>commentary to=functions.ls<|message|>{}<|call|><|start|>assistant<|channel|>commentary to=functions.read<|message|>{"path":"b"}<|call|>',
    [call("ls", {}), call("read", { path: "b" })],
  ),
  calls(family, "the tokens were dropped", 'commentary to=functions.read json{"path": "a.ts"}', [
    call("read", { path: "a.ts" }),
  ]),
  calls(
    family,
    "thinking and a call, the tokens were dropped",
    'analysisWe need to see the file.assistantcommentary to=functions.read json{"path":"a.ts"}',
    [thinking("We need to see the file."), call("read", { path: "a.ts" })],
  ),
  calls(family, "a flat object", '{"name":"read","path":"src/a.ts"}', [call("read", { path: "src/a.ts" })]),
  calls(
    family,
    "the final channel",
    "<|channel|>analysis<|message|>Easy.<|end|><|start|>assistant<|channel|>final<|message|>It is 4.<|return|>",
    [thinking("Easy."), text("It is 4.")],
  ),
  calls(family, "final, the tokens were dropped", "analysisWe need one word.assistantfinalfour", [
    thinking("We need one word."),
    text("four"),
  ]),
  calls(
    family,
    "a call in the analysis channel is thinking",
    '<|channel|>analysis<|message|>Maybe {"name":"delete","arguments":{"path":"a"}}<|end|><|start|>assistant<|channel|>final<|message|>Done.',
    [thinking('Maybe {"name":"delete","arguments":{"path":"a"}}'), text("Done.")],
  ),
  calls(
    family,
    "a call in the final channel is text",
    '<|channel|>final<|message|>The log has {"name":"bash","arguments":{"command":"ls"}}',
    [text('The log has {"name":"bash","arguments":{"command":"ls"}}')],
  ),
  prose(
    family,
    "the arguments are cut off",
    '<|channel|>commentary to=functions.write <|constrain|>json<|message|>{"path":"a","content":"x',
  ),
  calls(
    family,
    "an unknown function",
    '<|channel|>commentary to=functions.browser <|constrain|>json<|message|>{"url":"x"}<|call|>',
    [call("browser", { url: "x" })],
  ),
  prose(
    family,
    "a repeated result",
    '<|start|>functions.ls to=assistant<|channel|>commentary<|message|>{"files":[]}<|end|>',
  ),
  prose(
    family,
    "a sentence that starts with the word analysis",
    "analysis of the code shows two problems. The assistant can fix both.",
  ),
  prose(family, "the recipient is mentioned", "The header says to=functions.read and the body is JSON."),
];
