/** What the agent needs of the world, given by session. The loop knows no database, socket or screen. */
import type { Block, Usage } from "@/lib/content";
import type { DurableEvent, LiveEvent } from "@/lib/event";
import type { ApprovalId, BlobId, CallId, MessageId, TurnId } from "@/lib/id";
import type { Access, Decision } from "@/lib/policy";
import type { Settings } from "@/lib/settings";
import type { Change, CommandPart, ToolKind } from "@/lib/tool-kind";
import type { TokenScale } from "@/lib/text/estimate-tokens";
import type { SessionView } from "@/lib/view";
import type { ModelPart, ModelRequest, ToolSchema } from "../providers/provider";
import type { SafePath } from "../security/paths";
import type { Tool, ToolContext, ToolSettings } from "../tools/tool";
import type { Locks } from "./locks";
import type { PromptSize } from "./prompt-size";

/** The exact prompt a session uses, stored at model_change. */
export interface StoredPrompt {
  readonly system: string;
  readonly tools: readonly ToolSchema[];
}

/** What is known of the session's model now. */
export interface ModelFacts {
  /** tokens: the least of the window asked for, what the server has allocated, and the model's own */
  readonly window: number;
  /** tokens: the same before a refusal or a cut showed that it is less; absent = none did */
  readonly asked?: number;
  /** Tokens the server counts for one of our estimate, over all scripts; 1 = not known. */
  readonly tokenRatio: number;
  /** The same by script: the likely count, and one that is hardly ever passed. Absent = `tokenRatio` for all. */
  readonly scale?: { readonly likely: TokenScale; readonly cautious: TokenScale };
}

export interface Judgement {
  readonly decision: Decision;
  /** Of a shell command, for its card. */
  readonly parts?: readonly CommandPart[];
  /** Of a shell command: it will run fenced in. */
  readonly sandbox?: { readonly network: boolean };
}

/** A decision nobody was asked for. */
export type Automatic = Exclude<Decision, { readonly kind: "ask" }>;

/** What a tool gets of the world besides the paths, which run-tool binds to the decided access. */
export type ToolWorld = Omit<ToolContext, "progress" | "willChange" | "vision" | "settings" | "path"> & {
  path(text: string, use: "read" | "write"): ReturnType<ToolContext["path"]>;
};

/** What was found to have changed in files. */
export interface FilesFound {
  /** The state before of each, in the shape of file_change. */
  readonly befores: readonly { readonly path: string; readonly before: BlobId | null; readonly mode: number }[];
  readonly changes: readonly Change[];
  /** Files that changed, or may have, without a state before. */
  readonly notKept: number;
}

/** The user's settings as a run reads them at each turn. */
export interface RunSettings
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
    > {
  /** The session's model can see images. */
  readonly vision: boolean;
}

export interface AgentHost {
  view(): SessionView;
  /** One transaction, then fold and publish. Throws when it cannot be stored. */
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
  /** Waits in the host's queue, then streams; phases of the wait come as parts. */
  stream(request: ModelRequest, signal: AbortSignal): AsyncIterable<ModelPart>;
  modelFacts(): ModelFacts;
  /**
   * The server refused a prompt as too long and told its own count and window, as far as it did. The count is learned for the
   * model; the window holds for this session, until its model changes.
   */
  refused(told: { readonly tokens?: number; readonly window?: number }, size: PromptSize): void;
  /** The server read no more than `read` tokens of a longer prompt: as with a refusal, modelFacts follows from it. */
  cut(read: number): void;
  /** What is known of the project now, at most so many tokens; null = nothing yet. */
  snapshot(maxTokens: number): string | null;
  /** Counts and times of an answer to a prompt of this size: the model's speeds and token counts are learned from them. Never throws. */
  learn(usage: Usage, size: PromptSize): void;
  /** The server takes no native tools: remembers it and gives the change to calls in text; null = the user chose native. */
  textToolMode(): DurableEvent | null;
  /** `listener` is called when the user wants the answer without further thinking; true = it acts. Returns the end of listening. */
  onAnswerNow(listener: () => boolean): () => void;
  /** `end` is called when the user ends the running command of this call. Returns the end of listening. */
  onEndCommand(callId: CallId, end: () => void): () => void;
  settings(): RunSettings;
  tool(name: string): Tool | undefined;
  tools(): readonly Tool[];
  judge(accesses: readonly Access[]): Promise<Judgement>;
  /** A call was let through or refused without a card: for the log of decisions. Never throws. */
  decided(tool: string, target: string, decision: Automatic): void;
  world(): ToolWorld;
  readonly locks: Locks;
  /** Notices due at the end of a result of this kind (mode changed; shell restarted, of the shell's own). They stay due until `told`. */
  notices(kind: ToolKind): readonly Extract<Block, { type: "context" }>[];
  /** These notices are in the log now. */
  told(notices: readonly Block[]): void;
  /** Commits the file's before-image and file_change. */
  willChange(
    callId: CallId,
    path: string,
    before: { readonly bytes: Uint8Array; readonly mode: number } | null,
  ): BlobId | null;
  /** Runs what changes files that no tool tells of, between two looks at the project. Rejects only when nothing could be stored. */
  around<T>(
    callId: CallId,
    work: () => Promise<T>,
  ): Promise<{ readonly value: PromiseSettledResult<T>; readonly found: FilesFound }>;
  /** Commits the states of a file, or of all in a folder, that is about to go to the trash. */
  willRemove(callId: CallId, path: SafePath<"model">): Promise<void>;
  /** Waits for the answer of the user; rejects with the signal's reason. */
  answerTo(approvalId: ApprovalId, signal: AbortSignal): Promise<void>;
}
