/**
 * Runs subagents: ordinary sessions that a call of another session starts, as many at once as their model server works
 * on. The call waits for the end of its subagent; a stop of either ends the subagent.
 */
import { type DurableEnvelope, type DurableEvent, isDurable } from "@/lib/events/event";
import { asId, type CallId, type CommandId, type RunId, type SessionId } from "@/lib/events/id";
import { hasMoreRights, type Mode } from "@/lib/permissions/policy";
import { serverLimits } from "@/lib/settings/server-limits";
import { toolVerb } from "@/lib/events/tool-verbs";
import { pathEntriesBackward, type SessionView } from "@/lib/view/view";
import { startBlocks } from "@/server/session/branches/start-blocks";
import { subagentAnswerTokens } from "@/server/session/context/sources/subagent-source";
import type { Session } from "@/server/session/core/session-types";
import type { SessionService } from "@/server/session/service/session-service";
import type { Store } from "@/server/store/open-store";
import { type ToolCall, ToolError, type ToolResult } from "@/server/tools/core/tool";
import { toOneLine } from "@/server/tools/toolbox/foreign-text";
import { subagentResult } from "./subagent-result";
import { makeTurns, type Turn } from "./turns";

export interface SubagentTask {
  readonly task: string;
  /** It has the rights of Plan mode. */
  readonly looks: boolean;
}

export interface Subagents {
  /** Throws ToolError if the call may not start a subagent: it is one itself, or its run has started enough. */
  check(call: Pick<ToolCall, "id">): void;
  /**
   * Starts the subagent of the call and resolves with its result. Throws ToolError; rejects with the signal's reason after
   * the subagent has ended.
   */
  run(task: SubagentTask, call: ToolCall, signal: AbortSignal): Promise<ToolResult>;
  /** The row of a session in the list has changed. */
  rowChanged(id: SessionId): void;
  /** Lowers the mode of the session's running subagents to its own. */
  parentModeChanged(parentId: SessionId, mode: Mode): void;
  /** Forgets what the session's run started. */
  runEnded(id: SessionId): void;
}

interface SubagentsOptions {
  readonly sessions: Pick<SessionService, "get" | "startSubagent" | "watch" | "release">;
  readonly store: { readonly sessions: Pick<Store["sessions"], "subagents" | "get"> };
  /** The model server of a provider, with the conversations that it works on at once. */
  hostOf(provider: string): { readonly host: string; readonly slots: number };
}

const maxProgressChars = 160;

export function makeSubagents({ sessions, store, hostOf }: SubagentsOptions): Subagents {
  const turns = makeTurns();
  const running = new Map<Session, RunningSubagent>();
  /** A card or a question of it waits for the user. */
  const passTurn = (id: SessionId, turn: Turn): void => turn.setWaiting(store.sessions.get(id)?.status === "waiting");
  const begunCalls = makeBegunCalls(store);
  const parentView = (id: SessionId): SessionView => {
    const parent = sessions.get(id);
    if (!parent.ok) throw new ToolError("not_found", "This session does not exist any more.");
    return parent.value.view;
  };
  const check: Subagents["check"] = ({ id }) => {
    const view = parentView(id.sessionId);
    if (view.parent?.relation === "subagent")
      throw new ToolError("blocked", "A subagent starts no subagents. Do this step yourself.");
    const calls = begunCalls.of(view);
    if (!calls.has(id.callId) && calls.size >= serverLimits.subagentsPerRun)
      throw new ToolError(
        "too_many",
        `This run has started ${serverLimits.subagentsPerRun} subagents already. Do the rest yourself.`,
      );
  };
  return {
    check,
    async run(task, call, signal) {
      check(call);
      const view = parentView(call.id.sessionId);
      begunCalls.of(view).add(call.id.callId);
      const byUser = new AbortController();
      const stopListening = call.onEnd(() => byUser.abort());
      const stop = AbortSignal.any([signal, byUser.signal]);
      const work = (turn: Turn): Promise<ToolResult> => {
        const parent = parentView(call.id.sessionId);
        return runSession({ sessions, running, parent, turn, passTurn }, task, call, { stop, signal });
      };
      try {
        return await turns.hold(hostOf(view.model?.provider ?? ""), call.id.sessionId, work, stop);
      } catch (error) {
        signal.throwIfAborted();
        if (!byUser.signal.aborted || error instanceof ToolError) throw error;
        return notStartedResult;
      } finally {
        stopListening();
      }
    },
    rowChanged(id) {
      for (const [session, { turn }] of running) if (session.id === id) passTurn(id, turn);
    },
    parentModeChanged(parentId, mode) {
      for (const [session, subagent] of running) {
        if (subagent.parentId !== parentId || !hasMoreRights(session.view.mode, mode)) continue;
        session.update({ mode }, asId<CommandId>(`mode-${session.view.seq}`));
      }
    },
    runEnded: begunCalls.forget,
  };
}

const notStartedResult: ToolResult = {
  output: [{ type: "text", text: "[The user stopped it before it started.]" }],
  facts: { steps: 0, tokens: 0, unfinished: "stopped" },
};

/** The calls of each session's current run that have started a subagent, or wait to start one. */
function makeBegunCalls({ sessions }: SubagentsOptions["store"]) {
  const begun = new Map<SessionId, { readonly runId: RunId | undefined; readonly calls: Set<CallId> }>();
  return {
    of(view: SessionView): Set<CallId> {
      const { sessionId, run } = view;
      const earlier = begun.get(sessionId);
      if (earlier !== undefined && earlier.runId === run?.runId) return earlier.calls;
      const ofRun = callsOfRun(view);
      const started = sessions.subagents(sessionId).map(({ callId }) => callId);
      const calls = new Set(started.filter((callId) => ofRun.has(callId)));
      begun.set(sessionId, { runId: run?.runId, calls });
      return calls;
    },
    forget: (id: SessionId): void => void begun.delete(id),
  };
}

interface RunningSubagent {
  readonly parentId: SessionId;
  readonly turn: Turn;
}

/** `stop` also fires when the user ends the call alone. */
async function runSession(
  {
    sessions,
    running,
    parent,
    turn,
    passTurn,
  }: Pick<SubagentsOptions, "sessions"> & {
    readonly running: Map<Session, RunningSubagent>;
    readonly parent: SessionView;
    readonly turn: Turn;
    passTurn(id: SessionId, turn: Turn): void;
  },
  { task, looks }: SubagentTask,
  call: ToolCall,
  { stop, signal }: { readonly stop: AbortSignal; readonly signal: AbortSignal },
): Promise<ToolResult> {
  const started = sessions.startSubagent(call.id, looks ? "plan" : parent.mode);
  if (!started.ok) throw new ToolError(started.error.code, "The subagent could not be started.");
  const session = started.value;
  sessions.watch(session.id);
  running.set(session, { parentId: parent.sessionId, turn });
  const unfollow = session.subscribe((envelope) => {
    if (!isDurable(envelope)) return;
    passTurn(session.id, turn);
    followEvent(envelope, session, call);
  });
  // A log that cannot be written reports it itself.
  const end = (): void => void session.abort().catch(() => {});
  stop.addEventListener("abort", end, { once: true });
  try {
    const sent = session.send(task, "prompt", asId<CommandId>(`task-${call.id.callId}`), {
      start: startBlocks(parent),
      origin: { kind: "agent" },
    });
    if (!sent.ok) throw new ToolError(sent.error.code, "The subagent could not be started.");
    const reason = await sent.value.done;
    signal.throwIfAborted();
    const window = parent.model?.numCtx ?? serverLimits.windowMinTokens;
    return subagentResult(session.view, reason ?? "error", subagentAnswerTokens(window));
  } finally {
    stop.removeEventListener("abort", end);
    unfollow();
    running.delete(session);
    sessions.release(session.id);
  }
}

/** The calls of the open run on the path. */
function callsOfRun(view: SessionView): ReadonlySet<CallId> {
  const calls = new Set<CallId>();
  for (const entry of pathEntriesBackward(view)) {
    if (entry.kind === "run_start") break;
    if (entry.kind === "message") for (const { callId } of entry.calls) calls.add(callId);
  }
  return calls;
}

/** Reports the calls of the subagent, and records its file changes for the call that started it. */
function followEvent({ event }: DurableEnvelope, session: Session, call: ToolCall): void {
  if (event.type === "tool_call_start") call.progress(`${formatStep(session.view, event)}\n`);
  if (event.type !== "file_change") return;
  const { path, before, mode } = event;
  try {
    call.recordChange({ path, before, mode });
  } catch {
    // The subagent's own log has it, and the failure was reported.
  }
}

function formatStep(view: SessionView, event: Extract<DurableEvent, { type: "tool_call_start" }>): string {
  const verb = toolVerb(event.kind, "infinitive") ?? event.name ?? event.kind;
  return `${view.run?.steps ?? 0}. ${verb} ${toOneLine(event.target)}`.slice(0, maxProgressChars).trimEnd();
}
