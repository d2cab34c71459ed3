/** The steps about the toolbox and about what is read again, over scripted servers with the product's own agent. */
import { describe, expect, test } from "vitest";
import type { ScriptedTurn } from "@/e2e/fixtures/scripted-model.mjs";
import type { DoctorReport, DoctorStepName } from "@/lib/models/models";
import { makeModelRig } from "@/server/models/integration/test-model-rig";
import type { ServerReading } from "@/server/providers/provider";
import { wasCached } from "./reading-steps";

const answers: ScriptedTurn = { text: "A unit test checks one small part of a program on its own, again and again." };
const done: ScriptedTurn = { text: "Done." };
const call = (name: string, input: unknown): ScriptedTurn => ({ text: "", toolCalls: [{ name, arguments: input }] });
const reads = call("read", { path: "note.txt" });
const line = "export const taxRate = 0.19;";
const edits = call("edit", { path: "price.js", old_string: line, new_string: line.replace("0.19", "0.21") });
const nests = call("toolbox", { tool: "shop__find_order", input: { number: "417" } });
const remembers: ScriptedTurn = { text: "lantern" };
/** An answer whose prompt took that long to read. */
const took = (ms: number): ScriptedTurn => ({ text: "One.", last: { prompt_eval_duration: ms * 1e6 } });

async function examine(turns: readonly ScriptedTurn[]) {
  const script = { models: ["m:8b"], capabilities: ["completion", "tools"], context: 8_192, turns };
  const rig = await makeModelRig(script);
  await rig.doctor.start("ollama", "m:8b");
  const { report } = await rig.doctorResult();
  if (report === undefined) throw new Error("the test was stopped");
  return { rig, report };
}

const stepOf = ({ steps }: DoctorReport, name: DoctorStepName) => steps.find(({ step }) => step === name);
const begun = [answers, reads, done, edits, done];

describe("a nested call", () => {
  const nestedOf = async (turns: readonly ScriptedTurn[]) =>
    stepOf((await examine([...begun, ...turns, remembers])).report, "nested");

  test("passes when the model calls the tool through the toolbox", async () => {
    expect(await nestedOf([nests, done])).toMatchObject({ state: "ok", facts: { tries: 1, repaired: false } });
  });

  test.each<[string, ScriptedTurn]>([
    ["by its own name", call("shop__find_order", { number: "417" })],
    ["with its input beside the name", call("toolbox", { tool: "shop__find_order", number: 417 })],
    [
      "as text",
      {
        text: `<tool_call>\n{"name": "toolbox", "arguments": {"tool": "shop__find_order", "input": {"number": "417"}}}\n</tool_call>`,
      },
    ],
  ])("passes as repaired when it calls the tool %s", async (_name, turn) => {
    expect(await nestedOf([turn, done])).toMatchObject({ state: "ok", facts: { repaired: true } });
  });

  test("passes with issues on the second attempt", async () => {
    expect(await nestedOf([done, nests, done])).toMatchObject({ state: "weak", facts: { tries: 2 } });
  });

  test("fails without the call or with another order, and leaves the verdict as it is", async () => {
    const other = call("toolbox", { tool: "shop__find_order", input: { number: "9" } });
    const { report } = await examine([...begun, done, other, done, remembers]);
    expect(stepOf(report, "nested")).toMatchObject({ state: "failed", facts: { tries: 2 } });
    expect(report.verdict).toBe("agent");
  });

  test("no other task sees the tool", async () => {
    const { rig } = await examine([...begun, nests, done, remembers]);
    const seen = rig.model.requests.filter(({ raw }) => raw.includes("shop__find_order"));
    expect(seen).toHaveLength(2);
  });
});

describe("what is read again", () => {
  const readingOf = async (turns: readonly ScriptedTurn[]) => {
    const { rig, report } = await examine([...begun, nests, done, remembers, ...turns]);
    return { rig, report, conversations: stepOf(report, "conversations"), template: stepOf(report, "template") };
  };

  test("a server keeps two conversations, and the template keeps the tools", async () => {
    const { rig, conversations, template, report } = await readingOf([900, 900, 60, 1_200, 80].map(took));
    expect(conversations).toMatchObject({ state: "ok", facts: { keeps: "yes", firstMs: 900, againMs: 60 } });
    expect(template).toMatchObject({ state: "ok", facts: { moves: "no" } });
    expect(report.verdict).toBe("agent");
    const [first, other, again, withTools, more] = rig.model.requests.slice(-5).map(({ raw }) => raw);
    const textsOf = (raw = ""): readonly string[] =>
      JSON.parse(raw).messages.map(({ content }: { readonly content: string }) => content);
    expect(textsOf(again).slice(0, 2)).toEqual([...textsOf(first), "One."]);
    expect(textsOf(other)[0]?.slice(0, 4)).not.toBe(textsOf(first)[0]?.slice(0, 4));
    expect(textsOf(more).slice(0, 2)).toEqual([...textsOf(withTools), "One."]);
    expect(withTools).toContain('"name":"toolbox"');
    expect(again).not.toContain('"tools"');
  });

  test("a server keeps one conversation", async () => {
    const { conversations, report } = await readingOf([900, 900, 870, 1_200, 80].map(took));
    expect(conversations).toMatchObject({ state: "weak", facts: { keeps: "no" } });
    expect(report.verdict).toBe("agent");
  });

  test("a template moves the tools: a mode with calls in text that works is proposed, not chosen", async () => {
    const react: ScriptedTurn = { text: 'Thought: I need it.\nAction: read\nAction Input: {"path": "note.txt"}' };
    const { template, report } = await readingOf([
      ...[900, 900, 870, 1_200, 1_250, 900, 60].map(took),
      react,
      { text: "Final Answer: lantern" },
    ]);
    expect(template).toMatchObject({ state: "weak", facts: { moves: "yes", proposed: "react" } });
    expect(report.toolMode).toBe("native");
  });

  test("nothing is proposed when no mode with calls in text works", async () => {
    const { template } = await readingOf([900, 900, 60, 1_200, 1_250].map(took));
    expect(template).toMatchObject({ state: "weak", facts: { moves: "yes" } });
    expect(template?.facts).not.toHaveProperty("proposed");
  });

  test("the tools are not blamed when a conversation without them is read again too", async () => {
    const { template } = await readingOf([900, 900, 870, 1_200, 1_250, 900, 890].map(took));
    expect(template).toMatchObject({ state: "skipped", facts: { moves: "unknown" } });
  });

  test("an outcome is unknown when the server reports nothing", async () => {
    const silent: ScriptedTurn = { text: "One.", last: { prompt_eval_duration: undefined } };
    const { conversations, template } = await readingOf([silent, silent, silent, silent, silent]);
    expect(conversations).toMatchObject({ state: "skipped", facts: { keeps: "unknown" } });
    expect(template).toMatchObject({ state: "skipped", facts: { moves: "unknown" } });
  });

  test("a failed request fails the step, and the test continues", async () => {
    const { conversations, template } = await readingOf([{ status: 400, error: "broken" }]);
    expect(conversations).toMatchObject({ state: "failed" });
    expect(conversations?.error?.code).toBeDefined();
    expect(template?.state).toBe("skipped");
  });

  test.each<[string, number, ServerReading, ServerReading, boolean | null]>([
    ["the cached tokens are its start", 1_500, {}, { cachedTokens: 1_480 }, true],
    ["the cached tokens are a part of it", 1_500, {}, { cachedTokens: 900 }, false],
    ["nothing was cached", 1_500, {}, { cachedTokens: 0 }, false],
    [
      "the cached tokens count more than the time",
      1_500,
      { promptMs: 900 },
      { cachedTokens: 1_480, promptMs: 890 },
      true,
    ],
    ["the time is short", 1_500, { promptMs: 900 }, { promptMs: 90 }, true],
    ["the time is the same", 1_500, { promptMs: 900 }, { promptMs: 880 }, false],
    ["the time is between", 1_500, { promptMs: 900 }, { promptMs: 400 }, null],
    ["the first time is too short to compare", 1_500, { promptMs: 20 }, { promptMs: 1 }, null],
    ["the size of the prompt is unknown", 0, {}, { cachedTokens: 1_480 }, null],
    ["nothing is reported", 1_500, {}, {}, null],
  ])("%s", (_name, promptTokens, reading, next, isCached) => {
    expect(wasCached({ promptTokens, reading }, { reading: next })).toBe(isCached);
  });
});
