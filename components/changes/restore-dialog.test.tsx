// @vitest-environment happy-dom
import { screen, waitFor } from "@testing-library/react";
import { expect, test } from "vitest";
import { asId, type SessionId } from "@/lib/events/id";
import type { RestorePlan, RestoreStep } from "@/lib/workspace/changes";
import { connectClient, renderForUser } from "../shell/frame/test-dom";
import { RestoreDialog } from "./restore-dialog";

const step: RestoreStep = { path: "a.ts", action: "write", added: 1, removed: 0, conflict: false, now: null };
const rest = "One undo restores at most 1 file. 3 more will stay until you undo again.";

const connectWithPlan = async (plan: RestorePlan) => {
  const { client } = await connectClient((name) =>
    name === "session.restore_preview" ? { ok: true, value: plan } : undefined,
  );
  return client;
};
const dialog = {
  sessionId: asId<SessionId>("s1"),
  toSeq: 1,
  includesLaterRuns: false,
  isBusy: false,
  canRewind: false,
  onClose: (): void => undefined,
};

test.each([
  [3, 1],
  [0, 0],
])("with %i files beyond the limit of one undo, the dialog says so %i times", async (beyond, times) => {
  const client = await connectWithPlan({ toSeq: 1, steps: [step], beyond });
  await renderForUser(client, <RestoreDialog {...dialog} />);
  await screen.findByText("a.ts", { exact: false });
  expect(screen.queryAllByText(rest)).toHaveLength(times);
});

test.each([true, false])("an earlier run's undo that includes later runs says so: %s", async (includesLaterRuns) => {
  const client = await connectWithPlan({ toSeq: 1, steps: [step], beyond: 0 });
  await renderForUser(client, <RestoreDialog {...dialog} before="earlier" {...{ includesLaterRuns }} />);
  await screen.findByText("1 file returns to how it was before that run.");
  expect(screen.queryAllByText("Changes by later runs are undone too.")).toHaveLength(includesLaterRuns ? 1 : 0);
});

test("Enter in a field of the dialog undoes", async () => {
  const answers: Readonly<Record<string, unknown>> = {
    "session.restore_preview": { toSeq: 1, steps: [step], beyond: 0 },
    "session.restore_files": { seq: 2, failed: [] },
  };
  const { client, inputsOf } = await connectClient((name) =>
    name in answers ? { ok: true, value: answers[name] } : undefined,
  );
  const user = await renderForUser(client, <RestoreDialog {...dialog} canRewind />);
  await screen.findByRole("button", { name: "Undo 1 file" });
  screen.getAllByRole("radio")[0]?.focus();
  await user.keyboard("{Enter}");
  await waitFor(() =>
    expect(inputsOf("session.restore_files")).toMatchObject([{ toSeq: 1, conversation: false, paths: ["a.ts"] }]),
  );
});

test.each([
  [undefined, "Undo", "Undo 1 file"],
  [true, "Redo", "Redo 1 file"],
] as const)("the dialog has one verb in its title and its button: redo %s", async (isRedo, title, submit) => {
  const client = await connectWithPlan({ toSeq: 1, steps: [step], beyond: 0 });
  await renderForUser(client, <RestoreDialog {...dialog} {...(isRedo === undefined ? {} : { isRedo })} />);
  await screen.findByRole("dialog", { name: title });
  await screen.findByRole("button", { name: submit });
});
