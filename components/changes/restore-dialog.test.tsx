// @vitest-environment happy-dom
import { screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { asId, type SessionId } from "@/lib/events/id";
import type { RestorePlan, RestoreStep } from "@/lib/workspace/changes";
import { connectClient, renderForUser } from "../shell/frame/test-dom";
import { RestoreDialog } from "./restore-dialog";

const step: RestoreStep = { path: "a.ts", action: "write", added: 1, removed: 0, conflict: false, now: null };
const rest = "One undo restores at most 1 file. 3 more will stay until you undo again.";

test.each([
  [3, 1],
  [0, 0],
])("with %i files beyond the limit of one undo, the dialog says so %i times", async (beyond, times) => {
  const plan: RestorePlan = { toSeq: 1, steps: [step], beyond };
  const { client } = await connectClient((name) =>
    name === "session.restore_preview" ? { ok: true, value: plan } : undefined,
  );
  const noop = (): void => undefined;
  const dialog = { sessionId: asId<SessionId>("s1"), toSeq: 1, isBusy: false, canRewind: false, onClose: noop };
  await renderForUser(client, <RestoreDialog {...dialog} />);
  await screen.findByText("a.ts", { exact: false });
  expect(screen.queryAllByText(rest)).toHaveLength(times);
});
