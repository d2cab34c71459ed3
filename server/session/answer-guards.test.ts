/** Answers that go nowhere: thinking without end, the user who wants the answer now, text in circles. Each is stopped and said. */
import { describe, expect, test } from "vitest";
import { type MessageEntry, pathOf, type SessionView } from "@/lib/view";
import type { ModelPart } from "../providers/provider";
import type { Session } from "./session";
import { auditLog } from "./test-audit";
import { ask, command, type House, makeGate, makeHouse, rowsOf, says, until } from "./test-services";

const answersOf = (view: SessionView): readonly MessageEntry[] =>
  pathOf(view).flatMap((entry) => (entry.kind === "message" && entry.role === "assistant" ? [entry] : []));
const retriesOf = (view: SessionView) =>
  pathOf(view).flatMap((entry) => (entry.kind === "retry" ? [{ ...entry.error }] : []));
const errorsOf = (view: SessionView) =>
  pathOf(view).flatMap((entry) => (entry.kind === "error" ? [{ ...entry.error }] : []));
const honest = (house: House, session: Session): void => expect(auditLog(rowsOf(house, session.id))).toEqual([]);
const textIn = (answer: MessageEntry | undefined): string =>
  (answer?.blocks ?? []).map((block) => ("text" in block ? block.text : "")).join("");

const thinking = (count: number, text: (index: number) => string): readonly ModelPart[] =>
  Array.from({ length: count }, (_, index) => ({ type: "thinking", text: text(index) }));
const finish: ModelPart = {
  type: "finish",
  stop: "done",
  usage: { promptTokens: 10, outputTokens: 5, loadMs: 0, promptMs: 1, outputMs: 1 },
};

async function thinker(): Promise<{ readonly house: House; readonly session: Session }> {
  const house = await makeHouse();
  const session = house.session();
  session.changeModel({ name: "scripted", think: true }, command());
  return { house, session };
}

const pieces = (text: string): readonly ModelPart[] => [...text].map((sign) => ({ type: "text", text: sign }));
const incomplete: ModelPart = { type: "failed", error: { code: "incomplete" }, retryable: false };

describe("a level of thinking that the model does not have", () => {
  test("is said, and the session goes on with plain thinking", async () => {
    const house = await makeHouse();
    const session = house.session();
    session.changeModel({ name: "scripted", think: "max" }, command());
    const refused: ModelPart = {
      type: "failed",
      error: { code: "no_think_level", facts: { level: "max" } },
      retryable: false,
    };
    house.script([refused], says("Yes."), says("Again."));
    expect(await ask(session, "what?")).toBe("done");
    expect(retriesOf(session.view)).toMatchObject([{ code: "no_think_level", facts: { level: "max" } }]);
    await ask(session, "and?");
    expect(house.requests.map((request) => request.think)).toEqual(["max", true, true]);
    honest(house, session);
  });
});

describe("a call that never came", () => {
  const lost: readonly ModelPart[] = [
    { type: "text", text: "I call it: " },
    { ...finish, unseenTokens: 40 },
  ];

  test("is asked for again, and the model is not told of the answer without it", async () => {
    const house = await makeHouse();
    const session = house.session();
    house.script(lost, says("Done."));
    expect(await ask(session, "list the files")).toBe("done");
    expect(retriesOf(session.view)).toMatchObject([{ code: "lost_call" }]);
    expect(answersOf(session.view).map(({ stop, replaced }) => ({ stop, replaced }))).toEqual([
      { stop: "error", replaced: true },
      { stop: "done" },
    ]);
    expect(house.requests[1]?.messages).toEqual(house.requests[0]?.messages);
    honest(house, session);
  });

  test("is asked for once a turn, and then said: the run is never done with nothing done", async () => {
    const house = await makeHouse();
    const session = house.session();
    house.script(lost, lost);
    expect(await ask(session, "list the files")).toBe("error");
    expect(errorsOf(session.view)).toMatchObject([{ code: "lost_call", facts: { tokens: 40 } }]);
    expect(house.requests).toHaveLength(2);
    honest(house, session);
  });

  test("is not missed where no tools were offered natively", async () => {
    const house = await makeHouse();
    const session = house.session();
    session.changeModel({ name: "scripted", toolMode: "react" }, command());
    house.script(lost);
    expect(await ask(session, "hello")).toBe("done");
    honest(house, session);
  });
});

describe("a stream that its server ended at equal tokens", () => {
  test.each([
    ["words", " no", "no"],
    ["characters", "好", "好"],
    ["signs", "!", "!"],
    ["numbers", "7 ", "7"],
  ])("is said as repeated text: %s", async (_name, token, unit) => {
    const house = await makeHouse();
    const session = house.session();
    house.script([...pieces(`I think: ${token.repeat(31)}`), incomplete]);
    expect(await ask(session, "what?")).toBe("limit");
    expect(errorsOf(session.view)).toMatchObject([{ code: "repeated_text", facts: { in: "text", unit } }]);
    honest(house, session);
  });

  test("in its thinking is asked again without thinking", async () => {
    const { house, session } = await thinker();
    house.script([...thinking(31, () => " no"), incomplete], says("Yes."));
    expect(await ask(session, "what?")).toBe("done");
    expect(retriesOf(session.view)).toMatchObject([{ code: "repeated_text", facts: { in: "thinking", unit: "no" } }]);
    honest(house, session);
  });
});

describe("thinking without end", () => {
  test("is stopped at its limit, kept, and asked again without thinking", async () => {
    const { house, session } = await thinker();
    house.settings.current = { ...house.settings.current, thinkMaxTokens: 200 };
    house.script([...thinking(5_000, (index) => `idea ${index}, `), finish], says("Forty-two."));
    expect(await ask(session, "what is it?")).toBe("done");
    const [cut, final] = answersOf(session.view);
    expect(cut).toMatchObject({ stop: "length", blocks: [{ type: "thinking" }] });
    expect(textIn(cut)).toMatch(/^idea 0, idea 1, /);
    expect(textIn(cut).length).toBeLessThan(2_000);
    expect(retriesOf(session.view)).toMatchObject([{ code: "think_limit", facts: { in: "thinking", limit: 200 } }]);
    expect(house.requests.map((request) => request.think)).toEqual([true, false]);
    expect(textIn(final)).toBe("Forty-two.");
    expect(JSON.stringify(house.requests[1]?.messages)).not.toContain("idea 0");
    honest(house, session);
  });

  test("that comes as tags in the text counts too; a limit of 0 is none", async () => {
    const { house, session } = await thinker();
    house.settings.current = { ...house.settings.current, thinkMaxTokens: 200 };
    const tagged: readonly ModelPart[] = [
      { type: "text", text: "<think>" },
      ...Array.from({ length: 5_000 }, (_, index): ModelPart => ({ type: "text", text: `idea ${index}, ` })),
      finish,
    ];
    house.script(tagged, says("So."));
    expect(await ask(session, "what?")).toBe("done");
    expect(retriesOf(session.view)).toMatchObject([{ code: "think_limit" }]);
    house.settings.current = { ...house.settings.current, thinkMaxTokens: 0 };
    house.script([...thinking(3_000, (index) => `idea ${index}, `), { type: "text", text: "Well." }, finish]);
    expect(await ask(session, "and?")).toBe("done");
    expect(retriesOf(session.view)).toHaveLength(1);
    honest(house, session);
  });

  test("in circles is stopped long before the limit", async () => {
    const { house, session } = await thinker();
    house.script([...thinking(5_000, () => "Wait, let me check that again. "), finish], says("Checked."));
    expect(await ask(session, "what?")).toBe("done");
    expect(retriesOf(session.view)).toMatchObject([{ code: "repeated_text", facts: { in: "thinking" } }]);
    expect(textIn(answersOf(session.view)[0]).length).toBeLessThan(2_000);
    expect(house.requests[1]?.think).toBe(false);
    honest(house, session);
  });
});

describe("answer now", () => {
  test("ends the thinking and asks again without it", async () => {
    const { house, session } = await thinker();
    const gate = makeGate();
    house.script([...thinking(20, (index) => `idea ${index}, `), gate, ...thinking(20, () => "more, ")], says("Now."));
    const done = ask(session, "what?");
    await gate.reached;
    expect(session.commands.answerNow()).toBe(true);
    expect(await done).toBe("done");
    expect(retriesOf(session.view)).toMatchObject([{ code: "answer_now" }]);
    expect(answersOf(session.view).map((answer) => answer.stop)).toEqual(["length", "done"]);
    expect(house.requests.map((request) => request.think)).toEqual([true, false]);
    honest(house, session);
  });

  test("before the first token counts as well", async () => {
    const { house, session } = await thinker();
    const gate = makeGate();
    house.script([{ type: "phase", phase: "reading", tokens: 900 }, gate], says("Now."));
    const done = ask(session, "what?");
    await gate.reached;
    session.commands.answerNow();
    expect(await done).toBe("done");
    expect(house.requests.map((request) => request.think)).toEqual([true, false]);
    honest(house, session);
  });

  test("is too late when the answer is being written", async () => {
    const { house, session } = await thinker();
    const gate = makeGate();
    house.script([
      ...thinking(3, () => "hm "),
      { type: "text", text: "It " },
      gate,
      { type: "text", text: "is." },
      finish,
    ]);
    const done = ask(session, "what?");
    await until(session, (view) => textIn(answersOf(view)[0]).endsWith("It "));
    await gate.reached;
    expect(session.commands.answerNow()).toBe(false);
    gate.open();
    expect(await done).toBe("done");
    expect(answersOf(session.view).map(textIn)).toEqual(["hm hm hm It is."]);
    expect(house.requests).toHaveLength(1);
  });

  test("has nothing to end in an answer that does not think", async () => {
    const house = await makeHouse();
    const session = house.session();
    const gate = makeGate();
    house.script([gate, ...says("Here.")]);
    const done = ask(session, "what?");
    await gate.reached;
    session.commands.answerNow();
    gate.open();
    expect(await done).toBe("done");
    expect(house.requests).toHaveLength(1);
  });
});

describe("an answer that repeats itself", () => {
  test.each([
    ["a sentence", "I will now look at the file again. ", 2_000],
    ["one character", "a", 6_000],
  ])("with %s is stopped, kept and said, with what was repeated", async (_name, unit, most) => {
    const house = await makeHouse();
    const session = house.session();
    const parts = Array.from({ length: 10_000 }, (): ModelPart => ({ type: "text", text: unit }));
    house.script([{ type: "text", text: "So. " }, ...parts, finish]);
    expect(await ask(session, "what?")).toBe("limit");
    expect(errorsOf(session.view)).toMatchObject([{ code: "repeated_text", facts: { in: "text" } }]);
    const [answer] = answersOf(session.view);
    expect(answer?.stop).toBe("length");
    expect(textIn(answer).startsWith("So. ")).toBe(true);
    expect(textIn(answer).length).toBeLessThan(most);
    honest(house, session);
  });

  test("inside the call it writes is stopped too, and the call is not made", async () => {
    const house = await makeHouse();
    const session = house.session("full");
    const parts = Array.from({ length: 10_000 }, (): ModelPart => ({ type: "input", index: 0, text: "0, 0, 0, 0, " }));
    house.script([
      { type: "input", index: 0, name: "write", text: '{"path":"a.json","content":"[' },
      ...parts,
      { type: "call", name: "write", input: { path: "a.json", content: "[]" } },
      finish,
    ]);
    expect(await ask(session, "what?")).toBe("limit");
    expect(errorsOf(session.view)).toMatchObject([{ code: "repeated_text" }]);
    expect(answersOf(session.view)[0]).toMatchObject({ stop: "length", blocks: [], calls: [] });
    honest(house, session);
  });

  test("a table, a rule of dashes and rows that are alike are written to their end", async () => {
    const house = await makeHouse();
    const session = house.session();
    const rows = Array.from({ length: 120 }, (_, row) => `| file-${row}.ts | ${row} | ok |\n`).join("");
    const text = `| file | lines | state |\n|---|---|---|\n${rows}\n${"-".repeat(400)}\n${"<td></td>\n".repeat(64)}`;
    house.script(says(text));
    expect(await ask(session, "table")).toBe("done");
    expect(textIn(answersOf(session.view)[0])).toBe(text);
  });
});

describe("the time to the first token", () => {
  test("is stored with the counts of an answer that said something, and left out where nothing came", async () => {
    const house = await makeHouse();
    const session = house.session();
    house.script(says("Yes."));
    await ask(session, "what?");
    expect(answersOf(session.view).at(-1)?.usage?.firstTokenMs).toBeGreaterThanOrEqual(0);
    house.script([finish], [finish]);
    await ask(session, "and?");
    expect(answersOf(session.view).at(-1)?.usage).not.toHaveProperty("firstTokenMs");
    honest(house, session);
  });
});
