/** The interface of a session, and the results of its commands. */
import type { Result } from "@/lib/events/error";
import type { Envelope, Intent, Origin, Pin, RunEnd } from "@/lib/events/event";
import type { ApprovalId, ClientId, CommandId, QueuedId, SessionId } from "@/lib/events/id";
import type { ApprovalOption, Mode, RulePattern } from "@/lib/permissions/policy";
import type { PinReport } from "@/lib/protocol/answers";
import type { SessionView } from "@/lib/view/view";
import type { ContextParts } from "@/server/agent/context/context-parts";
import type { SideAnswer } from "@/server/agent/side/read-side-answer";
import type { SideRequest } from "@/server/agent/side/request-beside";
import type { WorkflowEvent } from "@/lib/workflows/workflow-events";
import type { StepCall } from "../decisions/step-call";
import type { CallDecision } from "../decisions/decided-call";
import type { SessionFiles } from "../restore/session-files";
import type { SessionReview } from "../review/session-review";
import type { SessionRunControls } from "../runs/run-controls";
import type { SendOptions } from "./services";
import type { WantedModel } from "@/server/models/access/session-models";

export interface ApprovalReply {
  readonly option: ApprovalOption;
  readonly origin?: Origin;
  readonly reason?: string;
  /** Words of an "always" rule as edited by the user. */
  readonly rule?: RulePattern;
}

/** seq of the newest event of the command's commit. */
export interface Committed {
  readonly seq: number;
}

export interface StartedRun extends Committed {
  /** Resolves at the end of the run this command started or joined; at once with null if there is none. */
  readonly done: Promise<RunEnd | null>;
}

export interface SessionChange {
  readonly title?: string;
  readonly mode?: Mode;
  readonly pins?: readonly Pin[];
  readonly network?: true;
}

export interface Session {
  readonly id: SessionId;
  readonly view: SessionView;
  /**
   * Sends a prompt; during a run it is queued as a steer, so typed text is never lost. Fails with no_model, and with
   * options also with not_idle, not_border, model_missing, and gone when the queued message no longer waits.
   */
  send(text: string, intent: Intent, commandId: CommandId, options?: SendOptions): Result<StartedRun>;
  /** Continues the run with the answer that its server may hold since before a restart; without one it does nothing. */
  receiveHeldAnswer(): void;
  /**
   * Runs a command of the user in the project folder; during a run it is queued until the run ends. Fails with bad_input,
   * too_large, not_idle (a summary is being written, files are being restored), too_many (full queue), and gone when the
   * queued command no longer waits.
   */
  runCommand(text: string, commandId: CommandId, queuedId?: QueuedId): Result<StartedRun>;
  /** True when a rewind may go to this seq and a fork may start at it. */
  isBorder(seq: number): boolean;
  /** Hides what came after. Fails with not_idle, not_border. */
  rewind(toSeq: number, commandId: CommandId): Result<Committed>;
  /** Restoring files. A prompt sent during a restore starts a run after it. */
  readonly files: SessionFiles;
  /** Sets the user's name for a position; an empty one removes it. Fails with not_found. */
  label(seq: number, text: string, commandId: CommandId): Result<Committed>;
  /** Continues after interrupted or limit. Fails with not_idle when there is nothing to continue. */
  resume(commandId: CommandId, origin?: Origin): Result<StartedRun>;
  /**
   * Stores the user's decision about a call that the newest answer contains as text, and runs the call like one that the
   * model made. Fails with not_idle, with gone for one that is decided or of an older answer, and with no_model.
   */
  decideCall(decided: CallDecision, commandId: CommandId): Result<StartedRun>;
  /** Runs a call of a step of a workflow like one that the model made; the model does not get it. Fails with not_idle, no_model. */
  runStepCall(call: StepCall, commandId: CommandId): Result<StartedRun>;
  /** Stores what a workflow does in this session. */
  recordWorkflow(events: readonly WorkflowEvent[], commandId: CommandId): Committed;
  /** Whether a command with this id was done, also before a restart. */
  hasDone(commandId: CommandId): boolean;
  unqueue(id: QueuedId, commandId: CommandId): boolean;
  requeue(id: QueuedId, text: string, commandId: CommandId): boolean;
  /** true = this answer won; a stale id gives false. */
  answer(approvalId: ApprovalId, answer: ApprovalReply, clientId: ClientId): boolean;
  /** Reads the pinned files, for the messages and reports from then on. Never rejects. */
  readPins(signal: AbortSignal): Promise<void>;
  /** The pinned files as they were read last. */
  pins(): PinReport;
  update(change: SessionChange, commandId: CommandId): Committed;
  /** Fails with not_idle during a run, model_missing, no_model. */
  changeModel(wanted: WantedModel, commandId: CommandId): Result<Committed>;
  /**
   * Summarizes the old part of the conversation, outside a run; Stop ends it, and a prompt sent meanwhile starts a run
   * after it. Fails with not_idle, with no_summary when nothing would be summarized, and with no_gain.
   */
  compact(focus: string | undefined, commandId: CommandId): Result<StartedRun>;
  /** Replaces the effective summary by the user's text. Fails with not_idle, and with gone for another summary. */
  editSummary(compactionSeq: number, summary: string, commandId: CommandId): Result<Committed>;
  /** Parts of the next request. Fails with no_model. */
  context(signal: AbortSignal): Promise<Result<ContextParts>>;
  /** See `requestBeside` of the agent. Throws without a model. */
  requestBeside(side: SideRequest, signal: AbortSignal): Promise<Result<SideAnswer> | null>;
  readonly review: SessionReview;
  readonly controls: SessionRunControls;
  /** Resolves when idle and every open call has ended. */
  abort(): Promise<void>;
  subscribe(listener: (envelope: Envelope) => void): () => void;
  /** True when nothing runs: the session may be released. */
  readonly idle: boolean;
  /** Releases shell and timers; the next call recreates them. */
  suspend(): void;
  /** Shutdown: stops the work without writing its end; approvals stay pending, a run can continue after the start. */
  shutdown(): Promise<void>;
}
