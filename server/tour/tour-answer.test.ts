import { expect, test } from "vitest";
import type { Json } from "@/lib/events/content";
import { asId } from "@/lib/events/id";
import { denialText } from "@/server/agent/tools/refusal-text";
import type { ModelMessage } from "@/server/providers/provider";
import { sampleFiles, sampleFix, sampleTestCommand } from "./sample-project";
import { tourAnswer } from "./tour-answer";

const user = (text: string): ModelMessage => ({ role: "user", text });
const called = (name: string, text: string): readonly ModelMessage[] => [
  { role: "assistant", text: "", calls: [{ callId: asId("call"), name, input: {} }] },
  { role: "tool", callId: asId("call"), name, text },
];

const ask = user("Run the tests and fix what fails");
const askInChinese = user("运行测试并修复失败项");
const reads = Object.values(sampleFiles).flatMap((text) => called("read", text));
const red = called("bash", "# fail 1\n[exit code 1]");
const green = called("bash", "# fail 0\n[exit code 0]");
const edited = called("edit", "Edited cart.js (+1 -1 lines).");
const denied = (name: string): readonly ModelMessage[] => called(name, denialText(undefined));

const test1: Json = { command: sampleTestCommand };
const cases: readonly [
  what: string,
  conversation: readonly ModelMessage[],
  calls: readonly Json[],
  words: string | RegExp,
][] = [
  [
    "the question starts with reading",
    [ask],
    Object.keys(sampleFiles)
      .slice(0, 3)
      .map((path) => ({ path })),
    "project",
  ],
  ["after reading, the tests run", [ask, ...reads], [test1], "**Deny**"],
  ["a failing test leads to the change", [ask, ...reads, ...red], [sampleFix], "One test fails"],
  ["after the change, the tests run again", [ask, ...reads, ...red, ...edited], [test1], "again"],
  ["green tests end it", [ask, ...reads, ...red, ...edited, ...green], [], "All tests pass"],
  ["tests that are green before the change", [ask, ...reads, ...green], [], "nothing to fix"],
  ["tests that are red after the change", [ask, ...reads, ...red, ...edited, ...red], [], "still fails"],
  ["a denied command", [ask, ...reads, ...denied("bash")], [], "You denied"],
  ["a denied change", [ask, ...reads, ...red, ...denied("edit")], [], "You denied"],
  ["a message queued before a denial", [ask, ...reads, ...denied("bash"), user("Also the README?")], [], "You denied"],
  ["go on after a denied command", [ask, ...reads, ...denied("bash"), user("go on")], [test1], /^Now I run/],
  ["go on after a denied change", [ask, ...reads, ...red, ...denied("edit"), user("Go on!")], [sampleFix], /^One test/],
  ["a command without an exit code", [ask, ...reads, ...called("bash", "[stopped by the user]")], [], "didn't work"],
  ["a change that fails", [ask, ...reads, ...red, ...called("edit", "cart.js: not found")], [], "didn't work"],
  ["another project", [ask, ...called("read", "README.md was not found.")], [], "isn't the sample project"],
  ["a message in the middle", [ask, ...reads, ...red, user("Why?")], [sampleFix], /Choose a model.*\n\nOne test fails/],
  ["another question at first", [user("What is a monad?")], [], "**Choose a model to ask your own.**"],
  ["another question at the end", [ask, ...reads, ...red, ...edited, ...green, user("Thanks")], [], "Choose a model"],
  ["the same question again starts anew", [ask, ...reads, ...red, ...edited, ...green, ask, ...reads], [test1], "Now"],
  ["in Chinese", [askInChinese, ...reads], [test1], "现在运行测试"],
  ["in Chinese also after an English word", [askInChinese, ...reads, user("ok")], [test1], "选择一个模型"],
  ["another question in Chinese", [ask, ...reads, ...green, user("你是谁？")], [], "选择一个模型"],
];

test.each(cases)("%s", (_what, conversation, calls, words) => {
  const answer = tourAnswer([{ role: "system", text: "Fix the tests." }, ...conversation]);
  expect(answer.calls.map(({ input }) => input)).toEqual(calls);
  expect(answer.text).toMatch(words);
});

test("the context that is sent with a message is not a message of the user", () => {
  const context = user('<context about="files">\ncart.test.js was changed, fix it\n</context>');
  expect(tourAnswer([ask, ...reads, context])).toEqual(tourAnswer([ask, ...reads]));
  expect(tourAnswer([context]).calls).toEqual([]);
});

test("the change repairs the sample project", () => {
  expect(sampleFiles[sampleFix.path]?.split(sampleFix.old_string)).toHaveLength(2);
});
