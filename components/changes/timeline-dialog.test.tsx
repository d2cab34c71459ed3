// @vitest-environment happy-dom
import { screen, waitFor } from "@testing-library/react";
import { expect, test } from "vitest";
import { asId, type Hash, type ProjectId, type SessionId } from "@/lib/events/id";
import type { FileVersion, RestorePlan } from "@/lib/workspace/changes";
import { connectClient, renderForUser } from "../shell/frame/test-dom";
import { TimelineDialog } from "./timeline-dialog";

const sessionId = asId<SessionId>("s1");
const now = asId<Hash>("f".repeat(64));
const version: FileVersion = {
  sessionId,
  title: "Fix the total",
  seq: 12,
  at: 1,
  by: "run",
  before: "file",
  hasOtherChanges: true,
  lines: { added: 2, removed: 1 },
};
const plan: RestorePlan = {
  toSeq: 11,
  steps: [{ path: "src/a.ts", action: "write", added: 1, removed: 2, conflict: true, now }],
  beyond: 0,
};

test("a version is compared with the file as it is and restored, and the toast undoes that", async () => {
  const answers: Readonly<Record<string, unknown>> = {
    "project.versions": { versions: [version] },
    "session.restore_preview": plan,
    "session.restore_files": { seq: 30, failed: [] },
  };
  const { client, inputsOf } = await connectClient((name) =>
    name in answers ? { ok: true, value: answers[name] } : undefined,
  );
  let closed = 0;
  const props = { projectId: asId<ProjectId>("p1"), path: "src/a.ts", onClose: () => (closed += 1) };
  const user = await renderForUser(client, <TimelineDialog {...props} />);
  await screen.findByText("Before “Fix the total”");
  await screen.findByText("Includes your own changes, or those of another program");
  await user.click(await screen.findByRole("button", { name: "Restore this version" }));
  await waitFor(() => expect(closed).toBe(1));
  expect(inputsOf("session.restore_preview")).toEqual([{ sessionId, toSeq: 11, onlyPath: "src/a.ts" }]);
  const request = { sessionId, conversation: false, paths: ["src/a.ts"] };
  expect(inputsOf("session.restore_files")).toMatchObject([
    { ...request, toSeq: 11, overwrite: [{ path: "src/a.ts", hash: now }] },
  ]);
  client.toasts.get()[0]?.action?.onSelect();
  await waitFor(() => expect(inputsOf("session.restore_files")).toHaveLength(2));
  expect(inputsOf("session.restore_files")[1]).toMatchObject({ ...request, toSeq: 29 });
});
