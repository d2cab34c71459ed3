/** What sessions get from main: everything that is not theirs comes in here, as functions. */
import type { ImageRef } from "@/lib/content";
import type { Usage } from "@/lib/content";
import type { DurableEvent, Profile, Think, ToolMode } from "@/lib/event";
import type { ModelState } from "@/lib/view";
import type { AgentHost, FilesFound, ModelFacts, StoredPrompt, ToolWorld } from "../agent/host";
import type { AgentError, ErrorCode, Result } from "@/lib/error";
import type { CallId, Hash, ProjectId, SessionId, QueuedId } from "@/lib/id";
import type { AutomaticDecision } from "@/lib/guard";
import type { Mode, Rule } from "@/lib/policy";
import type { Settings } from "@/lib/settings";
import type { CountedText } from "@/lib/text/estimate-tokens";
import type { Store } from "../store/open-store";

/** One session's hands: its shell, files and trash, bound to its project. */
export interface SessionWorld extends ToolWorld {
  readonly root: string;
  /** A prompt came: whatever may be needed soon is looked at in the background. */
  prepare(): void;
  around<T>(
    callId: CallId,
    work: () => Promise<T>,
  ): Promise<{ readonly value: PromiseSettledResult<T>; readonly found: FilesFound }>;
  /** The states of what stands at a path and below it, as far as they can be kept. */
  statesOf(path: Parameters<ToolWorld["files"]["info"]>[0]): Promise<FilesFound["befores"]>;
  dispose(): void;
}

/** What stands at a path of a project. */
export type Standing =
  | { readonly kind: "nothing" }
  /** `bytes` null = more than are kept. */
  | { readonly kind: "file"; readonly hash: Hash; readonly mode: number; readonly bytes: Uint8Array | null }
  /** A folder, a link, something that cannot be read. */
  | { readonly kind: "other"; readonly code: ErrorCode };

/** The owner's hands on the files of a project, to look at them and put them back. Paths are relative to it; nothing rejects. */
export interface ProjectHands {
  look(path: string): Promise<Standing>;
  /** null = not text. */
  text(bytes: Uint8Array): string | null;
  /** Atomic; `expect` = hash of what stands there, null = nothing: otherwise changed_meanwhile or exists. */
  write(path: string, bytes: Uint8Array, expect: Hash | null, mode: number): Promise<Result<void>>;
  /** Into the trash, and the folders it leaves empty go. Fails with changed_meanwhile when it has not this hash. */
  remove(path: string, expect: Hash): Promise<Result<void>>;
}

/** How the model is to be used in a session, chosen once: all of model_change but the prompt, and the prompt itself. */
export interface ModelChoice {
  readonly change: Omit<Extract<DurableEvent, { type: "model_change" }>, "type" | "prompt">;
  readonly prompt: StoredPrompt;
}

/** `name` empty = the best there is; what is absent is what the program would choose, "auto" also forgets what was chosen before. */
export interface WantedModel {
  readonly name: string;
  /** A connection's id; absent = Ollama. */
  readonly connection?: string;
  readonly think?: Think;
  readonly toolMode?: ToolMode | "auto";
  readonly profile?: Profile | "auto";
  /** tokens; 0 = what fits */
  readonly numCtx?: number;
  /** What the session has now: of the same model, its window and thinking stay unless they are named. */
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
  /** `cwd` is where the session's shell starts. */
  world(projectId: ProjectId, sessionId: SessionId, cwd: string): SessionWorld;
  /** Fails when the project is gone. What goes to the trash is of this session. */
  hands(projectId: ProjectId, sessionId: SessionId): Promise<Result<ProjectHands>>;
  judge(input: {
    readonly root: string;
    readonly cwd: string;
    readonly mode: Mode;
    readonly rules: readonly Rule[];
  }): AgentHost["judge"];
  rules(projectId: ProjectId): readonly Rule[];
  /** For the log of decisions. Must not throw. */
  decided(decision: Omit<AutomaticDecision, "id" | "at">): void;
  /** Stores it and tells the clients. */
  addRule(rule: Rule): void;
  /** What is known of the project now, for the first message of a session; null = nothing yet. `maxTokens` bounds it. */
  snapshot(projectId: ProjectId, maxTokens: number): ProjectSnapshot | null;
  /** The project's tree within `maxTokens`, for a session whose snapshot came without; null = still not listed. */
  tree(projectId: ProjectId, maxTokens: number): string | null;
  /** null = no model can be had now. */
  chooseModel(wanted: WantedModel): ModelChoice | null;
  /** Why there is none, where its server does not answer; null = it does. */
  whyNoModel(wanted: WantedModel): AgentError | null;
  modelFacts(model: ModelState): ModelFacts;
  /** `counted` = what of the prompt was new, with the server's count of it. Must not throw. */
  learn(model: ModelState, usage: Usage, counted: CountedText): void;
  /** The server counted a prompt that it refused. Must not throw. */
  learnCount(model: ModelState, counted: CountedText): void;
  /** The model's server refused native tools: the choice with calls in text, remembered; null = the user chose native. */
  textToolMode(model: ModelState): ModelChoice | null;
  /** The model of a stored session can see images. */
  seesImages(model: string): boolean;
  /** A commit failed (disk full, locked): told to the user; null when one succeeded again. Must not throw. */
  storeTrouble(error: unknown | null): void;
}

/** What goes with a message, and what a prompt may do in its own commit. Each but `images` only while idle. */
export interface SendOptions {
  /** Go with the message, at any time. */
  readonly images?: readonly ImageRef[];
  /** Back to this border first: the prompt takes the place of what came after it. */
  readonly rewindTo?: number;
  /** With this model from now on. */
  readonly model?: WantedModel;
  /** The waiting message this is. */
  readonly queuedId?: QueuedId;
}
