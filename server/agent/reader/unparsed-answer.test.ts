import { describe, expect, test } from "vitest";
import { builtInSource } from "@/server/tools/core/built-in-source";
import { isClosedAnswer, readUnparsedEnd } from "./unparsed-answer";
import { readAnswer } from "./read-answer";

const options = { tools: builtInSource.tools(), mode: "native" } as const;
const nothing = { thinking: "", text: "" };
const callsOf = (unparsed: string, received = nothing) => {
  const rest = readUnparsedEnd(unparsed, received, options);
  if (rest === null) return null;
  return readAnswer(received.text + rest, options, isClosedAnswer(unparsed)).flatMap((block) =>
    block.type === "call" ? [{ name: block.name, input: block.input }] : [],
  );
};
const qwen = "<tool_call>\n<function=read>\n<parameter=path>\na.ts\n</parameter>\n</function>\n</tool_call>";
const gemma = '<|tool_call>call:bash{command:<|"|>ls -la<|"|>}<tool_call|>';
const harmony = '<|channel|>commentary to=functions.ls <|constrain|>json<|message|>{"path":"src"}';
const dsml =
  '<｜DSML｜tool_calls><｜DSML｜invoke name="ls"><｜DSML｜parameter name="path" string="true">src</｜DSML｜parameter></｜DSML｜invoke></｜DSML｜tool_calls>';
const valueEnd = "</parameter>\n</function>\n</tool_call>";
const writing = (content: string): string =>
  `<tool_call>\n<function=write>\n<parameter=path>\nb.md\n</parameter>\n<parameter=content>\n${content}`;
const read = [{ name: "read", input: { path: "a.ts" } }];

describe("the end of an answer that its server could not parse", () => {
  test.each([
    ["Qwen", qwen, read],
    ["Qwen with a closer twice", qwen.replace("</parameter>\n", "</parameter>\n</parameter>\n"), read],
    ["Qwen with its opener missing", qwen.replace("<tool_call>\n", ""), read],
    ["Qwen cut after the call", qwen.slice(0, -"_call>".length), read],
    ["Qwen cut in a value", qwen.slice(0, qwen.indexOf("</parameter>")), null],
    ["Qwen cut before the last closer of the call", qwen.slice(0, qwen.indexOf("</function>")), null],
    ["Gemma 4", gemma, [{ name: "bash", input: { command: "ls -la" } }]],
    ["Gemma 4 cut", '<|tool_call>call:bash{command:<|"|>ls -l', null],
    ["gpt-oss", harmony, [{ name: "ls", input: { path: "src" } }]],
    ["gpt-oss cut", '<|channel|>commentary to=functions.ls <|constrain|>json<|message|>{"path":"sr', null],
    ["arguments without a name", '{"path":"src"}', null],
    ["prose", "All tests pass.", null],
    ["a call after thinking", `I need it.\n</think>\n\n${qwen}`, read],
    ["a call within thinking", `I need it.\n${qwen}\n</think>`, null],
    ["a call in a value that began before", `As in:\n${qwen}\nEnd.\n${valueEnd}`, null],
    ["a call at the end of such a value", `As in:\n${qwen}\n${valueEnd}`, null],
    ["a call in a value of JSON that began before", `${qwen} and more"}}\n</tool_call>`, null],
    ["a call of Gemma 4 in a text that began before", `As in ${gemma}<|"|>}<tool_call|>`, null],
    ["a call of gpt-oss in a text that began before", `${harmony}<|call|> and so on"}<|call|>`, null],
    [
      "a call of DSML in a value that began before",
      `${dsml}</｜DSML｜parameter></｜DSML｜invoke></｜DSML｜tool_calls>`,
      null,
    ],
    ["DSML", dsml, [{ name: "ls", input: { path: "src" } }]],
    ["a call in a value", writing(`${qwen}\n`) + valueEnd, [{ name: "write", input: { path: "b.md", content: qwen } }]],
    ["a value cut where a call in it ends", writing(qwen), null],
    ["Hunyuan", "<tool_calls><tool_call>ls<tool_sep></tool_call></tool_calls>", [{ name: "ls", input: {} }]],
  ])("%s", (_name, unparsed, calls) => {
    expect(callsOf(unparsed)).toEqual(calls);
  });

  test.each([
    ["only the call", qwen, qwen],
    ["thinking that its template opened", `Look first.\n</think>\n\nI look.\n${qwen}`, `\n${qwen}`],
    ["thinking with its marks", `<think>\nLook first.\n</think>\n\nI look.\n${qwen}`, `\n${qwen}`],
    ["the text", `I look.\n${qwen}`, `\n${qwen}`],
    ["thinking that has no end", `Look first.\n${qwen}`, null],
  ])("is added once if the error repeats %s", (_name, unparsed, rest) => {
    expect(readUnparsedEnd(unparsed, { thinking: "Look first.", text: "I look." }, options)).toBe(rest);
  });

  test("is no call where the text before it announces an example", () => {
    expect(
      readUnparsedEnd(qwen, { thinking: "", text: "This is what a call looks like, for example:\n" }, options),
    ).toBeNull();
  });
});
