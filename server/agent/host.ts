/** The agent's interface to its session: log, model, tools, approvals and files. */
import type { LateSplit } from "@/lib/models/models";
import type { ModelFacts } from "@/lib/models/model-facts";
import type { StoredPrompt } from "@/lib/models/stored-prompt";
import type { Block, Usage } from "@/lib/events/content";
import type { DurableEvent, LiveEvent } from "@/lib/events/event";
import type { ApprovalId, BlobId, CallId, MessageId, TurnId } from "@/lib/events/id";
import type { ToolAccess, Decision } from "@/lib/permissions/policy";
import type { Settings } from "@/lib/settings/settings";
import type { CommandPart } from "@/lib/events/tool-kind";
import type { SessionView } from "@/lib/view/view";
import type { ModelPart, ModelRequest, PhasePart } from "@/server/providers/provider";
import type { CacheUse } from "@/server/providers/cache-use";
import type { HistoryRefusal } from "@/server/providers/wire/history-refusals";
import type { Tool, ToolSettings } from "@/server/tools/core/tool";
import type { Catalogue } from "@/server/tools/toolbox/catalogue";
import type { RunEnvironment } from "@/server/workspace/projects/tool-environment";
import type { AskGates } from "./tools/call-gate";
import type { Locks } from "./tools/locks";
import type { ContextBlock, ContextFacts, ContextSource, FolderGuide } from "./context/context-source";
import type { PinnedFilePlan } from "./context/pinned-files";
import type { PreparedRequest } from "./context/build-request";
import type { PromptSize } from "./context/prompt-size";

export interface CallJudgement {
  readonly decision: Decision;
  /** Parts of a shell command, for its approval card. */
  readonly parts?: readonly CommandPart[];
  /** It is a shell command that provably changes nothing. */
  readonly readsOnly?: boolean;
  /** Sandbox settings of a shell command that will run sandboxed. */
  readonly sandbox?: { readonly network: boolean };
}

/** A decision without an approval request. */
type UnattendedDecision = Exclude<Decision, { readonly kind: "ask" }>;

/** The user's settings, read again in each turn. */
interface RunSettings
  extends ToolSettings,
    Pick<
      Settings,
      | "maxSteps"
      | "maxRunMinutes"
      | "thinkMaxTokens"
      | "keepAliveMinutes"
      | "retries"
      | "stallSeconds"
      | "compactionPercent"
      | "keptMessages"
      | "pinnedPercent"
    > {
  /** The session's model can see images. */
  readonly vision: boolean;
}

export interface AgentHost {
  view(): SessionView;
  /** Stores in one transaction, then folds and publishes. Throws if it cannot be stored. */
  commit(events: readonly DurableEvent[]): void;
  live(event: LiveEvent): void;
  /** ms epoch; for tookMs only */
  now(): number;
  ids: {
    turn(): TurnId;
    message(): MessageId;
    call(): CallId;
    approval(): ApprovalId;
  };
  prompt(): StoredPrompt;
  image(blob: BlobId): string | null;
  /** Waits in the host's queue, then streams; phases of the wait arrive as parts. */
  stream(request: ModelRequest, signal: AbortSignal): AsyncIterable<ModelPart>;
  /** See `SessionModels`. */
  cacheUse(request: ModelRequest): CacheUse;
  /**
   * Returns a new id under which the model's server is to hold an answer; null = it cannot, or no user waits for the answer after
   * a restart.
   */
  holdId(): string | null;
  /** Ends an answer of an earlier process that the model's server may hold; null = there is none. Never rejects. */
  endHeldAnswer(): Promise<void> | null;
  /**
   * Loads the model if its server lists it as not loaded; `onPhase` is called only then. Returns the change to what the server
   * tells of the loaded model, if it has not answered in the session; null = nothing differs. Never rejects.
   */
  readyModel(onPhase: (part: PhasePart) => void, signal: AbortSignal): Promise<DurableEvent | null>;
  /** Returns the change to a window that the server has allocated and that is smaller than the session's; null = it is not. */
  windowChange(): DurableEvent | null;
  modelFacts(): ModelFacts;
  /**
   * Tokens of the whole prompt by the server's count, which is learned for the model; null = it has none. Without `mayWake` only
   * for a model in memory. Never rejects.
   */
  countPrompt(prepared: PreparedRequest, mayWake: boolean, signal: AbortSignal): Promise<number | null>;
  /**
   * Reports that the server refused a prompt as too long, with the count and the window it named, if any. The count
   * is learned for the model; the window holds for this session until its model changes.
   */
  recordRefusedPrompt(sizes: { readonly tokens?: number; readonly window?: number }, size: PromptSize): void;
  /** Reports that the server read only `read` tokens of a longer prompt: updates modelFacts as after a refusal. */
  recordTruncatedPrompt(read: number): void;
  contextSources(): readonly ContextSource[];
  /** Current facts for the sources, outside a message and a result. */
  contextFacts(): ContextFacts;
  /** Reads the pinned files again. Never rejects. */
  readPins(signal: AbortSignal): Promise<void>;
  /** Applies the user's decisions about changes that wait for the end of a turn. Never rejects. */
  applyReviews(): Promise<void>;
  /** The pinned files within their budget, with the content read last. */
  pins(): PinnedFilePlan;
  /** Learns the model's speeds and token counts from an answer to a prompt of this size. Never throws. */
  learnUsage(usage: Usage, size: PromptSize): void;
  /** Records for the model what of its thinking arrives as text; null = nothing. Never throws. */
  learnLateSplit(split: LateSplit | null): void;
  /**
   * Returns the change to a text tool mode; null = the user chose native. "model" also records for later sessions that the
   * server rejects native tools.
   */
  switchToTextTools(scope: "model" | "session"): DurableEvent | null;
  /** Returns the change to the same prompt without these tools. */
  leaveOutTools(names: readonly string[]): DurableEvent;
  /**
   * Records for the model that its server refused the form in which earlier answers go back, and returns the change; null = a
   * refusal decided that before.
   */
  changeHistoryUse(refusal: HistoryRefusal): DurableEvent | null;
  /**
   * Registers a listener for "answer now" (end thinking); it returns true if it acts. Returns the unsubscribe
   * function.
   */
  onAnswerNow(listener: () => boolean): () => void;
  /**
   * Registers `end` for the user's request to end the running command of this call. Returns the unsubscribe function.
   */
  onEndCommand(callId: CallId, end: () => void): () => void;
  settings(): RunSettings;
  /** The tools of the session's stored prompt, in its order. */
  tools(): readonly Tool[];
  /** The tools that the toolbox leads to now; empty for a session whose stored prompt has no toolbox. */
  catalogue(): Catalogue;
  judge(accesses: readonly ToolAccess[]): Promise<CallJudgement>;
  readonly askGates: AskGates;
  /** Stores that the user approved an external tool, as it is defined now. */
  approveTool(access: Extract<ToolAccess, { kind: "external" }>): void;
  /** Logs a decision made without an approval request. Never throws. */
  logDecision(tool: string, target: string, decision: UnattendedDecision): void;
  toolEnvironment(): RunEnvironment;
  readonly locks: Locks;
  /**
   * Notices due at the end of a result of this kind (mode changed; shell restarted, for shell results only; guides of
   * folders). They stay due until passed to `markNoticesDelivered`.
   */
  dueNotices(kind: string, guides?: readonly FolderGuide[]): readonly ContextBlock[];
  /** Reads the guides of the folders that a call touched, outer first. Never rejects. */
  readFolderGuides(accesses: readonly ToolAccess[]): Promise<readonly FolderGuide[]>;
  /** Marks notices as delivered: they are in the log. */
  markNoticesDelivered(notices: readonly Block[]): void;
  /** Commits the file's snapshot and file_change. */
  recordBeforeWrite(
    callId: CallId,
    path: string,
    before: { readonly bytes: Uint8Array; readonly mode: number } | null,
  ): BlobId | null;
  /** Waits for the user's response; rejects with the signal's reason. */
  waitForResponse(approvalId: ApprovalId, signal: AbortSignal): Promise<void>;
}
