import { describe, expect, it } from "vitest";
import { limits } from "@/lib/settings/settings";
import { makeOllamaAnswer } from "./ollama-answer";
import { makeLineJoiner } from "./ollama-lines";
import { mergeParts } from "../provider.contract";

const around = { model: "m", created_at: "2030-01-01T00:00:00Z" };
const said = (message: object): object => ({
  ...around,
  message: { role: "assistant", content: "", ...message },
  done: false,
});
const last = { ...around, message: { role: "assistant", content: "" }, done: true, done_reason: "stop", eval_count: 3 };

/** Output of the joiner, line by line. */
function through(lines: readonly object[]): readonly string[] {
  const joiner = makeLineJoiner();
  for (const line of lines) joiner.add(JSON.stringify(line), line);
  return joiner
    .text()
    .split("\n")
    .filter((line) => line !== "");
}

const partsOf = (lines: readonly string[]) => {
  const answer = makeOllamaAnswer(1_000_000);
  return lines.flatMap((line) => answer.take(JSON.parse(line)));
};

describe("text lines of one packet", () => {
  it("become one line with their number", () => {
    const lines = through(["one", " two", " three"].map((content) => said({ content })));
    expect(lines.map((line) => JSON.parse(line))).toEqual([{ message: { content: "one two three" }, pieces: 3 }]);
    expect(partsOf(lines)).toEqual([{ type: "text", text: "one two three", pieces: 3 }]);
  });

  it("stay as sent when single", () => {
    const lines = [said({ content: "one" }), said({ thinking: "hm" }), said({ content: "two" })];
    expect(through(lines)).toEqual(lines.map((line) => JSON.stringify(line)));
  });

  it("give the same answer as separate lines, whatever is between them", () => {
    const lines = [
      said({ thinking: "I" }),
      said({ thinking: " see" }),
      said({ content: "<" }),
      said({ content: "think" }),
      said({ content: "" }),
      said({ content: "\ud83d" }),
      said({ content: "\ude00" }),
      said({ tool_calls: [{ function: { name: "ls", arguments: {} } }] }),
      said({ content: "a" }),
      said({ content: "b" }),
      last,
    ];
    const together = through(lines);
    expect(together.length).toBeLessThan(lines.length);
    expect(mergeParts(partsOf(together))).toEqual(mergeParts(partsOf(lines.map((line) => JSON.stringify(line)))));
  });

  it("are limited to a length that the loop guards can miss", () => {
    const word = "x".repeat(limits.joinPieceChars / 4);
    const lines = through(Array.from({ length: 10 }, () => said({ content: word })));
    expect(lines.map((line) => JSON.parse(line).message.content.length)).toEqual(
      [4, 4, 2].map((count) => count * word.length),
    );
  });

  it.each([
    ["a call", said({ content: "a", tool_calls: [] })],
    ["an end", { ...last, message: { content: "a" } }],
    ["thinking and text at once", said({ content: "a", thinking: "b" })],
    ["nothing", said({ content: "" })],
    ["no text", said({ content: 1 })],
    ["an unknown key", { ...said({ content: "a" }), error_code: 1 }],
    ["a key in the message nobody knows", said({ content: "a", images: [] })],
  ])("a line with %s is unchanged", (_name, line) => {
    const lines = [said({ content: "a" }), line, said({ content: "b" })];
    expect(through(lines)).toEqual(lines.map((one) => JSON.stringify(one)));
  });
});

it("a server that counts more pieces than characters is capped", () => {
  expect(makeOllamaAnswer(100).take({ message: { content: "abc" }, pieces: 1e9 })).toEqual([
    { type: "text", text: "abc", pieces: 3 },
  ]);
});
