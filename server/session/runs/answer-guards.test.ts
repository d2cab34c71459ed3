/** Tests of answers without progress: endless thinking, answering now, repeated text. Each is stopped and reported. */
import { describe, expect, test } from "vitest";
import { type MessageEntry, pathEntries, type SessionView } from "@/lib/view/view";
import { anyFacts } from "@/lib/events/error";
import type { ModelPart } from "@/server/providers/provider";
import type { Session } from "../core/session-types";
import { auditLog } from "../testing/test-audit";
import {
  promptAndWait,
  testCommandId,
  type TestHarness,
  makeGate,
  makeTestHarness,
  storedRows,
  textAnswer,
  waitForView,
} from "../testing/test-harness";

const assistantMessages = (view: SessionView): readonly MessageEntry[] =>
  pathEntries(view).flatMap((entry) => (entry.kind === "message" && entry.role === "assistant" ? [entry] : []));
const retryErrors = (view: SessionView) =>
  pathEntries(view).flatMap((entry) => (entry.kind === "retry" ? [{ ...entry.error }] : []));
const errorEntries = (view: SessionView) =>
  pathEntries(view).flatMap((entry) => (entry.kind === "error" ? [{ ...entry.error }] : []));
const expectValidLog = (harness: TestHarness, session: Session): void =>
  expect(auditLog(storedRows(harness, session.id))).toEqual([]);
const answerText = (answer: MessageEntry | undefined): string =>
  (answer?.blocks ?? []).map((block) => ("text" in block ? block.text : "")).join("");

const thinking = (count: number, text: (index: number) => string): readonly ModelPart[] =>
  Array.from({ length: count }, (_, index) => ({ type: "thinking", text: text(index) }));
const finish: ModelPart = {
  type: "finish",
  stop: "done",
  usage: { promptTokens: 10, outputTokens: 5, loadMs: 0, promptMs: 1, outputMs: 1 },
};

async function thinkingSession(): Promise<{ readonly harness: TestHarness; readonly session: Session }> {
  const harness = await makeTestHarness();
  const session = harness.session();
  session.changeModel({ name: "scripted", think: true }, testCommandId());
  return { harness, session };
}

const pieces = (text: string): readonly ModelPart[] => [...text].map((sign) => ({ type: "text", text: sign }));
const incomplete: ModelPart = { type: "failed", error: { code: "incomplete" }, retryable: false };

describe("a level of thinking that the model does not have", () => {
  test("is reported, and the session continues with plain thinking", async () => {
    const harness = await makeTestHarness();
    const session = harness.session();
    session.changeModel({ name: "scripted", think: "max" }, testCommandId());
    const refused: ModelPart = {
      type: "failed",
      error: { code: "no_think_level", facts: { level: "max" } },
      retryable: false,
    };
    harness.script([refused], textAnswer("Yes."), textAnswer("Again."));
    expect(await promptAndWait(session, "what?")).toBe("done");
    expect(retryErrors(session.view)).toMatchObject([{ code: "no_think_level", facts: { level: "max" } }]);
    await promptAndWait(session, "and?");
    expect(harness.requests.map((request) => request.think)).toEqual(["max", true, true]);
    expectValidLog(harness, session);
  });
});

describe("a call that never came", () => {
  const lost: readonly ModelPart[] = [
    { type: "text", text: "I call it: " },
    { ...finish, unseenTokens: 40 },
  ];

  test("is requested again, and the answer without it is not sent to the model", async () => {
    const harness = await makeTestHarness();
    const session = harness.session();
    harness.script(lost, textAnswer("Done."));
    expect(await promptAndWait(session, "list the files")).toBe("done");
    expect(retryErrors(session.view)).toMatchObject([{ code: "lost_call" }]);
    expect(assistantMessages(session.view).map(({ stop, replaced }) => ({ stop, replaced }))).toEqual([
      { stop: "error", replaced: true },
      { stop: "done" },
    ]);
    expect(harness.requests[1]?.messages).toEqual(harness.requests[0]?.messages);
    expectValidLog(harness, session);
  });

  test("is requested once per turn and then reported: the run never ends as done without work", async () => {
    const harness = await makeTestHarness();
    const session = harness.session();
    harness.script(lost, lost);
    expect(await promptAndWait(session, "list the files")).toBe("error");
    expect(errorEntries(session.view)).toMatchObject([{ code: "lost_call", facts: { tokens: 40 } }]);
    expect(harness.requests).toHaveLength(2);
    expectValidLog(harness, session);
  });

  test("is not detected when no tools were offered natively", async () => {
    const harness = await makeTestHarness();
    const session = harness.session();
    session.changeModel({ name: "scripted", toolMode: "react" }, testCommandId());
    harness.script(lost);
    expect(await promptAndWait(session, "hello")).toBe("done");
    expectValidLog(harness, session);
  });
});

describe("thinking with its closer in the text", () => {
  const reasoning: ModelPart = { type: "thinking", text: "Look ", field: "reasoning" };
  const late = (text: string): readonly ModelPart[] => [
    reasoning,
    { type: "text", text: "there.</thi" },
    { type: "text", text },
    finish,
  ];
  const asThinking = [
    { type: "thinking", text: "Look ", from: { field: "reasoning" } },
    { type: "thinking", from: { field: "reasoning" } },
    { type: "text", text: "Four." },
  ];

  test("is thinking in the log, is learned for the model, and no call before it runs", async () => {
    const harness = await makeTestHarness({ think: true });
    const session = harness.session();
    harness.script(late("nk>\n\nFour."), textAnswer("Five."));
    await promptAndWait(session, "first");
    expect(assistantMessages(session.view)[0]?.blocks).toMatchObject(asThinking);
    await promptAndWait(session, "second");
    expect(harness.lateSplits).toEqual(["rest"]);
    harness.script([
      { type: "text", text: '<tool_call>{"name": "ls", "arguments": {}}</tool_call>\n</think>\n\nSix.' },
      finish,
    ]);
    expect(await promptAndWait(session, "third")).toBe("done");
    expect(assistantMessages(session.view).at(-1)).toMatchObject({
      calls: [],
      blocks: [{ type: "thinking" }, { text: "Six." }],
    });
    expect(harness.lateSplits).toEqual(["rest", "all"]);
    expectValidLog(harness, session);
  });

  test("is displayed as thinking once that was learned", async () => {
    const facts = { tokenRatio: 1, lateSplit: "rest" } as const;
    const harness = await makeTestHarness({ think: true, facts: ({ numCtx }) => ({ ...facts, window: numCtx }) });
    const session = harness.session();
    const gate = makeGate();
    harness.script([...late("nk>\n\nFour.").slice(0, -1), gate, finish]);
    const done = promptAndWait(session, "first");
    await gate.reached;
    expect(assistantMessages(session.view)[0]?.blocks).toMatchObject([
      { type: "thinking", text: "Look there." },
      { type: "text", text: "Four." },
    ]);
    gate.open();
    await done;
    expect(assistantMessages(session.view)[0]?.blocks).toMatchObject([
      { type: "thinking", text: "Look there.", from: { field: "reasoning" } },
      { type: "text", text: "Four." },
    ]);
    expectValidLog(harness, session);
  });

  test("is no longer expected after an answer that begins without thinking", async () => {
    const facts = { tokenRatio: 1, lateSplit: "all" } as const;
    const harness = await makeTestHarness({ think: true, facts: ({ numCtx }) => ({ ...facts, window: numCtx }) });
    const session = harness.session();
    harness.script(textAnswer("Four."));
    await promptAndWait(session, "first");
    expect(harness.lateSplits).toEqual([null]);
  });
});

describe("an answer that its server could not parse", () => {
  const unparsed = (text: string, before: readonly ModelPart[] = []): readonly ModelPart[] => [
    ...before,
    { type: "failed", error: { code: "unparsed_answer" }, retryable: true, unparsed: text },
  ];
  const call = "<tool_call>\n<function=ls>\n<parameter=path>\n.\n</parameter>\n</parameter>\n</function>\n</tool_call>";
  const textPrompt = { system: "Call tools in the text.", tools: [] };

  test("is read from the error: a call that is certain runs and is marked as repaired", async () => {
    const harness = await makeTestHarness();
    const session = harness.session();
    harness.script(
      unparsed(call, [
        { type: "thinking", text: "Look first.", field: "reasoning_content" },
        { type: "text", text: "I look." },
        { type: "input", index: 0, name: "ls", text: '{"pa' },
      ]),
      textAnswer("Done."),
    );
    expect(await promptAndWait(session, "what is here?")).toBe("done");
    const [answer] = assistantMessages(session.view);
    expect(answer).toMatchObject({
      stop: "done",
      blocks: [
        { type: "thinking" },
        { type: "text", text: "I look." },
        { type: "call", name: "ls", input: { path: "." } },
      ],
      calls: [{ name: "ls", state: "ok", facts: { repaired: true } }],
    });
    expect(retryErrors(session.view)).toEqual([]);
    expectValidLog(harness, session);
  });

  test("is asked for once more; after a second failure the session continues with calls as text, and shows that", async () => {
    const harness = await makeTestHarness({ textPrompt });
    const session = harness.session();
    harness.script(unparsed(""), textAnswer("One."));
    await promptAndWait(session, "first");
    harness.script(unparsed(""), unparsed("Done."), textAnswer("Two."));
    expect(await promptAndWait(session, "second")).toBe("done");
    expect(retryErrors(session.view).map((error) => [error.code, anyFacts(error).toolMode])).toEqual([
      ["unparsed_answer", undefined],
      ["unparsed_answer", undefined],
      ["unparsed_answer", "xml"],
    ]);
    expect(harness.requests.map(({ tools }) => tools.length > 0)).toEqual([true, true, true, true, false]);
    expectValidLog(harness, session);
  });

  test("ends the run after the second failure where the user chose native calls, or calls are text already", async () => {
    const harness = await makeTestHarness({ textPrompt: null });
    const session = harness.session();
    harness.script(unparsed(""), unparsed(""));
    expect(await promptAndWait(session, "first")).toBe("error");
    session.changeModel({ name: "scripted", toolMode: "react" }, testCommandId());
    harness.script(unparsed(""), unparsed(""));
    expect(await promptAndWait(session, "second")).toBe("error");
    expect(errorEntries(session.view).map(({ code }) => code)).toEqual(["unparsed_answer", "unparsed_answer"]);
    expectValidLog(harness, session);
  });
});

describe("a stream that its server ended at equal tokens", () => {
  test.each([
    ["words", " no", "no"],
    ["characters", "好", "好"],
    ["signs", "!", "!"],
    ["numbers", "7 ", "7"],
  ])("is reported as repeated text: %s", async (_name, token, unit) => {
    const harness = await makeTestHarness();
    const session = harness.session();
    harness.script([...pieces(`I think: ${token.repeat(31)}`), incomplete]);
    expect(await promptAndWait(session, "what?")).toBe("limit");
    expect(errorEntries(session.view)).toMatchObject([{ code: "repeated_text", facts: { in: "text", unit } }]);
    expectValidLog(harness, session);
  });

  test("in its thinking is queried again without thinking", async () => {
    const { harness, session } = await thinkingSession();
    harness.script([...thinking(31, () => " no"), incomplete], textAnswer("Yes."));
    expect(await promptAndWait(session, "what?")).toBe("done");
    expect(retryErrors(session.view)).toMatchObject([{ code: "repeated_text", facts: { in: "thinking", unit: "no" } }]);
    expectValidLog(harness, session);
  });
});

describe("thinking without end", () => {
  test("is stopped at its limit, kept, and queried again without thinking", async () => {
    const { harness, session } = await thinkingSession();
    harness.settings.current = { ...harness.settings.current, thinkMaxTokens: 200 };
    harness.script([...thinking(5_000, (index) => `idea ${index}, `), finish], textAnswer("Forty-two."));
    expect(await promptAndWait(session, "what is it?")).toBe("done");
    const [cut, final] = assistantMessages(session.view);
    expect(cut).toMatchObject({ stop: "length", blocks: [{ type: "thinking" }] });
    expect(answerText(cut)).toMatch(/^idea 0, idea 1, /);
    expect(answerText(cut).length).toBeLessThan(2_000);
    expect(retryErrors(session.view)).toMatchObject([{ code: "think_limit", facts: { in: "thinking", limit: 200 } }]);
    expect(harness.requests.map((request) => request.think)).toEqual([true, false]);
    expect(answerText(final)).toBe("Forty-two.");
    expect(JSON.stringify(harness.requests[1]?.messages)).not.toContain("idea 0");
    expectValidLog(harness, session);
  });

  test("counts when it arrives as tags in the text; a limit of 0 disables the check", async () => {
    const { harness, session } = await thinkingSession();
    harness.settings.current = { ...harness.settings.current, thinkMaxTokens: 200 };
    const tagged: readonly ModelPart[] = [
      { type: "text", text: "<think>" },
      ...Array.from({ length: 5_000 }, (_, index): ModelPart => ({ type: "text", text: `idea ${index}, ` })),
      finish,
    ];
    harness.script(tagged, textAnswer("So."));
    expect(await promptAndWait(session, "what?")).toBe("done");
    expect(retryErrors(session.view)).toMatchObject([{ code: "think_limit" }]);
    harness.settings.current = { ...harness.settings.current, thinkMaxTokens: 0 };
    harness.script([...thinking(3_000, (index) => `idea ${index}, `), { type: "text", text: "Well." }, finish]);
    expect(await promptAndWait(session, "and?")).toBe("done");
    expect(retryErrors(session.view)).toHaveLength(1);
    expectValidLog(harness, session);
  });

  test("in a loop is stopped long before the limit", async () => {
    const { harness, session } = await thinkingSession();
    harness.script([...thinking(5_000, () => "Wait, let me check that again. "), finish], textAnswer("Checked."));
    expect(await promptAndWait(session, "what?")).toBe("done");
    expect(retryErrors(session.view)).toMatchObject([{ code: "repeated_text", facts: { in: "thinking" } }]);
    expect(answerText(assistantMessages(session.view)[0]).length).toBeLessThan(2_000);
    expect(harness.requests[1]?.think).toBe(false);
    expectValidLog(harness, session);
  });
});

describe("an answer with nothing but thinking", () => {
  const inThoughts = [...thinking(1, () => "I need <tool_call>…</tool_call>"), ...textAnswer("")];

  test("is requested once more, with a sentence that says why, and the sentence stays", async () => {
    const { harness, session } = await thinkingSession();
    harness.script(inThoughts, textAnswer("Forty-two."), textAnswer("Yes."));
    expect(await promptAndWait(session, "what is it?")).toBe("done");
    expect(retryErrors(session.view)).toMatchObject([{ code: "empty_answer" }]);
    await promptAndWait(session, "sure?");
    const [first, second, third] = harness.requests.map(({ messages }) => messages);
    expect(second).toEqual([...(first ?? []), { role: "user", text: expect.stringContaining("inside your thoughts") }]);
    expect(third?.slice(0, second?.length)).toEqual(second);
    expectValidLog(harness, session);
  });

  test("ends the run when it comes twice", async () => {
    const { harness, session } = await thinkingSession();
    harness.script(inThoughts, inThoughts);
    expect(await promptAndWait(session, "what is it?")).toBe("error");
    expect(errorEntries(session.view)).toMatchObject([{ code: "empty_answer" }]);
    expectValidLog(harness, session);
  });

  test("that the output limit ended has reached the limit of thinking", async () => {
    const { harness, session } = await thinkingSession();
    harness.script([...thinking(3, (index) => `idea ${index}, `), { ...finish, stop: "length" }], textAnswer("So."));
    expect(await promptAndWait(session, "what?")).toBe("done");
    expect(retryErrors(session.view)).toMatchObject([{ code: "think_limit", facts: { in: "thinking" } }]);
    expect(harness.requests.map(({ think }) => think)).toEqual([true, false]);
    const usage = { promptTokens: 10, outputTokens: 5 };
    expect(assistantMessages(session.view)).toMatchObject([{ stop: "length", usage }, { stop: "done" }]);
    expectValidLog(harness, session);
  });

  test("leaves half of a small window to the answer", async () => {
    const harness = await makeTestHarness({ numCtx: 4_096, think: true });
    const session = harness.session();
    harness.script([...thinking(3_000, (index) => `idea ${index}, `), finish], textAnswer("So."));
    expect(await promptAndWait(session, "what?")).toBe("done");
    const half = Math.floor((harness.requests[0]?.maxOutputTokens ?? 0) / 2);
    expect(retryErrors(session.view)).toMatchObject([{ code: "think_limit", facts: { limit: half } }]);
  });
});

describe("answer now", () => {
  test("ends the thinking and queries again without it", async () => {
    const { harness, session } = await thinkingSession();
    const gate = makeGate();
    harness.script(
      [...thinking(20, (index) => `idea ${index}, `), gate, ...thinking(20, () => "more, ")],
      textAnswer("Now."),
    );
    const done = promptAndWait(session, "what?");
    await gate.reached;
    expect(session.controls.answerNow()).toBe(true);
    expect(await done).toBe("done");
    expect(retryErrors(session.view)).toMatchObject([{ code: "answer_now" }]);
    expect(assistantMessages(session.view).map((answer) => answer.stop)).toEqual(["length", "done"]);
    expect(harness.requests.map((request) => request.think)).toEqual([true, false]);
    expectValidLog(harness, session);
  });

  test("works before the first token", async () => {
    const { harness, session } = await thinkingSession();
    const gate = makeGate();
    harness.script([{ type: "phase", phase: "reading", tokens: 900 }, gate], textAnswer("Now."));
    const done = promptAndWait(session, "what?");
    await gate.reached;
    session.controls.answerNow();
    expect(await done).toBe("done");
    expect(harness.requests.map((request) => request.think)).toEqual([true, false]);
    expectValidLog(harness, session);
  });

  test("is too late once the answer is being written", async () => {
    const { harness, session } = await thinkingSession();
    const gate = makeGate();
    harness.script([
      ...thinking(3, () => "hm "),
      { type: "text", text: "It " },
      gate,
      { type: "text", text: "is." },
      finish,
    ]);
    const done = promptAndWait(session, "what?");
    await waitForView(session, (view) => answerText(assistantMessages(view)[0]).endsWith("It "));
    await gate.reached;
    expect(session.controls.answerNow()).toBe(false);
    gate.open();
    expect(await done).toBe("done");
    expect(assistantMessages(session.view).map(answerText)).toEqual(["hm hm hm It is."]);
    expect(harness.requests).toHaveLength(1);
  });

  test("does nothing in an answer without thinking", async () => {
    const harness = await makeTestHarness();
    const session = harness.session();
    const gate = makeGate();
    harness.script([gate, ...textAnswer("Here.")]);
    const done = promptAndWait(session, "what?");
    await gate.reached;
    session.controls.answerNow();
    gate.open();
    expect(await done).toBe("done");
    expect(harness.requests).toHaveLength(1);
  });
});

describe("an answer that repeats itself", () => {
  test.each([
    ["a sentence", "I will now look at the file again. ", 2_000],
    ["one character", "a", 6_000],
  ])("with %s is stopped, kept and reported with the repeated unit", async (_name, unit, most) => {
    const harness = await makeTestHarness();
    const session = harness.session();
    const parts = Array.from({ length: 10_000 }, (): ModelPart => ({ type: "text", text: unit }));
    harness.script([{ type: "text", text: "So. " }, ...parts, finish]);
    expect(await promptAndWait(session, "what?")).toBe("limit");
    expect(errorEntries(session.view)).toMatchObject([{ code: "repeated_text", facts: { in: "text" } }]);
    const [answer] = assistantMessages(session.view);
    expect(answer?.stop).toBe("length");
    expect(answerText(answer).startsWith("So. ")).toBe(true);
    expect(answerText(answer).length).toBeLessThan(most);
    expectValidLog(harness, session);
  });

  test("inside a call's input is stopped too, and the call is not run", async () => {
    const harness = await makeTestHarness();
    const session = harness.session("full");
    const parts = Array.from({ length: 10_000 }, (): ModelPart => ({ type: "input", index: 0, text: "0, 0, 0, 0, " }));
    harness.script([
      { type: "input", index: 0, name: "write", text: '{"path":"a.json","content":"[' },
      ...parts,
      { type: "call", name: "write", input: { path: "a.json", content: "[]" } },
      finish,
    ]);
    expect(await promptAndWait(session, "what?")).toBe("limit");
    expect(errorEntries(session.view)).toMatchObject([{ code: "repeated_text" }]);
    expect(assistantMessages(session.view)[0]).toMatchObject({ stop: "length", blocks: [], calls: [] });
    expectValidLog(harness, session);
  });

  test("a table, a line of dashes and similar rows are written to their end", async () => {
    const harness = await makeTestHarness();
    const session = harness.session();
    const rows = Array.from({ length: 120 }, (_, row) => `| file-${row}.ts | ${row} | ok |\n`).join("");
    const text = `| file | lines | state |\n|---|---|---|\n${rows}\n${"-".repeat(400)}\n${"<td></td>\n".repeat(64)}`;
    harness.script(textAnswer(text));
    expect(await promptAndWait(session, "table")).toBe("done");
    expect(answerText(assistantMessages(session.view)[0])).toBe(text);
  });
});

describe("the time to the first token", () => {
  test("is stored with the usage of an answer with output, and absent without output", async () => {
    const harness = await makeTestHarness();
    const session = harness.session();
    harness.script(textAnswer("Yes."));
    await promptAndWait(session, "what?");
    expect(assistantMessages(session.view).at(-1)?.usage?.firstTokenMs).toBeGreaterThanOrEqual(0);
    harness.script([finish], [finish]);
    await promptAndWait(session, "and?");
    expect(assistantMessages(session.view).at(-1)?.usage).not.toHaveProperty("firstTokenMs");
    expectValidLog(harness, session);
  });
});
