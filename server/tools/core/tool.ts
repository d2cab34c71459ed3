/**
 * The interface of a tool: a static definition, and a function that makes what runs a call. Locks, access, approval,
 * truncation and the end of a call are not its concern.
 */
import type { Block, Json } from "@/lib/events/content";
import type { AgentError } from "@/lib/events/error";
import type { DurableEvent, ParentCall, Profile } from "@/lib/events/event";
import type { BlobId, Hash, SessionId } from "@/lib/events/id";
import type { ExternalAccess, ToolAccess } from "@/lib/permissions/policy";
import type { Settings } from "@/lib/settings/settings";
import type { CallFileChange, CallFacts, CallPreview, CutPositions } from "@/lib/events/tool-kind";
import type { ToolKind } from "@/lib/events/tool-presentations";
import type { SafePath } from "@/server/security/paths/safe-path";
import type { Catalogue } from "../toolbox/catalogue";
import type { ToolEnvironment } from "@/server/workspace/projects/tool-environment";

/** User settings that a tool reads at each call. */
export type ToolSettings = Pick<
  Settings,
  "bashTimeoutSeconds" | "bashOutputBytes" | "readLines" | "grepMatches" | "findEntries"
>;

/** Limits of a result for the model and the card. It is also cut at an eighth of the context window. */
export interface ResultLimits {
  readonly bytes: number;
  /** head = keep the start; both = keep head and tail; failure = both, but the head begins at the first failure (lib/text/failure-lines). */
  readonly keep: "head" | "both" | "failure";
}

/** Services of tools; each takes only the members it uses. Shell and trash attribute their effects to the call. */
export interface ToolDependencies extends Omit<ToolEnvironment, "path"> {
  /** The tools that the toolbox leads to in this session. */
  catalogue(): Catalogue;
  /** The window that is stored with the session's model: a text that depends on it does not change in a session. */
  readonly windowTokens: number;
  /** Whether the model accepts images. */
  readonly vision: boolean;
  readonly settings: ToolSettings;
}

/** One call of a tool. */
export interface ToolCall {
  /** The call and its session. */
  readonly id: ParentCall;
  /** False = no user sees a question: the command line or another session started the run. */
  isAttended(): boolean;
  /** Resolves a path within the access that was decided on; throws ToolError for any other. */
  path(text: string, use: "read" | "write"): SafePath<"model">;
  progress(text: string): void;
  /** Registers `end` for the user's request to end this call alone. Returns the unsubscribe function. */
  onEnd(end: () => void): () => void;
  /** Durably commits the state of a file before another session changes it for this call. */
  recordChange(state: Omit<Extract<DurableEvent, { type: "file_change" }>, "type" | "callId">): void;
  /**
   * Durably commits file_change (path, snapshot, mode) before the write. `before` is null if the file does not exist
   * yet.
   */
  recordBeforeWrite(
    path: SafePath<"model">,
    before: { readonly bytes: Uint8Array; readonly mode: number } | null,
  ): Promise<BlobId | null>;
}

/** A call of a tool of another program; `id` is null if the owner tries the tool, outside of a session. */
export interface ExternalCall extends Pick<ToolCall, "isAttended" | "progress"> {
  readonly id: ParentCall | null;
}

/** A failure the model can act on. `messageForModel`: one or two English sentences for the model, including the next step. */
export class ToolError extends Error {
  override readonly name = "ToolError";
  constructor(
    readonly code: AgentError["code"],
    readonly messageForModel: string,
    readonly facts: CallFacts = {},
  ) {
    super(messageForModel);
  }
}

export interface ToolResult {
  readonly output: readonly Block[];
  readonly facts: CallFacts;
  readonly changes?: readonly CallFileChange[];
  /** The call succeeded, but the command it ran reported failure (exit 1): drawn as failed, not a tool error. */
  readonly failed?: boolean;
  /** The whole output if the tool already shortened `output` (bash's spill). */
  readonly full?: { readonly bytes: number; readonly blob?: BlobId };
  /** Positions at which the tool shortened the text of `output` or wrote into it. */
  readonly cutPositions?: CutPositions;
}

/** The file version the user approved (hash; null = no file); checked again at the write. */
export interface ApprovedVersion {
  readonly hash: Hash | null;
}

/** Validated input of a call. `repaired` is true if it differs from what the model sent. */
interface AcceptedCall<I> {
  readonly ok: true;
  readonly input: I;
  readonly repaired: boolean;
}

interface RefusedCall {
  readonly ok: false;
  /** One short sentence with an example call. */
  readonly messageForModel: string;
}

export type ParsedCall<I> = AcceptedCall<I> | RefusedCall;

/** The static part of a tool, for prompts, the call reader and decisions. It needs no session. */
interface ToolDefinition<I = Json> {
  readonly name: string;
  readonly kind: ToolKind;
  /** One line or a few for the model. */
  description(profile: Profile): string;
  /** A JSON Schema object. */
  readonly parameters: Json;
  limits(settings: ToolSettings): ResultLimits;
  /**
   * Validates the input after repairing aliases, numbers as strings and JSON in strings; fails with one short
   * sentence for the model.
   */
  parse(input: Json): ParsedCall<I>;
  /** The text of the card's line: a path, a pattern, a command. */
  target(input: I): string;
  /** Facts that are available before it runs (line range, timeout). */
  facts?(input: I, settings: ToolSettings, id: ParentCall): CallFacts;
  /**
   * Declares the required access; checks nothing. Empty = no effect outside the conversation: runs in every mode
   * without approval, so a tool of another program always declares `external`. `sessionId` = that of the call, if there is one.
   */
  access(input: I, sessionId?: SessionId): readonly ToolAccess[];
  /** Access by which the first use of a tool of another program is approved in a project; it is among its accesses. */
  readonly external?: ExternalAccess;
  /** Paths to lock for the whole call; bash locks the shell. */
  locks(input: I): { readonly paths: readonly string[]; readonly shell: boolean };
  /**
   * Adapts a result that was cut to its head. `facts`: those of `kept`, the remaining text. `next`: how the model
   * gets the rest, a few ASCII words, at most `maxNextBytes` bytes (truncate-text.ts). Null = facts unchanged. Only for tools
   * with `keep: "head"`.
   */
  shortenFacts?(facts: CallFacts, shownText: string): { readonly facts: CallFacts; readonly next: string } | null;
}

/** Runs one call: made for it, so the plan of `preview` can be used by `run`. */
export interface ToolRunner<I = Json> {
  /**
   * Builds the diff or command for the approval. Throws ToolError if the call cannot succeed (then no card is shown).
   */
  preview?(
    input: I,
    call: ToolCall,
    signal: AbortSignal,
  ): Promise<{ readonly preview: CallPreview; readonly seen?: ApprovedVersion }>;
  /** Throws only ToolError. `seen` is the value preview returned. */
  run(input: I, call: ToolCall, signal: AbortSignal, seen?: ApprovedVersion): Promise<ToolResult>;
}

export interface Tool<I = Json> extends ToolDefinition<I> {
  create(dependencies: ToolDependencies): ToolRunner<I>;
  /** Makes a runner for a call of the owner, who tries a tool of another program. */
  createTrial?(dependencies: Pick<ToolDependencies, "vision" | "storeBlob">): TrialRunner<I>;
}

/** As `ToolRunner`. */
interface TrialRunner<I = Json> {
  preview(input: I): Promise<{ readonly preview: CallPreview }>;
  run(input: I, call: ExternalCall, signal: AbortSignal): Promise<ToolResult>;
}
