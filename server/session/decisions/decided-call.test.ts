/** Tests of the user's decision about a call that an answer contains as text and that was not run. */
import { neverAborted } from "@/server/base/abort";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { ToolMode } from "@/lib/events/event";
import { asId, type CallId } from "@/lib/events/id";
import { pathEntries, type SessionView } from "@/lib/view/view";
import { makeRedactor } from "@/server/security/redaction/redact";
import type { Session } from "../core/session-types";
import { makeShareRedactor } from "../share/share-redactor";
import { auditLog } from "../testing/test-audit";
import { isSummaryRequest } from "../testing/test-long-run";
import {
  callAnswer,
  makeTestHarness,
  promptAndWait,
  storedRows,
  testCommandId,
  testTab,
  textAnswer,
  type TestHarness,
  waitForCards,
  waitForView,
} from "../testing/test-harness";

const write = '{"name": "write", "arguments": {"path": "a.txt", "content": "made\\n"}}';
const example = `For example:\n\n<tool_call>\n${write}\n</tool_call>`;

const answers = (view: SessionView) =>
  pathEntries(view).flatMap((entry) => (entry.kind === "message" && entry.role === "assistant" ? [entry] : []));

interface Scene {
  readonly harness: TestHarness;
  readonly session: Session;
  /** seq of the answer with the call. */
  readonly of: number;
}

async function answeredScene(toolMode: ToolMode = "native", text = example): Promise<Scene> {
  const harness = await makeTestHarness();
  const session = harness.session();
  session.changeModel({ name: "scripted", toolMode }, testCommandId());
  harness.script(textAnswer(text));
  expect(await promptAndWait(session, "make a.txt")).toBe("done");
  return { harness, session, of: answers(session.view).at(-1)?.seq ?? 0 };
}

const decide = (session: Session, messageSeq: number, run: boolean, index = 0) =>
  session.decideCall({ of: messageSeq, index, run }, testCommandId());

/** Decides to run the call; resolves when it waits for the approval. */
async function runAndWait({ session, of }: Scene) {
  const decided = decide(session, of, true);
  if (!decided.ok) throw new Error(decided.error.code);
  const [approval] = await waitForCards(session);
  if (approval === undefined) throw new Error("no approval");
  return { approval, done: decided.value.done };
}

describe("a call that the user runs", () => {
  test.each<readonly [ToolMode, RegExp]>([
    ["native", /^<tool_result name="write">\nCreated a\.txt/],
    ["xml", /^<tool_result name="write">\nCreated a\.txt/],
    ["react", /^Observation: Created a\.txt/],
  ])("in mode %s needs an approval, and its result follows the unchanged messages", async (mode, result) => {
    const scene = await answeredScene(mode);
    const { harness, session } = scene;
    harness.script(textAnswer("It is made."));
    const { approval, done } = await runAndWait(scene);
    expect(existsSync(join(harness.root, "a.txt"))).toBe(false);
    session.answer(approval.approvalId, { option: "once" }, testTab);
    expect(await done).toBe("done");
    expect(readFileSync(join(harness.root, "a.txt"), "utf8")).toBe("made\n");
    const [first, second] = harness.requests.map(({ messages }) => messages);
    const count = first?.length ?? 0;
    expect(second?.slice(0, count)).toEqual(first);
    expect(second?.slice(count)).toMatchObject([
      { role: "assistant", text: example },
      { role: "user", text: expect.stringMatching(result) },
    ]);
    expect(second).toHaveLength(count + 2);
    expect(answers(session.view).map(({ calls }) => calls.map(({ name, state }) => [name, state]))).toEqual([
      [],
      [["write", "ok"]],
      [],
    ]);
    // The next request starts with the same messages.
    harness.script(textAnswer("Yes."));
    await promptAndWait(session, "sure?");
    expect(harness.requests[2]?.messages.slice(0, second?.length)).toEqual(second);
    expect(auditLog(storedRows(harness, session.id))).toEqual([]);
  });

  test("and then denies is not run, and the model gets the reason", async () => {
    const scene = await answeredScene();
    scene.harness.script(textAnswer("All right."));
    const { approval, done } = await runAndWait(scene);
    scene.session.answer(approval.approvalId, { option: "deny", reason: "Not there." }, testTab);
    expect(await done).toBe("done");
    expect(scene.harness.requests[1]?.messages.at(-1)?.text).toContain("Not there.");
  });

  test("is refused in Plan mode like any call", async () => {
    const { harness, session, of } = await answeredScene();
    session.update({ mode: "plan" }, testCommandId());
    harness.script(textAnswer("I can't."));
    const decided = decide(session, of, true);
    expect(decided.ok && (await decided.value.done)).toBe("done");
    expect(answers(session.view)[1]?.calls).toMatchObject([{ state: "error", facts: { code: "plan_mode" } }]);
    expect(existsSync(join(harness.root, "a.txt"))).toBe(false);
  });

  test("waits for its approval after a kill, and runs then", async () => {
    const scene = await answeredScene();
    const { harness } = scene;
    const { approval } = await runAndWait(scene);
    await harness.restart();
    const session = harness.reload(scene.session);
    harness.script(textAnswer("It is made."));
    session.answer(approval.approvalId, { option: "once" }, testTab);
    await waitForView(session, (view) => view.run === null);
    expect(readFileSync(join(harness.root, "a.txt"), "utf8")).toBe("made\n");
    expect(auditLog(storedRows(harness, session.id))).toEqual([]);
  });

  test("that was killed before it began ends as interrupted, and Continue reports it to the model", async () => {
    const { harness, session, of } = await answeredScene();
    // The process ends before the first step of the run.
    decide(session, of, true);
    await harness.restart();
    const now = harness.reload(session);
    expect(now.view.run).toBe(null);
    expect(answers(now.view)[1]?.calls).toMatchObject([{ state: "aborted" }]);
    harness.script(textAnswer("Again."));
    const resumed = now.resume(testCommandId());
    expect(resumed.ok && (await resumed.value.done)).toBe("done");
    expect(harness.requests.at(-1)?.messages.some(({ text }) => text.includes("[Not run"))).toBe(true);
  });

  test("can be decided about again once its run was rewound", async () => {
    const scene = await answeredScene();
    const { session, of } = scene;
    const border = session.view.border;
    const { done } = await runAndWait(scene);
    await session.abort();
    await done;
    expect(decide(session, of, true)).toMatchObject({ ok: false, error: { code: "gone" } });
    session.rewind(border, testCommandId());
    expect(decide(session, of, false).ok).toBe(true);
  });
});

/** Sentences that differ: a repeated one ends the answer. */
const longText = (count: number): string =>
  Array.from({ length: count }, (_, at) => `Rule ${at} moves file ${at * 7}.`).join(" ");

test.each([
  ["before the decision", true],
  ["in its run", false],
])("a compaction %s that drops the answer leaves the call with its result", async (_when, isBefore) => {
  const harness = await makeTestHarness({
    numCtx: 4_096,
    answer: (request) => textAnswer(isSummaryRequest(request) ? "The summary." : "Read."),
  });
  harness.settings.current = { ...harness.settings.current, keptMessages: 1 };
  writeFileSync(join(harness.root, "notes.txt"), "Words that say little, and some more.\n".repeat(400));
  const session = harness.session();
  const read = '{"name": "read", "arguments": {"path": "notes.txt"}}';
  harness.script(textAnswer(`${longText(220)}\n\n${example.replace(write, read)}`));
  await promptAndWait(session, "How are the notes read?");
  const answerSeq = answers(session.view).at(-1)?.seq ?? 0;
  const compacted = isBefore ? session.compact(undefined, testCommandId()) : null;
  if (compacted !== null) expect(compacted.ok && (await compacted.value.done)).toBe("done");
  const decided = decide(session, answerSeq, true);
  expect(decided.ok && (await decided.value.done)).toBe("done");
  expect(storedRows(harness, session.id).filter(({ event }) => event.type === "compaction_end")).toHaveLength(1);
  expect(harness.requests.at(-1)?.messages.slice(1)).toMatchObject([
    { role: "user", text: expect.stringContaining("The summary.") },
    { role: "assistant", text: "", calls: [{ name: "read" }] },
    { role: "tool", text: expect.stringContaining("Words that say little") },
  ]);
  expect(auditLog(storedRows(harness, session.id))).toEqual([]);
});

test("the size of the next request counts a decided call once", async () => {
  const text = example.replace("made", longText(150));
  const usage = { promptTokens: 3_000, outputTokens: 1_050, loadMs: 0, promptMs: 1, outputMs: 1 };
  const harness = await makeTestHarness();
  const session = harness.session();
  harness.script([
    { type: "text", text },
    { type: "finish", stop: "done", usage },
  ]);
  await promptAndWait(session, "make a.txt");
  const total = async () => {
    const report = await session.context(neverAborted);
    return report.ok ? report.value.total : 0;
  };
  const before = await total();
  const { done } = await runAndWait({ harness, session, of: answers(session.view).at(-1)?.seq ?? 0 });
  await session.abort();
  await done;
  expect(await total()).toBeGreaterThan(before);
  expect(await total()).toBeLessThan(before + 200);
});

describe("a decision", () => {
  test("that it is not a call is stored and starts nothing", async () => {
    const { harness, session, of } = await answeredScene();
    expect(decide(session, of, false).ok).toBe(true);
    expect(session.view.run).toBe(null);
    expect(session.view.dismissedCalls).toEqual({ [of]: [0] });
    expect(harness.requests).toHaveLength(1);
    await harness.restart();
    expect(harness.reload(session).view.dismissedCalls).toEqual({ [of]: [0] });
  });

  test("repeated by the same command returns the first result; one of another tab fails", async () => {
    const { session, of } = await answeredScene();
    const commandId = testCommandId();
    const decided = { of, index: 0, run: false };
    const first = session.decideCall(decided, commandId);
    const { seq } = session.view;
    expect(first).toMatchObject({ ok: true, value: { seq } });
    expect(session.decideCall(decided, commandId)).toMatchObject({ ok: true, value: { seq } });
    expect(decide(session, of, true)).toMatchObject({ ok: false, error: { code: "gone" } });
    expect(session.view.seq).toBe(seq);
  });

  test("during the run that another tab started fails with not_idle", async () => {
    const scene = await answeredScene();
    await runAndWait(scene);
    expect(decide(scene.session, scene.of, true)).toMatchObject({ ok: false, error: { code: "not_idle" } });
    await scene.session.abort();
  });

  test("about an older answer, another message or another index fails", async () => {
    const { harness, session, of } = await answeredScene();
    expect(decide(session, of, true, 1)).toMatchObject({ ok: false, error: { code: "gone" } });
    expect(decide(session, of - 1, true)).toMatchObject({ ok: false, error: { code: "gone" } });
    harness.script(textAnswer("Yes."));
    await promptAndWait(session, "really?");
    expect(decide(session, of, false)).toMatchObject({ ok: false, error: { code: "gone" } });
  });

  test("in a fork is one of the fork alone", async () => {
    const { harness, session, of } = await answeredScene();
    const forked = harness
      .registry()
      .fork({ sessionId: session.id, atSeq: session.view.border, commandId: testCommandId() });
    if (!forked.ok) throw new Error(forked.error.code);
    expect(decide(forked.value, of, false).ok).toBe(true);
    expect(forked.value.view.dismissedCalls).toEqual({ [of]: [0] });
    expect(session.view.dismissedCalls).toEqual({});
  });
});

test("an answer that ends with calls that run has no calls to decide about", async () => {
  const harness = await makeTestHarness();
  const session = harness.session("full");
  harness.script(callAnswer(["ls", {}]), textAnswer("Done."));
  await promptAndWait(session, "look");
  expect(answers(session.view).every(({ unrun }) => unrun === undefined)).toBe(true);
});

test("the answer of a subagent has none: it goes to the session that started it", async () => {
  const { harness, session } = await answeredScene();
  const call = { sessionId: session.id, callId: asId<CallId>("c1") };
  const subagent = harness.registry().startSubagent(session.view, call, "ask");
  harness.script(textAnswer(example));
  await promptAndWait(subagent, "look");
  expect(answers(subagent.view)).toMatchObject([{ blocks: [{ text: example }] }]);
  expect(answers(subagent.view)[0]?.unrun).toBe(undefined);
});

test("a viewer of a share gets the name and no arguments", async () => {
  const { harness, session } = await answeredScene();
  const redactor = makeShareRedactor(
    { redactor: () => makeRedactor({ secrets: [], homes: [] }), protectedNames: () => [] },
    true,
  );
  const shared = storedRows(harness, session.id).flatMap((row) =>
    redactor.redact({ ...row, v: 1, sessionId: session.id }),
  );
  const ends = shared.flatMap(({ event }) =>
    event.type === "message_end" && event.unrun !== undefined ? event.unrun : [],
  );
  expect(ends).toEqual([{ name: "write", input: {}, reason: "example" }]);
});
