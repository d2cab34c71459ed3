/**
 * Activities of the product during a kill, one function per kind. Each acts, kills, and records in the ledger what
 * must hold.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Intent } from "@/lib/events/event";
import type { SessionId } from "@/lib/events/id";
import { pendingApprovals } from "@/lib/view/view";
import type { ScriptedTurn } from "../fixtures/scripted-model.mjs";
import { findProcesses } from "../fixtures/server";
import type { SessionFollower } from "./session-follower";
import { versionContent, type Ledger, type SentMessage } from "./ledger";
import { waitMs, type Random, pollUntil } from "./random";
import { freshSoakCommandId, type SoakProduct } from "./soak-product";

export type PhaseName = "streaming" | "tool" | "approval" | "compaction" | "write" | "migration" | "start";

/** Context of a phase; its `after` runs once the server is up again and the log was audited. */
export interface KillContext {
  readonly subject: SoakProduct;
  readonly ledger: Ledger;
  readonly random: Random;
  /** Number of the kill, used to make unique words. */
  readonly round: number;
  /** Session of the compactions, with a history to summarise. */
  longSession: SessionId | null;
}

/** Returns the problems as text. */
export type AfterRestartCheck = () => Promise<readonly string[]>;

const noFurtherChecks: AfterRestartCheck = () => Promise.resolve([]);

export const counterFile = (subject: SoakProduct): string => join(subject.place.project, "counter");

/** Returns the words that commands have appended so far, one for each time they ran. */
export function countedTokens(subject: SoakProduct): readonly string[] {
  try {
    return readFileSync(counterFile(subject), "utf8").split("\n").filter(Boolean);
  } catch {
    return [];
  }
}

const followSession = ({ subject }: KillContext, sessionId: SessionId): SessionFollower =>
  subject.follow(sessionId, { reconnects: false });

export async function sendSoakMessage(
  scene: Pick<KillContext, "subject" | "ledger">,
  sessionId: SessionId,
  text: string,
  intent: Intent = "prompt",
): Promise<SentMessage> {
  const { subject, ledger } = scene;
  const message: SentMessage = { sessionId, commandId: freshSoakCommandId(), text, seq: null };
  ledger.sessions.add(sessionId);
  ledger.sentMessages.push(message);
  await resendMessage(subject, message, intent);
  return message;
}

/** Sends the same command again, like a tab whose connection was lost. */
async function resendMessage(subject: SoakProduct, message: SentMessage, intent: Intent = "prompt"): Promise<void> {
  const { sessionId, commandId, text } = message;
  const sent = await subject.call("session.send", { sessionId, commandId, text, intent });
  if (sent.kind === "ok") message.seq = sent.value.seq;
}

async function killWhileFollowed(scene: KillContext, follower: SessionFollower): Promise<void> {
  const { subject, ledger } = scene;
  const killedAt = performance.now();
  await subject.kill();
  ledger.lastReceived = { sessionId: follower.sessionId, killedAt, texts: [...follower.receivedTexts.values()] };
  follower.close();
}

/** Resolves when neither a run nor a compaction is open in the session. */
export const waitUntilIdle = (subject: SoakProduct, sessionId: SessionId): Promise<unknown> =>
  pollUntil(`the end of a run of ${sessionId}`, async () => {
    const { snapshot } = await subject.callOrThrow("session.open", { sessionId });
    return snapshot.run === null && snapshot.openCompaction === null ? snapshot : undefined;
  });

/** Kills in the middle of an answer, up to two seconds into it; messages wait in the queue. */
export async function killWhileStreaming(scene: KillContext): Promise<AfterRestartCheck> {
  const { subject, random, round } = scene;
  const sessionId = await subject.newSession("ask");
  const follower = followSession(scene, sessionId);
  const isLong = random.chance(0.25);
  subject.model.setScript({ turns: [{ tokens: 4_000, tps: random.between(50, 1_500) }] });
  const sending = sendSoakMessage(scene, sessionId, `question ${round}`);
  const queueing = random.chance(0.4)
    ? sending.then(() =>
        Promise.all([
          sendSoakMessage(scene, sessionId, `steer ${round}`, "steer"),
          sendSoakMessage(scene, sessionId, `later ${round}`, "followUp"),
        ]),
      )
    : null;
  await waitMs(random.between(0, isLong ? 2_000 : 400));
  await killWhileFollowed(scene, follower);
  const message = await sending;
  await queueing;
  if (!random.chance(0.3)) return noFurtherChecks;
  return async () => {
    subject.model.setScript({ turns: [{ text: "Once more." }] });
    await resendMessage(subject, message);
    await waitUntilIdle(subject, sessionId);
    return message.seq === null ? [`"${message.text}" was refused when it was sent again`] : [];
  };
}

const bashTurn = (command: string): ScriptedTurn => ({
  toolCalls: [{ name: "bash", arguments: { command, timeout: 60 } }],
});

/** Kills while a command runs; the command appends a word each time it runs, and starts a process with a mark. */
export async function killDuringTool(scene: KillContext): Promise<AfterRestartCheck> {
  const { subject, ledger, random, round } = scene;
  const token = `tool${round}`;
  const mark = join(subject.place.project, `process-${token}`);
  const sessionId = await subject.newSession("full");
  ledger.tokens.set(token, "at most once");
  const follower = followSession(scene, sessionId);
  subject.model.setScript({
    turns: [
      bashTurn(`echo ${token} >> counter; sh -c 'echo printed; sleep 60; echo more' ${mark}`),
      { text: "Looked." },
    ],
  });
  const sending = sendSoakMessage(scene, sessionId, `run ${token}`);
  if (random.chance(0.7)) await follower.until((view) => Object.keys(view.openCalls).length > 0);
  await waitMs(random.between(0, 250));
  await killWhileFollowed(scene, follower);
  await sending;
  return async () => {
    const left = await remainingProcess(mark);
    if (!random.chance(0.3)) return left;
    subject.model.setScript({ turns: [{ text: "I look what it did." }] });
    await subject.call("session.resume", { sessionId, commandId: freshSoakCommandId() });
    await waitUntilIdle(subject, sessionId);
    return left;
  };
}

/** Checks that the command of a killed server has been ended, at the latest shortly after the next start. */
const remainingProcess = (mark: string): Promise<readonly string[]> =>
  pollUntil(`the end of ${mark}`, () => (findProcesses(mark).length === 0 ? [] : undefined), 5_000).catch(
    (error: Error) => [error.message],
  );

/** Kills while a card waits, or shortly before or after the user's answer. */
export async function killDuringApproval(scene: KillContext): Promise<AfterRestartCheck> {
  const { subject, ledger, random, round } = scene;
  const token = `card${round}`;
  const sessionId = await subject.newSession("ask");
  const follower = followSession(scene, sessionId);
  subject.model.setScript({ turns: [bashTurn(`echo ${token} >> counter`), { text: "Done." }] });
  ledger.tokens.set(token, "never");
  const sending = sendSoakMessage(scene, sessionId, `ask for ${token}`);
  const isSeen = random.chance(0.75);
  if (isSeen) await follower.until((view) => pendingApprovals(view).length > 0);
  await waitMs(random.between(0, isSeen ? 40 : 150));
  const shown = follower.view === null ? undefined : pendingApprovals(follower.view)[0]?.approval.approvalId;
  if (shown !== undefined && random.chance(0.3)) {
    ledger.tokens.set(token, "at most once");
    const answering = subject.call("session.answer", { sessionId, approvalId: shown, option: "once" });
    await waitMs(random.between(0, 30));
    await killWhileFollowed(scene, follower);
    await Promise.all([sending, answering]);
    return noFurtherChecks;
  }
  await killWhileFollowed(scene, follower);
  await sending;
  return () => checkWaitingCard(scene, sessionId, { token, shown });
}

async function checkWaitingCard(
  { subject, ledger, random }: KillContext,
  sessionId: SessionId,
  { token, shown }: { readonly token: string; readonly shown: string | undefined },
): Promise<readonly string[]> {
  const { snapshot } = await subject.callOrThrow("session.open", { sessionId });
  const waiting = snapshot.entries.flatMap((entry) =>
    entry.kind === "message" ? entry.calls.filter(({ state }) => state === "waiting") : [],
  );
  const approvalId = waiting[0]?.approvals.at(-1)?.approvalId;
  if (shown !== undefined && approvalId !== shown) return ["the waiting card is lost"];
  if (approvalId === undefined || random.chance(0.4)) return [];
  const isAllowed = random.chance(0.5);
  subject.model.setScript({ turns: [{ text: "Done." }] });
  ledger.tokens.set(token, isAllowed ? "once" : "never");
  await subject.callOrThrow("session.answer", { sessionId, approvalId, option: isAllowed ? "once" : "deny" });
  await waitUntilIdle(subject, sessionId);
  return [];
}

/** Kills while older messages are summarised. */
export async function killDuringCompaction(scene: KillContext): Promise<AfterRestartCheck> {
  const { subject, ledger, random, round } = scene;
  const { model } = subject;
  const sessionId = (scene.longSession ??= await subject.newSession("ask"));
  ledger.sessions.add(sessionId);
  for (let more = 0; ; more += 1) {
    model.setScript({ turns: [{ tokens: 120, tps: 400 }], defaults: { tokens: 60 } });
    const compacting = await subject.call("session.compact", { sessionId, commandId: freshSoakCommandId() });
    if (compacting.kind === "ok") break;
    if (more > 40) throw new Error(`nothing to summarise: ${JSON.stringify(compacting)}`);
    model.setScript({ defaults: { tokens: 400 } });
    await sendSoakMessage(scene, sessionId, `history ${round} ${more}: ${"long words ".repeat(60)}`);
    await waitUntilIdle(subject, sessionId);
  }
  const follower = followSession(scene, sessionId);
  await waitMs(random.between(0, 450));
  await killWhileFollowed(scene, follower);
  return noFurtherChecks;
}

/** Kills while files are written, by the model or by the editor. */
export async function killDuringWrite(scene: KillContext): Promise<AfterRestartCheck> {
  return scene.random.chance(0.5) ? modelWrites(scene) : editorWrites(scene);
}

const writtenFiles = 4;

async function modelWrites(scene: KillContext): Promise<AfterRestartCheck> {
  const { subject, ledger, random, round } = scene;
  const sessionId = await subject.newSession("full");
  const follower = followSession(scene, sessionId);
  const lines = random.between(1, 8_000);
  const calls = Array.from({ length: writtenFiles }, (_, index) => {
    const path = `model-${index}.txt`;
    const version = `round${round}of${index}`;
    allowEitherVersion(ledger, join(subject.place.project, path), versionContent(version, lines));
    return { name: "write", arguments: { path, content: versionContent(version, lines) } };
  });
  subject.model.setScript({ turns: [{ toolCalls: calls }, { text: "Written." }] });
  const sending = sendSoakMessage(scene, sessionId, `write round ${round}`);
  await follower.until((view) => Object.keys(view.openCalls).length > 0 || (view.run === null && view.seq > 4));
  await waitMs(random.between(0, 80));
  await killWhileFollowed(scene, follower);
  await sending;
  return async () => {
    const { snapshot } = await subject.callOrThrow("session.open", { sessionId });
    const done = snapshot.entries.flatMap((entry) => (entry.kind === "message" ? entry.calls : []));
    return calls.flatMap(({ arguments: { path, content } }) => {
      const isDone = done.some((call) => call.target === path && call.state === "ok");
      const now = recordCurrentContent(ledger, join(subject.place.project, path));
      return isDone && now !== content ? [`${path} was written according to the log but has other content`] : [];
    });
  };
}

async function editorWrites(scene: KillContext): Promise<AfterRestartCheck> {
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
      const text = versionContent(`round${round}save${save}`, random.between(1, 12_000));
      allowEitherVersion(ledger, place, text);
      const written = await subject.call("files.write", { projectId, path, text, expect });
      if (written.kind === "refused") throw new Error(`${path}: ${JSON.stringify(written.error)}`);
      if (written.kind !== "ok") return;
      saved = text;
      ledger.files.set(place, [text]);
      expect = written.value.hash;
    }
  };
  const saves = saving();
  await waitMs(random.between(5, 250));
  await subject.kill();
  isDead = true;
  await saves;
  return () => {
    const versions = ledger.files.get(place) ?? [];
    const now = recordCurrentContent(ledger, place);
    return Promise.resolve(saved !== null && !versions.includes(now) ? [`${path} lost the saved content`] : []);
  };
}

/** Records that the file may have its previous content or this one. */
function allowEitherVersion(ledger: Ledger, path: string, content: string): void {
  ledger.files.set(path, [...(ledger.files.get(path) ?? [null]).slice(-1), content]);
}

/** Reads the file and records its content as the only valid version. */
function recordCurrentContent(ledger: Ledger, path: string): string | null {
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
export async function killDuringStart({ subject, random }: KillContext): Promise<AfterRestartCheck> {
  await subject.kill();
  await subject.killedStart(random.between(20, 420));
  return noFurtherChecks;
}
