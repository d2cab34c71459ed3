/** Questions of a real server, during calls of sessions of the product. */
import { describe, expect, test } from "vitest";
import { asId, type CallId, type Hash, type SessionId } from "@/lib/events/id";
import {
  beginAskingCall,
  callsOf,
  lastCallOutput,
  makeMcpRig,
  questionsOf,
  succeed,
  waitForQuestion,
} from "./test-feature";
import { makeQuestions } from "./questions";
import { makeTestClock, npmServer } from "./test-mcp";

type Rig = Awaited<ReturnType<typeof makeMcpRig>>;
const tool = "everything__trigger-elicitation-request";

/** A session whose model calls the tool that asks; resolves when the card of the call was allowed. */
function begin(rig: Rig, origin?: { readonly kind: "cli" | "agent" }) {
  const { command, arguments: args } = npmServer("everything");
  return beginAskingCall(rig, { everything: { command, args } }, tool, origin);
}

describe("a question of a server", () => {
  test("waits with its form, is checked, and its answer reaches the server", async () => {
    const rig = await makeMcpRig();
    const { done } = await begin(rig);
    const question = await waitForQuestion(rig);
    const [call] = callsOf(rig.session.view);
    expect(question).toMatchObject({
      server: "everything",
      callId: call?.callId,
      message: "Please provide inputs for the following fields:",
      asks: { kind: "form" },
    });
    expect(question.until).toBeGreaterThan(Date.now());
    expect(rig.pushes).toContain("questions");
    const { id: sessionId } = rig.session;
    const status = () => rig.harness.store.sessions.get(sessionId)?.status;
    expect([question.sessionId, status()]).toEqual([sessionId, "waiting"]);
    expect(rig.pushes).toContain("session_row");
    const answer = (content: { readonly [name: string]: string | number | readonly string[] }) =>
      rig.commands["mcp.answer"]({ question: question.id, action: "accept", content });
    expect(await answer({})).toMatchObject({ ok: false, error: { code: "bad_input" } });
    expect(await answer({ name: "Ada", integer: 0 })).toMatchObject({ ok: false });
    succeed(await answer({ name: "Ada", integer: 7, untitledMultipleSelectEnum: ["Piano", "Bass"] }));
    expect(status()).toBe("running");
    await done;
    expect(lastCallOutput(rig)).toContain("- Name: Ada");
    expect(lastCallOutput(rig)).toContain("- Favorite Integer: 7");
    expect(lastCallOutput(rig)).toContain("Piano");
    expect(await questionsOf(rig)).toEqual([]);
    expect(await answer({ name: "Ada" })).toMatchObject({ ok: false, error: { code: "not_found" } });
  });

  test.each([
    ["decline", "User declined"],
    ["cancel", "User cancelled"],
  ] as const)("%s is reported to the server", async (action, expected) => {
    const rig = await makeMcpRig();
    const { done } = await begin(rig);
    const { id: question } = await waitForQuestion(rig);
    succeed(await rig.commands["mcp.answer"]({ question, action }));
    await done;
    expect(lastCallOutput(rig)).toContain(expected);
    expect(lastCallOutput(rig)).not.toContain("10 minutes");
  });

  test("that is not answered within ten minutes is said before the words of the server", async () => {
    const clock = makeTestClock();
    const rig = await makeMcpRig(undefined, undefined, clock);
    const { done } = await begin(rig);
    await waitForQuestion(rig);
    clock.advance(600_000);
    await done;
    const note = "[everything asked the user, who did not answer within 10 minutes.]";
    expect(lastCallOutput(rig)).toContain(`${note}\\n[from everything]`);
    expect(lastCallOutput(rig)).toContain("User cancelled");
    expect(await questionsOf(rig)).toEqual([]);
  });

  test("ends with the call when the user stops the run", async () => {
    const rig = await makeMcpRig();
    const { done } = await begin(rig);
    await waitForQuestion(rig);
    await rig.session.abort();
    await done;
    expect(await questionsOf(rig)).toEqual([]);
  });

  test.each([
    ["a run of the command line", "cli"],
    ["a subagent", "agent"],
  ] as const)("is declined in %s, which has no user to answer", async (_of, kind) => {
    const rig = await makeMcpRig();
    const { done } = await begin(rig, { kind });
    await done;
    expect(lastCallOutput(rig)).toContain("User declined");
    expect(rig.pushes).not.toContain("questions");
  });
});

describe("a question while several calls of the server run", () => {
  const key = { project: "p1", server: "s", launch: asId<Hash>("l") };
  const request = { mode: "url", message: "Open it", url: "https://a.example/" } as const;
  const call = (sessionId: string, callId: string, isAttended = true) => ({
    id: { sessionId: asId<SessionId>(sessionId), callId: asId<CallId>(callId) },
    name: "s",
    isAttended: () => isAttended,
    signal: new AbortController().signal,
  });
  const trial = { ...call("", "", false), id: null };
  test.each([
    ["of one session belongs to the newest", [call("a", "1"), call("a", "2")], "2"],
    ["of two sessions is declined", [call("a", "1"), call("b", "2")], null],
    ["one of them without a user is declined", [call("a", "1", false), call("a", "2")], null],
    ["one of them without a user, begun later, is declined", [call("a", "1"), call("b", "2", false)], null],
    ["one of them a trial is declined", [call("a", "1"), trial], null],
    ["none any more is declined", [], null],
  ])("%s", async (_name, calls, expected) => {
    const questions = makeQuestions({ now: () => 0, makeId: () => "q", onChange: () => {} });
    let end = (): void => {};
    const ended = new Promise<void>((resolve) => {
      end = resolve;
    });
    const running = calls.map((one) => questions.during(key, one, () => ended));
    const answer = questions.ask(key, request, new AbortController().signal);
    expect(questions.list().map(({ callId }) => callId)).toEqual(expected === null ? [] : [expected]);
    if (expected !== null) succeed(questions.answer("q", "cancel", {}));
    expect(await answer).toEqual({ action: expected === null ? "decline" : "cancel" });
    end();
    await Promise.all(running);
  });
});
