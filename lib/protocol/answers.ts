/** Structured results of commands. */
import type { AgentError } from "../events/error";
import type { TrustFinding } from "../permissions/guard";
import type { Connection, ModelServerState, PullState } from "../models/models";
import type { Notice } from "../notices/notice";
import type { Project } from "../workspace/project";
import type { Settings } from "../settings/settings";
import type { NetworkState, Share } from "./share";

/** Result of app.welcome: the state a client needs for its first screen. */
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
  /** Notices that are not seen yet; absent = none. */
  readonly notices?: readonly Notice[];
  /** Path to which an unreadable database was moved at start; null = the database was readable. */
  readonly movedAside: string | null;
}

export interface LogLine {
  /** ms epoch */
  readonly at: number;
  readonly level: "info" | "error";
  /** May have several lines. */
  readonly text: string;
}

/** Log of the server since its start. */
export interface LogReport {
  /** The newest ones, oldest first. */
  readonly lines: readonly LogLine[];
  /** Number of unexpected errors. */
  readonly errors: number;
  /** The file that has the lines of earlier starts too; null = it cannot be written. */
  readonly file: string | null;
}

/** One part of the next request after the system prompt and tools, in request order. */
export interface PromptPiece {
  /**
   * `file` = a file, folder or text that the user added or pinned. `pending` = a notice that will be sent with the next
   * tool result, `pendingFile` = a pinned file that will be sent with the next message. `owner` and `memory` = what the
   * memory says about the user, and its notes; `toolbox` = the tools of other programs.
   */
  readonly kind:
    | "owner"
    | "toolbox"
    | "guide"
    | "memory"
    | "environment"
    | "tree"
    | "summary"
    | "message"
    | "answer"
    | "result"
    | "notice"
    | "file"
    | "pending"
    | "pendingFile";
  /** Tool name of a result, name of a file. */
  readonly name?: string;
  /** Not in the last request: the model server has to read it. */
  readonly isNew?: true;
  readonly tokens: number;
  /** Exact text. */
  readonly text: string;
}

/** Composition of a session's next request. Tokens are estimates, scaled by previous counts of the model server. */
export interface ContextReport {
  readonly parts: readonly {
    readonly part:
      | "system"
      | "tools"
      | "toolbox"
      | "memory"
      | "snapshot"
      | "summary"
      | "files"
      | "messages"
      | "results";
    readonly tokens: number;
  }[];
  readonly total: number;
  /** `total` is the server's own count. */
  readonly isCounted?: true;
  /** tokens; threshold at which the conversation is compacted */
  readonly compactAt: number;
  /** The effective window and the limits it is the minimum of; tokens. */
  readonly window: {
    readonly inForce: number;
    readonly asked: number;
    readonly allocated?: number;
    readonly own?: number;
  };
  /** Exact text of the system prompt. */
  readonly system: string;
  readonly tools: readonly { readonly name: string; readonly tokens: number; readonly text: string }[];
  /** Parts after system prompt and tools: project snapshot, history and pending notices. */
  readonly pieces: readonly PromptPiece[];
}

/**
 * A pinned file and what the model has of it. sent = its content; changed = an earlier content, the new one is sent with
 * the next message; new = nothing yet; evicted = over the budget, no longer sent; unreadable = see `error`.
 */
export type PinnedFileState = { readonly path: string } & (
  | { readonly state: "sent" | "changed" | "new" | "evicted"; readonly tokens: number }
  | { readonly state: "unreadable"; readonly error: AgentError }
);

/** The pinned files of a session, the last used first. */
export interface PinReport {
  readonly files: readonly PinnedFileState[];
  /** Budget of all files that are sent, tokens. */
  readonly maxTokens: number;
}

/** Suggested first tasks of a new session; a project view lists those that apply to the project. */
type StarterTask =
  | "new"
  | "explain"
  | "tests"
  | "write_tests"
  | "types"
  | "tidy"
  | "readme"
  | "review"
  | "summarize"
  | "proofread";

/** Facts that make the first tasks of a project concrete; null = there is none, or it was not found in time. */
export interface ProjectFacts {
  /** The command that runs the tests. */
  readonly testCommand: string | null;
  /** Lines with TODO or FIXME in the folder at the top that has the most of them, "" = the top itself. */
  readonly todos: { readonly folder: string; readonly count: number; readonly hasMore: boolean } | null;
  /** First line of the last commit's message. */
  readonly lastCommit: string | null;
}

export interface ProjectView {
  readonly project: Project;
  readonly branch: string | null;
  readonly gone: boolean;
  /** It is the personal workspace. */
  readonly isWorkspace: boolean;
  /** The user trusts this folder. Without trust git is not run in it and its settings are ignored. */
  readonly trusted: boolean;
  readonly findings: readonly TrustFinding[];
  /** Up to three starter tasks that apply to the folder's contents. */
  readonly starters: readonly StarterTask[];
}
