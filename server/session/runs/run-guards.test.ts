/** Tests which conditions stop a run: loops, time, truncated prompts, servers without tools. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { DurableEvent } from "@/lib/events/event";
import { serverLimits } from "@/lib/settings/server-limits";
import { estimateTokens } from "@/lib/text/estimate-tokens";
import { pathEntries, type SessionView } from "@/lib/view/view";
import { countTokens } from "@/server/agent/context/prompt-size";
import type { ModelPart, ModelRequest } from "@/server/providers/provider";
import { auditLog } from "../testing/test-audit";
import {
  type ScriptedAnswer,
  promptAndWait,
  callAnswer,
  testCommandId,
  failureAnswer,
  type TestHarness,
  makeTestHarness,
  storedRows,
  textAnswer,
} from "../testing/test-harness";
import { isSummaryRequest } from "../testing/test-long-run";
import type { Session } from "../core/session-types";
import { promptCutMinTokens } from "@/server/agent/context/context-budget";

const expectValidLog = (harness: TestHarness, session: Session): void =>
  expect(auditLog(storedRows(harness, session.id))).toEqual([]);
const errorEntries = (view: SessionView) =>
  pathEntries(view).flatMap((entry) => (entry.kind === "error" ? [entry.error] : []));
const modelChanges = (harness: TestHarness, session: Session) =>
  storedRows(harness, session.id).flatMap(({ event }) => (isChange(event) ? [event] : []));
const isChange = (event: DurableEvent): event is Extract<DurableEvent, { type: "model_change" }> =>
  event.type === "model_change";

describe("a loop", () => {
  test("pauses the run with its facts; Continue informs the model once and restarts the count", async () => {
    const harness = await makeTestHarness();
    const session = harness.session();
    harness.script(callAnswer(["ls", {}]), callAnswer(["ls", {}]), callAnswer(["ls", {}]));
    expect(await promptAndWait(session, "go")).toBe("limit");
    expect(errorEntries(session.view)).toMatchObject([
      { code: "loop_detected", facts: { period: 1, times: 3, calls: 3, tool: "ls" } },
    ]);
    harness.script(callAnswer(["ls", {}]), callAnswer(["ls", {}]), textAnswer("I see."));
    const resumed = session.resume(testCommandId());
    expect(resumed.ok && (await resumed.value.done)).toBe("done");
    const notice = harness.requests[3]?.messages.at(-1);
    expect(notice?.role).toBe("user");
    expect(notice?.text).toMatch(/^<context about="guard">\n[^]*3 times[^]*ls[^]*<\/context>\n\nContinue\.$/);
    harness.script(textAnswer("Yes."));
    await promptAndWait(session, "and now?");
    expect(JSON.stringify(harness.requests.at(-1)?.messages).split('about=\\"guard\\"')).toHaveLength(2);
    expectValidLog(harness, session);
  });

  test("ends as soon as the user sends a message", async () => {
    const harness = await makeTestHarness();
    const session = harness.session();
    let requestCount = 0;
    session.subscribe((envelope) => {
      if (!("seq" in envelope) || envelope.event.type !== "tool_call_end") return;
      requestCount += 1;
      if (requestCount === 3) session.send("Look elsewhere.", "steer", testCommandId());
    });
    harness.script(callAnswer(["ls", {}]), callAnswer(["ls", {}]), callAnswer(["ls", {}]), textAnswer("Right."));
    expect(await promptAndWait(session, "go")).toBe("done");
    expectValidLog(harness, session);
  });
});

describe("the time of a run", () => {
  test("pauses it at the limit, and Continue has its own time", async () => {
    const harness = await makeTestHarness();
    harness.settings.current = { ...harness.settings.current, maxRunMinutes: 0.0001 };
    const session = harness.session("full");
    harness.script(callAnswer(["bash", { command: "sleep 0.05" }]));
    expect(await promptAndWait(session, "wait")).toBe("limit");
    expect(errorEntries(session.view)).toMatchObject([{ code: "time_limit", facts: { steps: 1 } }]);
    harness.script(textAnswer("Done."));
    const resumed = session.resume(testCommandId());
    expect(resumed.ok && (await resumed.value.done)).toBe("done");
    expectValidLog(harness, session);
  });
});

describe("a prompt that the server truncated", () => {
  const counted = (promptTokens: number, ...parts: readonly ModelPart[]): ScriptedAnswer => [
    ...parts,
    { type: "finish", stop: "done", usage: { promptTokens, outputTokens: 1, loadMs: 0, promptMs: 1, outputMs: 1 } },
  ];
  const long = "Mind every one of these words. ".repeat(300);
  const sizeOf = ({ messages, tools }: ModelRequest): number =>
    countTokens(messages) + estimateTokens(JSON.stringify(tools));
  /** A server that silently reads no more than `window` tokens; the model calls `steps` times, then it answers. */
  const reader = (window: number, steps: number) => {
    let step = 0;
    return (request: ModelRequest): ScriptedAnswer => {
      const read = Math.min(window, sizeOf(request));
      if (isSummaryRequest(request)) return counted(read, { type: "text", text: "Notes were read." });
      step += 1;
      const input = { path: "notes.txt", offset: step * 100, limit: 100 };
      return counted(read, step > steps ? { type: "text", text: "Done." } : { type: "call", name: "read", input });
    };
  };
  const withNotes = (harness: TestHarness): void =>
    writeFileSync(join(harness.root, "notes.txt"), "Some words that say little, and a few more.\n".repeat(3_000));

  test("is reported once, and from then on no request exceeds what the server reads", async () => {
    const harness = await makeTestHarness({ answer: reader(2_048, 8) });
    withNotes(harness);
    const session = harness.session("full");
    expect(await promptAndWait(session, "Read the notes.")).toBe("done");
    const sizes = harness.requests.map(sizeOf);
    const cut = sizes.findIndex((size) => size >= 2_048 + promptCutMinTokens);
    expect(cut).toBeGreaterThan(0);
    expect(sizes.length).toBeGreaterThan(cut + 2);
    for (const size of sizes.slice(cut + 1)) expect(size).toBeLessThanOrEqual(2_048);
    expect(errorEntries(session.view)).toMatchObject([
      { code: "prompt_cut", facts: { read: 2_048, window: 16_384, model: "scripted" } },
    ]);
    expect(pathEntries(session.view).some((entry) => entry.kind === "compaction")).toBe(true);
    expectValidLog(harness, session);
  });

  test("sets no window below the minimum, teaches nothing, and another model starts over", async () => {
    const harness = await makeTestHarness();
    const session = harness.session();
    harness.script(counted(500, { type: "text", text: "What?" }));
    expect(await promptAndWait(session, long)).toBe("done");
    expect(harness.learned).toEqual([]);
    // A prompt that does not fit is not sent without its beginning but reported; a larger window helps.
    expect(await promptAndWait(session, long)).toBe("limit");
    expect(harness.requests).toHaveLength(1);
    expect(errorEntries(session.view)).toMatchObject([
      { code: "prompt_cut", facts: { read: 500, window: 16_384, model: "scripted" } },
      { code: "message_too_large", facts: { window: serverLimits.windowMinTokens, asked: 16_384 } },
    ]);
    session.changeModel({ name: "other" }, testCommandId());
    harness.script(counted(510, { type: "text", text: "Again." }));
    expect(await promptAndWait(session, long)).toBe("done");
    expect(errorEntries(session.view).at(-1)).toMatchObject({ code: "prompt_cut", facts: { model: "other" } });
    expectValidLog(harness, session);
  });

  test("is not assumed for a full count or none; a full count is learned", async () => {
    const harness = await makeTestHarness();
    const session = harness.session();
    harness.script(
      counted(0, { type: "call", name: "ls", input: {} }),
      counted(2_700, { type: "text", text: "Done." }),
    );
    expect(await promptAndWait(session, long)).toBe("done");
    expect(errorEntries(session.view)).toEqual([]);
    expect(harness.learned).toMatchObject([{ promptTokens: 2_700 }]);
  });
});

describe("a server without tools", () => {
  const refusal = failureAnswer("no_tools", false);

  test("is queried again with the calls in the text, at once and from then on", async () => {
    const harness = await makeTestHarness({ textPrompt: { system: "Call tools in the text.", tools: [] } });
    const session = harness.session();
    harness.script(refusal, textAnswer("Nothing here."));
    expect(await promptAndWait(session, "What is here?")).toBe("done");
    expect(modelChanges(harness, session).map((change) => change.toolMode)).toEqual(["native", "xml"]);
    expect(pathEntries(session.view)).toMatchObject([
      {},
      {},
      { kind: "message", stop: "error" },
      { kind: "retry", attempt: 1, of: 1, delayMs: 0, error: { code: "no_tools" } },
      { kind: "message", stop: "done" },
      {},
    ]);
    const [first, second] = harness.requests;
    expect(first?.tools.length).toBeGreaterThan(0);
    expect(second?.tools).toEqual([]);
    expect(second?.messages[0]?.text).toBe("Call tools in the text.");
    harness.script(refusal);
    expect(await promptAndWait(session, "And now?")).toBe("error");
    expect(errorEntries(session.view)).toMatchObject([{ code: "no_tools" }]);
    expectValidLog(harness, session);
  });

  test("is an error when the user chose native calls", async () => {
    const harness = await makeTestHarness();
    const session = harness.session();
    harness.script(refusal);
    expect(await promptAndWait(session, "What is here?")).toBe("error");
    expect(errorEntries(session.view)).toMatchObject([{ code: "no_tools" }]);
    expect(harness.requests).toHaveLength(1);
    expectValidLog(harness, session);
  });
});

describe("a server that refuses the schema of a tool", () => {
  const refusal = (refusedSchema: string): ScriptedAnswer => [
    { type: "failed", error: { code: "tool_refused" }, retryable: false, refusedSchema },
  ];

  test("gets the requests of this session without it from then on", async () => {
    const harness = await makeTestHarness();
    const session = harness.session();
    harness.script(refusal("Invalid schema for function 'bash'"), textAnswer("One."), textAnswer("Two."));
    await promptAndWait(session, "first");
    await promptAndWait(session, "second");
    expect(pathEntries(session.view).flatMap((entry) => (entry.kind === "retry" ? [entry.error] : []))).toMatchObject([
      { code: "tool_refused", facts: { tools: "bash" } },
    ]);
    const [all = [], ...later] = harness.requests.map(({ tools }) => tools.map(({ name }) => name));
    expect(all).toContain("bash");
    for (const names of later) expect(names).toEqual(all.filter((name) => name !== "bash"));
    expectValidLog(harness, session);
  });

  test("is an error where the tool is not known", async () => {
    const harness = await makeTestHarness();
    const session = harness.session();
    harness.script(refusal("JSON schema conversion failed"));
    expect(await promptAndWait(session, "first")).toBe("error");
    expect(errorEntries(session.view)).toMatchObject([{ code: "tool_refused" }]);
    expectValidLog(harness, session);
  });
});

describe("a server without thinking", () => {
  test("is queried again without it, at once and from then on", async () => {
    const harness = await makeTestHarness({ think: true });
    const session = harness.session();
    harness.script(failureAnswer("no_thinking", false), textAnswer("Yes."));
    expect(await promptAndWait(session, "Well?")).toBe("done");
    harness.script(textAnswer("Again."));
    await promptAndWait(session, "And?");
    expect(harness.requests.map((request) => request.think)).toEqual([true, false, false]);
    expect(modelChanges(harness, session).map((change) => change.think)).toEqual([true, false]);
    expectValidLog(harness, session);
  });
});

describe("a server that refuses a level of thinking", () => {
  test("is queried again with thinking on, at once, and the session remembers it", async () => {
    const harness = await makeTestHarness({ think: "high" });
    const session = harness.session();
    harness.script(
      [{ type: "failed", error: { code: "no_think_level", facts: { level: "high" } }, retryable: true }],
      textAnswer("Yes."),
    );
    expect(await promptAndWait(session, "Well?")).toBe("done");
    harness.script(textAnswer("Again."));
    await promptAndWait(session, "And?");
    expect(harness.requests.map((request) => request.think)).toEqual(["high", true, true]);
    expect(modelChanges(harness, session).map((change) => change.think)).toEqual(["high", true]);
    expectValidLog(harness, session);
  });
});

describe("a failure", () => {
  test("for lack of memory is not retried and keeps its facts", async () => {
    const harness = await makeTestHarness();
    const session = harness.session();
    harness.script([{ type: "failed", error: { code: "out_of_memory", facts: { window: 16_384 } }, retryable: false }]);
    expect(await promptAndWait(session, "go")).toBe("error");
    expect(errorEntries(session.view)).toEqual([{ code: "out_of_memory", facts: { window: 16_384 } }]);
    expect(harness.requests).toHaveLength(1);
    expectValidLog(harness, session);
  });
});
