/** Context and services of sessions. */
import type { SessionModels, WantedModel } from "@/server/models/access/session-models";
import type { ProjectFiles } from "@/server/workspace/files/project-files";
import type { ImageRef, ReferenceBlock } from "@/lib/events/content";
import type { Origin } from "@/lib/events/event";
import type { CallJudgement } from "@/server/agent/host";
import type { ContextBlock, ContextSource, FolderGuide } from "@/server/agent/context/context-source";
import type { AskGates } from "@/server/agent/tools/call-gate";
import type { JudgedFacts } from "@/server/agent/tools/judge-accesses";
import type { PinBudget } from "@/server/agent/context/pinned-files";
import type { ToolSource } from "@/server/tools/core/tool-source";
import type { Catalogue } from "@/server/tools/toolbox/catalogue";
import type { SessionToolEnvironment } from "@/server/workspace/projects/tool-environment";
import type { Result } from "@/lib/events/error";
import type { ProjectId, SessionId, QueuedId } from "@/lib/events/id";
import type { Rule, ToolAccess } from "@/lib/permissions/policy";
import type { Push } from "@/lib/protocol/push";
import type { Settings } from "@/lib/settings/settings";
import type { Store } from "@/server/store/open-store";
import type { CleanupJournal } from "@/server/workspace/shell/cleanup-journal";

export interface ProjectSnapshot {
  readonly text: string;
  /** The files are still being listed: `text` has no tree. */
  readonly isTreePending: boolean;
}

/** Terms of a session that runs without the user: an automation's. Its subagents have them too. */
export interface UnattendedTerms {
  /** Added to those of the project. */
  readonly rules: readonly Rule[];
  /** Limits of a run, where those of the settings are higher. */
  readonly maxSteps: number;
  readonly maxRunMinutes: number;
  /** Its requests to a model server wait for those of the user's sessions. */
  readonly isBackground: boolean;
}

/** Means that all services are built over. */
export interface CoreContext {
  readonly store: Store;
  /** This program's data folder. */
  readonly home: string;
  /** Version of this program. */
  readonly version: string;
  /** Bearer token of server.json; a secret. */
  readonly bearer: string;
  /** Environment variables of this process. */
  readonly environment: NodeJS.ProcessEnv;
  /** Journal of resources that a killed process would leave behind. */
  readonly leftovers: CleanupJournal;
  /** ms epoch */
  now(): number;
  /** Sends a message to the owner's clients; one of a topic with subjects to those that subscribed. */
  push(push: Push): void;
  log(line: string): void;
  /** Logs an unexpected error. */
  reportBug(name: string, error: unknown): void;
}

/** Means that sessions use beside the services that are built for them. */
export interface SessionContext extends CoreContext {
  settings(): Settings;
  /** The built-in sources, then those of the loaded features. */
  toolSources(): readonly ToolSource[];
  /** Real paths of folders beside the project that tools may read: those of the loaded features. */
  readRoots(): readonly string[];
  /** Asks the gates of the features. */
  readonly askGates: AskGates;
  /** null = the user runs the session. */
  unattendedTerms(id: SessionId): UnattendedTerms | null;
}

/** The session in which accesses are judged. */
export interface JudgedSession extends JudgedFacts {
  /** The user allowed the network to sandboxed commands of the session. */
  readonly network?: boolean;
  /** Whether this text is in the conversation other than as the model's; absent = it is not. */
  wasSeen?(text: string): Promise<boolean>;
}

export interface SessionServices extends SessionContext, SessionModels {
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
  judge(accesses: readonly ToolAccess[], session: JudgedSession): Promise<CallJudgement>;
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
