/**
 * The only fold of the project: the log in, the view out. Pure and total, the same in server, browser, export and tests.
 * Time comes from the envelope, ids from events. An unknown event changes only `seq`.
 */
import { at, indexOfSeq, push, replace } from "./chunks";
import type { Block } from "./content";
import { delivery, type DurableEnvelope, type DurableEvent, type Envelope, isDurable, isOnPath } from "./event";
import { foldCall } from "./fold-call";
import { closeCompaction, foldCompaction } from "./fold-compaction";
import { foldLive, missed } from "./fold-live";
import { type CallView, type Entry, type MessageEntry, rangesOf, type SessionView } from "./view";

export function fold(view: SessionView, envelope: Envelope): SessionView {
  if (envelope.sessionId !== view.sessionId) return view;
  return isDurable(envelope) ? foldDurable(view, envelope) : foldLive(view, envelope);
}

function foldDurable(view: SessionView, envelope: DurableEnvelope): SessionView {
  if (envelope.seq <= view.seq) return view;
  // Also for a seq that is no number.
  if (envelope.seq !== view.seq + 1) return missed(view);
  const { event, seq } = envelope;
  if (!isKnown(event.type)) return { ...view, seq };
  return apply(stamped(view, envelope), event, seq, envelope.at);
}

/**
 * The view with the event's place and time; one copy, since this is what every event of a long log costs. Path rule: the parent of
 * a conversation event is the previous one, or where a rewind between them went.
 */
function stamped(view: SessionView, { seq, at: time, event }: DurableEnvelope): SessionView {
  const steps = isOnPath(event.type);
  return {
    ...view,
    seq,
    createdAt: view.createdAt || time,
    updatedAt: time,
    segments: steps && view.rewound ? [...view.segments, { start: seq, parent: view.newest }] : view.segments,
    newest: steps ? seq : view.newest,
    rewound: steps ? false : view.rewound,
  };
}

/** A newer program's events keep the seq and change nothing else. */
const isKnown = (type: string): boolean => Object.hasOwn(delivery, type);

function apply(view: SessionView, event: DurableEvent, seq: number, now: number): SessionView {
  switch (event.type) {
    case "session_start":
    case "session_fork":
    case "session_update":
    case "model_change":
    case "queue_change":
      return foldState(view, event);
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
      return add(view, { kind: "retry", seq, at: now, ...retry });
    }
    case "error":
      return add(closeCompaction(view), { kind: "error", seq, at: now, error: event.error });
    case "hidden":
      return view;
    default:
      return unknownEvent(view, event);
  }
}

/** The compiler's word that no known event was forgotten above. */
const unknownEvent = (view: SessionView, _event: never): SessionView => view;

type StateEvent = Extract<
  DurableEvent,
  { type: "session_start" | "session_fork" | "session_update" | "model_change" | "queue_change" }
>;

function foldState(view: SessionView, event: StateEvent): SessionView {
  switch (event.type) {
    case "session_start":
      return { ...view, projectId: event.projectId, cwd: event.cwd };
    case "session_fork":
      return { ...view, forkedFrom: { parentId: event.parentId, atSeq: event.atSeq } };
    case "session_update":
      return {
        ...view,
        title: event.title ?? view.title,
        mode: event.mode ?? view.mode,
        pins: event.pins ?? view.pins,
      };
    case "model_change": {
      const { type: _type, ...model } = event;
      return { ...view, model };
    }
    case "queue_change":
      return { ...view, queue: event.queued };
  }
}

const add = (view: SessionView, entry: Entry): SessionView => ({ ...view, entries: push<Entry>(view.entries, entry) });

/** A rewind to what is not there yet is none. */
function foldRewind(view: SessionView, toSeq: number): SessionView {
  if (!Number.isInteger(toSeq) || toSeq < 0 || toSeq >= view.seq) return view;
  const moved: SessionView = { ...view, newest: toSeq, rewound: true };
  return isHeld(view, toSeq) ? moved : missed(moved);
}

/** A client has a window of the path it opened with; other branches and older entries it has to ask for. */
const isHeld = (view: SessionView, seq: number): boolean =>
  !view.windowed ||
  (seq >= view.heldFrom &&
    (seq === 0 || rangesOf(view.segments, view.newest).some(([from, to]) => seq >= from && seq <= to)));

type RunEvent = Extract<DurableEvent, { type: "agent_start" | "turn_start" | "turn_end" | "agent_end" }>;

function foldRun(view: SessionView, event: RunEvent, seq: number, now: number): SessionView {
  switch (event.type) {
    case "agent_start": {
      const { runId } = event;
      return add({ ...view, run: { runId, startedAt: now, steps: 0 } }, { kind: "run_start", seq, at: now, runId });
    }
    case "turn_start":
      return closeCompaction({
        ...view,
        turn: { turnId: event.turnId, seq, at: now, step: event.step },
        run: view.run === null ? null : { ...view.run, steps: event.step },
        phase: null,
      });
    case "turn_end":
      return view.turn?.turnId === event.turnId ? { ...view, turn: null, phase: null } : view;
    case "agent_end":
      return foldRunEnd(view, event, seq, now);
  }
}

function foldRunEnd(
  view: SessionView,
  { runId, reason }: Extract<DurableEvent, { type: "agent_end" }>,
  seq: number,
  now: number,
): SessionView {
  const { run } = view;
  if (run?.runId !== runId) return view;
  const closed = closeCompaction({ ...view, run: null, turn: null, phase: null });
  return add(closed, { kind: "run_end", seq, at: now, runId, reason, startedAt: run.startedAt, steps: run.steps });
}

function foldMessageStart(
  view: SessionView,
  event: Extract<DurableEvent, { type: "message_start" }>,
  seq: number,
  now: number,
): SessionView {
  const { messageId, role, commandId } = event;
  return add(
    { ...view, openMessages: { ...view.openMessages, [messageId]: seq } },
    {
      kind: "message",
      seq,
      messageId,
      role,
      at: now,
      blocks: [],
      calls: [],
      ...(commandId === undefined ? {} : { commandId }),
    },
  );
}

function foldMessageEnd(
  view: SessionView,
  event: Extract<DurableEvent, { type: "message_end" }>,
  now: number,
): SessionView {
  const { messageId, blocks, stop, usage } = event;
  if (!Object.hasOwn(view.openMessages, messageId)) return view;
  const { [messageId]: start = 0, ...openMessages } = view.openMessages;
  const index = indexOfSeq(view.entries, start);
  const entry = at(view.entries, index);
  if (entry?.kind !== "message") return { ...view, openMessages };
  const calls = stop === "done" ? callsOf(blocks) : [];
  const ended: MessageEntry = {
    ...entry,
    blocks,
    stop,
    endAt: now,
    calls,
    ...(usage === undefined ? {} : { usage }),
  };
  return {
    ...view,
    entries: replace<Entry>(view.entries, index, ended),
    openMessages,
    openCalls:
      calls.length === 0
        ? view.openCalls
        : { ...view.openCalls, ...Object.fromEntries(calls.map((call) => [call.callId, start])) },
    usage: usage ?? view.usage,
  };
}

const callsOf = (blocks: readonly Block[]): readonly CallView[] =>
  blocks.flatMap((block) =>
    block.type === "call"
      ? [
          {
            callId: block.callId,
            name: block.name,
            kind: "other" as const,
            target: "",
            facts: {},
            state: "queued" as const,
            approvals: [],
          },
        ]
      : [],
  );
