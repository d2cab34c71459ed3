/** Calls in an answer's text that are returned instead of run, for the user to decide about them. */
import { describe, expect, test } from "vitest";
import type { UnrunReason } from "@/lib/events/content";
import { builtInSource } from "@/server/tools/core/built-in-source";
import { makeCallReader } from "./call-reader";
import { markedForms, weakForms } from "./corpus/leads/lead-forms";
import { refusingLeads } from "./corpus/leads/refusing-leads";

function readText(pieces: readonly string[]) {
  const reader = makeCallReader({ tools: builtInSource.tools(), mode: "native" });
  for (const piece of pieces) reader.push(piece);
  return { calls: reader.end(true).filter((block) => block.type === "call"), unrun: reader.unrun() };
}

const bash = '{"name": "bash", "arguments": {"command": "ls"}}';
const tag = (call: string): string => `<tool_call>\n${call}\n</tool_call>`;

test("a call after any lead that refuses it is returned in every form", () => {
  const missed = refusingLeads.flatMap((lead) =>
    [...weakForms, ...markedForms].flatMap((form) => {
      const text = `${lead}\n${form}`;
      const { calls, unrun } = readText([text]);
      const isReturned = unrun.length === 1 && unrun[0]?.name === "bash";
      return calls.length === 0 && !isReturned ? [text] : [];
    }),
  );
  expect(missed).toEqual([]);
});

test.each<readonly [UnrunReason, string]>([
  ["example", `For example:\n\n${bash}`],
  ["example", `I will not call this tool:\n${tag(bash)}`],
  ["example", `格式如下：\n${tag(bash)}`],
  ["explained", `${bash}\n\nThis would list the folder.`],
  ["explained", `${tag(bash)}\n\n上面的调用会列出目录。`],
  ["sentence", `Sending ${tag(bash)}, as you know, lists the folder.`],
])("the reason is %s for %j", (reason, text) => {
  const unrun = [{ name: "bash", input: { command: "ls" }, reason }];
  expect(readText([text]).unrun).toEqual(unrun);
  expect(readText(text.split("")).unrun).toEqual(unrun);
});

describe("no call is returned for", () => {
  const example = (call: string): string => `For example:\n${call}`;
  test.each<readonly [string, string]>([
    ["a call that runs", `I'll look.\n${bash}`],
    [
      "an example beside a call that runs",
      `${example(bash)}\n\nI'll read it now.\n${tag('{"name": "ls", "arguments": {}}')}`,
    ],
    ["an unknown tool", example(tag('{"name": "fly", "arguments": {"to": "a"}}'))],
    ["a name of another agent's tool", example('{"name": "read_file", "arguments": {"file_path": "a"}}')],
    ["missing arguments", example(tag('{"name": "write", "arguments": {"path": "a"}}'))],
    ["a call without its end", example('<tool_call>\n{"name": "bash", "arguments": {"command": "ls"')],
    ["a name without arguments", example('{"name": "ls"}')],
    ["arguments beside the name", example('{"name": "bash", "command": "ls"}')],
    ["inline code", `Write \`${bash}\` to list it.`],
    ["a quotation", `> ${bash}\n`],
    ["code of another language", `\`\`\`js\nconst call = ${bash};\n\`\`\``],
    ["a shown element", `<example>\n${tag(bash)}\n</example>`],
    ["thinking", `<think>${tag(bash)}</think>\nAll good.`],
    ["other data", `{\n  "recorded": [\n    ${bash}\n  ]\n}`],
  ])("%s", (_name, text) => {
    expect(readText([text]).unrun).toEqual([]);
  });
});

test("the same call is returned once, and a list of many calls is a document", () => {
  const numbered = (count: number): string =>
    Array.from({ length: count }, (_, index) => `Example ${index}:\n${tag(bash.replace("ls", `ls ${index}`))}\n`).join(
      "",
    );
  expect(readText([`Examples:\n${tag(bash)}\n\nAnother example:\n${tag(bash)}`]).unrun).toHaveLength(1);
  expect(readText([numbered(5)]).unrun).toHaveLength(5);
  expect(readText([numbered(6)]).unrun).toEqual([]);
});
