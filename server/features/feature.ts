/** Declares what a feature exports, what it may use, and how it is listed. */
import type { CommandName } from "@/lib/protocol/command";
import type { Result } from "@/lib/events/error";
import type { Envelope } from "@/lib/events/event";
import type { ProjectId, SessionId } from "@/lib/events/id";
import type { NewNotice, Notice } from "@/lib/notices/notice";
import type { NoticePlaceName } from "@/lib/notices/notice-kinds";
import type { Push } from "@/lib/protocol/push";
import type { TopicSources } from "@/lib/protocol/topics";
import type { SessionRow } from "@/lib/protocol/session-row";
import type { Settings } from "@/lib/settings/settings";
import type { ContextSource } from "@/server/agent/context/context-source";
import type { AskGates } from "@/server/agent/tools/call-gate";
import type { HandlerTable } from "@/server/handlers/handlers";
import type { ModelAccess } from "@/server/models/access/model-access";
import type { SessionServices, UnattendedTerms } from "@/server/session/core/services";
import type { RemoteClient, RemoteSessions } from "@/server/session/service/remote-sessions";
import type { SessionService } from "@/server/session/service/session-service";
import type { ShareServerOpener } from "@/server/session/share/shared-view";
import type { Store } from "@/server/store/open-store";
import type { ToolSource } from "@/server/tools/core/tool-source";
import type { CatalogueSource } from "@/server/tools/toolbox/catalogue";
import type { OpenProject, Projects } from "@/server/workspace/projects/projects";
import type { CleanupJournal } from "@/server/workspace/shell/cleanup-journal";

/** Services of the server that a feature may use; it takes a `Pick` with the ones it needs. */
export interface FeatureHost {
  readonly store: Store;
  readonly sessions: SessionService;
  /** The sessions as a client with a right of its own uses them. */
  remoteSessions(client: RemoteClient): RemoteSessions;
  /** Services that sessions depend on. */
  readonly services: SessionServices;
  readonly access: ModelAccess;
  readonly projects: Pick<Projects, "forget" | "get" | "open" | "peek">;
  /** Opens the personal workspace; its first use creates it. */
  openWorkspace(): Promise<Result<OpenProject>>;
  /** Resolves when the catalogue of a project has the tools of all features that offer some. */
  loadTools(projectId: ProjectId): Promise<void>;
  readonly environment: NodeJS.ProcessEnv;
  /** This program's data folder. */
  readonly home: string;
  /** Version of this program. */
  readonly version: string;
  /** Bearer token of server.json; a secret. */
  readonly bearer: string;
  /** Journal of resources that a killed process would leave behind. */
  readonly leftovers: Pick<CleanupJournal, "record">;
  /** This machine's addresses on its networks. */
  machine(): readonly string[];
  /** Port of the owner's pages. */
  serverPort(): number;
  /** Address of the owner's pages, without a final slash: the public one, or else that on this machine. */
  pagesAt(): string;
  /** Opens the listener for viewers; loads it lazily. */
  readonly openShareServer: ShareServerOpener;
  settings(): Settings;
  /** ms epoch */
  now(): number;
  /** Sends a message to the owner's clients; one of a topic with subjects to those that subscribed. */
  push(push: Push): void;
  /** Opens a notice to the user, at the places that the settings name for its kind. */
  notify(notice: NewNotice): void;
  /** The places of all loaded features. */
  noticePlaces(): readonly NoticePlace[];
  /** Terms of a session that runs without the user; null = the user is there. */
  unattendedTerms(id: SessionId): UnattendedTerms | null;
  /** Called when `Feature.addresses` may have changed. */
  networkChanged(): void;
  log(line: string): void;
  /** Logs an unexpected error. */
  reportBug(name: string, error: unknown): void;
}

/** A place beside the open tabs where notices appear. Both functions must not wait. */
export interface NoticePlace {
  readonly place: Exclude<NoticePlaceName, "tab">;
  deliver(notice: Notice): void;
  /** It was seen elsewhere, or has lost its reason: it is not sent any more, or is taken back where that is possible. */
  withdraw(id: string): void;
}

/** Receives what happens in all sessions. Called only while the feature is loaded; must not wait. */
export interface SessionListener {
  /** An event of a session, after it was stored and folded. */
  event?(envelope: Envelope): void;
  /** The row of a session in the list has changed, or a session was added. */
  row?(row: SessionRow): void;
  /** A session was moved to the trash, or deleted with its log. */
  removed?(id: SessionId): void;
}

/**
 * A part of the product that plugs in beside the core. What it throws is logged and answered to the caller as an error
 * with a code; the core and the other features are not affected.
 */
export interface Feature {
  /** Handlers of its commands; they are declared in `lib/protocol`. */
  readonly commands?: Partial<HandlerTable>;
  /** Sources of tools beside the built-in ones; read while the feature is loaded. Its entry has `offersTools`. */
  readonly toolSources?: readonly ToolSource[];
  /** Sources of tools that the toolbox leads to; read while the feature is loaded. Its entry has `offersTools`. */
  readonly catalogueSources?: readonly CatalogueSource[];
  /** Sources of context beside the built-in ones; read while the feature is loaded. */
  readonly contextSources?: readonly ContextSource[];
  /** State of the topics whose messages it pushes; read while the feature is loaded. */
  readonly topicSources?: TopicSources;
  /**
   * Folders beside the project that tools may read, as real paths resolved once: the feature creates them, or has the
   * user name them. Read while the feature is loaded.
   */
  readonly readRoots?: readonly string[];
  readonly sessionListener?: SessionListener;
  /** The user does not trust this project any more: ends at once what runs because of that trust. Must not wait. */
  trustWithdrawn?(id: ProjectId): void;
  /** Terms of a session that it runs without the user, and of that session's subagents; null = not one of its own. */
  unattendedTerms?(id: SessionId): UnattendedTerms | null;
  /** Places where it shows notices; read while the feature is loaded. */
  readonly noticePlaces?: readonly NoticePlace[];
  /** Opens a notice. Its entry has `deliversNotices`. */
  notify?(notice: NewNotice): void;
  /** The notices that are not seen yet. */
  openNotices?(): readonly Notice[];
  /** A signed-in browser was signed out. Must not wait. */
  deviceRevoked?(id: string): void;
  /** Asked before each call of a tool. Its entry has `hasGates`. */
  readonly askGates?: AskGates;
  /**
   * Called once, after loading. Runs until the signal fires at shutdown, then releases everything and resolves; the
   * shutdown waits at most `serverLimits.featureStopMs`. A feature whose start throws or rejects is not used any more.
   */
  start?(signal: AbortSignal): Promise<void>;
  /** A background server without clients must not exit now. */
  keepsAlive?(): boolean;
  /** Something runs that ends by itself; absent = `keepsAlive`. */
  isWorking?(): boolean;
  /** Name of a model that must stay installed and loaded now; null = none. */
  usedModel?(): string | null;
  /** Addresses at which it listens, beside the owner's. */
  addresses?(): readonly string[];
}

/** A feature in the list: light data, and the function that loads its code. */
export interface FeatureEntry {
  /** Name of its folder. */
  readonly name: string;
  /** The first call of one of them loads the feature; one without commands has `startAfterMs`. */
  readonly commands: readonly CommandName[];
  /** Delay after the start until it is loaded without a command, ms; absent = loaded by a command only. */
  readonly startAfterMs?: number;
  /** Asked after that delay: whether it has anything to do yet; absent = it has. */
  hasWork?(store: Store): boolean;
  /** It has tool sources: loaded before the prompt of a new session is composed and before a run continues. */
  readonly offersTools?: true;
  /** It is loaded with the first notice, and as soon as a feature has places for notices. */
  readonly deliversNotices?: true;
  /** It is loaded before the first call of a tool; while it cannot be loaded, every call asks. */
  readonly hasGates?: true;
  load(): Promise<(host: FeatureHost) => Feature>;
}

type HandlersOf<N extends CommandName> = [N] extends [never] ? unknown : { readonly commands: Pick<HandlerTable, N> };

interface TypedEntry<N extends CommandName> extends FeatureEntry {
  readonly commands: readonly N[];
  load(): Promise<(host: FeatureHost) => Feature & HandlersOf<NoInfer<N>>>;
}

/** Returns the entry; the compiler compares the commands it names with the handlers it loads. */
export const defineFeature = <N extends CommandName>(entry: TypedEntry<N>): TypedEntry<N> => entry;
