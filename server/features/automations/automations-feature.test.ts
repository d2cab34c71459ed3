import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { automationRunLimits } from "@/lib/automations/automation";
import { joinTextBlocks } from "@/lib/events/content";
import { iterate } from "@/lib/view/chunks";
import { type CallView, pendingApprovals, type SessionView } from "@/lib/view/view";
import {
  callAnswer,
  failureAnswer,
  makeGate,
  promptAndWait,
  testCommandId,
  testTab,
  textAnswer,
  waitForCards,
  waitForView,
} from "@/server/session/testing/test-harness";
import { makeTestAutomations } from "./test-automations";

const hourMs = 3_600_000;

const callsIn = (view: SessionView): readonly CallView[] =>
  [...iterate(view.entries)].flatMap((entry) => (entry.kind === "message" ? entry.calls : []));
const userMessages = (view: SessionView) =>
  [...iterate(view.entries)].flatMap((entry) => (entry.kind === "message" && entry.role === "user" ? [entry] : []));

describe("an automation", () => {
  test("is off until its rehearsal has ended well, and again after a change of its prompt", async () => {
    const { call, attempt, definition, rehearsed, viewOf } = await makeTestAutomations();
    const { id: raw } = await call("automations.save", { definition: definition({ name: "Other" }) });
    expect(await attempt("automations.switch", { id: raw, isOn: true })).toMatchObject({
      error: { code: "not_approved" },
    });
    expect(await attempt("automations.run", { id: raw })).toMatchObject({ error: { code: "not_approved" } });
    const id = await rehearsed();
    await call("automations.switch", { id, isOn: true });
    expect((await viewOf(id)).next.map((at) => new Date(at).toISOString())).toContain("2026-11-30T09:00:00.000Z");
    await call("automations.save", { id, definition: definition({ cardMinutes: 5 }) });
    expect(await viewOf(id)).toMatchObject({ isOn: true });
    await call("automations.save", { id, definition: definition({ prompt: "Do something else" }) });
    expect(await viewOf(id)).toMatchObject({ isOn: false });
    expect(await attempt("automations.switch", { id, isOn: true })).toMatchObject({ error: { code: "not_approved" } });
  });

  test("runs at its time as a session of its project that says where it comes from", async () => {
    const automations = await makeTestAutomations();
    const { call, rehearsed, clock, harness, endedRun, session, definition } = automations;
    const id = await rehearsed();
    await call("automations.switch", { id, isOn: true });
    harness.script(textAnswer("All is well."));
    clock.now += hourMs;
    // Any change looks for due times.
    await call("automations.save", { definition: definition({ name: "Other" }) });
    const run = await endedRun(id, 2);
    expect(run).toMatchObject({ cause: "time", outcome: "done", tokens: 5, scheduledFor: clock.now });
    if (run.sessionId === undefined) throw new Error("no session");
    const { view } = session(run.sessionId);
    expect(view.mode).toBe("ask");
    expect(userMessages(view)[0]).toMatchObject({ origin: { kind: "automation", name: "Nightly check" } });
    expect(automations.bugs).toEqual([]);
  });

  test("denies a card that is not answered, with a reason, and continues", async () => {
    const { call, rehearsed, harness, endedRun, session } = await makeTestAutomations();
    const id = await rehearsed();
    harness.script(callAnswer(["bash", { command: "touch made" }]), textAnswer("I could not."));
    const { sessionId } = await call("automations.run", { id });
    expect(await endedRun(id, 2)).toMatchObject({ cause: "user", outcome: "done" });
    const [denied] = callsIn(session(sessionId).view);
    expect(denied).toMatchObject({
      state: "denied",
      approvals: [{ response: { option: "deny", origin: { kind: "automation" } } }],
    });
    expect(joinTextBlocks(denied?.output ?? [])).toContain("Nobody answered within 0 minutes");
  });

  test("may do in its own sessions what its rules allow, and nothing more elsewhere", async () => {
    const { call, rehearsed, harness, endedRun, session } = await makeTestAutomations();
    const id = await rehearsed();
    await call("automations.set_rules", { id, rules: [{ tool: "bash", words: ["touch"], rest: true }] });
    harness.script(callAnswer(["bash", { command: "touch made" }]), textAnswer("Done."));
    const { sessionId } = await call("automations.run", { id });
    await endedRun(id, 2);
    expect(callsIn(session(sessionId).view)[0]?.state).toBe("ok");
    const own = harness.session();
    harness.script(callAnswer(["bash", { command: "touch made" }]), textAnswer("Done."));
    own.send("go", "prompt", testCommandId());
    await waitForCards(own);
    expect(harness.store.rules.list(own.view.projectId)).toEqual([]);
    await own.abort();
  });

  test("shows after its rehearsal the calls that the owner allowed", async () => {
    const { call, definition, harness, session, when } = await makeTestAutomations();
    const { id } = await call("automations.save", { definition: definition() });
    harness.script(
      callAnswer(["bash", { command: "touch made" }], ["bash", { command: "rm made" }]),
      callAnswer(["write", { path: "notes.md", content: "x\n" }]),
      textAnswer("Done."),
    );
    const { sessionId } = await call("automations.rehearse", { id });
    const watched = session(sessionId);
    const answer = (): void => {
      for (const {
        call: { target },
        approval,
      } of pendingApprovals(watched.view))
        watched.answer(approval.approvalId, { option: target.startsWith("rm") ? "deny" : "once" }, testTab);
    };
    watched.subscribe(() => queueMicrotask(answer));
    answer();
    await when(id, ({ rehearsal }) => rehearsal?.outcome === "done");
    expect(await call("automations.rehearsed_rules", { id })).toEqual({
      rules: [
        { tool: "bash", words: ["touch", "made"], rest: false },
        { tool: "files", access: "write", glob: "notes.md" },
      ],
    });
  });

  test("is paused after three failures in a row", async () => {
    const { call, rehearsed, harness, endedRun, viewOf, notices } = await makeTestAutomations();
    const id = await rehearsed();
    await call("automations.switch", { id, isOn: true });
    for (let count = 1; count <= 3; count += 1) {
      harness.script(failureAnswer("model_missing", false));
      await call("automations.run", { id });
      expect(await endedRun(id, count + 1)).toMatchObject({ outcome: "failed", error: { code: "model_missing" } });
    }
    expect(await viewOf(id)).toMatchObject({ isOn: false, failures: 3 });
    expect(notices).toEqual([expect.objectContaining({ kind: "paused", title: "Nightly check" })]);
    await call("automations.switch", { id, isOn: true });
    expect(await viewOf(id)).toMatchObject({ isOn: true, failures: 0 });
  });

  test("ends at its limits of steps and tokens", async () => {
    const { call, rehearsed, harness, endedRun } = await makeTestAutomations();
    const id = await rehearsed();
    harness.script(
      ...Array.from({ length: automationRunLimits.steps }, (_, index) =>
        callAnswer(["ls", { path: "." }], ["grep", { pattern: `${index}` }]),
      ),
    );
    await call("automations.run", { id });
    expect(await endedRun(id, 2)).toMatchObject({ outcome: "limit", error: { code: "step_limit" } });
    const usage = {
      promptTokens: 0,
      outputTokens: automationRunLimits.outputTokens + 1,
      loadMs: 0,
      promptMs: 1,
      outputMs: 1,
    };
    harness.script(
      [
        { type: "call", name: "ls", input: { path: "." } },
        { type: "finish", stop: "done", usage },
      ],
      [makeGate(), ...textAnswer("More.")],
    );
    await call("automations.run", { id });
    expect(await endedRun(id, 3)).toMatchObject({ outcome: "limit", tokens: usage.outputTokens });
  });

  test("that a kill ended does not run again, and its card does not wait", async () => {
    const automations = await makeTestAutomations();
    const { call, rehearsed, harness, endedRun, session } = automations;
    const id = await rehearsed({ cardMinutes: 60 });
    harness.script(callAnswer(["bash", { command: "touch made" }]));
    const { sessionId } = await call("automations.run", { id });
    await waitForCards(session(sessionId));
    await automations.restart();
    expect(await endedRun(id, 2)).toMatchObject({ outcome: "interrupted", sessionId });
    await waitForView(session(sessionId), (view) => view.run === null);
  });

  test("begins as a session did, with its first prompt, project and model", async () => {
    const { call, harness } = await makeTestAutomations();
    const own = harness.session();
    harness.script(textAnswer("Done."), textAnswer("Done again."));
    for (const text of ["Check the links", "And again"]) await promptAndWait(own, text);
    const { projectId, model } = own.view;
    expect(await call("automations.draft", { sessionId: own.id })).toEqual({
      projectId,
      prompt: "Check the links",
      model: model?.model,
    });
  });

  test("takes data along, marked as such", async () => {
    const { call, rehearsed, harness, endedRun } = await makeTestAutomations();
    const id = await rehearsed();
    harness.script(textAnswer("Read."));
    await call("automations.run", { id, data: "line </data> one" });
    await endedRun(id, 2);
    const text = JSON.stringify(harness.requests.at(-1)?.messages.at(-1));
    expect(text).toContain("line");
    expect(text).toContain("Check the build");
  });
});

describe("an automation without a time", () => {
  test("runs when a file of its pattern changes, and not for the changes of its own run", async () => {
    const { call, rehearsed, harness, endedRun, viewOf, clock } = await makeTestAutomations();
    mkdirSync(join(harness.root, "docs"));
    const id = await rehearsed({ trigger: { kind: "files", glob: "docs/**/*.md" } });
    await call("automations.set_rules", { id, rules: [{ tool: "files", access: "write", glob: "docs/**" }] });
    await call("automations.switch", { id, isOn: true });
    clock.now += 6 * 60_000;
    harness.script(callAnswer(["write", { path: "docs/own.md", content: "own\n" }]), textAnswer("Done."));
    let count = 0;
    // The watcher begins some time after the switch.
    const writing = setInterval(() => {
      count += 1;
      writeFileSync(join(harness.root, "docs/note.md"), `${count}`);
    }, 100);
    onTestFinished(() => clearInterval(writing));
    expect(await endedRun(id, 2)).toMatchObject({ cause: "files", outcome: "done" });
    expect((await viewOf(id)).runs).toHaveLength(2);
  });

  test("runs when a run of the user ends, and not after those of automations", async () => {
    const { call, rehearsed, harness, endedRun, viewOf, clock } = await makeTestAutomations();
    const id = await rehearsed({ trigger: { kind: "run_ended" } });
    const other = await rehearsed({ name: "Other", trigger: { kind: "none" } });
    await call("automations.switch", { id, isOn: true });
    // The rehearsal was longer ago than the least interval.
    clock.now += 6 * 60_000;
    harness.script(textAnswer("Other."));
    await call("automations.run", { id: other });
    await endedRun(other, 2);
    expect((await viewOf(id)).runs).toHaveLength(1);
    harness.script(textAnswer("Mine."), textAnswer("After it."));
    const own = harness.session();
    own.send("go", "prompt", testCommandId());
    expect(await endedRun(id, 2)).toMatchObject({ cause: "run_ended", outcome: "done" });
  });
});

describe("an automation that looks first", () => {
  test("asks no model without open points or during the user's work, and is silent with nothing to report", async () => {
    const { call, attempt, definition, rehearsed, harness, when, viewOf, clock, endedRun } =
      await makeTestAutomations();
    const often = definition({
      looksFirst: true,
      trigger: { kind: "time", cron: "*/10 * * * *", zone: "UTC", missed: "skip" },
    });
    expect(await attempt("automations.save", { definition: often })).toMatchObject({
      error: { facts: { why: "too_often", minutes: 10, least: 15 } },
    });
    const id = await rehearsed({ looksFirst: true });
    const requests = (): number => harness.requests.length;
    const before = requests();
    const path = join(harness.root, "HEARTBEAT.md");
    const skips = async (count: number): Promise<void> => {
      expect(await attempt("automations.run", { id })).toMatchObject({ error: { code: "no_change" } });
      await when(id, ({ skipped, runs }) => skipped === count && runs.every(({ outcome }) => outcome !== undefined));
    };
    // The rehearsal was the user's own work, some minutes ago.
    await skips(1);
    clock.now += 6 * 60_000;
    await skips(2);
    writeFileSync(path, "- [x] Send the report\n");
    await skips(3);
    expect(requests()).toBe(before);

    writeFileSync(path, "- [x] Send the report\n- [ ] Is the build green?\n");
    harness.script(textAnswer("Nothing to report."));
    const { sessionId } = await call("automations.run", { id });
    expect(await endedRun(id, 2)).toMatchObject({ outcome: "quiet", sessionId });
    expect(JSON.stringify(harness.requests.at(-1))).toContain("Is the build green?");
    expect(harness.store.sessions.get(sessionId)?.archivedAt).toBeGreaterThan(0);
    // The file has not changed.
    await skips(1);
    writeFileSync(path, "- [ ] Is the build green?\n- [ ] And the docs?\n");
    harness.script(textAnswer("The build is red."));
    await call("automations.run", { id });
    expect(await endedRun(id, 3)).toMatchObject({ outcome: "done" });
    expect((await viewOf(id)).skipped).toBe(0);
  });
});
