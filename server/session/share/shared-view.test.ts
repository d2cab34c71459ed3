import { expect, test, vi } from "vitest";
import { at } from "@/lib/view/chunks";
import type { SessionView } from "@/lib/view/view";
import { makeRedactor } from "@/server/security/redaction/redact";
import { callAnswer, makeTestHarness, testTab, textAnswer, promptAndWait, waitForCards } from "../testing/test-harness";
import { openSharedView } from "./shared-view";

const redactor = { redactor: () => makeRedactor({ secrets: [], homes: [] }), protectedNames: () => [] };

const waitOfNewestRun = ({ entries }: SessionView): number | null => {
  const end = at(entries, entries.length - 1);
  return end?.kind === "run_end" ? end.waitedMs : null;
};

test("a viewer sees how long a run waited for the owner, without the approvals", async () => {
  const harness = await makeTestHarness();
  const session = harness.session("ask");
  harness.script(callAnswer(["write", { path: "a.txt", content: "a" }]), textAnswer("Written."));
  const services = { store: harness.store, sessions: harness.sessions(), redactor };
  const share = { sessionId: session.id, kind: "live", atSeq: 0, outputs: true } as const;
  const live = await openSharedView(services, share, () => {});
  const done = promptAndWait(session, "go");
  const [card] = await waitForCards(session);
  if (card === undefined) throw new Error("no card");
  await vi.waitUntil(() => Date.now() > card.at);
  session.answer(card.approvalId, { option: "once" }, testTab);
  await done;

  const waitedMs = waitOfNewestRun(session.view);
  expect(waitedMs).toBeGreaterThan(0);
  const frozen = await openSharedView(services, { ...share, kind: "frozen", atSeq: session.view.seq }, () => {});
  for (const view of [live?.view(), frozen?.view()]) {
    if (view === undefined) throw new Error("no view");
    expect(waitOfNewestRun(view)).toBe(waitedMs);
    expect(JSON.stringify(view)).not.toContain(card.approvalId);
  }
  live?.close();
});
