/** Subagents over real sessions, files and SQLite: what they begin with, what they may do, and how they end. */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { asId, type CallId, type RuleId } from "@/lib/events/id";
import { type Mode, modes } from "@/lib/permissions/policy";
import { limits } from "@/lib/settings/settings";
import { wasWrittenByOthers } from "@/server/agent/tools/seen-text";
import { makeTestSource } from "@/server/session/runs/test-external-source";
import { estimateTokens } from "@/lib/text/estimate-tokens";
import { pendingApprovals } from "@/lib/view/view";
import {
  callAnswer,
  failureAnswer,
  makeGate,
  testCommandId,
  testTab,
  textAnswer,
  waitForCards,
  waitForView,
} from "@/server/session/testing/test-harness";
import { makeSubagents } from "./subagents";
import { callsIn, makeTestSubagents, outputOf, spawnAnswer } from "./test-subagents";

const ruleId = asId<RuleId>("r1");

const firstUserText = (request: { readonly messages: readonly { readonly text: string }[] } | undefined): string =>
  request?.messages[1]?.text ?? "";

describe("a subagent begins", () => {
  test("with the parent's prompt, tools and start blocks, byte for byte, then the mode, its limits and the task", async () => {
    const { harness, session, begin, ended } = await makeTestSubagents();
    const parent = session("edits");
    harness.script(
      textAnswer("hello"),
      spawnAnswer({ task: "Find the cart" }),
      textAnswer("In cart.ts."),
      textAnswer("It is in cart.ts."),
    );
    await begin(parent, "first");
    await ended(parent);
    await begin(parent, "where is the cart");
    await ended(parent);
    const [start, request, child] = harness.requests;
    expect(child?.messages[0]).toEqual(start?.messages[0]);
    expect(child?.tools).toEqual(request?.tools);
    expect(child?.messages).toHaveLength(2);
    const shared = /^[^]*?<\/context>(?=\n\n<context about="mode">)/.exec(firstUserText(start))?.[0] ?? "";
    expect(shared).toContain("Project folder: /project");
    const text = firstUserText(child);
    expect(text.slice(0, shared.length)).toBe(shared);
    expect(text.slice(shared.length)).toMatch(
      /^\n\n<context about="mode">\nMode: plan\.[^<]*<\/context>\n\n<context about="subagent">\nYou are a subagent[^<]*<\/context>\n\nFind the cart$/,
    );
    expect(text).toContain("at most 20 steps");
    expect(text).toContain("at most 1500 words");
  });

  test("with what changed since the parent's start, behind the blocks they share", async () => {
    const github = makeTestSource(
      "github",
      Array.from({ length: 60 }, (_, index) => `create_${index}`),
    );
    const { harness, session, begin, ended } = await makeTestSubagents({ catalogueSources: () => [github.source] });
    const parent = session();
    harness.script(textAnswer("hello"), spawnAnswer({ task: "look" }), textAnswer("ok"), textAnswer("ok"));
    await begin(parent, "first");
    await ended(parent);
    github.offer(["close_issue"]);
    await begin(parent, "second");
    await waitForView(parent, (view) => view.run === null && callsIn(view).length === 1);
    const sent = [...firstUserText(harness.requests[2]).matchAll(/<context about="(\w+)">\n([^]*?)\n<\/context>/g)];
    expect(sent.map(([, topic]) => topic)).toEqual(["toolbox", "project", "toolbox", "mode", "subagent"]);
    expect(sent[0]?.[2]).toContain("create_59");
    expect(sent[2]?.[2]).toContain("close_issue");
    expect(sent[2]?.[2]).not.toContain("create_59");
  });

  test("as a session of its own, listed below its parent", async () => {
    const { harness, session, begin, ended, subagents } = await makeTestSubagents();
    const parent = session();
    harness.script(spawnAnswer({ task: "look", look: true }), textAnswer("ok"), textAnswer("ok"));
    await begin(parent, "go");
    await ended(parent);
    const [child] = subagents(parent);
    expect(child?.view).toMatchObject({
      mode: "plan",
      title: "look",
      parent: { sessionId: parent.id, relation: "subagent", callId: callsIn(parent.view)[0]?.callId },
      model: parent.view.model,
    });
    expect(harness.store.sessions.get(parent.id)).toMatchObject({ subagents: 1 });
    expect(harness.store.sessions.list({ limit: 10 }).rows.map(({ id }) => id)).toEqual([parent.id]);
    expect(harness.store.sessions.list({ limit: 10, parentId: parent.id }).rows.map(({ id }) => id)).toEqual([
      child?.id,
    ]);
  });
});

describe("the call", () => {
  const rule = { tool: "external", pattern: "subagent/spawn" } as const;
  const rows: readonly (readonly [look: boolean, always: boolean, mode: Mode, outcome: "runs" | "asks" | "refused"])[] =
    modes.flatMap((mode) => [
      [true, false, mode, "runs"],
      [true, true, mode, "runs"],
      [false, false, mode, mode === "plan" ? "refused" : mode === "full" ? "runs" : "asks"],
      [false, true, mode, mode === "plan" ? "refused" : "runs"],
    ]);

  test.each(rows)("with look %s and an Always rule %s in the mode %s %s", async (look, always, mode, outcome) => {
    const { harness, session, begin, ended, subagents } = await makeTestSubagents();
    const parent = session(mode);
    const { projectId } = parent.view;
    if (always) harness.services().services.addRule({ id: ruleId, projectId, effect: "allow", createdAt: 1, ...rule });
    harness.script(spawnAnswer({ task: "do it", look }), textAnswer("one"), textAnswer("two"));
    await begin(parent, "go");
    if (outcome === "asks") {
      const [card] = await waitForCards(parent);
      expect(card).toMatchObject({
        options: ["once", "always", "deny"],
        rule,
        preview: { kind: "external", source: "subagent", tool: "spawn", input: { task: "do it", look } },
      });
      if (card !== undefined) parent.answer(card.approvalId, { option: "once" }, testTab);
    }
    await ended(parent);
    const [call] = callsIn(parent.view);
    expect(call?.state).toBe(outcome === "refused" ? "error" : "ok");
    expect(subagents(parent).map(({ view }) => view.mode)).toEqual(outcome === "refused" ? [] : [look ? "plan" : mode]);
  });

  test("from a subagent, and a fifth one of a run, get one sentence and no card", async () => {
    const { harness, session, begin, ended, subagents } = await makeTestSubagents();
    const parent = session();
    harness.script(
      spawnAnswer({ task: "one" }),
      spawnAnswer({ task: "deeper" }),
      textAnswer("done one"),
      spawnAnswer({ task: "two" }, { task: "three" }, { task: "four" }, { task: "five" }),
      ...["two", "three", "four", "end"].map(textAnswer),
      spawnAnswer({ task: "next run" }),
      textAnswer("six"),
      textAnswer("end"),
    );
    await begin(parent, "go");
    await ended(parent);
    const [first] = subagents(parent);
    expect(first && callsIn(first.view).map(outputOf)).toEqual([
      "A subagent starts no subagents. Do this step yourself.",
    ]);
    expect(callsIn(parent.view).map(outputOf)).toEqual([
      "done one",
      "two",
      "three",
      "four",
      "This run has started 4 subagents already. Do the rest yourself.",
    ]);
    await begin(parent, "again");
    await waitForView(parent, (view) => view.run === null && callsIn(view).length === 6);
    expect(subagents(parent)).toHaveLength(5);
  });

  test("is not offered below 16k, and says why when it is made", async () => {
    const { harness, session, begin, ended, subagents } = await makeTestSubagents({ numCtx: 8_192 });
    const parent = session();
    harness.script(spawnAnswer({ task: "one" }), textAnswer("ok"));
    await begin(parent, "go");
    await ended(parent);
    expect(JSON.stringify(harness.requests[0])).not.toContain("spawn");
    expect(outputOf(callsIn(parent.view)[0] ?? expect.fail())).toMatch(
      /^spawn needs a context window of at least 16384 tokens\. .* do this step yourself\.$/,
    );
    expect(subagents(parent)).toEqual([]);
  });

  test("can be switched off, and needs a task", async () => {
    const { harness, session, begin, ended } = await makeTestSubagents();
    const parent = session();
    harness.script(spawnAnswer({ task: " " }), textAnswer("ok"));
    await begin(parent, "go");
    await ended(parent);
    expect(outputOf(callsIn(parent.view)[0] ?? expect.fail())).toContain("Give the task");
    harness.settings.current = { ...harness.settings.current, disabledTools: ["spawn"] };
    const other = session();
    harness.script(textAnswer("ok"));
    await begin(other, "go");
    await ended(other);
    expect(JSON.stringify(harness.requests.at(-1))).not.toContain("spawn");
  });
});

describe("the result", () => {
  test("is the last answer within a sixteenth of the window, then the changed files, which the parent can undo", async () => {
    const { harness, session, begin, ended, subagents } = await makeTestSubagents();
    writeFileSync(join(harness.root, "kept.ts"), "old\n");
    const parent = session("full");
    const long = Array.from({ length: 4_000 }, (_, line) => `finding ${line} in file`).join("\n");
    harness.script(
      spawnAnswer({ task: "change", look: false }),
      callAnswer(["write", { path: "new.ts", content: "1\n" }]),
      callAnswer(["edit", { path: "kept.ts", edits: [{ oldText: "old", newText: "new" }] }]),
      callAnswer(["write", { path: "new.ts", content: "1\n2\n" }]),
      textAnswer(long),
      textAnswer("end"),
    );
    await begin(parent, "go");
    await ended(parent);
    const [call = expect.fail()] = callsIn(parent.view);
    expect(estimateTokens(outputOf(call))).toBeLessThanOrEqual(32_768 / 16);
    expect(outputOf(call)).toMatch(/^finding 0 in file\n[^]*\n\n\[Files changed: new\.ts, kept\.ts\]$/);
    expect(call).toMatchObject({ kind: "agent", state: "ok", facts: { steps: 4 } });
    expect(call.changes?.map(({ path, added }) => [path, added])).toEqual([
      ["new.ts", 2],
      ["kept.ts", 1],
    ]);
    const plan = await parent.files.plan(0);
    expect(plan).toMatchObject({ ok: true, value: { steps: [{ path: "kept.ts" }, { path: "new.ts" }] } });
    const restored = await parent.files.restore({ toSeq: 0, conversation: false, overwrite: [] }, testCommandId());
    expect(restored).toMatchObject({ ok: true, value: { failed: [] } });
    expect(readFileSync(join(harness.root, "kept.ts"), "utf8")).toBe("old\n");
    expect(existsSync(join(harness.root, "new.ts"))).toBe(false);
    expect(subagents(parent)[0]?.view).toMatchObject({ added: 3 });
    const history = await harness.store.history();
    while (history.step(50));
    const { sessions, days } = history.statistics({ zone: "UTC" });
    expect(sessions).toBe(1);
    expect(days.reduce((sum, day) => sum + day.added, 0)).toBe(3);
  });

  test("of one that reaches its limit is no error", async () => {
    const { harness, session, begin, ended } = await makeTestSubagents({
      answer: (request) =>
        firstUserText(request).includes("subagent")
          ? callAnswer(["ls", { path: `folder-${harness.requests.length}` }])
          : textAnswer("end"),
    });
    const parent = session();
    harness.script(spawnAnswer({ task: "never ends" }));
    await begin(parent, "go");
    await ended(parent);
    const [call = expect.fail()] = callsIn(parent.view);
    expect(call).toMatchObject({ state: "ok", facts: { unfinished: "limit", steps: limits.subagentSteps } });
    expect(outputOf(call)).toBe("[Stopped after 20 steps, before it finished.]");
  });

  test("of one that repeats a call says so, and is no error", async () => {
    const { harness, session, begin, ended } = await makeTestSubagents({
      answer: (request) =>
        firstUserText(request).includes("subagent") ? callAnswer(["ls", { path: "." }]) : textAnswer("end"),
    });
    const parent = session();
    harness.script(spawnAnswer({ task: "repeats itself" }));
    await begin(parent, "go");
    await ended(parent);
    const [call = expect.fail()] = callsIn(parent.view);
    expect(call).toMatchObject({ state: "ok", facts: { unfinished: "loop" } });
    expect(outputOf(call)).toContain("(loop_detected)");
  });

  test("of one that fails is an error with its reason", async () => {
    const { harness, session, begin, ended } = await makeTestSubagents();
    const parent = session();
    harness.script(spawnAnswer({ task: "fails" }), failureAnswer("model_missing", false), textAnswer("end"));
    await begin(parent, "go");
    await ended(parent);
    const [call = expect.fail()] = callsIn(parent.view);
    expect(call).toMatchObject({ state: "error", facts: { code: "tool_failed" } });
    expect(outputOf(call)).toContain("[The subagent failed: model_missing.");
  });
});

describe("stopping", () => {
  test("the parent stops its subagent, and those that wait never start", async () => {
    const { harness, session, begin, subagents } = await makeTestSubagents();
    const parent = session();
    const gate = makeGate();
    harness.script(spawnAnswer({ task: "one" }, { task: "two" }), [gate, ...textAnswer("never")]);
    await begin(parent, "go");
    await gate.reached;
    await harness.sessions().stop(parent.id);
    const [child, ...others] = subagents(parent);
    expect(others).toEqual([]);
    expect(child?.idle).toBe(true);
    expect(harness.store.sessions.get(child?.id ?? parent.id)).toMatchObject({ status: "aborted" });
    expect(callsIn(parent.view).map(({ state }) => state)).toEqual(["aborted", "aborted"]);
  });

  test("one that waits leaves the model server to the one that works", async () => {
    const { harness, session, begin, ended, subagents } = await makeTestSubagents();
    const parents = [session(), session(), session()] as const;
    const [first, second, third] = parents;
    const gate = makeGate();
    harness.script(
      spawnAnswer({ task: "one" }),
      [gate, ...textAnswer("one is done")],
      spawnAnswer({ task: "two" }),
      spawnAnswer({ task: "three" }),
    );
    await begin(first, "go");
    await gate.reached;
    for (const parent of [second, third]) {
      await begin(parent, "go");
      await waitForView(parent, (view) => callsIn(view).some(({ state }) => state === "running"));
      if (parent === second) await harness.sessions().stop(second.id);
    }
    await new Promise(setImmediate);
    expect(subagents(third)).toEqual([]);
    await harness.sessions().stop(third.id);
    harness.script(textAnswer("end"));
    gate.open();
    await ended(first);
    expect(callsIn(first.view).map(({ state }) => state)).toEqual(["ok"]);
  });

  test("a subagent alone is a result: the parent continues, and the next one starts", async () => {
    const { harness, session, begin, ended, subagents } = await makeTestSubagents();
    const parent = session();
    const gate = makeGate();
    harness.script(
      spawnAnswer({ task: "one" }, { task: "two" }),
      [gate, ...textAnswer("never")],
      textAnswer("two is done"),
      textAnswer("end"),
    );
    await begin(parent, "go");
    await gate.reached;
    const [child] = subagents(parent);
    await harness.sessions().stop(child?.id ?? parent.id);
    await ended(parent);
    expect(callsIn(parent.view).map(({ state, facts }) => [state, facts.unfinished])).toEqual([
      ["ok", "stopped"],
      ["ok", undefined],
    ]);
    expect(callsIn(parent.view).map(outputOf)).toEqual(["[The user stopped it after 1 step.]", "two is done"]);
  });

  test("the call from the parent's page works while the subagent runs and while it waits for its turn", async () => {
    const { harness, session, begin, ended } = await makeTestSubagents();
    const parent = session();
    const gate = makeGate();
    harness.script(spawnAnswer({ task: "one" }, { task: "two" }), [gate, ...textAnswer("never")], textAnswer("end"));
    await begin(parent, "go");
    await gate.reached;
    const [one, two] = callsIn(parent.view);
    for (const call of [two, one]) expect(call && parent.controls.endCommand(call.callId)).toBe(true);
    await ended(parent);
    expect(callsIn(parent.view).map(outputOf)).toEqual([
      "[The user stopped it after 1 step.]",
      "[The user stopped it before it started.]",
    ]);
  });
});

describe("cards", () => {
  test("of a subagent are answered in its session; the parent's row waits meanwhile", async () => {
    const { harness, session, begin, ended, startedSubagent } = await makeTestSubagents();
    const parent = session("ask");
    harness.script(
      spawnAnswer({ task: "write", look: false }),
      callAnswer(["write", { path: "a.ts", content: "1\n" }]),
      textAnswer("written"),
      textAnswer("end"),
    );
    await begin(parent, "go");
    const [own] = await waitForCards(parent);
    if (own !== undefined) parent.answer(own.approvalId, { option: "once" }, testTab);
    const child = await startedSubagent(parent);
    const [card] = await waitForCards(child);
    expect(pendingApprovals(parent.view)).toEqual([]);
    expect(harness.store.sessions.get(parent.id)).toMatchObject({ status: "waiting" });
    const answered = await harness
      .sessions()
      .answer({ sessionId: child.id, approvalId: card?.approvalId ?? expect.fail(), option: "once" }, { id: testTab });
    expect(answered).toEqual({ ok: true, value: { won: true } });
    await ended(parent);
    expect(readFileSync(join(harness.root, "a.ts"), "utf8")).toBe("1\n");
    expect(harness.store.sessions.get(parent.id)).toMatchObject({ status: "idle", subagents: 1 });
  });

  test("leave the model server to the next subagent and to other sessions, until they are answered", async () => {
    const { harness, session, begin, ended, startedSubagent, subagents } = await makeTestSubagents();
    const [first, second] = [session("full"), session("full")];
    harness.script(
      spawnAnswer({ task: "asks", look: false }),
      callAnswer(["bash", { command: "eval $X" }]),
      spawnAnswer({ task: "works" }),
      textAnswer("worked"),
      textAnswer("the second parent ends"),
    );
    await begin(first, "go");
    const asking = await startedSubagent(first);
    const [card] = await waitForCards(asking);
    await begin(second, "go");
    await ended(second);
    expect(callsIn(second.view).map(outputOf)).toEqual(["worked"]);
    expect(subagents(second)[0]?.idle).toBe(true);
    expect(pendingApprovals(asking.view)).toHaveLength(1);
    harness.script(textAnswer("denied"), textAnswer("the first parent ends"));
    asking.answer(card?.approvalId ?? expect.fail(), { option: "deny" }, testTab);
    await ended(first);
    expect(callsIn(first.view).map(outputOf)).toEqual(["denied"]);
  });

  test("of a gate wait in the subagent's session, also in Full access; what it denies stays denied", async () => {
    const gated: string[] = [];
    const { harness, session, begin, ended, startedSubagent } = await makeTestSubagents({
      askGates: ({ tool, sessionId }) => {
        gated.push(`${sessionId} ${tool}`);
        const note = { gate: "guard", reason: "look twice" };
        if (tool === "write") return Promise.resolve({ kind: "ask", note });
        return Promise.resolve(tool === "bash" ? { kind: "deny", note } : { kind: "pass" });
      },
    });
    const parent = session("full");
    harness.script(
      spawnAnswer({ task: "write", look: false }),
      callAnswer(["write", { path: "a.ts", content: "1\n" }]),
      callAnswer(["bash", { command: "touch b.ts" }]),
      textAnswer("written"),
      textAnswer("end"),
    );
    await begin(parent, "go");
    const child = await startedSubagent(parent);
    const [card] = await waitForCards(child);
    expect(card).toMatchObject({ options: ["once", "deny"], gate: { gate: "guard", reason: "look twice" } });
    expect(harness.store.sessions.get(parent.id)).toMatchObject({ status: "waiting" });
    if (card !== undefined) child.answer(card.approvalId, { option: "once" }, testTab);
    await ended(parent);
    expect(callsIn(child.view).map(({ state, facts }) => [state, facts.rule])).toEqual([
      ["ok", undefined],
      ["error", "gate"],
    ]);
    expect(existsSync(join(harness.root, "b.ts"))).toBe(false);
    expect(gated).toEqual([`${parent.id} spawn`, `${child.id} write`, `${child.id} bash`]);
  });

  test("appear from the moment on at which the user lowers the parent's mode", async () => {
    const { harness, session, begin, startedSubagent } = await makeTestSubagents();
    const parent = session("full");
    const gate = makeGate();
    harness.script(spawnAnswer({ task: "write", look: false }), [
      gate,
      ...callAnswer(["write", { path: "a.ts", content: "1\n" }]),
    ]);
    await begin(parent, "go");
    await gate.reached;
    parent.update({ mode: "ask" }, testCommandId());
    gate.open();
    const child = await startedSubagent(parent);
    await waitForCards(child);
    expect(child.view.mode).toBe("ask");
  });

  test("do not offer to accept edits, and never give more rights than the parent has then", async () => {
    const { harness, session, begin, startedSubagent } = await makeTestSubagents();
    const parent = session("ask");
    harness.script(
      spawnAnswer({ task: "write", look: false }),
      callAnswer(["write", { path: "a.ts", content: "1\n" }]),
      textAnswer("written"),
    );
    await begin(parent, "go");
    const [own] = await waitForCards(parent);
    if (own !== undefined) parent.answer(own.approvalId, { option: "once" }, testTab);
    const child = await startedSubagent(parent);
    const [card] = await waitForCards(child);
    expect(card).toMatchObject({ options: ["once", "deny"] });
    expect(child.answer(card?.approvalId ?? expect.fail(), { option: "edits" }, testTab)).toBe(false);
    expect(child.view.mode).toBe("ask");
  });

  test("do not take the task for words of the user", async () => {
    const { harness, session, begin, startedSubagent } = await makeTestSubagents();
    const parent = session("full");
    const gate = makeGate();
    const url = "https://example.com/?q=secret";
    harness.script(spawnAnswer({ task: `get ${url}`, look: false }), [gate, ...textAnswer("never")]);
    await begin(parent, `not ${url.slice(0, 20)}`);
    await gate.reached;
    const child = await startedSubagent(parent);
    expect(JSON.stringify(harness.requests.at(-1))).toContain(url);
    expect(await wasWrittenByOthers(child.view, url)).toBe(false);
    expect(await wasWrittenByOthers(parent.view, url)).toBe(false);
  });
});

describe("after a kill", () => {
  test("the parent's call is interrupted, and the subagent is an ordinary interrupted session", async () => {
    const { harness, session, begin, restart, subagents } = await makeTestSubagents();
    const parent = session();
    const gate = makeGate();
    harness.script(spawnAnswer({ task: "one" }), callAnswer(["ls", { path: "." }]), [gate, ...textAnswer("never")]);
    await begin(parent, "go");
    await gate.reached;
    await restart();
    const again = harness.reload(parent);
    const [call = expect.fail()] = callsIn(again.view);
    expect(call).toMatchObject({ state: "unknown", facts: { subagent: subagents(again)[0]?.id } });
    const [child] = subagents(again);
    expect(child?.idle).toBe(true);
    expect(harness.store.sessions.get(child?.id ?? parent.id)).toMatchObject({ status: "interrupted" });
    harness.script(textAnswer("ok"));
    expect(child?.resume(testCommandId())).toMatchObject({ ok: true });
  });
});

test("nothing of a run is remembered after its end", async () => {
  const { harness, session, begin, ended } = await makeTestSubagents();
  const parent = session();
  harness.script(textAnswer("ok"));
  await begin(parent, "go");
  await ended(parent);
  const reads: string[] = [];
  const subagents = makeSubagents({
    sessions: harness.services().sessions,
    store: { sessions: { subagents: (id) => (reads.push(id), []), get: () => undefined } },
    hostOf: (provider) => ({ host: provider, slots: 1 }),
  });
  const id = { sessionId: parent.id, callId: asId<CallId>("c1") };
  for (let calls = 0; calls < 2; calls += 1) subagents.check({ id });
  expect(reads).toEqual([parent.id]);
  subagents.runEnded(parent.id);
  subagents.check({ id });
  expect(reads).toEqual([parent.id, parent.id]);
});

describe("deleting", () => {
  test("the parent takes its subagents along, both ways, and purging takes the deleted ones", async () => {
    const { harness, session, begin, ended, subagents } = await makeTestSubagents();
    const parent = session();
    harness.script(spawnAnswer({ task: "one" }, { task: "two" }), ...["a", "b", "end"].map(textAnswer));
    await begin(parent, "go");
    await ended(parent);
    const [one, two] = subagents(parent).map(({ id }) => id);
    if (one === undefined || two === undefined) throw new Error("no subagents");
    const service = harness.sessions();
    await service.remove(one);
    const deleted = () => service.list({ deleted: true }).rows.map(({ id }) => id);
    // Deleted alone, it is a row of the trash.
    expect(deleted()).toEqual([one]);
    expect(harness.store.sessions.get(parent.id)).toMatchObject({ subagents: 1 });
    service.restore(one);
    await service.remove(parent.id);
    expect(deleted()).toEqual([parent.id]);
    expect(harness.store.sessions.get(two)?.deletedAt).toBeDefined();
    service.restore(parent.id);
    expect(service.list({ parentId: parent.id }).rows).toHaveLength(2);
    await service.remove(parent.id);
    await service.purge({ sessionId: parent.id });
    for (const id of [parent.id, one, two]) expect(harness.store.sessions.get(id)).toBeUndefined();
  });
});
