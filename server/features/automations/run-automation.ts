/**
 * Runs an automation as a session of its project. No user watches it: a card that is not answered in time is denied with a
 * reason that the model reads, and the run ends at limits of its own.
 */
import { type AutomationOutcome, automationRunLimits, type AutomationRule } from "@/lib/automations/automation";
import { type AgentError, thrownText } from "@/lib/events/error";
import { type DurableEnvelope, type Envelope, isDurable, type RunEnd } from "@/lib/events/event";
import { asId, type ApprovalId, type ClientId, type CommandId, type RuleId, type SessionId } from "@/lib/events/id";
import type { Rule } from "@/lib/permissions/policy";
import { pathEntriesBackward, type SessionView } from "@/lib/view/view";
import { promptFile } from "@/server/prompts/prompts";
import type { UnattendedTerms } from "@/server/session/core/services";
import type { RemoteClient, RemoteSessions } from "@/server/session/service/remote-sessions";
import type { DueRow, StoredAutomation } from "@/server/store/automations";
import { type Heartbeat, heartbeatFile, isQuietAnswer } from "./heartbeat";
import type { AutomationEnd } from "./run-queue";

/** Longest duration of a run with all its waits for answers, ms. */
const runMaxMs = 3 * 3_600_000;

interface RunnerOptions {
  readonly heartbeat: Heartbeat;
  /** Takes the session out of the list. */
  archive(id: SessionId): void;
  remoteSessions(client: RemoteClient): RemoteSessions;
  /** The session that started this one as a subagent; undefined = none. */
  parentOf(id: SessionId): SessionId | undefined;
}

interface AutomationTask {
  readonly automation: StoredAutomation;
  readonly row: DueRow;
  /** Text for the prompt, from the caller. */
  readonly data?: string;
  /** Receives the session before its prompt is sent. */
  began(sessionId: SessionId): void;
}

export interface AutomationRunner {
  /** Resolves when the run has ended, or at once when the signal fires: the run is then stopped. Never rejects. */
  run(task: AutomationTask, signal: AbortSignal): Promise<AutomationEnd>;
  unattendedTerms(id: SessionId): UnattendedTerms | null;
  /** An event of any session. */
  event(envelope: Envelope): void;
}

interface ActiveRun {
  readonly sessions: RemoteSessions;
  readonly sessionId: SessionId;
  readonly terms: UnattendedTerms;
  /** Wait for an answer, minutes; null = the owner looks at the run. */
  readonly cardMinutes: number | null;
  readonly cards: Map<ApprovalId, NodeJS.Timeout>;
  tokens: number;
  error?: AgentError;
  isOverLimit: boolean;
  end(reason: RunEnd): void;
}

const outcomes: { readonly [end in RunEnd]: AutomationOutcome } = {
  done: "done",
  aborted: "stopped",
  error: "failed",
  limit: "limit",
  interrupted: "interrupted",
};

/** The rules of an automation as those of its project. */
const toRules = ({ id, projectId, rules }: StoredAutomation): readonly Rule[] =>
  rules.map((rule: AutomationRule, index) => ({
    id: asId<RuleId>(`${id}-${index}`),
    projectId,
    effect: "allow",
    createdAt: 0,
    ...rule,
  }));

export function makeAutomationRunner({
  remoteSessions,
  parentOf,
  heartbeat,
  archive,
}: RunnerOptions): AutomationRunner {
  const active = new Map<SessionId, ActiveRun>();
  const runOf = (id: SessionId): ActiveRun | undefined => {
    if (active.size === 0) return undefined;
    const parent = active.get(id) === undefined ? parentOf(id) : undefined;
    return active.get(parent ?? id);
  };
  return {
    unattendedTerms: (id) => runOf(id)?.terms ?? null,
    event(envelope) {
      const run = isDurable(envelope) ? runOf(envelope.sessionId) : undefined;
      if (run !== undefined && isDurable(envelope)) followEvent(run, envelope);
    },
    async run({ automation, row, data, began }, signal) {
      const { projectId, mode, model, connection } = automation;
      const isWatched = row.cause === "rehearsal";
      const points = automation.looksFirst === true && !isWatched ? await heartbeat.look(automation) : "";
      if (points === null) return { outcome: "skipped" };
      const sessions = remoteSessions(clientOf(automation));
      const commandId = asId<CommandId>(`automation-${automation.id}-${row.scheduledFor}`);
      const wanted = { ...(model === undefined ? {} : { model }), ...(connection === undefined ? {} : { connection }) };
      const created = await sessions.create({ projectId, commandId, mode, ...wanted });
      if (!created.ok) return { outcome: "failed", error: created.error };
      const { id: sessionId } = created.value.row;
      if (signal.aborted) return { outcome: "stopped", sessionId };
      let resolve = (_reason: RunEnd): void => {};
      const ended = new Promise<RunEnd>((settle) => (resolve = settle));
      const run = makeActiveRun({ sessions, sessionId, end: resolve }, automation, isWatched);
      active.set(sessionId, run);
      const stop = (): void => {
        void sessions.stop(sessionId).catch(() => {});
        resolve("aborted");
      };
      signal.addEventListener("abort", stop, { once: true });
      const limit = setTimeout(() => endAtLimit(run), runMaxMs).unref();
      try {
        began(sessionId);
        const sent = await sessions.send({
          sessionId,
          commandId,
          intent: "prompt",
          ...firstMessage(automation, points, data),
        });
        if (!sent.ok) return { outcome: "failed", error: sent.error, sessionId };
        const end = endOf(run, await ended, automation.looksFirst === true && !isWatched);
        if (end.outcome !== "quiet") return end;
        heartbeat.wasQuiet(automation.id);
        archive(sessionId);
        return end;
      } catch (error) {
        const detail = thrownText(error);
        return { outcome: "failed", error: { code: "internal", detail }, sessionId };
      } finally {
        clearTimeout(limit);
        for (const timer of run.cards.values()) clearTimeout(timer);
        signal.removeEventListener("abort", stop);
        active.delete(sessionId);
      }
    },
  };
}

const clientOf = ({ id, name, projectId }: StoredAutomation): RemoteClient => ({
  id: asId<ClientId>(`automation-${id}`),
  origin: { kind: "automation", name },
  right: "answer",
  mayUse: (other) => other === projectId,
});

const makeActiveRun = (
  started: Pick<ActiveRun, "sessions" | "sessionId" | "end">,
  automation: StoredAutomation,
  isWatched: boolean,
): ActiveRun => ({
  ...started,
  terms: {
    rules: toRules(automation),
    maxSteps: automationRunLimits.steps,
    maxRunMinutes: automationRunLimits.minutes,
    isBackground: !isWatched,
  },
  cardMinutes: isWatched ? null : automation.cardMinutes,
  cards: new Map(),
  tokens: 0,
  isOverLimit: false,
});

function endOf(
  { sessions, sessionId, tokens, error, isOverLimit }: ActiveRun,
  reason: RunEnd,
  mayBeQuiet: boolean,
): AutomationEnd {
  if (isOverLimit) return { outcome: "limit", sessionId, tokens, ...(error === undefined ? {} : { error }) };
  if (reason === "done")
    return { outcome: mayBeQuiet && hasQuietAnswer(sessions, sessionId) ? "quiet" : "done", sessionId, tokens };
  return { outcome: outcomes[reason], sessionId, tokens, ...(error === undefined ? {} : { error }) };
}

function firstMessage({ prompt, looksFirst }: StoredAutomation, points: string, data: string | undefined) {
  const texts = [
    ...(points === "" ? [] : [{ kind: "text" as const, label: heartbeatFile, text: points }]),
    ...(data === undefined ? [] : [{ kind: "text" as const, label: "data", text: data }]),
  ];
  return { text: looksFirst === true ? `${prompt}\n\n${promptFile("heartbeat.md")}` : prompt, references: texts };
}

function hasQuietAnswer(sessions: RemoteSessions, id: SessionId): boolean {
  const session = sessions.get(id);
  const text = session.ok ? lastAnswer(session.value.view) : "";
  return isQuietAnswer(text);
}

function lastAnswer(view: SessionView): string {
  for (const entry of pathEntriesBackward(view))
    if (entry.kind === "message" && entry.role === "assistant")
      return entry.blocks.flatMap((block) => (block.type === "text" ? [block.text] : [])).join("\n");
  return "";
}

function endAtLimit(run: ActiveRun): void {
  if (run.isOverLimit) return;
  run.isOverLimit = true;
  void run.sessions.stop(run.sessionId).catch(() => run.end("error"));
}

/** Events of its session and of that session's subagents. */
function followEvent(run: ActiveRun, { event, sessionId }: DurableEnvelope): void {
  const isOwn = sessionId === run.sessionId;
  switch (event.type) {
    case "approval_request":
      if (run.cardMinutes !== null) denyLater(run, sessionId, event.approvalId, run.cardMinutes);
      return;
    case "approval_response":
      clearTimeout(run.cards.get(event.approvalId));
      run.cards.delete(event.approvalId);
      return;
    case "message_end":
      run.tokens += event.usage?.outputTokens ?? 0;
      if (run.tokens > automationRunLimits.outputTokens) endAtLimit(run);
      return;
    case "error":
      if (isOwn) run.error = event.error;
      return;
    case "agent_end":
      if (isOwn) run.end(event.reason);
      return;
    default:
  }
}

function denyLater(run: ActiveRun, sessionId: SessionId, approvalId: ApprovalId, minutes: number): void {
  const deny = (): void => {
    const reason = promptFile("unattended.md").replace("{{minutes}}", String(minutes));
    // A log that cannot be written reports it itself.
    void run.sessions.answer({ sessionId, approvalId, option: "deny", reason }).catch(() => {});
  };
  run.cards.set(approvalId, setTimeout(deny, minutes * 60_000).unref());
}
