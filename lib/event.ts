/**
 * Everything that happens in a session. Durable events are rows of the log: never lost, consecutive `seq`.
 * Live events stream between them and may be lost; folding the durable ones alone gives the same view whenever nothing is open.
 */
import type { Block, ImageRef, Role, StopReason, Usage } from "./content";
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
import type { ApprovalOption, Mode, Rule, RulePattern } from "./policy";
import type { Change, Cut, Facts, Preview, ToolKind } from "./tool-kind";

export type ToolMode = "native" | "react" | "xml";
/** Prompt size: small for windows of 4k, default, full for large models. */
export type Profile = "small" | "default" | "full";
export type Think = boolean | "low" | "medium" | "high" | "max";
/** prompt starts a run, steer is taken at the next turn boundary, followUp after the end. */
export type Intent = "prompt" | "steer" | "followUp";
export type RunEnd = "done" | "aborted" | "error" | "limit" | "interrupted";

/** A file the user keeps in the context. */
export interface Pin {
  readonly path: string;
}

/** The user's name for a place in the conversation; an empty text takes it away. */
export interface Label {
  readonly seq: number;
  readonly text: string;
}

/** A file that was put back. `before` is what stood there, `after` what stands there now; null = nothing. */
export interface RestoredFile {
  readonly path: string;
  readonly before: BlobId | null;
  readonly after: BlobId | null;
  /** permission bits of `before` */
  readonly mode: number;
  readonly added: number;
  readonly removed: number;
}

/** A message that waits for its turn. */
export interface QueuedMessage {
  readonly id: QueuedId;
  readonly commandId: CommandId;
  readonly intent: "steer" | "followUp";
  readonly text: string;
  readonly images?: readonly ImageRef[];
  /** ms epoch */
  readonly at: number;
}

/** What the model server is doing for the open turn. */
export type Phase = "queued" | "loading" | "reading" | "thinking" | "writing" | "calling";

export type DurableEvent =
  /** `imported` = it was made from a file. */
  | {
      readonly type: "session_start";
      readonly projectId: ProjectId;
      readonly cwd: string;
      readonly imported?: true;
    }
  | { readonly type: "session_fork"; readonly parentId: SessionId; readonly atSeq: number }
  | {
      readonly type: "session_update";
      readonly title?: string;
      readonly mode?: Mode;
      readonly pins?: readonly Pin[];
      readonly label?: Label;
    }
  | {
      readonly type: "model_change";
      readonly provider: string;
      readonly model: string;
      readonly digest?: string;
      readonly toolMode: ToolMode;
      readonly numCtx: number;
      readonly think: Think;
      readonly profile: Profile;
      readonly prompt: BlobId;
    }
  | { readonly type: "queue_change"; readonly queued: readonly QueuedMessage[] }
  | { readonly type: "rewind"; readonly toSeq: number }
  | { readonly type: "agent_start"; readonly runId: RunId }
  | { readonly type: "turn_start"; readonly turnId: TurnId; readonly step: number }
  | {
      readonly type: "message_start";
      readonly messageId: MessageId;
      readonly role: Role;
      readonly commandId?: CommandId;
    }
  | {
      readonly type: "message_end";
      readonly messageId: MessageId;
      readonly blocks: readonly Block[];
      readonly usage?: Usage;
      readonly stop: StopReason;
    }
  | {
      readonly type: "tool_call_start";
      readonly callId: CallId;
      readonly messageId: MessageId;
      readonly kind: ToolKind;
      readonly target: string;
      readonly facts: Facts;
    }
  | {
      readonly type: "approval_request";
      readonly approvalId: ApprovalId;
      readonly callId: CallId;
      readonly boundTo: Hash;
      readonly rule?: RulePattern;
      readonly options: readonly ApprovalOption[];
      readonly preview?: Preview;
    }
  | {
      readonly type: "approval_response";
      readonly approvalId: ApprovalId;
      readonly option: ApprovalOption;
      readonly by: ClientId;
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
  /** Files were put back as they were at `toSeq`; written before the effect. A border. */
  | { readonly type: "restore"; readonly toSeq: number; readonly files: readonly RestoredFile[] }
  | {
      readonly type: "tool_call_end";
      readonly callId: CallId;
      readonly outcome: CallOutcome;
      readonly output: readonly Block[];
      readonly facts: Facts;
      readonly changes?: readonly Change[];
      readonly cut?: Cut;
      readonly tookMs: number;
    }
  | {
      readonly type: "compaction_start";
      readonly tokensBefore: number;
      readonly why?: CompactionCause;
      /** What the user asked the summary to keep. */
      readonly focus?: string;
    }
  | {
      readonly type: "compaction_end";
      readonly head: readonly Block[];
      readonly summary: string;
      readonly keepFromSeq: number;
      readonly tokensAfter: number;
      /** Messages before `keepFromSeq` that are told whole all the same: the newest instruction, the newest with results. */
      readonly keepAlso?: readonly number[];
      /** Results that end before this event are told with at most so many tokens each; absent = as stored. */
      readonly resultTokens?: number;
      /** The summary is the program's own list: the model gave none. */
      readonly mechanical?: boolean;
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
  | { readonly type: "agent_end"; readonly runId: RunId; readonly reason: RunEnd }
  /** What a viewer gets instead of something that is not shared. */
  | { readonly type: "hidden" };

/** threshold = the share of the window was reached; window = the server refused a request as too long. */
export type CompactionCause = "threshold" | "user" | "window";

export type CallOutcome = "ok" | "error" | "denied" | "aborted" | "unknown";

export type LiveEvent =
  /** `offset` = UTF-16 length already there: what is there is cut off, a gap means opening anew. `name` goes with input. */
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
      readonly perSecond?: number;
      /** queued: requests before this one. */
      readonly ahead?: number;
      /** loading, reading: how long it will take by this model's own past, ms. */
      readonly expectMs?: number;
      /** calling: the tool whose call is being written. */
      readonly name?: string;
    };

interface Stamped {
  readonly v: 1;
  readonly sessionId: SessionId;
  /** ms epoch, set once by the log */
  readonly at: number;
}
export type DurableEnvelope = Stamped & { readonly seq: number; readonly event: DurableEvent };
export type LiveEnvelope = Stamped & { readonly after: number; readonly event: LiveEvent };
export type Envelope = DurableEnvelope | LiveEnvelope;

export const isDurable = (envelope: Envelope): envelope is DurableEnvelope => "seq" in envelope;

export type EventType = DurableEvent["type"] | LiveEvent["type"];
/** The one list of what is stored and what only streams; docs/protocol.md is checked against it. */
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
  tool_call_start: "durable",
  approval_request: "durable",
  approval_response: "durable",
  file_change: "durable",
  restore: "durable",
  tool_call_end: "durable",
  compaction_start: "durable",
  compaction_end: "durable",
  compaction_update: "durable",
  retry: "durable",
  error: "durable",
  turn_end: "durable",
  agent_end: "durable",
  hidden: "durable",
  message_delta: "live",
  tool_call_delta: "live",
  phase: "live",
};

/** Conversation events form the path that a rewind can hide; the others (title, mode, model, queue) and unknown ones are not on it. */
export const isOnPath = (type: DurableEvent["type"]): boolean =>
  Object.hasOwn(delivery, type) && delivery[type] === "durable" && !offPath.has(type);

/** The session was worked in. A new name or mode is no work: the session keeps its place in lists. */
export const isWork = (type: string): boolean => type !== ("session_update" satisfies EventType);

/** Where a rewind may go to and a fork may begin: nothing of a message or a call is open behind it. 0, before everything, is one too. */
export const isBorder = (type: string): boolean => borders.has(type);

const borders: ReadonlySet<string> = new Set<EventType>([
  "turn_end",
  "agent_end",
  "compaction_end",
  "compaction_update",
  "restore",
]);

const offPath: ReadonlySet<EventType> = new Set([
  "session_start",
  "session_fork",
  "session_update",
  "model_change",
  "queue_change",
  "rewind",
  "hidden",
]);
