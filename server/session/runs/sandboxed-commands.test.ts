/** The sandbox of a session's commands: by the mode, and with the network only after the user allowed it to the session. */
import { writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { ApprovalOption, Mode } from "@/lib/permissions/policy";
import type { SandboxUse } from "@/lib/permissions/guard";
import { settingsDefaults } from "@/lib/settings/settings";
import { type CallView, pathEntries } from "@/lib/view/view";
import { makeSandbox } from "@/server/workspace/shell/sandbox";
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

const trial = makeSandbox({ environment: process.env, home: "/nowhere", setting: () => null });
const { works, why } = await trial.state();

let connections = 0;
const server = createServer((socket) => {
  connections += 1;
  socket.destroy();
});
beforeAll(() => new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve)));
afterAll(() => new Promise((resolve) => server.close(resolve)));

const lastCall = (session: Session): CallView | undefined =>
  pathEntries(session.view)
    .flatMap((entry) => (entry.kind === "message" ? entry.calls : []))
    .at(-1);

/** Runs a command that needs the network; null = it is expected not to ask. Returns the call and the connections it made. */
async function fetchWith(harness: TestHarness, session: Session, option: ApprovalOption | null) {
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  const before = connections;
  harness.script(callAnswer(["bash", { command: `git ls-remote http://127.0.0.1:${port}/x` }]), textAnswer("done"));
  const done = promptAndWait(session, "go");
  if (option !== null) {
    const [card] = await waitForCards(session);
    if (card !== undefined) session.answer(card.approvalId, { option }, testTab);
  }
  await done;
  const call = lastCall(session);
  return {
    options: call?.approvals.map(({ options }) => options) ?? [],
    isSandboxed: call?.facts.sandbox === true,
    connected: connections - before > 0,
  };
}

const asksForNetwork = [["network", "once", "deny"]];

describe.skipIf(!works)(`a command that needs the network${works ? "" : ` (skipped: ${why})`}`, () => {
  const start = async (sandbox: SandboxUse, sandboxNetwork = false) => {
    const harness = await makeTestHarness();
    harness.settings.current = { ...settingsDefaults, sandbox, sandboxNetwork };
    return harness;
  };

  test("asks in the sandbox of Full access until the user allows the network, which the session keeps", async () => {
    const harness = await start("full_access");
    const session = harness.session("full");
    const without = { isSandboxed: true, connected: false };
    const withNetwork = { isSandboxed: true, connected: true };
    expect(await fetchWith(harness, session, "once")).toEqual({ options: asksForNetwork, ...without });
    expect(await fetchWith(harness, session, "network")).toEqual({ options: asksForNetwork, ...withNetwork });
    expect(await fetchWith(harness, session, null)).toEqual({ options: [], ...withNetwork });

    const fork = harness
      .registry()
      .fork({ sessionId: session.id, atSeq: session.view.border, commandId: testCommandId() });
    if (!fork.ok) throw new Error(fork.error.code);
    fork.value.update({ mode: "full" }, testCommandId());
    expect(await fetchWith(harness, fork.value, "once")).toEqual({ options: asksForNetwork, ...without });
    expect(await fetchWith(harness, fork.value, "network")).toEqual({ options: asksForNetwork, ...withNetwork });
    expect(await fetchWith(harness, fork.value, null)).toEqual({ options: [], ...withNetwork });
  });

  test.each<[SandboxUse, Mode, readonly string[] | null, boolean]>([
    ["off", "full", null, false],
    ["full_access", "edits", ["once", "always", "deny"], false],
    ["full_access", "ask", ["once", "always", "deny"], false],
    ["always", "edits", ["network", "once", "always", "deny"], true],
    ["always", "full", ["network", "once", "deny"], true],
  ])(
    "with the sandbox %s, in mode %s, has the options %j; it is sandboxed: %s",
    async (use, mode, options, isSandboxed) => {
      const harness = await start(use);
      expect(await fetchWith(harness, harness.session(mode), options === null ? null : "once")).toMatchObject({
        options: options === null ? [] : [options],
        isSandboxed,
        connected: !isSandboxed,
      });
    },
  );

  test("does not ask after the user allowed the network without a card, unless that is rewound or in a fork", async () => {
    const harness = await start("full_access");
    const session = harness.session("full");
    await fetchWith(harness, session, "once");
    const before = session.view.border;
    session.update({ network: true }, testCommandId());
    expect(await fetchWith(harness, session, null)).toMatchObject({ options: [], isSandboxed: true, connected: true });
    const atSeq = session.view.border;
    const fork = harness.registry().fork({ sessionId: session.id, atSeq, commandId: testCommandId() });
    expect(fork.ok && fork.value.view.networkSince).toBe(0);
    session.rewind(before, testCommandId());
    expect(await fetchWith(harness, session, "once")).toMatchObject({ options: asksForNetwork, connected: false });
  });

  test("does not ask after a restart if the user has allowed the network to the session", async () => {
    const harness = await start("full_access");
    const session = harness.session("full");
    expect(await fetchWith(harness, session, "network")).toMatchObject({ options: asksForNetwork, connected: true });
    await harness.restart();
    const now = harness.reload(session);
    now.update({ mode: "full" }, testCommandId());
    expect(await fetchWith(harness, now, null)).toEqual({ options: [], isSandboxed: true, connected: true });
  });

  test("asks after it has failed for it, even if its words do not show that", async () => {
    const harness = await start("full_access");
    const session = harness.session("full");
    writeFileSync(join(harness.root, "fetch.sh"), "echo 'curl: (6) Could not resolve host: example.com'; exit 6\n");
    const run = async (): Promise<readonly (readonly ApprovalOption[])[]> => {
      harness.script(callAnswer(["bash", { command: "sh fetch.sh" }]), textAnswer("done"));
      const done = promptAndWait(session, "go");
      const isFirst = lastCall(session) === undefined;
      const [card] = isFirst ? [] : await waitForCards(session);
      if (card !== undefined) session.answer(card.approvalId, { option: "deny" }, testTab);
      await done;
      return lastCall(session)?.approvals.map(({ options }) => options) ?? [];
    };
    expect(await run()).toEqual([]);
    expect(lastCall(session)?.facts).toMatchObject({ exit: 6, sandboxFailure: "network" });
    expect(await run()).toEqual(asksForNetwork);
  });

  test("does not ask where the setting allows the network", async () => {
    const harness = await start("full_access", true);
    expect(await fetchWith(harness, harness.session("full"), null)).toMatchObject({ options: [], connected: true });
  });
});
