/**
 * Cuts the connections of clients at random moments of runs; each client must end with the same view as a fresh one.
 */
import type { SessionId } from "@/lib/id";
import { pendingApprovals, type SessionView } from "@/lib/view";
import { viewOf } from "@/lib/snapshot";
import type { ScriptedTurn } from "../fixtures/scripted-model.mjs";
import { NetworkDoor } from "./door";
import { Follower, plainView } from "./follower";
import { makeRandom, passing, type Random, until } from "./random";
import { freshCommandId, Subject } from "./subject";

export interface CutReport {
  cuts: number;
  /** Number of views compared with a fresh one. */
  compared: number;
  /** Server restarts meanwhile, half of them by SIGKILL. */
  restarts: number;
  readonly wrong: string[];
}

export const emptyCutReport = (): CutReport => ({ cuts: 0, compared: 0, restarts: 0, wrong: [] });

interface Watcher {
  readonly name: string;
  readonly door: NetworkDoor;
  readonly follower: Follower;
}

/** A run of about two seconds with every kind of event. */
const turns = (round: number): readonly ScriptedTurn[] => [
  {
    thinking: "I think about it. ".repeat(20),
    tokens: 300,
    tps: 500,
    toolCalls: [bash("for i in 1 2 3 4 5 6 7 8; do echo line $i; sleep 0.05; done")],
  },
  {
    text: "Now a file.",
    toolCalls: [{ name: "write", arguments: { path: `cut${round}.txt`, content: "one\ntwo\n" } }],
  },
  { tokens: 300, tps: 600 },
];

const bash = (command: string) => ({ name: "bash", arguments: { command } });

/** Makes at least `cuts` cuts. Rejects only when the server or the harness fails. */
export async function cutConnections(cuts: number, seed: number, report: CutReport): Promise<void> {
  const random = makeRandom(seed);
  const subject = await Subject.start();
  try {
    for (let round = 0; report.cuts < cuts; round += 1) await cutRound(subject, round, random, report);
  } finally {
    for (const left of await subject.end()) report.wrong.push(`left running: ${left}`);
  }
}

async function cutRound(subject: Subject, round: number, random: Random, report: CutReport): Promise<void> {
  const sessionId = await subject.newSession(random.chance(0.5) ? "full" : "ask");
  const watchers = await Promise.all(
    ["often cut", "often cut", "seldom cut", "slow", "steady"].map((name) => watcher(subject, sessionId, name)),
  );
  for (const { name, door } of watchers) if (name === "slow") door.narrow(200_000);
  subject.model.setScript({ turns: turns(round) });
  await subject.must("session.send", {
    sessionId,
    commandId: freshCommandId(),
    text: `round ${round}`,
    intent: "prompt",
  });
  const run = { isOver: false };
  const cutting = watchers.map(async ({ name, door }) => {
    const most = name === "often cut" ? 150 : name === "seldom cut" ? 700 : null;
    while (most !== null && !run.isOver) {
      await passing(random.between(0, most));
      await door.cut(random.chance(0.2) ? random.between(100, 600) : random.between(0, 30));
    }
  });
  const restarted = round % 3 === 2 ? restart(subject, random, report) : null;
  await restarted;
  await finish(subject, sessionId);
  run.isOver = true;
  await Promise.all(cutting);
  await compare(subject, sessionId, watchers, report);
  for (const { door, follower } of watchers) {
    report.cuts += door.cuts;
    follower.close();
    door.close();
  }
}

async function watcher(subject: Subject, sessionId: SessionId, name: string): Promise<Watcher> {
  const { server } = subject;
  const door = await NetworkDoor.open(server.port);
  const options = {
    address: door.address,
    host: `localhost:${server.port}`,
    bearer: () => subject.bearer,
    returns: true,
  };
  const follower = new Follower(sessionId, options);
  await follower.until(() => true);
  return { name, door, follower };
}

async function restart(subject: Subject, random: Random, report: CutReport): Promise<void> {
  await passing(random.between(100, 1_500));
  if (random.chance(0.5)) await subject.kill();
  await subject.restart();
  report.restarts += 1;
}

/** Allows all approvals and resumes interrupted runs until nothing is left to do. */
async function finish(subject: Subject, sessionId: SessionId): Promise<void> {
  let resumed = false;
  await until(
    "the end of a run",
    async () => {
      const { snapshot } = await subject.must("session.open", { sessionId });
      const view = viewOf(snapshot);
      for (const { approval } of pendingApprovals(view))
        await subject.must("session.answer", { sessionId, approvalId: approval.approvalId, option: "once" });
      if (view.run !== null) return undefined;
      if (resumed || snapshot.entries.at(-1)?.kind !== "run_end") return view;
      resumed = true;
      const resuming = await subject.call("session.resume", { sessionId, commandId: freshCommandId() });
      return resuming.kind === "ok" ? undefined : view;
    },
    30_000,
  );
}

const freshView = async (subject: Subject, sessionId: SessionId): Promise<SessionView> => {
  const { snapshot } = await subject.must("session.open", { sessionId });
  return viewOf(snapshot);
};

async function compare(
  subject: Subject,
  sessionId: SessionId,
  watchers: readonly Watcher[],
  report: CutReport,
): Promise<void> {
  const fresh = await freshView(subject, sessionId);
  const expected = plainView(fresh);
  for (const { name, follower } of watchers) {
    const isEqual = await until(
      `an equal view of the ${name} client`,
      () => (follower.view !== null && plainView(follower.view) === expected ? true : undefined),
      10_000,
    ).catch(() => false);
    report.compared += 1;
    if (isEqual) continue;
    report.wrong.push(`the ${name} client has a different view at ${follower.view?.seq} of ${fresh.seq}`);
  }
}
