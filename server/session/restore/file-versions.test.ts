import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { computeHash } from "@/server/base/id";
import type { Session } from "../core/session-types";
import { callAnswer, makeTestHarness, promptAndWait, testCommandId, textAnswer } from "../testing/test-harness";
import { listFileVersions } from "./file-versions";

test("the versions of a file are those before each run and restore, with changes from outside marked", async () => {
  const harness = await makeTestHarness();
  const file = join(harness.root, "a.txt");
  const session = harness.session("edits");
  const { projectId } = session.view;
  const edit = async (prompt: string, old: string, now: string): Promise<void> => {
    harness.script(callAnswer(["edit", { path: "a.txt", old_text: old, new_text: now }]), textAnswer("done"));
    await promptAndWait(session, prompt);
  };
  const versions = () => listFileVersions(harness.store, projectId, "a.txt");
  const plannedActions = async ({ files }: Session) => {
    const plans = (await versions()).map(({ seq }) => files.plan(seq - 1, "a.txt"));
    return (await Promise.all(plans)).map((plan) => (plan.ok ? plan.value.steps.map(({ action }) => action) : plan));
  };
  expect(await versions()).toEqual([]);
  writeFileSync(file, "one\n");
  await edit("Add more", "one", "two\nmore");
  await edit("Now\ncount", "two", "three");
  writeFileSync(file, "mine\n");
  const overwrite = [{ path: "a.txt", hash: computeHash("mine\n") }];
  await session.files.restore({ toSeq: 0, conversation: false, overwrite }, testCommandId());
  const { sessionId, title } = session.view;
  expect(await versions()).toMatchObject([
    { sessionId, title, by: "restore", before: "file", hasOtherChanges: true, lines: { added: 1, removed: 1 } },
    {
      sessionId,
      title: "Now count",
      by: "run",
      before: "file",
      hasOtherChanges: false,
      lines: { added: 1, removed: 1 },
    },
    {
      sessionId,
      title: "Add more",
      by: "run",
      before: "file",
      hasOtherChanges: false,
      lines: { added: 2, removed: 1 },
    },
  ]);
  expect(await plannedActions(session)).toEqual([["write"], ["write"], []]);
  expect(harness.store.sessions.remove(sessionId, 1)).toBe(true);
  expect(await versions()).toEqual([]);
});
