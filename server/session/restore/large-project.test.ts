/** A project with too many files to keep copies of, and no git: it is said, and the first destructive command asks. */
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { pathEntries } from "@/lib/view/view";
import type { Session } from "../core/session-types";
import {
  callAnswer,
  makeTestHarness,
  promptAndWait,
  testCommandId,
  testTab,
  type TestHarness,
  textAnswer,
  waitForCards,
} from "../testing/test-harness";

async function makeLargeProject(): Promise<TestHarness> {
  const harness = await makeTestHarness({ snapshotFiles: 20 });
  for (const folder of ["part0", "part1", "part2"]) {
    mkdirSync(join(harness.root, folder));
    for (let file = 0; file < 10; file += 1) writeFileSync(join(harness.root, folder, String(file)), "");
  }
  return harness;
}

const lastCall = (session: Session) =>
  pathEntries(session.view)
    .flatMap((entry) => (entry.kind === "message" ? entry.calls : []))
    .at(-1);

/** Runs a command that does not ask; returns its call. */
async function run(harness: TestHarness, session: Session, command: string) {
  harness.script(callAnswer(["bash", { command }]), textAnswer("done"));
  await promptAndWait(session, "go");
  return lastCall(session);
}

test("in a project with too many files each command's card says so, and the first destructive one asks in Full access", async () => {
  const harness = await makeLargeProject();
  const first = harness.session("full");
  expect(await run(harness, first, "npm --version; exit 3")).toMatchObject({ facts: { undoGap: "too_many_files" } });
  expect((await run(harness, first, "cat part1/1"))?.facts.undoGap).toBeUndefined();
  for (const command of ["find part0 -name 0 -delete", "git checkout -- .", "echo x > part0/2", "mv part1 part0"]) {
    const session = harness.session("full");
    harness.script(callAnswer(["bash", { command }]), textAnswer("done"));
    const done = promptAndWait(session, "go");
    const [card] = await waitForCards(session);
    expect(lastCall(session)?.approvals[0]?.preview).toMatchObject({ kind: "command", noUndo: true });
    if (card !== undefined) session.answer(card.approvalId, { option: "deny" }, testTab);
    await done;
  }
  expect(existsSync(join(harness.root, "part0/0"))).toBe(true);
  const session = harness.session("full");
  harness.script(callAnswer(["bash", { command: "find part0 -name 0 -delete" }]), textAnswer("done"));
  const done = promptAndWait(session, "go");
  const [card] = await waitForCards(session);
  if (card !== undefined) session.answer(card.approvalId, { option: "once" }, testTab);
  await done;
  expect(existsSync(join(harness.root, "part0/0"))).toBe(false);
  // Asked once: the next one runs, and its card says so.
  const next = await run(harness, session, "find part0 -name 1 -delete");
  expect(next).toMatchObject({ state: "ok", approvals: [], facts: { undoGap: "too_many_files" } });
});

test("a command of the user that changes files says so, one that only reads does not", async () => {
  const harness = await makeLargeProject();
  const session = harness.session();
  for (const [text, undoGap] of [
    ["!rm part0/0", "too_many_files"],
    ["!cat part1/1", undefined],
  ]) {
    const started = session.runCommand(text ?? "", testCommandId());
    if (!started.ok) throw new Error(started.error.code);
    await started.value.done;
    expect(lastCall(session)?.facts.undoGap).toBe(undoGap);
  }
});
