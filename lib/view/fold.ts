/**
 * Folds events of a session log into its view. Pure and total: times come from the envelope, ids from events, and an
 * unknown event changes only `seq` (invariants I1 to I3 of docs/architecture.md).
 */
import { at, indexOfSeq, push, replace } from "./chunks";
import type { Block, Json } from "../events/content";
import {
  delivery,
  type DurableEnvelope,
  type DurableEvent,
  type Envelope,
  isBorder,
  isDurable,
  isOnPath,
  isWorkflowEvent,
  optionalOrigin,
  updatesSessionTime,
  type Label,
  type Pin,
} from "../events/event";
import { foldCall } from "./fold-call";
import { closeCompaction, foldCompaction } from "./fold-compaction";
import { foldLive, markStale } from "./fold-live";
import { foldWaiting, totalWaitMs } from "./fold-waiting";
import type { MessageId } from "../events/id";
import {
  type CallView,
  type Entry,
  type MessageEntry,
  pathEntriesBackward,
  isOnCurrentPath,
  type SessionView,
} from "./view";

export function fold(view: SessionView, envelope: Envelope): SessionView {
  if (envelope.sessionId !== view.sessionId) return view;
  return isDurable(envelope) ? foldDurable(view, envelope, false) : foldLive(view, envelope);
}

/** Folds many durable events, copying the view once instead of once per event. */
export function foldLog(view: SessionView, envelopes: Iterable<DurableEnvelope>): SessionView {
  let now = view;
  for (const envelope of envelopes)
    if (envelope.sessionId === view.sessionId) now = foldDurable(now, envelope, now !== view);
  return now;
}

/** A view not yet shared with any reader: its fields may be reassigned, their values are never mutated. */
type UnsharedView = { -readonly [K in keyof SessionView]: SessionView[K] };

/** `isOwn` = the view is not shared and need not be copied. */
function foldDurable(view: SessionView, envelope: DurableEnvelope, isOwn: boolean): SessionView {
  if (envelope.seq <= view.seq) return view;
  // Also true if seq is NaN.
  if (envelope.seq !== view.seq + 1) return markStale(view);
  const { event, seq } = envelope;
  const own: UnsharedView = isOwn ? view : { ...view };
  own.seq = seq;
  if (!isKnownType(event.type)) return own;
  updateTimesAndPath(own, envelope);
  return foldWaiting(applyEvent(own, event, seq, envelope.at), event.type, envelope.at);
}

/**
 * Sets times and path. The parent of a conversation event is the previous one, or the target of a rewind in between.
 */
function updateTimesAndPath(own: UnsharedView, { seq, at: time, event }: DurableEnvelope): void {
  own.createdAt ||= time;
  if (updatesSessionTime(event.type) || own.updatedAt === 0) own.updatedAt = time;
  if (!isOnPath(event.type)) return;
  if (own.rewound) own.segments = [...own.segments, { start: seq, parent: own.newest }];
  own.newest = seq;
  if (isBorder(event.type)) own.border = seq;
  own.rewound = false;
  own.left = null;
}

/** False for events of a newer program version, which only advance `seq`. */
const isKnownType = (type: string): boolean => Object.hasOwn(delivery, type);

function applyEvent(view: UnsharedView, event: DurableEvent, seq: number, now: number): SessionView {
  if (isWorkflowEvent(event)) {
    view.workflow = [...view.workflow, { ...event, seq, at: now }];
    return view;
  }
  switch (event.type) {
    case "session_start":
    case "session_fork":
    case "session_update":
    case "model_change":
    case "queue_change":
      return foldState(view, event, seq);
    case "rewind":
      return foldRewind(view, event.toSeq);
    case "agent_start":
    case "turn_start":
    case "turn_end":
    case "agent_end":
      return foldRun(view, event, seq, now);
    case "message_start":
      return foldMessageStart(view, event, seq, now);
    case "message_end":
      return foldMessageEnd(view, event, now);
    case "call_decision":
      return event.run ? view : dismissCall(view, event);
    case "tool_call_start":
    case "approval_request":
    case "approval_response":
    case "file_change":
    case "tool_call_end":
      return foldCall(view, event, now);
    case "compaction_start":
    case "compaction_end":
    case "compaction_update":
      return foldCompaction(view, event, seq, now);
    case "retry": {
      const { type: _type, ...retry } = event;
      // After output_limit the answer is continued, not replaced.
      const retried = event.error.code === "output_limit" ? view : markReplaced(view, event.messageId);
      return addEntry(retried, { kind: "retry", seq, at: now, ...retry });
    }
    case "restore": {
      const files = event.files.map(({ path, added, removed }) => ({ path, added, removed }));
      return addEntry(view, { kind: "restore", seq, at: now, toSeq: event.toSeq, files });
    }
    case "review": {
      const { type: kind, ...review } = event;
      return addEntry(view, { kind, seq, at: now, ...review });
    }
    case "error":
      return addEntry(closeCompaction(view), { kind: "error", seq, at: now, error: event.error });
    case "review_wait":
    case "hidden":
      return view;
    default:
      return unknownEvent(view, event);
  }
}

/** Compile-time check that the switch handles every event type. */
const unknownEvent = (view: SessionView, _event: never): SessionView => view;

type StateEvent = Extract<
  DurableEvent,
  { type: "session_start" | "session_fork" | "session_update" | "model_change" | "queue_change" }
>;

function foldState(view: UnsharedView, event: StateEvent, seq: number): SessionView {
  switch (event.type) {
    case "session_start":
      view.projectId = event.projectId;
      view.cwd = event.cwd;
      if (event.imported === true) view.imported = true;
      if (event.parent !== undefined) view.parent = { ...event.parent, relation: "subagent" };
      return view;
    case "session_fork":
      view.parent = { sessionId: event.parentId, relation: "fork", atSeq: event.atSeq };
      view.networkSince = 0;
      view.workflow = [];
      return view;
    case "session_update":
      view.title = event.title ?? view.title;
      view.mode = event.mode ?? view.mode;
      if (event.pins !== undefined) view.pins = foldPins(view.pins, event.pins, seq);
      if (event.label !== undefined) view.labels = withLabel(view.labels, event.label);
      if (event.network === true) view.networkSince ||= seq;
      return view;
    case "model_change": {
      const { type: _type, ...model } = event;
      view.model = model;
      return view;
    }
    case "queue_change":
      view.queue = event.queued;
      return view;
  }
}

/** Marks the failed answer as replaced. It is one of the newest entries, since the retry follows in the same run. */
function markReplaced(view: UnsharedView, messageId: MessageId): UnsharedView {
  for (let index = view.entries.length - 1; index >= 0; index -= 1) {
    const entry = at(view.entries, index);
    if (entry === undefined || entry.kind === "run_start") break;
    if (entry.kind !== "message" || entry.messageId !== messageId) continue;
    view.entries = replace<Entry>(view.entries, index, { ...entry, replaced: true });
    break;
  }
  return view;
}

/** A call that is run is the next message, as long as that is on the path. */
function dismissCall(view: UnsharedView, { of, index }: Extract<DurableEvent, { type: "call_decision" }>): SessionView {
  view.dismissedCalls = { ...view.dismissedCalls, [of]: [...(view.dismissedCalls[of] ?? []), index] };
  return view;
}

function addEntry(view: UnsharedView, entry: Entry): SessionView {
  view.entries = push<Entry>(view.entries, entry);
  return view;
}

/** Applies a rewind; one to a seq outside the log is ignored. */
function foldRewind(view: UnsharedView, toSeq: number): SessionView {
  if (!Number.isInteger(toSeq) || toSeq < 0 || toSeq >= view.seq) return view;
  const held = isLoaded(view, toSeq);
  // The first of several rewinds in a row determines the redo position; a rewind to it leaves nothing to redo.
  const left = view.rewound ? view.left : view.border;
  view.left = left === toSeq ? null : left;
  view.newest = toSeq;
  view.border = toSeq;
  view.rewound = true;
  view.usage = null;
  if (view.networkSince > toSeq) view.networkSince = 0;
  for (const entry of pathEntriesBackward(view)) {
    if (entry.seq < view.heldFrom) break;
    if (entry.kind !== "message" || entry.usage === undefined) continue;
    view.usage = entry.usage;
    break;
  }
  return held && (view.usage !== null || view.heldFrom === 0) ? view : markStale(view);
}

/** A file that stays pinned keeps the position since which it is. */
const foldPins = (before: SessionView["pins"], pins: readonly Pin[], seq: number): SessionView["pins"] =>
  pins.map(({ path }) => ({ path, since: before.find((pin) => pin.path === path)?.since ?? seq }));

function withLabel(labels: SessionView["labels"], { seq, text }: Label): SessionView["labels"] {
  const { [seq]: _before, ...remaining } = labels;
  return text === "" ? remaining : { ...remaining, [seq]: text };
}

/**
 * False if `seq` is not loaded: a client holds only a window of the path it opened with, and must request other
 * branches and older entries.
 */
const isLoaded = (view: SessionView, seq: number): boolean =>
  !view.windowed || (seq >= view.heldFrom && (seq === 0 || isOnCurrentPath(view, seq)));

type RunEvent = Extract<DurableEvent, { type: "agent_start" | "turn_start" | "turn_end" | "agent_end" }>;

function foldRun(view: UnsharedView, event: RunEvent, seq: number, now: number): SessionView {
  switch (event.type) {
    case "agent_start": {
      const { runId } = event;
      view.run = { runId, startedAt: now, steps: 0, waitedMs: 0, waitingSince: null };
      const model = view.model === null ? {} : { model: view.model.model, provider: view.model.provider };
      return addEntry(view, { kind: "run_start", seq, at: now, runId, from: view.border, ...model });
    }
    case "turn_start":
      view.turn = { turnId: event.turnId, seq, at: now, step: event.step };
      if (view.run !== null) view.run = { ...view.run, steps: event.step };
      view.phase = null;
      return closeCompaction(view);
    case "turn_end":
      if (view.turn?.turnId !== event.turnId) return view;
      view.turn = null;
      view.phase = null;
      return view;
    case "agent_end":
      return foldRunEnd(view, event, seq, now);
  }
}

function foldRunEnd(
  view: UnsharedView,
  { runId, reason, waitedMs }: Extract<DurableEvent, { type: "agent_end" }>,
  seq: number,
  now: number,
): SessionView {
  const { run } = view;
  if (run?.runId !== runId) return view;
  view.run = null;
  view.turn = null;
  view.phase = null;
  return addEntry(closeCompaction(view), {
    kind: "run_end",
    seq,
    at: now,
    runId,
    reason,
    startedAt: run.startedAt,
    waitedMs: waitedMs ?? totalWaitMs(run, now),
    steps: run.steps,
  });
}

function foldMessageStart(
  view: UnsharedView,
  event: Extract<DurableEvent, { type: "message_start" }>,
  seq: number,
  now: number,
): SessionView {
  const { messageId, role, commandId, origin, held } = event;
  view.openMessages = { ...view.openMessages, [messageId]: seq };
  return addEntry(view, {
    kind: "message",
    seq,
    messageId,
    role,
    at: now,
    blocks: [],
    calls: [],
    ...(commandId === undefined ? {} : { commandId }),
    ...optionalOrigin(origin),
    ...(held === undefined ? {} : { held }),
    ...(role === "user" ? { from: view.border } : {}),
  });
}

function foldMessageEnd(
  view: UnsharedView,
  event: Extract<DurableEvent, { type: "message_end" }>,
  now: number,
): SessionView {
  const { messageId, blocks, stop, usage, unrun } = event;
  if (!Object.hasOwn(view.openMessages, messageId)) return view;
  const { [messageId]: start = 0, ...openMessages } = view.openMessages;
  view.openMessages = openMessages;
  // After an answer its calls show the progress. A model may be loading before it.
  if (Object.keys(openMessages).length === 0) view.phase = null;
  const index = indexOfSeq(view.entries, start);
  const entry = at(view.entries, index);
  if (entry?.kind !== "message") return view;
  const calls = stop === "done" ? queuedCalls(blocks) : [];
  const ended: MessageEntry = {
    ...entry,
    blocks,
    stop,
    endAt: now,
    calls,
    ...(usage === undefined ? {} : { usage }),
    ...(unrun === undefined ? {} : { unrun }),
  };
  view.entries = replace<Entry>(view.entries, index, ended);
  if (calls.length > 0)
    view.openCalls = { ...view.openCalls, ...Object.fromEntries(calls.map((call) => [call.callId, start])) };
  view.usage = usage ?? view.usage;
  return view;
}

/** Target of a call that has not started, from the usual argument names. */
export function callTargetFromInput(input: Json): string {
  if (typeof input !== "object" || input === null) return "";
  const fields = new Map(Object.entries(input));
  for (const name of ["path", "file_path", "command", "pattern"]) {
    const value = fields.get(name);
    if (typeof value === "string") return value;
  }
  return "";
}

const queuedCalls = (blocks: readonly Block[]): readonly CallView[] =>
  blocks.flatMap((block) =>
    block.type === "call"
      ? [
          {
            callId: block.callId,
            name: block.name,
            kind: "other" as const,
            target: callTargetFromInput(block.input),
            facts: {},
            state: "queued" as const,
            approvals: [],
          },
        ]
      : [],
  );
