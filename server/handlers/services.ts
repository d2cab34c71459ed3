/** Services the handlers use. */
import type { ServerLog } from "@/server/base/server-log";
import type { Redactor } from "@/server/security/redaction/redact";
import type { Push } from "@/lib/protocol/push";
import type { ConfigService } from "@/server/config/config-file";
import type { ModelsFile } from "@/server/config/models-file";
import type { ModelAccess } from "@/server/models/access/model-access";
import type { Connections } from "@/server/models/connections/connections";
import type { OllamaService } from "@/server/models/ollama/ollama-service";
import type { SessionServices } from "@/server/session/core/services";
import type { SessionService } from "@/server/session/service/session-service";
import type { Store } from "@/server/store/open-store";
import type { FileTrash } from "@/server/workspace/files/file-trash";
import type { OpenProject, Projects } from "@/server/workspace/projects/projects";
import type { Sandbox } from "@/server/workspace/shell/sandbox";
import type { Result } from "@/lib/events/error";
import type { CommandName } from "@/lib/protocol/command";
import type { ProjectId, RuleId, SessionId } from "@/lib/events/id";
import type { Notice } from "@/lib/notices/notice";
import type { TlsStatus } from "@/lib/protocol/status-report";
import type { Device, AddressLink, NetworkState, Share } from "@/lib/protocol/share";
import type { ModelState } from "@/lib/view/view";
import type { CommandClient, Handlers } from "./handlers";
import type { OwnerFileAccess } from "./project/file-access";
import type { OwnerFileArchives } from "./project/file-archives";

/** The server's listeners on the network, and the owner's devices. */
export interface Network {
  state(): NetworkState;
  /** Closes the network listeners; the server listens on this machine only. */
  close(): NetworkState;
  /** One-time links to this server, one per address; empty while it listens on this machine only. */
  links(): readonly AddressLink[];
  devices(current: string | null): Promise<readonly Device[]>;
  /** false = there is no device with this id. */
  revoke(id: string): boolean;
}

export interface HandlerServices {
  readonly sessions: SessionService;
  readonly store: Store;
  /** The settings and their file. */
  readonly config: ConfigService;
  /** The settings of single models and their file. */
  readonly modelsFile: ModelsFile;
  readonly projects: Projects;
  /** See `openPersonalWorkspace`. */
  openWorkspace(): Promise<Result<OpenProject>>;
  readonly toolEnvironments: {
    readonly trash: FileTrash;
  };
  /** Evaluates accesses, with the same function as sessions. */
  judge: SessionServices["judge"];
  freshRuleId(): RuleId;
  /** The model can see images, by the same rule as sessions. */
  seesImages: SessionServices["seesImages"];
  /** Access to a project's files as the owner, on behalf of a session. */
  projectFiles: SessionServices["projectFiles"];
  readonly fileAccess: Pick<OwnerFileAccess, "link">;
  readonly fileArchives: Pick<OwnerFileArchives, "link">;
  readonly sandbox: Pick<Sandbox, "state">;
  readonly models: OllamaService;
  /** Name of a model that a feature uses: it is not removed, and no other is loaded. null = none. */
  usedModel(): string | null;
  ensureListed: ModelAccess["ensureListed"];
  /**
   * Loads this model if its server is free: of a session about to use it, or by name for a new session ("" = the best).
   */
  warm(model: ModelState | string): void;
  /** Moves the session's request to the front of the queue; false = it is not waiting. */
  runFirst(id: SessionId): boolean;
  /** Model servers other than the default Ollama. */
  readonly connections: Connections;
  /** The active share links with their viewers; empty if they cannot be read. */
  shares(client: CommandClient): Promise<readonly Share[]>;
  readonly network: Network;
  /** The user does not trust this project any more: ends at once what runs because of that trust. */
  trustWithdrawn(id: ProjectId): void;
  /** Masks the keys, tokens and home folder present now, for text that leaves the server. */
  redactor(): Promise<Redactor>;
  readonly version: string;
  readonly home: string;
  /** Of this process. */
  readonly environment: NodeJS.ProcessEnv;
  /** Origin at which this machine reaches the owner's pages. */
  serverAddress(): string;
  /** Those that are not seen yet. */
  notices(): readonly Notice[];
  /** Absent = plain http only. */
  tls?(): TlsStatus | undefined;
  push(push: Push): void;
  now(): number;
  readonly serverLog: ServerLog;
}

/** Commands that do not need a session's log and therefore do not load it. */
const commandsWithoutLog: ReadonlySet<CommandName> = new Set<CommandName>([
  "session.close",
  "session.restore",
  "session.purge",
  "share.create",
  "share.list",
  "decisions.list",
]);

/**
 * Implements Handlers.ready: loads a session's log in slices before a command that needs it; commands keep their order.
 */
export const sessionReady =
  ({
    sessions,
  }: {
    readonly sessions: Pick<SessionService, "ready" | "waitForRead">;
  }): NonNullable<Handlers["ready"]> =>
  (id, name, signal) =>
    commandsWithoutLog.has(name) ? sessions.waitForRead(id, signal) : sessions.ready(id, signal);
