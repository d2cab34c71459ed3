/**
 * Activities of the product during a kill, one function per kind. Each acts, kills, and records in the ledger what
 * must hold.
 */
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { Intent } from "@/lib/event";
import type { SessionId } from "@/lib/id";
import { pendingApprovals } from "@/lib/view";
import type { ScriptedTurn } from "../fixtures/scripted-model.mjs";
import { Follower } from "./follower";
import { contentOf, type Ledger, type Said } from "./ledger";
import { passing, type Random, until } from "./random";
import { freshCommandId, type Subject } from "./subject";

export const phaseNames = ["streaming", "tool", "approval", "compaction", "write", "migration", "start"] as const;
export type PhaseName = (typeof phaseNames)[number];

/** Context of a phase; its `after` runs once the server is up again and the log was audited. */
export interface Scene {
  readonly subject: Subject;
  readonly ledger: Ledger;
  readonly random: Random;
  /** Number of the kill, used to make unique words. */
  readonly round: number;
  /** Session of the compactions, with a history to summarise. */
  longSession: SessionId | null;
}

/** Returns the problems as text. */
export type After = () => Promise<readonly string[]>;

const nothingMore: After = () => Promise.resolve([]);

export const counterOf = (subject: Subject): string => join(subject.place.project, "counter");

/** Returns the words that commands have appended so far, one for each time they ran. */
export function countedTokens(subject: Subject): readonly string[] {
  try {
    return readFileSync(counterOf(subject), "utf8").split("\n").filter(Boolean);
  } catch {
    return [];
  }
}

export function followed({ subject }: Scene, sessionId: SessionId): Follower {
  const { server } = subject;
  const options = { address: server.origin, host: `localhost:${server.port}`, bearer: () => subject.bearer };
  return new Follower(sessionId, { ...options, returns: false });
}

export async function say(scene: Scene, sessionId: SessionId, text: string, intent: Intent = "prompt"): Promise<Said> {
  const { subject, ledger } = scene;
  const said: Said = { sessionId, commandId: freshCommandId(), text, seq: null };
  ledger.sessions.add(sessionId);
  ledger.said.push(said);
  await sayAgain(subject, said, intent);
  return said;
}

/** Sends the same command again, like a tab whose connection was lost. */
export async function sayAgain(subject: Subject, said: Said, intent: Intent = "prompt"): Promise<void> {
  const { sessionId, commandId, text } = said;
  const sent = await subject.call("session.send", { sessionId, commandId, text, intent });
  if (sent.kind === "ok") said.seq = sent.value.seq;
}

async function killed(scene: Scene, follower: Follower): Promise<void> {
  const { subject, ledger } = scene;
  const killedAt = performance.now();
  await subject.kill();
  ledger.lastHeard = { sessionId: follower.sessionId, killedAt, heard: [...follower.heard.values()] };
  follower.close();
}

/** Resolves when neither a run nor a compaction is open in the session. */
export const resting = (subject: Subject, sessionId: SessionId): Promise<unknown> =>
  until(`the end of a run of ${sessionId}`, async () => {
    const { snapshot } = await subject.must("session.open", { sessionId });
    return snapshot.run === null && snapshot.openCompaction === null ? snapshot : undefined;
  });

/** Kills in the middle of an answer, up to two seconds into it; messages wait in the queue. */
export async function streaming(scene: Scene): Promise<After> {
  const { subject, random, round } = scene;
  const sessionId = await subject.newSession("ask");
  const follower = followed(scene, sessionId);
  const isLong = random.chance(0.25);
  subject.model.setScript({ turns: [{ tokens: 4_000, tps: random.between(50, 1_500) }] });
  const sending = say(scene, sessionId, `question ${round}`);
  const queueing = random.chance(0.4)
    ? sending.then(() =>
        Promise.all([
          say(scene, sessionId, `steer ${round}`, "steer"),
          say(scene, sessionId, `later ${round}`, "followUp"),
        ]),
      )
    : null;
  await passing(random.between(0, isLong ? 2_000 : 400));
  await killed(scene, follower);
  const said = await sending;
  await queueing;
  if (!random.chance(0.3)) return nothingMore;
  return async () => {
    subject.model.setScript({ turns: [{ text: "Once more." }] });
    await sayAgain(subject, said);
    await resting(subject, sessionId);
    return said.seq === null ? [`"${said.text}" was refused when it was sent again`] : [];
  };
}

const bash = (command: string): ScriptedTurn => ({
  toolCalls: [{ name: "bash", arguments: { command, timeout: 60 } }],
});

/** Kills while a command runs; the command appends a word each time it runs and leaves its process. */
export async function tool(scene: Scene): Promise<After> {
  const { subject, ledger, random, round } = scene;
  const token = `tool${round}`;
  const pidFile = join(subject.place.project, `pid-${token}`);
  const sessionId = await subject.newSession("full");
  ledger.tokens.set(token, "at most once");
  const follower = followed(scene, sessionId);
  subject.model.setScript({
    turns: [
      bash(`echo ${token} >> counter; echo $$ > pid-${token}; echo printed; sleep 60; echo more`),
      { text: "Looked." },
    ],
  });
  const sending = say(scene, sessionId, `run ${token}`);
  if (random.chance(0.7)) await follower.until((view) => Object.keys(view.openCalls).length > 0);
  await passing(random.between(0, 250));
  await killed(scene, follower);
  await sending;
  return async () => {
    const left = await processLeft(pidFile);
    rmSync(pidFile, { force: true });
    if (!random.chance(0.3)) return left;
    subject.model.setScript({ turns: [{ text: "I look what it did." }] });
    await subject.call("session.resume", { sessionId, commandId: freshCommandId() });
    await resting(subject, sessionId);
    return left;
  };
}

/** Checks that the command of a killed server has been ended, at the latest shortly after the next start. */
async function processLeft(pidFile: string): Promise<readonly string[]> {
  let pid = "";
  try {
    pid = readFileSync(pidFile, "utf8").trim();
  } catch {
    return [];
  }
  const isGone = (): boolean => {
    try {
      return pid === "" || readFileSync(`/proc/${pid}/stat`, "latin1").includes(") Z ");
    } catch {
      return true;
    }
  };
  if (process.platform !== "linux") return [];
  return until(`the end of process ${pid}`, () => (isGone() ? [] : undefined), 5_000).catch((error: Error) => [
    error.message,
  ]);
}

/** Kills while a card waits, or shortly before or after the user's answer. */
export async function approval(scene: Scene): Promise<After> {
  const { subject, ledger, random, round } = scene;
  const token = `card${round}`;
  const sessionId = await subject.newSession("ask");
  const follower = followed(scene, sessionId);
  subject.model.setScript({ turns: [bash(`echo ${token} >> counter`), { text: "Done." }] });
  ledger.tokens.set(token, "never");
  const sending = say(scene, sessionId, `ask for ${token}`);
  const isSeen = random.chance(0.75);
  if (isSeen) await follower.until((view) => pendingApprovals(view).length > 0);
  await passing(random.between(0, isSeen ? 40 : 150));
  const shown = follower.view === null ? undefined : pendingApprovals(follower.view)[0]?.approval.approvalId;
  if (shown !== undefined && random.chance(0.3)) {
    ledger.tokens.set(token, "at most once");
    const answering = subject.call("session.answer", { sessionId, approvalId: shown, option: "once" });
    await passing(random.between(0, 30));
    await killed(scene, follower);
    await Promise.all([sending, answering]);
    return nothingMore;
  }
  await killed(scene, follower);
  await sending;
  return () => cardStays(scene, sessionId, { token, shown });
}

async function cardStays(
  { subject, ledger, random }: Scene,
  sessionId: SessionId,
  { token, shown }: { readonly token: string; readonly shown: string | undefined },
): Promise<readonly string[]> {
  const { snapshot } = await subject.must("session.open", { sessionId });
  const waiting = snapshot.entries.flatMap((entry) =>
    entry.kind === "message" ? entry.calls.filter(({ state }) => state === "waiting") : [],
  );
  const approvalId = waiting[0]?.approvals.at(-1)?.approvalId;
  if (shown !== undefined && approvalId !== shown) return ["the waiting card is lost"];
  if (approvalId === undefined || random.chance(0.4)) return [];
  const isAllowed = random.chance(0.5);
  subject.model.setScript({ turns: [{ text: "Done." }] });
  ledger.tokens.set(token, isAllowed ? "once" : "never");
  await subject.must("session.answer", { sessionId, approvalId, option: isAllowed ? "once" : "deny" });
  await resting(subject, sessionId);
  return [];
}

/** Kills while older messages are summarised. */
export async function compaction(scene: Scene): Promise<After> {
  const { subject, ledger, random, round } = scene;
  const { model } = subject;
  const sessionId = (scene.longSession ??= await subject.newSession("ask"));
  ledger.sessions.add(sessionId);
  for (let more = 0; ; more += 1) {
    model.setScript({ turns: [{ tokens: 120, tps: 400 }], defaults: { tokens: 60 } });
    const compacting = await subject.call("session.compact", { sessionId, commandId: freshCommandId() });
    if (compacting.kind === "ok") break;
    if (more > 40) throw new Error(`nothing to summarise: ${JSON.stringify(compacting)}`);
    model.setScript({ defaults: { tokens: 400 } });
    await say(scene, sessionId, `history ${round} ${more}: ${"long words ".repeat(60)}`);
    await resting(subject, sessionId);
  }
  const follower = followed(scene, sessionId);
  await passing(random.between(0, 450));
  await killed(scene, follower);
  return nothingMore;
}

/** Kills while files are written, by the model or by the editor. */
export async function write(scene: Scene): Promise<After> {
  return scene.random.chance(0.5) ? modelWrites(scene) : editorWrites(scene);
}

const writtenFiles = 4;

async function modelWrites(scene: Scene): Promise<After> {
  const { subject, ledger, random, round } = scene;
  const sessionId = await subject.newSession("full");
  const follower = followed(scene, sessionId);
  const lines = random.between(1, 8_000);
  const calls = Array.from({ length: writtenFiles }, (_, index) => {
    const path = `model-${index}.txt`;
    const version = `round${round}of${index}`;
    expectEither(ledger, join(subject.place.project, path), contentOf(version, lines));
    return { name: "write", arguments: { path, content: contentOf(version, lines) } };
  });
  subject.model.setScript({ turns: [{ toolCalls: calls }, { text: "Written." }] });
  const sending = say(scene, sessionId, `write round ${round}`);
  await follower.until((view) => Object.keys(view.openCalls).length > 0 || (view.run === null && view.seq > 4));
  await passing(random.between(0, 80));
  await killed(scene, follower);
  await sending;
  return async () => {
    const { snapshot } = await subject.must("session.open", { sessionId });
    const done = snapshot.entries.flatMap((entry) => (entry.kind === "message" ? entry.calls : []));
    return calls.flatMap(({ arguments: { path, content } }) => {
      const isDone = done.some((call) => call.target === path && call.state === "ok");
      const now = settle(ledger, join(subject.place.project, path));
      return isDone && now !== content ? [`${path} was written according to the log but has other content`] : [];
    });
  };
}

async function editorWrites(scene: Scene): Promise<After> {
  const { subject, ledger, random, round } = scene;
  const { projectId } = subject;
  const path = `editor-${random.between(0, writtenFiles - 1)}.txt`;
  const place = join(subject.place.project, path);
  let isDead = false;
  let saved: string | null = null;
  const saving = async (): Promise<void> => {
    const read = await subject.call("files.read", { projectId, path });
    let expect = read.kind === "ok" ? read.value.hash : null;
    for (let save = 0; !isDead; save += 1) {
      const text = contentOf(`round${round}save${save}`, random.between(1, 12_000));
      expectEither(ledger, place, text);
      const written = await subject.call("files.write", { projectId, path, text, expect });
      if (written.kind === "refused") throw new Error(`${path}: ${JSON.stringify(written.error)}`);
      if (written.kind !== "ok") return;
      saved = text;
      ledger.files.set(place, [text]);
      expect = written.value.hash;
    }
  };
  const saves = saving();
  await passing(random.between(5, 250));
  await subject.kill();
  isDead = true;
  await saves;
  return () => {
    const known = ledger.files.get(place) ?? [];
    const now = settle(ledger, place);
    return Promise.resolve(saved !== null && !known.includes(now) ? [`${path} lost the saved content`] : []);
  };
}

/** Records that the file may have its previous content or this one. */
function expectEither(ledger: Ledger, path: string, content: string): void {
  ledger.files.set(path, [...(ledger.files.get(path) ?? [null]).slice(-1), content]);
}

/** Reads the file and records its content as the only valid version. */
function settle(ledger: Ledger, path: string): string | null {
  let now: string | null = null;
  try {
    now = readFileSync(path, "utf8");
  } catch {
    // Not written yet.
  }
  ledger.files.set(path, [now]);
  return now;
}

/** Kills in the middle of a start that has to close the runs of a killed server. */
export async function start({ subject, random }: Scene): Promise<After> {
  await subject.kill();
  await subject.killedStart(random.between(20, 420));
  return nothingMore;
}
