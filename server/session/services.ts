/** What sessions get from main: everything that is not theirs comes in here, as functions. */
import type { AgentHost, StoredPrompt, ToolWorld } from "../agent/host";
import type { DurableEvent } from "@/lib/event";
import type { ProjectId, SessionId } from "@/lib/id";
import type { Mode, Rule } from "@/lib/policy";
import type { Settings } from "@/lib/settings";
import type { Store } from "../store/open-store";

/** One session's hands: its shell, files and trash, bound to its project. */
export interface SessionWorld extends ToolWorld {
  readonly root: string;
  dispose(): void;
}

/** How the model is to be used in a session, chosen once: all of model_change but the prompt, and the prompt itself. */
export interface ModelChoice {
  readonly change: Omit<Extract<DurableEvent, { type: "model_change" }>, "type" | "prompt">;
  readonly prompt: StoredPrompt;
}

export interface SessionServices {
  readonly store: Store;
  now(): number;
  settings(): Settings;
  stream: AgentHost["stream"];
  tool: AgentHost["tool"];
  tools: AgentHost["tools"];
  /** `cwd` is where the session's shell starts. */
  world(projectId: ProjectId, sessionId: SessionId, cwd: string): SessionWorld;
  judge(input: {
    readonly root: string;
    readonly cwd: string;
    readonly mode: Mode;
    readonly rules: readonly Rule[];
  }): AgentHost["judge"];
  rules(projectId: ProjectId): readonly Rule[];
  /** Stores it and tells the clients. */
  addRule(rule: Rule): void;
  /** What is known of the project now, for the first message of a session; null = nothing yet. `maxTokens` bounds it. */
  snapshot(projectId: ProjectId, maxTokens: number): string | null;
  /** null = no model can be had now. `name` empty = the best there is. */
  chooseModel(name: string, think?: boolean): ModelChoice | null;
  /** The model of a stored session can see images. */
  seesImages(model: string): boolean;
  /** A commit failed (disk full, locked): told to the user; null when one succeeded again. Must not throw. */
  storeTrouble(error: unknown | null): void;
}
