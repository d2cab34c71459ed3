/**
 * Tests of the user's actions on the shell during a run: ending one command, restarting the shell. Real bash and
 * processes.
 */
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { type ApprovalId, asId, type CallId } from "@/lib/events/id";
import { type CallView, pathEntries, pendingApprovals } from "@/lib/view/view";
import type { Session } from "./session-types";
import { auditLog } from "../testing/test-audit";
import {
  promptAndWait,
  callAnswer,
  type TestHarness,
  makeTestHarness,
  storedRows,
  textAnswer,
  testTab,
  waitForView,
} from "../testing/test-harness";

const allCalls = (session: Session): readonly CallView[] =>
  pathEntries(session.view).flatMap((entry) => (entry.kind === "message" ? entry.calls : []));
const results = (harness: TestHarness, request: number): readonly string[] =>
  (harness.requests[request]?.messages ?? []).flatMap((message) => (message.role === "tool" ? [message.text] : []));
const expectValidLog = (harness: TestHarness, session: Session): void =>
  expect(auditLog(storedRows(harness, session.id))).toEqual([]);

/** Waits for the running call that prints `text`. */
async function waitForPrinted(session: Session, text: string): Promise<CallId> {
  const found = (): CallView | undefined =>
    allCalls(session).find((call) => call.state === "running" && call.live?.tail.includes(text) === true);
  await waitForView(session, () => found() !== undefined);
  return found()?.callId ?? asId<CallId>("");
}

/** Waits for a pending card other than `before`. */
async function waitForNextCard(session: Session, before?: ApprovalId): Promise<ApprovalId> {
  const waiting = (): ApprovalId | undefined => pendingApprovals(session.view)[0]?.approval.approvalId;
  await waitForView(session, () => waiting() !== undefined && waiting() !== before);
  return waiting() ?? asId<ApprovalId>("");
}

/** The folder on the newest call's card. */
function shownFolder(session: Session): string | undefined {
  const preview = allCalls(session).at(-1)?.approvals.at(-1)?.preview;
  return preview?.kind === "command" ? preview.cwd : undefined;
}

/** In a sandbox a process has another number, so it is found by its words. */
const isRunning = (words: string): boolean =>
  execFileSync("ps", ["-eo", "args"], { encoding: "utf8" }).split("\n").includes(words);

test.runIf(process.platform === "linux")("only a command without an approval has limits", async () => {
  const harness = await makeTestHarness();
  writeFileSync(join(harness.root, "a.txt"), "");
  const outside = mkdtempSync(join(tmpdir(), "gopi-outside-"));
  writeFileSync(join(outside, "a.txt"), "");
  // More memory than the limit, of which nothing is used.
  const reads = (file: string) => callAnswer(["bash", { command: `od -w1100000000 ${file} | wc -l` }]);
  const asking = harness.session();
  harness.script(reads("a.txt"), reads(`${outside}/a.txt`), textAnswer("Done."));
  const done = promptAndWait(asking, "go");
  asking.answer(await waitForNextCard(asking), { option: "once" }, testTab);
  await done;
  expect(results(harness, 1)[0]).toContain("memory exhausted");
  expect(results(harness, 2)[1]).not.toContain("memory exhausted");
  const full = harness.session("full");
  harness.script(reads("a.txt"), textAnswer("Done."));
  await promptAndWait(full, "go");
  expect(results(harness, 4)[0]).not.toContain("memory exhausted");
});

describe("ending one command", () => {
  const child = `sleep 6${process.pid}`;
  test.each([
    ["a command", `${child} & echo begun; wait`],
    ["one that ignores a polite end", `trap '' TERM; ${child} & echo begun; while :; do sleep 1; done`],
  ])("%s ends with its processes, the model gets a notice and the run continues", async (_name, command) => {
    const harness = await makeTestHarness();
    const session = harness.session("full");
    harness.script(
      callAnswer(["bash", { command }]),
      callAnswer(["bash", { command: "echo next" }]),
      textAnswer("Done."),
    );
    const done = promptAndWait(session, "go");
    const callId = await waitForPrinted(session, "begun");
    // The shell prints before its child has become the program.
    await expect.poll(() => isRunning(child), { timeout: 30_000 }).toBe(true);
    expect(session.controls.endCommand(callId)).toBe(true);
    expect(await done).toBe("done");
    expect(results(harness, 1)[0]).toMatch(/^begun\n\[.*ended by the user.*\]$/s);
    expect(results(harness, 2)[1]).toContain("next");
    expect(allCalls(session)[0]).toMatchObject({ state: "error", facts: { ended: "user" } });
    expect(isRunning(child)).toBe(false);
    expect(session.controls.endCommand(callId)).toBe(false);
    expectValidLog(harness, session);
  });

  test("a call without a command, or an unknown one, is not ended", async () => {
    const harness = await makeTestHarness();
    const session = harness.session("full");
    harness.script(callAnswer(["ls", { path: "." }]), textAnswer("Done."));
    await promptAndWait(session, "go");
    expect(session.controls.endCommand(asId<CallId>("none"))).toBe(false);
    expect(allCalls(session).map(({ callId }) => session.controls.endCommand(callId))).toEqual([false]);
  });
});

describe("restarting the shell", () => {
  const printState = "echo [$MARK] in ${PWD##*/}";

  test("resets folder and variables and informs the model once, at the next result", async () => {
    const harness = await makeTestHarness();
    const session = harness.session("full");
    harness.script(
      callAnswer(["bash", { command: "mkdir -p deep && cd deep && export MARK=kept" }]),
      textAnswer("Ok."),
    );
    await promptAndWait(session, "go");
    harness.script(callAnswer(["bash", { command: printState }]), textAnswer("Ok."));
    await promptAndWait(session, "look");
    expect(results(harness, 3)[1]).toContain("[kept] in deep");

    session.controls.restartShell();
    harness.script(
      callAnswer(["bash", { command: printState }]),
      callAnswer(["bash", { command: "true" }]),
      textAnswer("Ok."),
    );
    await promptAndWait(session, "again");
    const [, , after = "", later = ""] = results(harness, 6);
    expect(after).toContain(`[] in ${harness.root.split("/").at(-1)}`);
    expect(after).toContain("The user restarted the shell");
    expect(later).not.toContain("restarted the shell");
    expectValidLog(harness, session);
  });

  test("ends the running command; its folder no longer applies, also after the session was closed", async () => {
    const harness = await makeTestHarness();
    const session = harness.session("full");
    harness.script(
      callAnswer(["bash", { command: "mkdir -p deep; cd deep; export MARK=kept; echo begun; sleep 600" }]),
      textAnswer("Ok."),
    );
    const done = promptAndWait(session, "go");
    await waitForPrinted(session, "begun");
    session.controls.restartShell();
    expect(await done).toBe("done");
    expect(results(harness, 1)[0]).toContain("ended by the user");
    expect(results(harness, 1)[0]).toContain("The user restarted the shell");

    session.suspend();
    harness.script(callAnswer(["bash", { command: printState }]), textAnswer("Ok."));
    await promptAndWait(session, "look");
    expect(results(harness, 3).at(-1)).toContain(`[] in ${harness.root.split("/").at(-1)}`);
    expectValidLog(harness, session);
  });

  test("during a pending card, the next yes shows the new folder in another card, and then the command runs", async () => {
    const harness = await makeTestHarness();
    const session = harness.session();
    harness.script(
      callAnswer(["bash", { command: "mkdir -p deep && cd deep" }]),
      callAnswer(["bash", { command: "touch made.txt" }]),
      textAnswer("Ok."),
    );
    const done = promptAndWait(session, "go");
    session.answer(await waitForNextCard(session), { option: "once" }, testTab);
    const stale = await waitForNextCard(session);
    expect(shownFolder(session)).toBe(join(harness.root, "deep"));
    session.controls.restartShell();
    session.answer(stale, { option: "once" }, testTab);
    const fresh = await waitForNextCard(session, stale);
    expect(shownFolder(session)).toBe(harness.root);
    session.answer(fresh, { option: "once" }, testTab);
    expect(await done).toBe("done");
    expect(existsSync(join(harness.root, "made.txt"))).toBe(true);
    expect(existsSync(join(harness.root, "deep/made.txt"))).toBe(false);
    expectValidLog(harness, session);
  });

  test.each([1, 2, 24])("is reported exactly once when the window is shared by %i results", async (count) => {
    const harness = await makeTestHarness({ numCtx: 4_096 });
    const session = harness.session("full");
    harness.script(callAnswer(["bash", { command: "export MARK=kept" }]), textAnswer("Ok."));
    await promptAndWait(session, "go");

    session.controls.restartShell();
    const calls = Array.from({ length: count }, (_, index) => ["ls", { path: `../${index}` }] as const);
    harness.script(
      callAnswer(["bash", { command: "true" }], ...calls.slice(1)),
      callAnswer(["bash", { command: printState }]),
      textAnswer("Ok."),
    );
    await promptAndWait(session, "again");
    const notices = allCalls(session).flatMap((call) =>
      (call.output ?? []).filter((block) => block.type === "context" && block.text.includes("restarted the shell")),
    );
    expect(notices).toHaveLength(1);
    expectValidLog(harness, session);
  });

  test("of a session without commands reports nothing", async () => {
    const harness = await makeTestHarness();
    const session = harness.session("full");
    session.controls.restartShell();
    harness.script(callAnswer(["bash", { command: "true" }]), textAnswer("Ok."));
    await promptAndWait(session, "go");
    expect(results(harness, 1)[0]).not.toContain("restarted the shell");
  });
});
