import { describe, expect, test, vi } from "vitest";
import type { QueuedMessage } from "@/lib/events/event";
import { asId, type CommandId } from "@/lib/events/id";
import type { SessionView } from "@/lib/view/view";
import { neverAborted, pause } from "@/server/base/abort";
import type { ModelPart } from "@/server/providers/provider";
import {
  callAnswer,
  failureAnswer,
  makeGate,
  makeTestHarness,
  promptAndWait,
  testCommandId,
  type TestHarnessOptions,
  textAnswer,
  truncatedAnswer,
  waitForView,
} from "../testing/test-harness";
import { promptToTitle } from "./model-titles";

const prompt = "Why does the parser drop the last line?";
const title = "Lost last line of the parser";
const notUsed = { isUnattended: false, isDeleted: false, running: [] };

async function makeTitledHarness(options: TestHarnessOptions = {}) {
  const harness = await makeTestHarness(options);
  harness.settings.current = { ...harness.settings.current, modelTitles: true };
  return harness;
}

describe("titles by the model", () => {
  test("continues the bytes of the run, as the next run does; a title replaces the first line", async () => {
    const harness = await makeTitledHarness();
    const session = harness.session();
    harness.script(textAnswer("It splits at line feeds."), textAnswer(`"${title}."`), textAnswer("Yes."));
    expect(await promptAndWait(session, prompt)).toBe("done");
    expect(session.view.title).toBe(prompt);
    await waitForView(session, (view) => view.title === title);
    await promptAndWait(session, "Can you fix it?");
    const [run, titled, next] = harness.requests;
    const held = titled?.messages.slice(0, -1) ?? [];
    expect(held.slice(0, run?.messages.length)).toEqual(run?.messages);
    expect(held).toHaveLength((run?.messages.length ?? 0) + 1);
    expect(next?.messages.slice(0, held.length)).toEqual(held);
    const ask = { role: "user", text: expect.stringContaining("Write a title") };
    expect(titled).toEqual({ ...run, messages: [...held, ask], maxOutputTokens: 40 });
    expect(harness.requests).toHaveLength(3);
    expect(harness.storeErrors.filter((error) => error !== null)).toEqual([]);
  });

  test("is off by default", async () => {
    const harness = await makeTestHarness();
    const session = harness.session();
    const request = vi.spyOn(session, "requestBeside");
    harness.script(textAnswer("It splits at line feeds."));
    await promptAndWait(session, prompt);
    // Timers of equal length fire in their order.
    await pause(0, neverAborted);
    expect(request).not.toHaveBeenCalled();
  });

  test("sends nothing where the server does not hold the conversation", async () => {
    const requested = makeGate();
    const harness = await makeTitledHarness({
      cacheUse: () => {
        void requested.pass(new AbortController().signal);
        return "replaces";
      },
    });
    harness.script(textAnswer("It splits at line feeds."));
    await promptAndWait(harness.session(), prompt);
    await requested.reached;
    expect(harness.requests).toHaveLength(1);
  });

  test("a name that the user gives during the request stays", async () => {
    const harness = await makeTitledHarness();
    const session = harness.session();
    const gate = makeGate();
    const request = vi.spyOn(session, "requestBeside");
    harness.script(textAnswer("It splits at line feeds."), [gate, ...textAnswer(title)]);
    await promptAndWait(session, prompt);
    await gate.reached;
    session.update({ title: "Parser" }, testCommandId());
    gate.open();
    expect(await request.mock.results[0]?.value).toEqual({ ok: true, value: { text: title, isCut: false } });
    expect(session.view.title).toBe("Parser");
  });

  test("a run that starts during the request ends it", async () => {
    const harness = await makeTitledHarness();
    const [session, other] = [harness.session(), harness.session()];
    const [gate, otherGate] = [makeGate(), makeGate()];
    const request = vi.spyOn(session, "requestBeside");
    const [titled, answered] = [textAnswer(title), textAnswer("Yes.")];
    harness.script(textAnswer("It splits at line feeds."), [gate, ...titled], [otherGate, ...answered]);
    await promptAndWait(session, prompt);
    await gate.reached;
    const sent = other.send("Hello", "prompt", testCommandId());
    expect(await request.mock.results[0]?.value).toEqual({ ok: false, error: { code: "aborted" } });
    expect(request.mock.calls[0]?.[1].reason).not.toMatchObject({ name: "TimeoutError" });
    otherGate.open();
    expect(sent.ok && (await sent.value.done)).toBe("done");
    expect(session.view.title).toBe(prompt);
  });

  test("the end of thinking is requested where the server can do that", async () => {
    const harness = await makeTitledHarness({ think: true });
    const session = harness.session();
    let ended = 0;
    const control: ModelPart = { type: "control", endThinking: async () => (ended += 1) > 0 };
    const thinking: ModelPart = { type: "thinking", text: "A title." };
    harness.script(textAnswer("It splits."), [control, thinking, ...textAnswer(`<think>Short.</think>${title}`)]);
    await promptAndWait(session, prompt);
    await waitForView(session, (view) => view.title === title);
    expect(ended).toBe(1);
    expect(harness.requests[1]).toMatchObject({ think: true, maxOutputTokens: 296 });
  });

  test.each([
    ["fails", failureAnswer("server_unreachable", true)],
    ["contains a call", [{ type: "text", text: title } as const, ...callAnswer(["read", { path: "a.ts" }])]],
    ["is a call in the text", textAnswer('<tool_call>{"name": "read", "arguments": {"path": "a"}}</tool_call>')],
    ["was cut", truncatedAnswer("A title that is far too")],
    ["repeats the message", textAnswer(prompt)],
  ])("an answer that %s leaves the first line, without a trace", async (_case, answer) => {
    const harness = await makeTitledHarness();
    const session = harness.session();
    const gate = makeGate();
    const request = vi.spyOn(session, "requestBeside");
    harness.script(textAnswer("It splits at line feeds."), [gate, ...answer]);
    await promptAndWait(session, prompt);
    const { seq } = session.view;
    await gate.reached;
    gate.open();
    await request.mock.results[0]?.value;
    expect(session.view).toMatchObject({ title: prompt, seq });
  });
});

describe("promptToTitle", () => {
  async function answeredView(origin?: "cli"): Promise<SessionView> {
    const harness = await makeTestHarness();
    const session = harness.session();
    harness.script(textAnswer("It splits at line feeds."));
    const sent = session.send(
      prompt,
      "prompt",
      asId<CommandId>("first"),
      origin === undefined ? {} : { origin: { kind: origin } },
    );
    expect(sent.ok && (await sent.value.done)).toBe("done");
    return session.view;
  }

  test("is the message of a session that was answered once and has its first line as title", async () => {
    const view = await answeredView();
    expect(promptToTitle(view, notUsed)).toBe(prompt);
    expect(promptToTitle({ ...view, title: "Parser" }, notUsed)).toBeNull();
  });

  test("is none for a session of the command line", async () => {
    expect(promptToTitle(await answeredView("cli"), notUsed)).toBeNull();
  });

  test("is none after a second answer", async () => {
    const harness = await makeTestHarness();
    const session = harness.session();
    harness.script(textAnswer("It splits at line feeds."), textAnswer("Yes."));
    await promptAndWait(session, prompt);
    await promptAndWait(session, "Can you fix it?");
    expect(promptToTitle(session.view, notUsed)).toBeNull();
  });

  test("is none for a deleted session, one without a user, one of another, and beside a run at the same provider", async () => {
    const view = await answeredView();
    const { sessionId } = view;
    expect(promptToTitle(view, { ...notUsed, isUnattended: true })).toBeNull();
    expect(promptToTitle(view, { ...notUsed, isDeleted: true })).toBeNull();
    expect(promptToTitle(view, { ...notUsed, running: [view] })).toBeNull();
    const elsewhere = { model: view.model === null ? null : { ...view.model, provider: "other" } };
    expect(promptToTitle(view, { ...notUsed, running: [elsewhere] })).toBe(prompt);
    expect(promptToTitle({ ...view, parent: { sessionId, relation: "fork", atSeq: 1 } }, notUsed)).toBeNull();
    const waiting: QueuedMessage = { id: asId("q"), commandId: asId("k"), intent: "steer", text: "More", at: 0 };
    expect(promptToTitle({ ...view, queue: [waiting] }, notUsed)).toBeNull();
  });
});
