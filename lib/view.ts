/** What a session looks like: the one shape that screen, context, history and tests are derived from. Built by fold alone. */
import { at, type Chunks, eachBack, lastUpTo, noChunks } from "./chunks";
import type { Block, Role, StopReason, Usage } from "./content";
import type { AgentError } from "./error";
import type {
  CallOutcome,
  CompactionCause,
  LiveEvent,
  Pin,
  Profile,
  QueuedMessage,
  RestoredFile,
  RunEnd,
  Think,
  ToolMode,
} from "./event";
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
} from "./id";
import { asId } from "./id";
import type { ApprovalOption, Mode, Rule, RulePattern } from "./policy";
import type { Change, Cut, Facts, Preview, ToolKind } from "./tool-kind";

/** A block of a message; `input` is a call that is still being written. */
export type ViewBlock = Block | { readonly type: "input"; readonly name: string; readonly text: string };

export interface ApprovalView {
  readonly approvalId: ApprovalId;
  /** ms epoch */
  readonly at: number;
  readonly boundTo: Hash;
  readonly options: readonly ApprovalOption[];
  readonly rule?: RulePattern;
  readonly preview?: Preview;
  readonly response?: {
    readonly option: ApprovalOption;
    readonly by: ClientId;
    readonly reason?: string;
    readonly rule?: Rule;
  };
}

/** queued = its message ended, it has not started; waiting = for the user; then running, then its outcome. */
export type CallState = "queued" | "waiting" | "running" | CallOutcome;

export interface CallView {
  readonly callId: CallId;
  readonly name: string;
  readonly kind: ToolKind;
  readonly target: string;
  readonly facts: Facts;
  readonly state: CallState;
  /** When it began to run, or to wait for the user, ms epoch; absent while queued. */
  readonly startedAt?: number;
  /** Asked more than once when the file changed meanwhile: the newest is the last. */
  readonly approvals: readonly ApprovalView[];
  /** Output while it runs: full length so far in UTF-16 units, and the last of it. */
  readonly live?: { readonly length: number; readonly tail: string };
  readonly output?: readonly Block[];
  /** The output was shortened for the wire; `session.output` has all of it. Characters. */
  readonly outputChars?: number;
  readonly cut?: Cut;
  readonly changes?: readonly Change[];
  readonly tookMs?: number;
}

export interface MessageEntry {
  readonly kind: "message";
  readonly seq: number;
  readonly messageId: MessageId;
  readonly role: Role;
  readonly commandId?: CommandId;
  /** ms epoch */
  readonly at: number;
  readonly endAt?: number;
  readonly blocks: readonly ViewBlock[];
  /** Absent while it is open. */
  readonly stop?: StopReason;
  readonly usage?: Usage;
  /** By call id, in the order of the blocks. */
  readonly calls: readonly CallView[];
  /** A user's message: the border before it. A rewind to it takes the message back. */
  readonly from?: number;
  /** An answer that was asked for again from its start: the model is not told of it. */
  readonly replaced?: true;
}

export type Entry =
  | MessageEntry
  | {
      readonly kind: "run_start";
      readonly seq: number;
      readonly at: number;
      readonly runId: RunId;
      /** The border it starts from. */
      readonly from: number;
      /** In force then; absent before one was chosen. */
      readonly model?: string;
    }
  | {
      readonly kind: "run_end";
      readonly seq: number;
      readonly at: number;
      readonly runId: RunId;
      readonly reason: RunEnd;
      readonly startedAt: number;
      /** Part of the time between start and end in which the run waited for the user, ms. */
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
  | {
      readonly kind: "compaction";
      readonly seq: number;
      readonly at: number;
      readonly state: "running" | "done" | "failed";
      readonly tokensBefore: number;
      readonly why?: CompactionCause;
      readonly focus?: string;
      readonly tokensAfter?: number;
      readonly summary?: string;
      readonly head?: readonly Block[];
      readonly keepFromSeq?: number;
      readonly keepAlso?: readonly number[];
      readonly resultTokens?: number;
      readonly mechanical?: boolean;
    }
  /** Files the user put back as they were at `toSeq`. */
  | {
      readonly kind: "restore";
      readonly seq: number;
      readonly at: number;
      readonly toSeq: number;
      readonly files: readonly Pick<RestoredFile, "path" | "added" | "removed">[];
    }
  | {
      readonly kind: "compaction_update";
      readonly seq: number;
      readonly at: number;
      readonly of: number;
      readonly summary: string;
      readonly head: readonly Block[];
    };

export interface ModelState {
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

/** A run of path numbers: conversation events from `start` on have `parent` before them. */
export interface Segment {
  readonly start: number;
  readonly parent: number;
}

export interface OpenRun {
  readonly runId: RunId;
  /** ms epoch */
  readonly startedAt: number;
  readonly steps: number;
  /** Time of the waits for the user that have ended, ms. */
  readonly waitedMs: number;
  /** ms epoch; null = the run does not wait for the user. */
  readonly waitingSince: number | null;
}

export interface SessionView {
  readonly sessionId: SessionId;
  /** The last durable event folded; 0 = none. */
  readonly seq: number;
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly projectId: ProjectId;
  readonly cwd: string;
  /** It, or the session it was forked from, was made from a file. */
  readonly imported?: true;
  readonly forkedFrom?: { readonly parentId: SessionId; readonly atSeq: number };
  readonly title: string;
  readonly mode: Mode;
  readonly pins: readonly Pin[];
  /** The user's names of places, by seq. */
  readonly labels: Readonly<Record<number, string>>;
  readonly model: ModelState | null;
  readonly queue: readonly QueuedMessage[];
  /** Ordered by seq. The server holds all, a client the newest of the path from `heldFrom` on. */
  readonly entries: Chunks<Entry>;
  /** Entries of the path with a lower seq are not here; 0 = all are. */
  readonly heldFrom: number;
  /** The path rule: newest first is last. Empty = no rewind yet. */
  readonly segments: readonly Segment[];
  /** seq of the newest conversation event, moved by a rewind; 0 = none. */
  readonly newest: number;
  /** The last border at or before `newest` on its path. */
  readonly border: number;
  /** A rewind stands between `newest` and the next conversation event. */
  readonly rewound: boolean;
  /** While `rewound`: the last border of where the session stood before, the place a redo goes back to; null = there is none. */
  readonly left: number | null;
  /** A client's view: branches that were hidden when it was opened are not here. */
  readonly windowed: boolean;
  readonly run: OpenRun | null;
  readonly turn: { readonly turnId: TurnId; readonly seq: number; readonly at: number; readonly step: number } | null;
  /** Open messages, open calls (by the seq of their message) and the open compaction: told by the log, never by the path. */
  readonly openMessages: Readonly<Record<MessageId, number>>;
  readonly openCalls: Readonly<Record<CallId, number>>;
  readonly openCompaction: number | null;
  readonly phase: PhaseView | null;
  /** Lines added and removed by all calls of the log, hidden branches included. */
  readonly added: number;
  readonly removed: number;
  /** Of the newest answer of the path that reported any. */
  readonly usage: Usage | null;
  /** Something was missed: open the session anew. The one field the laws leave out. */
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
  model: null,
  queue: [],
  entries: noChunks,
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

/** The part of the log that `tip` stands on: closed ranges of seq, newest first. */
export function rangesOf(segments: readonly Segment[], tip: number): readonly (readonly [from: number, to: number])[] {
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

type PathView = Pick<SessionView, "entries" | "segments" | "newest">;

/** The entries of the path that ends at `tip` (the newest by default), from the last to the first. */
export function* pathBack(view: PathView, tip: number = view.newest): Generator<Entry> {
  for (const [from, to] of rangesOf(view.segments, tip)) {
    for (let index = lastUpTo(view.entries, to); index >= 0; index -= 1) {
      const entry = at(view.entries, index);
      if (entry === undefined || entry.seq < from) break;
      yield entry;
    }
  }
}

/** The entries of the path in order. */
export const pathOf = (view: PathView): readonly Entry[] => [...pathBack(view)].reverse();

/** Approvals nobody has answered, oldest first. */
export function pendingApprovals(
  view: SessionView,
): readonly { readonly call: CallView; readonly approval: ApprovalView; readonly messageSeq: number }[] {
  const pending: { call: CallView; approval: ApprovalView; messageSeq: number }[] = [];
  const seqs = new Set(Object.values(view.openCalls));
  for (const entry of eachBack(view.entries)) {
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

/** Continue is offered when idle and the last run of the path was cut off. */
export function canContinue(view: SessionView): boolean {
  if (view.run !== null) return false;
  for (const entry of pathBack(view)) {
    if (entry.kind === "run_start") return true;
    if (entry.kind === "run_end") return entry.reason === "interrupted" || entry.reason === "limit";
  }
  return false;
}

/** The newest run of the path; undefined = there is none, or it is not held here. */
export function newestRun(view: SessionView): Extract<Entry, { kind: "run_start" }> | undefined {
  for (const entry of pathBack(view)) if (entry.kind === "run_start") return entry;
  return undefined;
}

export type Activity = "idle" | "running" | "waiting";
/** A summary that is being written outside a run is work too: it can be stopped. */
export function activityOf(view: SessionView): Activity {
  if (view.run === null) return view.openCompaction === null ? "idle" : "running";
  return pendingApprovals(view).length > 0 ? "waiting" : "running";
}
