/**
 * Cuts the connections of clients at random moments of runs; each client must end with the same view as a fresh one.
 */
import type { SessionId } from "@/lib/events/id";
import { pendingApprovals } from "@/lib/view/view";
import { viewFromSnapshot } from "@/lib/view/view-from-snapshot";
import type { ScriptedTurn } from "../fixtures/scripted-model.mjs";
import { NetworkProxy } from "./network-proxy";
import { comparableView, type SessionFollower } from "./session-follower";
import { makeRandom, waitMs, type Random, pollUntil } from "./random";
import { freshSoakCommandId, SoakProduct } from "./soak-product";

interface CutReport {
  cuts: number;
  /** Number of views compared with a fresh one. */
  compared: number;
  /** Server restarts meanwhile, half of them by SIGKILL. */
  restarts: number;
  readonly wrong: string[];
}

export const emptyCutReport = (): CutReport => ({ cuts: 0, compared: 0, restarts: 0, wrong: [] });

interface CutWatcher {
  readonly name: string;
  readonly proxy: NetworkProxy;
  readonly follower: SessionFollower;
}

/** A run of about two seconds with every kind of event. */
const cutTurns = (round: number): readonly ScriptedTurn[] => [
  {
    thinking: "I think about it. ".repeat(20),
    tokens: 300,
    tps: 500,
    toolCalls: [bashCall("for i in 1 2 3 4 5 6 7 8; do echo line $i; sleep 0.05; done")],
  },
  {
    text: "Now a file.",
    toolCalls: [{ name: "write", arguments: { path: `cut${round}.txt`, content: "one\ntwo\n" } }],
  },
  { tokens: 300, tps: 600 },
];

const bashCall = (command: string) => ({ name: "bash", arguments: { command } });

interface CutPlan {
  /** At least this many connections are cut, in at least this many runs; the server is restarted in every third run. */
  readonly cuts: number;
  readonly runs: number;
}

/** Rejects only when the server or the harness fails. */
export async function cutConnections({ cuts, runs }: CutPlan, seed: number, report: CutReport): Promise<void> {
  const random = makeRandom(seed);
  const subject = await SoakProduct.start();
  try {
    for (let round = 0; report.cuts < cuts || round < runs; round += 1)
      await runCutRound(subject, round, random, report);
  } finally {
    for (const left of await subject.end()) report.wrong.push(`left running: ${left}`);
  }
}

async function runCutRound(subject: SoakProduct, round: number, random: Random, report: CutReport): Promise<void> {
  const sessionId = await subject.newSession(random.chance(0.5) ? "full" : "ask");
  const watchers = await Promise.all(
    ["often cut", "often cut", "seldom cut", "slow", "steady"].map((name) => openWatcher(subject, sessionId, name)),
  );
  for (const { name, proxy } of watchers) if (name === "slow") proxy.throttle(200_000);
  subject.model.setScript({ turns: cutTurns(round) });
  await subject.callOrThrow("session.send", {
    sessionId,
    commandId: freshSoakCommandId(),
    text: `round ${round}`,
    intent: "prompt",
  });
  const run = { isOver: false };
  const cutting = watchers.map(async ({ name, proxy }) => {
    const most = name === "often cut" ? 150 : name === "seldom cut" ? 700 : null;
    while (most !== null && !run.isOver) {
      await waitMs(random.between(0, most));
      await proxy.cut(random.chance(0.2) ? random.between(100, 600) : random.between(0, 30));
    }
  });
  const restarted = round % 3 === 2 ? restartServer(subject, random, report) : null;
  await restarted;
  await finishRun(subject, sessionId);
  run.isOver = true;
  await Promise.all(cutting);
  await compareViews(subject, sessionId, watchers, report);
  for (const { proxy, follower } of watchers) {
    report.cuts += proxy.cuts;
    follower.close();
    proxy.close();
  }
}

async function openWatcher(subject: SoakProduct, sessionId: SessionId, name: string): Promise<CutWatcher> {
  const proxy = await NetworkProxy.open(subject.server.port);
  const follower = subject.follow(sessionId, { address: proxy.address });
  await follower.until(() => true);
  return { name, proxy, follower };
}

async function restartServer(subject: SoakProduct, random: Random, report: CutReport): Promise<void> {
  await waitMs(random.between(100, 1_500));
  if (random.chance(0.5)) await subject.kill();
  await subject.restart();
  report.restarts += 1;
}

/** Allows all approvals and resumes interrupted runs until nothing is left to do. */
async function finishRun(subject: SoakProduct, sessionId: SessionId): Promise<void> {
  let resumed = false;
  await pollUntil(
    "the end of a run",
    async () => {
      const { snapshot } = await subject.callOrThrow("session.open", { sessionId });
      const view = viewFromSnapshot(snapshot);
      for (const { approval } of pendingApprovals(view))
        await subject.callOrThrow("session.answer", { sessionId, approvalId: approval.approvalId, option: "once" });
      if (view.run !== null) return undefined;
      if (resumed || snapshot.entries.at(-1)?.kind !== "run_end") return view;
      resumed = true;
      const resuming = await subject.call("session.resume", { sessionId, commandId: freshSoakCommandId() });
      return resuming.kind === "ok" ? undefined : view;
    },
    30_000,
  );
}

async function compareViews(
  subject: SoakProduct,
  sessionId: SessionId,
  watchers: readonly CutWatcher[],
  report: CutReport,
): Promise<void> {
  const fresh = await subject.freshView(sessionId);
  const expected = comparableView(fresh);
  for (const { name, follower } of watchers) {
    const isEqual = await pollUntil(
      `an equal view of the ${name} client`,
      () => (follower.view !== null && comparableView(follower.view) === expected ? true : undefined),
      10_000,
    ).catch(() => false);
    report.compared += 1;
    if (isEqual) continue;
    report.wrong.push(`the ${name} client has a different view at ${follower.view?.seq} of ${fresh.seq}`);
  }
}
