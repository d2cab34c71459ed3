import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { asId, type CallId } from "@/lib/events/id";
import type { ModelMessage } from "@/server/providers/provider";
import { convertDecidedCalls, convertToTextMode } from "./text-mode";

const id = asId<CallId>("c1");
const result = (name: string, text: string, images?: readonly string[]): ModelMessage => ({
  role: "tool",
  callId: id,
  name,
  text,
  images,
});

describe("a conversation in a text tool mode", () => {
  test("react: a native call becomes an action, its result an observation", () => {
    const converted = convertToTextMode(
      [
        { role: "system", text: "S" },
        { role: "user", text: "U" },
        {
          role: "assistant",
          text: "I look.",
          thinking: "The port is set there.\n",
          calls: [{ callId: id, name: "read", input: { path: "a.ts", limit: 2 } }],
        },
        result("read", "1\tone"),
        { role: "assistant", text: "Done." },
      ],
      "react",
    );
    expect(converted).toEqual([
      { role: "system", text: "S" },
      { role: "user", text: "U" },
      {
        role: "assistant",
        text: 'Thought: The port is set there.\nI look.\nAction: read\nAction Input: {"path":"a.ts","limit":2}',
      },
      { role: "user", text: "Observation: 1\tone" },
      { role: "assistant", text: "Done." },
    ]);
  });

  test("xml: one element per call, and results that cannot close their element", () => {
    const converted = convertToTextMode(
      [
        { role: "assistant", text: "", thinking: "Hm.", calls: [{ callId: id, name: "ls", input: {} }] },
        result("ls", "a\n</tool_result>\nb"),
      ],
      "xml",
    );
    expect(converted).toEqual([
      { role: "assistant", text: '<tool name="ls"></tool>' },
      { role: "user", text: '<tool_result name="ls">\na\n<\\/tool_result>\nb\n</tool_result>' },
    ]);
  });

  test("a call read from the text is rendered verbatim, an input that was not JSON unchanged", () => {
    const raw = "Action: read\nAction Input: {'path': 'a.ts'}";
    const converted = convertToTextMode(
      [
        {
          role: "assistant",
          text: "I look.\n",
          thinking: "I weigh this and that. ".repeat(100),
          calls: [
            { callId: id, name: "read", input: { path: "a.ts" }, raw },
            { callId: id, name: "bash", input: "ls -la" },
          ],
        },
      ],
      "react",
    );
    expect(converted).toEqual([{ role: "assistant", text: `I look.\n${raw}\nAction: bash\nAction Input: ls -la` }]);
  });

  describe.each<readonly [string, (messages: readonly ModelMessage[]) => readonly ModelMessage[], string]>([
    ["react", (messages) => convertToTextMode(messages, "react"), "Observation: made"],
    ["xml", (messages) => convertToTextMode(messages, "xml"), '<tool_result name="write">\nmade\n</tool_result>'],
    ["native", convertDecidedCalls, '<tool_result name="write">\nmade\n</tool_result>'],
  ])("a call that the user decided to run, %s", (mode, convert, observed) => {
    const head: ModelMessage = { role: "user", text: "The summary." };
    const example: ModelMessage = { role: "assistant", text: "For example: write" };
    const call = { callId: id, name: "write", input: { path: "a.txt" }, raw: "" };
    const decided: ModelMessage = { role: "assistant", text: "", calls: [call] };

    test("is not repeated after the answer with its text", () => {
      expect(convert([head, example, decided, result("write", "made")])).toEqual([
        head,
        example,
        { role: "user", text: observed },
      ]);
    });

    test.each<readonly [string, readonly ModelMessage[]]>([
      ["a head", [head]],
      ["nothing", []],
      ["results", [{ role: "assistant", text: "", calls: [{ ...call, raw: undefined }] }, result("write", "made")]],
    ])("is in the conversation after %s, where a compaction dropped that answer", (_what, before) => {
      const converted = convert([...before, decided, result("write", "made")]);
      const text =
        mode === "react"
          ? 'Action: write\nAction Input: {"path":"a.txt"}'
          : '<tool name="write">\n<path>a.txt</path>\n</tool>';
      expect(converted.slice(-2)).toEqual(
        mode === "native"
          ? [decided, result("write", "made")]
          : [
              { role: "assistant", text },
              { role: "user", text: observed },
            ],
      );
    });
  });

  test("xml: one element per argument, lines unchanged; calls of one list share their text", () => {
    const raw = '[{"name": "ls"}, {"name": "find", "arguments": {"pattern": "*"}}]';
    const converted = convertToTextMode(
      [
        {
          role: "assistant",
          text: "So:",
          calls: [
            { callId: id, name: "write", input: { path: "a.ts", content: "one\n  two\n", deep: [1], all: true } },
            { callId: id, name: "ls", input: {}, raw },
            { callId: id, name: "find", input: { pattern: "*" }, raw },
          ],
        },
      ],
      "xml",
    );
    expect(converted).toEqual([
      {
        role: "assistant",
        text: `So:
<tool name="write">
<path>a.ts</path>
<content>
one
  two

</content>
<deep>[1]</deep>
<all>true</all>
</tool>
${raw}`,
      },
    ]);
  });

  test("the results of one answer become one user message with all images, those of the next answer another", () => {
    const call = { callId: id, name: "read", input: {} };
    const converted = convertToTextMode(
      [
        { role: "assistant", text: "", calls: [call, call] },
        result("read", "one", ["i1"]),
        result("read", "two", ["i2", "i3"]),
        { role: "assistant", text: "", calls: [call] },
        result("read", "three"),
        { role: "user", text: "and now?" },
      ],
      "react",
    );
    expect(converted.filter((message) => message.role === "user")).toEqual([
      { role: "user", text: "Observation: one\n\nObservation: two", images: ["i1", "i2", "i3"] },
      { role: "user", text: "Observation: three" },
      { role: "user", text: "and now?" },
    ]);
    expect(converted.some((message) => message.role === "tool")).toBe(false);
  });

  test.each([
    ["ls -la", "ls -la"],
    [null, "null"],
    [[1, "a"], '[1,"a"]'],
  ])("xml: the input %j, which has no arguments, is written as %j", (input, written) => {
    const answer: ModelMessage = { role: "assistant", text: "", calls: [{ callId: id, name: "bash", input }] };
    expect(convertToTextMode([answer], "xml")).toEqual([
      { role: "assistant", text: `<tool name="bash">${written}</tool>` },
    ]);
  });

  test("keeps an answer without calls, its white space included", () => {
    const answer: ModelMessage = { role: "assistant", text: "Done.\n\n" };
    for (const mode of ["react", "xml"] as const) expect(convertToTextMode([answer], mode)[0]).toBe(answer);
  });

  test("returns the same objects until one of the results changes", () => {
    const answer: ModelMessage = { role: "assistant", text: "", calls: [{ callId: id, name: "ls", input: {} }] };
    const [one, two, shorter] = [result("ls", "one"), result("ls", "two"), result("ls", "t")];
    const first = convertToTextMode([answer, one, two], "xml");
    const second = convertToTextMode([answer, one, two, { role: "assistant", text: "ok" }], "xml");
    expect(second[0]).toBe(first[0]);
    expect(second[1]).toBe(first[1]);
    expect(convertToTextMode([answer, one, shorter], "xml")[1]).toEqual({
      role: "user",
      text: '<tool_result name="ls">\none\n</tool_result>\n\n<tool_result name="ls">\nt\n</tool_result>',
    });
    expect(convertToTextMode([answer], "react")[0]).not.toEqual(first[0]);
  });

  test("appended entries do not change the messages before them", () => {
    const entry = fc.record({
      text: fc.string(),
      results: fc.array(fc.string(), { maxLength: 3 }),
      question: fc.option(fc.string(), { nil: undefined }),
    });
    const messagesOf = (entries: readonly { text: string; results: readonly string[]; question?: string }[]) =>
      entries.flatMap(({ text, results, question }): readonly ModelMessage[] => [
        {
          role: "assistant",
          text,
          ...(results.length === 0 ? {} : { calls: results.map((name) => ({ callId: id, name, input: { text } })) }),
        },
        ...results.map((name) => result(name, text)),
        ...(question === undefined ? [] : [{ role: "user" as const, text: question }]),
      ]);
    fc.assert(
      fc.property(fc.array(entry, { maxLength: 6 }), fc.array(entry, { maxLength: 3 }), (before, more) => {
        for (const mode of ["react", "xml"] as const) {
          const sentBefore = JSON.stringify(convertToTextMode(messagesOf(before), mode)).slice(0, -1);
          expect(JSON.stringify(convertToTextMode(messagesOf([...before, ...more]), mode)).startsWith(sentBefore)).toBe(
            true,
          );
        }
      }),
      { numRuns: 200 },
    );
  });
});
