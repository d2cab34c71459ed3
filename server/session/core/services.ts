/** Services that sessions need from other layers, injected as functions. */
import type { ImageRef } from "@/lib/events/content";
import type { Usage } from "@/lib/events/content";
import type { DurableEvent, Profile, Think, ToolMode } from "@/lib/events/event";
import type { ModelState } from "@/lib/view/view";
import type { AgentHost, DetectedFileChanges, ModelFacts, StoredPrompt, ToolEnvironment } from "../../agent/host";
import type { AgentError, ErrorCode, Result } from "@/lib/events/error";
import type { CallId, Hash, ProjectId, SessionId, QueuedId } from "@/lib/events/id";
import type { AutomaticDecision } from "@/lib/permissions/guard";
import type { Mode, Rule } from "@/lib/permissions/policy";
import type { Settings } from "@/lib/settings/settings";
import type { CountedText } from "@/lib/text/estimate-tokens";
import type { Store } from "../../store/open-store";

/** Tool environment of one session: its shell, files and trash, bound to its project. */
export interface SessionToolEnvironment extends ToolEnvironment {
  readonly root: string;
  /** Prepares in the background what a coming prompt may need soon. */
  prepare(): void;
  trackFileChanges<T>(
    callId: CallId,
    work: () => Promise<T>,
  ): Promise<{ readonly value: PromiseSettledResult<T>; readonly found: DetectedFileChanges }>;
  /** States of the files at a path and below it, as far as they can be stored. */
  fileStates(path: Parameters<ToolEnvironment["files"]["info"]>[0]): Promise<DetectedFileChanges["befores"]>;
  dispose(): void;
}

/** What exists at a path of a project. */
export type DiskState =
  | { readonly kind: "nothing" }
  /** `bytes` null = larger than what is stored. */
  | { readonly kind: "file"; readonly hash: Hash; readonly mode: number; readonly bytes: Uint8Array | null }
  /** A folder, a link, or something unreadable. */
  | { readonly kind: "other"; readonly code: ErrorCode };

/**
 * The owner's access to the files of a project, to read and restore them. Paths are relative to it; nothing rejects.
 */
export interface ProjectFiles {
  probe(path: string): Promise<DiskState>;
  /** Decoded text; null = not text. */
  text(bytes: Uint8Array): string | null;
  /**
   * Writes atomically; `expect` = hash of the current file, null = no file: otherwise fails with changed_meanwhile or
   * exists.
   */
  write(path: string, bytes: Uint8Array, expect: Hash | null, mode: number): Promise<Result<void>>;
  /** Moves the file to the trash and removes folders left empty. Fails with changed_meanwhile when its hash differs. */
  remove(path: string, expect: Hash): Promise<Result<void>>;
}

/** How a session uses its model, chosen once: all of model_change except the prompt, and the prompt itself. */
export interface ModelChoice {
  readonly change: Omit<Extract<DurableEvent, { type: "model_change" }>, "type" | "prompt">;
  readonly prompt: StoredPrompt;
}

/**
 * `name` empty = the best available; an absent field is chosen by the program, "auto" also clears an earlier choice.
 */
export interface WantedModel {
  readonly name: string;
  /** Id of a connection; absent = Ollama. */
  readonly connection?: string;
  readonly think?: Think;
  readonly toolMode?: ToolMode | "auto";
  readonly profile?: Profile | "auto";
  /** tokens; 0 = what fits */
  readonly numCtx?: number;
  /** The session's current model: for the same model, its window and thinking are kept unless given. */
  readonly current?: ModelState;
}

export interface ProjectSnapshot {
  readonly text: string;
  /** The files are still being listed: `text` has no tree. */
  readonly isTreePending: boolean;
}

export interface SessionServices {
  readonly store: Store;
  now(): number;
  settings(): Settings;
  stream(
    request: Parameters<AgentHost["stream"]>[0],
    signal: AbortSignal,
    sessionId: SessionId,
  ): ReturnType<AgentHost["stream"]>;
  tool: AgentHost["tool"];
  tools: AgentHost["tools"];
  /** `cwd` is the folder in which the session's shell starts. */
  toolEnvironment(projectId: ProjectId, sessionId: SessionId, cwd: string): SessionToolEnvironment;
  /** Fails when the project is missing. Files moved to the trash belong to this session. */
  projectFiles(projectId: ProjectId, sessionId: SessionId): Promise<Result<ProjectFiles>>;
  judge(input: {
    readonly root: string;
    readonly cwd: string;
    readonly mode: Mode;
    readonly rules: readonly Rule[];
  }): AgentHost["judge"];
  rules(projectId: ProjectId): readonly Rule[];
  /** Adds to the log of decisions. Must not throw. */
  recordDecision(decision: Omit<AutomaticDecision, "id" | "at">): void;
  /** Stores the rule and notifies the clients. */
  addRule(rule: Rule): void;
  /** Snapshot of the project for a session's first message; null = not available yet. `maxTokens` limits it. */
  projectSnapshot(projectId: ProjectId, maxTokens: number): ProjectSnapshot | null;
  /** The project's tree within `maxTokens`, for a session whose snapshot had none; null = still not listed. */
  projectTree(projectId: ProjectId, maxTokens: number): string | null;
  /** null = no model is available now. */
  chooseModel(wanted: WantedModel): ModelChoice | null;
  /** Error of a server that does not answer; null = it answers. */
  noModelError(wanted: WantedModel): AgentError | null;
  modelFacts(model: ModelState): ModelFacts;
  /** `counted` = new text of the prompt with the server's count of it. Must not throw. */
  learn(model: ModelState, usage: Usage, counted: CountedText): void;
  /** Learns from the count of a prompt that the server refused. Must not throw. */
  learnCount(model: ModelState, counted: CountedText): void;
  /**
   * The server refused native tools: returns and remembers the choice with calls in text; null = the user chose native.
   */
  textToolMode(model: ModelState): ModelChoice | null;
  /** The model of a stored session can see images. */
  seesImages(model: string): boolean;
  /** Reports a failed commit (disk full, locked) to the user; null = a commit succeeded again. Must not throw. */
  reportStoreError(error: unknown | null): void;
}

/** Options of a message, and actions of a prompt in its own commit. Each but `images` only while idle. */
export interface SendOptions {
  /** Sent with the message, at any time. */
  readonly images?: readonly ImageRef[];
  /** Rewinds to this border first: the prompt replaces what came after it. */
  readonly rewindTo?: number;
  /** Switches to this model. */
  readonly model?: WantedModel;
  /** The waiting message that this prompt replaces. */
  readonly queuedId?: QueuedId;
}
