/** View of a session, computed from its log by `fold`; screens, model context and history derive from it. */
import { at, type Chunks, iterateBackward, lastIndexUpTo, emptyChunks } from "./chunks";
import type { Block, Role, StopReason, UnrunCall, Usage } from "../events/content";
import type { AgentError } from "../events/error";
import type {
  CallOutcome,
  CompactionCause,
  DurableEvent,
  HistoryUse,
  LiveEvent,
  Origin,
  Pin,
  Profile,
  QueuedMessage,
  RestoredFile,
  RunEnd,
  Think,
  ToolMode,
} from "../events/event";
import type {
  ApprovalId,
  BlobId,
  CallId,
  ClientId,
  CommandId,
  Hash,
  MessageId,
  ProjectId,
  RunId,
  SessionId,
  TurnId,
} from "../events/id";
import { asId } from "../events/id";
import type { ReviewEntry } from "../events/review-events";
import { isOutsideContext } from "../events/user-command";
import type { WorkflowEntry } from "../workflows/workflow-events";
import type { GateNote } from "../permissions/gate";
import type { ApprovalOption, Mode, ProposedRule, Rule } from "../permissions/policy";
import type { CallFileChange, OutputTruncation, CallFacts, CallPreview } from "../events/tool-kind";

/** A block of a message; `input` is a call whose arguments are still being streamed. */
export type ViewBlock = Block | { readonly type: "input"; readonly name: string; readonly text: string };

export interface ApprovalView {
  readonly approvalId: ApprovalId;
  /** ms epoch */
  readonly at: number;
  readonly boundTo: Hash;
  readonly options: readonly ApprovalOption[];
  readonly rule?: ProposedRule;
  readonly preview?: CallPreview;
  readonly gate?: GateNote;
  readonly response?: {
    readonly option: ApprovalOption;
    readonly by: ClientId;
    readonly origin?: Origin;
    readonly reason?: string;
    readonly rule?: Rule;
  };
}

/** queued = its message ended, the call has not started; waiting = for approval; then running, then the outcome. */
export type CallState = "queued" | "waiting" | "running" | CallOutcome;

export interface CallView {
  readonly callId: CallId;
  readonly name: string;
  readonly kind: string;
  readonly target: string;
  readonly facts: CallFacts;
  readonly state: CallState;
  /** Start of running (or of waiting for approval), ms epoch; absent while queued. */
  readonly startedAt?: number;
  /** Newest last; more than one if the file changed while waiting. */
  readonly approvals: readonly ApprovalView[];
  /** Output while running: full length so far in UTF-16 units, and its tail. */
  readonly live?: { readonly length: number; readonly tail: string };
  readonly output?: readonly Block[];
  /** Full length in characters if `output` was truncated for transfer; session.output returns all of it. */
  readonly outputChars?: number;
  /** Lines of such an output that tell why the command failed. */
  readonly failureLines?: string;
  readonly cut?: OutputTruncation;
  readonly changes?: readonly CallFileChange[];
  readonly tookMs?: number;
}

export interface MessageEntry {
  readonly kind: "message";
  readonly seq: number;
  readonly messageId: MessageId;
  readonly role: Role;
  readonly commandId?: CommandId;
  readonly origin?: Origin;
  /** ms epoch */
  readonly at: number;
  readonly endAt?: number;
  readonly blocks: readonly ViewBlock[];
  /** Absent while it is open. */
  readonly stop?: StopReason;
  readonly usage?: Usage;
  /** One per call block, in the order of the blocks. */
  readonly calls: readonly CallView[];
  /** For user messages: the border before the message. A rewind to it removes the message. */
  readonly from?: number;
  /** An answer replaced by a retry; not sent to the model. */
  readonly replaced?: true;
  readonly unrun?: readonly UnrunCall[];
  readonly held?: string;
}

export type Entry =
  | MessageEntry
  | {
      readonly kind: "run_start";
      readonly seq: number;
      readonly at: number;
      readonly runId: RunId;
      /** Border before the run. */
      readonly from: number;
      /** Model at that time and its server; absent if none was chosen. */
      readonly model?: string;
      readonly provider?: string;
    }
  | {
      readonly kind: "run_end";
      readonly seq: number;
      readonly at: number;
      readonly runId: RunId;
      readonly reason: RunEnd;
      readonly startedAt: number;
      /** Time between start and end spent waiting for the user, ms. */
      readonly waitedMs: number;
      readonly steps: number;
    }
  | {
      readonly kind: "retry";
      readonly seq: number;
      readonly at: number;
      readonly messageId: MessageId;
      readonly attempt: number;
      readonly of: number;
      readonly delayMs: number;
      readonly error: AgentError;
    }
  | { readonly kind: "error"; readonly seq: number; readonly at: number; readonly error: AgentError }
  | ({
      readonly kind: "compaction";
      readonly seq: number;
      readonly at: number;
      readonly state: "running" | "done" | "failed";
      readonly tokensBefore: number;
      readonly why?: CompactionCause;
      readonly focus?: string;
    } & Partial<Omit<Extract<DurableEvent, { type: "compaction_end" }>, "type">>)
  /** Files the user restored to their state at `toSeq`. */
  | {
      readonly kind: "restore";
      readonly seq: number;
      readonly at: number;
      readonly toSeq: number;
      readonly files: readonly Pick<RestoredFile, "path" | "added" | "removed">[];
    }
  | ReviewEntry
  | {
      readonly kind: "compaction_update";
      readonly seq: number;
      readonly at: number;
      readonly of: number;
      readonly summary: string;
      readonly head: readonly Block[];
    };

export interface ModelState extends HistoryUse {
  readonly provider: string;
  readonly model: string;
  readonly digest?: string;
  readonly toolMode: ToolMode;
  /** tokens */
  readonly numCtx: number;
  readonly think: Think;
  readonly profile: Profile;
  readonly prompt: BlobId;
}

export type PhaseView = Omit<Extract<LiveEvent, { type: "phase" }>, "type">;

/** Conversation events from seq `start` on follow seq `parent` on their path. */
export interface PathSegment {
  readonly start: number;
  readonly parent: number;
}

interface OpenRun {
  readonly runId: RunId;
  /** ms epoch */
  readonly startedAt: number;
  readonly steps: number;
  /** Total of the finished waits for the user, ms. */
  readonly waitedMs: number;
  /** ms epoch; null = not waiting for the user. */
  readonly waitingSince: number | null;
}

/** A pinned file; `since` = seq of the event that pinned it. */
interface PinView extends Pin {
  readonly since: number;
}

/**
 * The session from which another one was created. fork = it starts with the parent's log up to `atSeq`; subagent = a call of
 * the parent started it.
 */
type SessionParent =
  | { readonly sessionId: SessionId; readonly relation: "fork"; readonly atSeq: number }
  | { readonly sessionId: SessionId; readonly relation: "subagent"; readonly callId: CallId };

export interface SessionView {
  readonly sessionId: SessionId;
  /** seq of the last folded event; 0 = none. */
  readonly seq: number;
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly projectId: ProjectId;
  readonly cwd: string;
  /** The session, or the one it was forked from, was imported from a file. */
  readonly imported?: true;
  readonly parent?: SessionParent;
  readonly title: string;
  readonly mode: Mode;
  readonly pins: readonly PinView[];
  /** User labels by seq. */
  readonly labels: Readonly<Record<number, string>>;
  /** Indexes of calls in the text of an answer, by its seq, which the user said are none. A rewind keeps them, like labels. */
  readonly dismissedCalls: Readonly<Record<number, readonly number[]>>;
  /** seq since which sandboxed commands may use the network; 0 = they may not. Not inherited by a fork. */
  readonly networkSince: number;
  readonly model: ModelState | null;
  readonly queue: readonly QueuedMessage[];
  /** Events of the workflow that the session runs, outside of the path. Not inherited by a fork. */
  readonly workflow: readonly WorkflowEntry[];
  /** Ordered by seq. The server holds all entries, a client those of the path from `holdOffset` on. */
  readonly entries: Chunks<Entry>;
  /** Path entries with a lower seq are not loaded; 0 = all are loaded. */
  readonly heldFrom: number;
  /** Path segments, oldest first. Empty = no rewind yet. */
  readonly segments: readonly PathSegment[];
  /** seq of the newest conversation event, moved by a rewind; 0 = none. */
  readonly newest: number;
  /** The last border at or before `newest` on its path. */
  readonly border: number;
  /** The last path event is a rewind: the next conversation event starts a new segment. */
  readonly rewound: boolean;
  /** While `rewound`: target of a redo, the last border before the rewind; null = none. */
  readonly left: number | null;
  /** True for a client's view, which lacks branches that were hidden when it was opened. */
  readonly windowed: boolean;
  readonly run: OpenRun | null;
  readonly turn: { readonly turnId: TurnId; readonly seq: number; readonly at: number; readonly step: number } | null;
  /**
   * Open messages, open calls (value: seq of their message) and the open compaction. Derived from the log, independent
   * of the path.
   */
  readonly openMessages: Readonly<Record<MessageId, number>>;
  readonly openCalls: Readonly<Record<CallId, number>>;
  readonly openCompaction: number | null;
  /** Phase of the open turn until its answer has ended. */
  readonly phase: PhaseView | null;
  /** Lines added and removed by all calls of the log, hidden branches included. */
  readonly added: number;
  readonly removed: number;
  /** Usage of the newest answer on the path that has any. */
  readonly usage: Usage | null;
  /** Data was missed: the client must reopen the session. Excluded from the fold laws. */
  readonly stale: boolean;
}

export const emptyView = (sessionId: SessionId): SessionView => ({
  sessionId,
  seq: 0,
  createdAt: 0,
  updatedAt: 0,
  projectId: asId<ProjectId>(""),
  cwd: "",
  title: "",
  mode: "ask",
  pins: [],
  labels: {},
  dismissedCalls: {},
  networkSince: 0,
  model: null,
  queue: [],
  workflow: [],
  entries: emptyChunks,
  heldFrom: 0,
  segments: [],
  newest: 0,
  border: 0,
  rewound: false,
  left: null,
  windowed: false,
  run: null,
  turn: null,
  openMessages: {},
  openCalls: {},
  openCompaction: null,
  phase: null,
  added: 0,
  removed: 0,
  usage: null,
  stale: false,
});

/** Returns the seq ranges (inclusive) of the path that ends at `tip`, newest first. */
export function pathRanges(
  segments: readonly PathSegment[],
  tip: number,
): readonly (readonly [from: number, to: number])[] {
  const ranges: (readonly [number, number])[] = [];
  let to = tip;
  for (let index = segments.length - 1; index >= 0 && to > 0; index -= 1) {
    const segment = segments[index];
    if (segment === undefined || segment.start > to) continue;
    ranges.push([segment.start, to]);
    to = segment.parent;
  }
  if (to > 0) ranges.push([1, to]);
  return ranges;
}

type PathSource = Pick<SessionView, "entries" | "segments" | "newest">;

/** True if `seq` is on the current path. */
export const isOnCurrentPath = ({ segments, newest }: Omit<PathSource, "entries">, seq: number): boolean =>
  pathRanges(segments, newest).some(([from, to]) => seq >= from && seq <= to);

/** Iterates the entries of the path that ends at `tip` (default: newest), newest first. */
export function* pathEntriesBackward(view: PathSource, tip: number = view.newest): Generator<Entry> {
  for (const [from, to] of pathRanges(view.segments, tip)) {
    for (let index = lastIndexUpTo(view.entries, to); index >= 0; index -= 1) {
      const entry = at(view.entries, index);
      if (entry === undefined || entry.seq < from) break;
      yield entry;
    }
  }
}

/** Returns the entries of the current path, oldest first. */
export const pathEntries = (view: PathSource): readonly Entry[] => [...pathEntriesBackward(view)].reverse();

/** Returns the unanswered approvals, oldest first. */
export function pendingApprovals(
  view: SessionView,
): readonly { readonly call: CallView; readonly approval: ApprovalView; readonly messageSeq: number }[] {
  const pending: { call: CallView; approval: ApprovalView; messageSeq: number }[] = [];
  const seqs = new Set(Object.values(view.openCalls));
  for (const entry of iterateBackward(view.entries)) {
    if (seqs.size === 0) break;
    if (entry.kind !== "message" || !seqs.delete(entry.seq)) continue;
    for (const call of entry.calls) {
      const approval = call.approvals.at(-1);
      if (call.state === "waiting" && approval !== undefined && approval.response === undefined) {
        pending.push({ call, approval, messageSeq: entry.seq });
      }
    }
  }
  return pending.sort((a, b) => a.messageSeq - b.messageSeq);
}

/**
 * True if the session is idle and the last run of the agent on the path ended as interrupted or at a limit, or has no
 * end. Runs of the user's own commands and of steps of a workflow that are calls do not count.
 */
export function canContinue(view: SessionView): boolean {
  if (view.run !== null) return false;
  let isCommand = false;
  let isPaused = true;
  for (const entry of pathEntriesBackward(view)) {
    if (entry.kind === "run_end") {
      isCommand = false;
      isPaused = entry.reason === "interrupted" || entry.reason === "limit";
    } else if (entry.kind === "message") {
      isCommand ||= isOutsideContext(entry);
      if (!isCommand) return isPaused;
    } else if (entry.kind === "run_start") {
      if (!isCommand) return isPaused;
      isPaused = true;
    }
  }
  return false;
}

type Activity = "idle" | "running" | "waiting";
/** Returns the activity of a session; a compaction outside a run counts as running, since it can be stopped. */
export function sessionActivity(view: SessionView): Activity {
  if (view.run === null) return view.openCompaction === null ? "idle" : "running";
  return pendingApprovals(view).length > 0 ? "waiting" : "running";
}
