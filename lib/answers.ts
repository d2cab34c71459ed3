/** Answers of commands that are more than one value. */
import type { SandboxState, TrustFinding } from "./guard";
import type { Connection, ModelServerState, PullState } from "./models";
import type { Project } from "./project";
import type { Settings } from "./settings";
import type { NetworkState, Share } from "./share";

/** What a client needs for its first screen. */
export interface Welcome {
  readonly version: string;
  readonly home: string;
  readonly projects: readonly Project[];
  readonly settings: Settings;
  readonly models: ModelServerState;
  readonly pulls: readonly PullState[];
  readonly connections: readonly Connection[];
  readonly shares: readonly Share[];
  readonly network: NetworkState;
  readonly sandbox: SandboxState;
  /** The store's database was unreadable and set aside here. */
  readonly movedAside: string | null;
}

/** A part of the next request behind its instructions and tools, in its order. */
export interface PromptPiece {
  /** `pending` = a notice that goes with the next result. */
  readonly kind: "guide" | "environment" | "tree" | "summary" | "message" | "answer" | "result" | "notice" | "pending";
  /** The tool of a result. */
  readonly name?: string;
  readonly tokens: number;
  /** The exact words. */
  readonly text: string;
}

/** What the next request of a session is made of. Tokens are our estimate, corrected by what the model's server counted before. */
export interface ContextReport {
  readonly parts: readonly {
    readonly part: "system" | "tools" | "snapshot" | "summary" | "messages" | "results";
    readonly tokens: number;
  }[];
  readonly total: number;
  /** tokens at which the conversation is compacted */
  readonly compactAt: number;
  /** The window in force and what it is the least of; tokens. */
  readonly window: {
    readonly inForce: number;
    readonly asked: number;
    readonly allocated?: number;
    readonly own?: number;
  };
  /** The exact words. */
  readonly system: string;
  readonly tools: readonly { readonly name: string; readonly tokens: number; readonly text: string }[];
  /** What follows them: snapshot, history and pending notices. */
  readonly pieces: readonly PromptPiece[];
}

/** What a new session can begin with; a project is offered those that fit it. */
export const starterTasks = [
  "explain",
  "tests",
  "write_tests",
  "types",
  "tidy",
  "readme",
  "review",
  "summarize",
  "proofread",
] as const;

export interface ProjectView {
  readonly project: Project;
  readonly branch: string | null;
  readonly gone: boolean;
  /** The user said that this folder may be obeyed. Until then git is not run in it and none of its settings count. */
  readonly trusted: boolean;
  readonly findings: readonly TrustFinding[];
  /** Up to three starter tasks that fit what the folder has. */
  readonly starters: readonly (typeof starterTasks)[number][];
}
