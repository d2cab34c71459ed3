/**
 * Session events. Durable events are rows of the log with consecutive `seq`. Live events are streamed in between and
 * may be lost: whenever nothing is open, folding the durable events alone gives the same view.
 */
import type { Attachments, Block, Role, StopReason, UnrunCall, Usage } from "./content";
import type { AgentError } from "./error";
import type {
  ApprovalId,
  BlobId,
  CallId,
  ClientId,
  CommandId,
  Hash,
  MessageId,
  ProjectId,
  QueuedId,
  RunId,
  SessionId,
  TurnId,
} from "./id";
import type { GateNote } from "../permissions/gate";
import type { ApprovalOption, Mode, ProposedRule, Rule } from "../permissions/policy";
import { reviewDelivery, type ReviewEvent } from "./review-events";
import type { WorkflowEvent } from "../workflows/workflow-events";
import type { CallFileChange, CutPositions, OutputTruncation, CallFacts, CallPreview } from "./tool-kind";

export type ToolMode = "native" | "react" | "xml";
/** Length of the system prompt: small for 4k windows, default, full for large models. */
export type Profile = "small" | "default" | "full";
export type Think = boolean | "low" | "medium" | "high" | "max";
/**
 * Treatment of earlier reasoning in requests, if it is not sent back as received: preserve = the chat template is asked to keep
 * all of it, require = the server refuses a call without it, drop = the server refuses it.
 */
type ReasoningUse = "preserve" | "require" | "drop";
/**
 * Form of the ids of calls that the model's server gave none: kimi = `functions.NAME:N`, nine = nine letters and digits for all
 * calls.
 */
export type CallIdForm = "kimi" | "nine";
/** The form in which earlier answers go back to a model; chosen once for a session's model. */
export interface HistoryUse {
  readonly reasoning?: ReasoningUse;
  readonly callIds?: CallIdForm;
}
/** prompt starts a run; steer is delivered at the next turn boundary; followUp after the run ends. */
export type Intent = "prompt" | "steer" | "followUp";
export type RunEnd = "done" | "aborted" | "error" | "limit" | "interrupted";

/** A file the user pinned to the context. */
export interface Pin {
  readonly path: string;
}

/** User label of a position in the conversation; empty text removes it. */
export interface Label {
  readonly seq: number;
  readonly text: string;
}

/** A restored file. `before` = content overwritten by the restore, `after` = restored content; null = no file. */
export interface RestoredFile {
  readonly path: string;
  readonly before: BlobId | null;
  readonly after: BlobId | null;
  /** permission bits of `before` */
  readonly mode: number;
  readonly added: number;
  readonly removed: number;
}

/**
 * Client that acts by a right of its own, apart from the owner's page and terminal. `name` = the person, the automation or
 * the workflow, for display.
 */
export interface RemoteOrigin {
  readonly kind: "channel" | "automation" | "workflow";
  readonly name: string;
}

/**
 * Client a message or an answer came from; absent = the user in the browser. agent = the session that started a subagent
 * wrote its task. Readers keep kinds they do not have.
 */
export type Origin = { readonly kind: "cli" | "agent" } | RemoteOrigin;

/** Returns an object with `origin`, or an empty one for the browser; for spreading into an event. */
export const optionalOrigin = (origin: Origin | undefined): { readonly origin?: Origin } =>
  origin === undefined ? {} : { origin };

/** A queued user message. */
export interface QueuedMessage extends Attachments {
  readonly id: QueuedId;
  readonly commandId: CommandId;
  readonly intent: "steer" | "followUp";
  readonly text: string;
  /** The text is a command of the user, such as `!npm test`, and never sent to the model as a message. */
  readonly isCommand?: true;
  readonly origin?: Origin;
  /** ms epoch */
  readonly at: number;
}

/** Activity of the model server in the open turn. */
export type Phase = "queued" | "loading" | "reading" | "thinking" | "writing" | "calling";

/** A call of a session, which started another session: a subagent. */
export interface ParentCall {
  readonly sessionId: SessionId;
  readonly callId: CallId;
}

export type DurableEvent =
  /** `imported` = the session was created from a file. `parent` = it is a subagent, started by this call. */
  | {
      readonly type: "session_start";
      readonly projectId: ProjectId;
      readonly cwd: string;
      readonly imported?: true;
      readonly parent?: ParentCall;
    }
  | { readonly type: "session_fork"; readonly parentId: SessionId; readonly atSeq: number }
  | {
      readonly type: "session_update";
      readonly title?: string;
      readonly mode?: Mode;
      readonly pins?: readonly Pin[];
      readonly label?: Label;
      /** The user allowed the network to the sandboxed commands of this session. */
      readonly network?: true;
    }
  | ({
      readonly type: "model_change";
      readonly provider: string;
      readonly model: string;
      readonly digest?: string;
      readonly toolMode: ToolMode;
      readonly numCtx: number;
      readonly think: Think;
      readonly profile: Profile;
      readonly prompt: BlobId;
    } & HistoryUse)
  | { readonly type: "queue_change"; readonly queued: readonly QueuedMessage[] }
  | { readonly type: "rewind"; readonly toSeq: number }
  | { readonly type: "agent_start"; readonly runId: RunId }
  | { readonly type: "turn_start"; readonly turnId: TurnId; readonly step: number }
  | {
      readonly type: "message_start";
      readonly messageId: MessageId;
      readonly role: Role;
      readonly commandId?: CommandId;
      readonly origin?: Origin;
      /** Id under which the model's server holds the answer, so that the next process can read it after a crash. */
      readonly held?: string;
    }
  | {
      readonly type: "message_end";
      readonly messageId: MessageId;
      readonly blocks: readonly Block[];
      readonly usage?: Usage;
      readonly stop: StopReason;
      /** Calls in its text that were not run; absent = none. */
      readonly unrun?: readonly UnrunCall[];
    }
  /**
   * The user decided about call `index` of the `unrun` of the message at seq `of`; `run` = it follows as the call of an
   * answer.
   */
  | { readonly type: "call_decision"; readonly of: number; readonly index: number; readonly run: boolean }
  | {
      readonly type: "tool_call_start";
      readonly callId: CallId;
      readonly messageId: MessageId;
      /** A kind of `tool-presentations.ts`, or one of another version. */
      readonly kind: string;
      readonly target: string;
      readonly facts: CallFacts;
      /** The tool that runs, if it is not the one that was called: a tool that the toolbox led to. */
      readonly name?: string;
    }
  | {
      readonly type: "approval_request";
      readonly approvalId: ApprovalId;
      readonly callId: CallId;
      readonly boundTo: Hash;
      readonly rule?: ProposedRule;
      readonly options: readonly ApprovalOption[];
      readonly preview?: CallPreview;
      /** A gate asks, whatever the mode and the rules say. */
      readonly gate?: GateNote;
    }
  | {
      readonly type: "approval_response";
      readonly approvalId: ApprovalId;
      readonly option: ApprovalOption;
      readonly by: ClientId;
      readonly origin?: Origin;
      readonly reason?: string;
      readonly rule?: Rule;
    }
  | {
      readonly type: "file_change";
      readonly callId: CallId;
      readonly path: string;
      readonly before: BlobId | null;
      readonly mode: number;
    }
  /** Files were restored to their state at `toSeq`; committed before the files are written. A border. */
  | { readonly type: "restore"; readonly toSeq: number; readonly files: readonly RestoredFile[] }
  | ReviewEvent
  | {
      readonly type: "tool_call_end";
      readonly callId: CallId;
      readonly outcome: CallOutcome;
      readonly output: readonly Block[];
      readonly facts: CallFacts;
      readonly changes?: readonly CallFileChange[];
      readonly cut?: OutputTruncation;
      /** Empty if nothing was shortened; absent in old sessions and in results the program wrote itself. */
      readonly cutPositions?: CutPositions;
      readonly tookMs: number;
    }
  | {
      readonly type: "compaction_start";
      readonly tokensBefore: number;
      readonly why?: CompactionCause;
      /** Text from the user that the summary should focus on. */
      readonly focus?: string;
    }
  | {
      readonly type: "compaction_end";
      readonly head: readonly Block[];
      readonly summary: string;
      readonly keepFromSeq: number;
      readonly tokensAfter: number;
      /**
       * Messages before `keepFromSeq` that are still sent in full: the newest instruction and the newest one with
       * results.
       */
      readonly keepAlso?: readonly number[];
      /** Maximum tokens of each tool result that ended before this event; absent = full results. */
      readonly resultTokens?: number;
      /** The summary was generated by the program because the model returned none. */
      readonly mechanical?: boolean;
      /** Only the reasoning of earlier answers was left out; head and summary are those of the compaction before, or empty. */
      readonly reasoningOnly?: true;
    }
  | {
      readonly type: "compaction_update";
      readonly of: number;
      readonly summary: string;
      readonly head: readonly Block[];
    }
  | {
      readonly type: "retry";
      readonly messageId: MessageId;
      readonly attempt: number;
      readonly of: number;
      readonly delayMs: number;
      readonly error: AgentError;
    }
  | { readonly type: "error"; readonly error: AgentError }
  | { readonly type: "turn_end"; readonly turnId: TurnId }
  // `waitedMs` = time waited for the user; only for viewers, who do not get the approvals.
  | { readonly type: "agent_end"; readonly runId: RunId; readonly reason: RunEnd; readonly waitedMs?: number }
  | WorkflowEvent
  /** Replaces an event that is not shared with viewers. */
  | { readonly type: "hidden" };

/** threshold = the configured share of the window was reached; window = the server rejected a request as too long. */
export type CompactionCause = "threshold" | "user" | "window";

export type CallOutcome = "ok" | "error" | "denied" | "aborted" | "unknown";

export type LiveEvent =
  /**
   * `offset` = UTF-16 offset of `text` in the block: overlapping text is dropped, a gap makes the view stale. `name`
   * only with input.
   */
  | {
      readonly type: "message_delta";
      readonly messageId: MessageId;
      readonly block: number;
      readonly kind: "text" | "thinking" | "input";
      readonly name?: string;
      readonly offset: number;
      readonly text: string;
    }
  | { readonly type: "tool_call_delta"; readonly callId: CallId; readonly offset: number; readonly text: string }
  | {
      readonly type: "phase";
      readonly phase: Phase;
      readonly sinceMs: number;
      readonly tokens?: number;
      /** reading: how many of `tokens` have been read, if the server reports it. */
      readonly read?: number;
      readonly perSecond?: number;
      /** queued: number of requests ahead. */
      readonly ahead?: number;
      /** queued: place in the queue of the server, or of a router before it, from 1 on. */
      readonly position?: number;
      /** loading, reading: expected duration from previous requests of this model, ms. */
      readonly expectMs?: number;
      /** calling: tool name of the call being streamed. */
      readonly name?: string;
    };

interface EnvelopeBase {
  readonly v: 1;
  readonly sessionId: SessionId;
  /** ms epoch, assigned by the log */
  readonly at: number;
}
export type DurableEnvelope = EnvelopeBase & { readonly seq: number; readonly event: DurableEvent };
export type LiveEnvelope = EnvelopeBase & { readonly after: number; readonly event: LiveEvent };
export type Envelope = DurableEnvelope | LiveEnvelope;

export const isDurable = (envelope: Envelope): envelope is DurableEnvelope => "seq" in envelope;

export type EventType = DurableEvent["type"] | LiveEvent["type"];
/** The events of a workflow, which are not on the path. */
const workflowDelivery = {
  workflow_start: "durable",
  step_start: "durable",
  step_end: "durable",
  workflow_end: "durable",
} as const satisfies Record<WorkflowEvent["type"], "durable">;
export const isWorkflowEvent = (event: DurableEvent): event is WorkflowEvent =>
  Object.hasOwn(workflowDelivery, event.type);

/** Delivery of every event type; docs/protocol.md is checked against it. */
export const delivery: Record<EventType, "durable" | "live"> = {
  session_start: "durable",
  session_fork: "durable",
  session_update: "durable",
  model_change: "durable",
  queue_change: "durable",
  rewind: "durable",
  agent_start: "durable",
  turn_start: "durable",
  message_start: "durable",
  message_end: "durable",
  call_decision: "durable",
  tool_call_start: "durable",
  approval_request: "durable",
  approval_response: "durable",
  file_change: "durable",
  restore: "durable",
  ...reviewDelivery,
  tool_call_end: "durable",
  compaction_start: "durable",
  compaction_end: "durable",
  compaction_update: "durable",
  retry: "durable",
  error: "durable",
  turn_end: "durable",
  agent_end: "durable",
  ...workflowDelivery,
  hidden: "durable",
  message_delta: "live",
  tool_call_delta: "live",
  phase: "live",
};

/**
 * True for conversation events, which form the path that a rewind can hide; false for state events (title, mode, model,
 * queue, decisions about calls, steps of a workflow) and unknown types.
 */
export const isOnPath = (type: DurableEvent["type"]): boolean =>
  Object.hasOwn(delivery, type) && delivery[type] === "durable" && !offPath.has(type);

/** True if the event updates the session's `updatedAt`; a changed title or mode does not move the session in lists. */
export const updatesSessionTime = (type: string): boolean => type !== ("session_update" satisfies EventType);

/**
 * True for events a rewind may target and a fork may start at: no message or call is open after them. Seq 0 is one.
 */
export const isBorder = (type: string): boolean => borders.has(type);

const borders: ReadonlySet<string> = new Set<EventType>([
  "turn_end",
  "agent_end",
  "compaction_end",
  "compaction_update",
  "restore",
  "review",
]);

const offPath: ReadonlySet<string> = new Set([
  "session_start",
  "session_fork",
  "session_update",
  "model_change",
  "queue_change",
  "call_decision",
  "review_wait",
  ...Object.keys(workflowDelivery),
  "rewind",
  "hidden",
]);
