/** Services that sessions need from other layers, injected as functions. */
import type { SessionModels, WantedModel } from "@/server/models/access/session-models";
import type { ProjectFiles } from "@/server/workspace/files/project-files";
import type { ImageRef, ReferenceBlock } from "@/lib/events/content";
import type { Origin } from "@/lib/events/event";
import type { AgentHost } from "@/server/agent/host";
import type { ContextBlock, ContextSource, FolderGuide } from "@/server/agent/context/context-source";
import type { AskGates } from "@/server/agent/tools/call-gate";
import type { PinBudget } from "@/server/agent/context/pinned-files";
import type { ToolSource } from "@/server/tools/core/tool-source";
import type { Catalogue } from "@/server/tools/toolbox/catalogue";
import type { SessionToolEnvironment } from "@/server/workspace/projects/tool-environment";
import type { Result } from "@/lib/events/error";
import type { ProjectId, SessionId, QueuedId } from "@/lib/events/id";
import type { LoggedDecision } from "@/lib/permissions/guard";
import type { ApprovedTools, Mode, ExternalAccess, Rule } from "@/lib/permissions/policy";
import type { Settings } from "@/lib/settings/settings";
import type { Store } from "@/server/store/open-store";

export interface ProjectSnapshot {
  readonly text: string;
  /** The files are still being listed: `text` has no tree. */
  readonly isTreePending: boolean;
}

/** What applies to a session that runs without the user: an automation's. Its subagents have them too. */
export interface UnattendedTerms {
  /** Added to those of the project. */
  readonly rules: readonly Rule[];
  /** Limits of a run, where those of the settings are higher. */
  readonly maxSteps: number;
  readonly maxRunMinutes: number;
  /** Its requests to a model server wait for those of the user's sessions. */
  readonly isBackground: boolean;
}

export interface SessionServices extends SessionModels {
  readonly store: Store;
  now(): number;
  settings(): Settings;
  toolSources(): readonly ToolSource[];
  /** The tools of other programs in a project. */
  catalogue(projectId: ProjectId): Catalogue;
  /** With what the sources prepared last for the project. */
  contextSources(projectId: ProjectId): readonly ContextSource[];
  /** `cwd` is the folder in which the session's shell starts. */
  toolEnvironment(projectId: ProjectId, sessionId: SessionId, cwd: string): SessionToolEnvironment;
  /** Fails when the project is missing. Files moved to the trash belong to this session. */
  projectFiles(projectId: ProjectId, sessionId: SessionId): Promise<Result<ProjectFiles>>;
  /**
   * Reads a file of the project for the model. Fails with the codes of a project, of a path and of reading, and with
   * too_large if it certainly exceeds the budget.
   */
  readPinned(
    projectId: ProjectId,
    path: string,
    budget: PinBudget,
    signal: AbortSignal,
  ): Promise<Result<ReferenceBlock>>;
  judge(input: {
    readonly root: string;
    readonly cwd: string;
    readonly mode: Mode;
    readonly rules: readonly Rule[];
    readonly approvedTools: ApprovedTools;
    readonly hasReadExternal?: boolean;
    readonly hasMessaged?: boolean;
    /** The user allowed the network to sandboxed commands of the session. */
    readonly network?: boolean;
    /** Whether this text is in the conversation other than as the model's; absent = it is not. */
    wasSeen?(text: string): Promise<boolean>;
  }): AgentHost["judge"];
  readonly askGates: AskGates;
  rules(projectId: ProjectId): readonly Rule[];
  /** null = the user runs the session. */
  unattendedTerms(id: SessionId): UnattendedTerms | null;
  approvedTools(projectId: ProjectId): ApprovedTools;
  /** Stores that the user approved a tool, as it is defined now, in the project. */
  approveTool(projectId: ProjectId, access: ExternalAccess): void;
  /** Adds to the log of decisions. Must not throw. */
  recordDecision(decision: Omit<LoggedDecision, "id" | "at">): void;
  /** Stores the rule and notifies the clients. */
  addRule(rule: Rule): void;
  /** Snapshot of the project for a session's first message; null = not available yet. `maxTokens` limits it. */
  projectSnapshot(projectId: ProjectId, maxTokens: number): ProjectSnapshot | null;
  /** Guides of the folders around a path of the project, outer first; [] for null. Never rejects. */
  readFolderGuides(projectId: ProjectId, path: string | null): Promise<readonly FolderGuide[]>;
  /** The project's tree within `maxTokens`, for a session whose snapshot had none; null = still not listed. */
  projectTree(projectId: ProjectId, maxTokens: number): string | null;
  /** Reports a failed commit (disk full, locked) to the user; null = a commit succeeded again. Must not throw. */
  reportStoreError(error: unknown | null): void;
}

/** Options of a message, and actions of a prompt in its own commit. Each but `images`, `references` and `origin` only while idle. */
export interface SendOptions {
  /** Sent with the message, at any time. */
  readonly images?: readonly ImageRef[];
  /** Resolved before; a failure refuses the message, unless its command was accepted earlier. */
  readonly references?: Result<readonly ReferenceBlock[]>;
  readonly origin?: Origin;
  /** Blocks at the start of the message, as another session begins with them. Only of a session's first message. */
  readonly start?: readonly ContextBlock[];
  /** Rewinds to this border first: the prompt replaces what came after it. */
  readonly rewindTo?: number;
  /** Switches to this model. */
  readonly model?: WantedModel;
  /** The waiting message that this prompt replaces. */
  readonly queuedId?: QueuedId;
}
