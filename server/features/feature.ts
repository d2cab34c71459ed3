/** Declares what a feature exports, what it may use, and how it is listed. */
import type { CommandName } from "@/lib/protocol/command";
import type { CommandFamily, FamilyCommand } from "@/lib/protocol/command-family";
import type { Envelope } from "@/lib/events/event";
import type { ProjectId, SessionId } from "@/lib/events/id";
import type { NewNotice, Notice } from "@/lib/notices/notice";
import type { NoticePlaceName } from "@/lib/notices/notice-kinds";
import type { TopicSources } from "@/lib/protocol/topics";
import type { SessionRow } from "@/lib/protocol/session-row";
import type { Settings } from "@/lib/settings/settings";
import type { ContextSource } from "@/server/agent/context/context-source";
import type { AskGates } from "@/server/agent/tools/call-gate";
import type { CoreServices } from "@/server/handlers/core-services";
import type { HandlerTable } from "@/server/handlers/handlers";
import type { UnattendedTerms } from "@/server/session/core/services";
import type { RemoteClient, RemoteSessions } from "@/server/session/service/remote-sessions";
import type { ShareServerOpener } from "@/server/session/share/shared-view";
import type { Store } from "@/server/store/open-store";
import type { ToolSource } from "@/server/tools/core/tool-source";
import type { CatalogueSource } from "@/server/tools/toolbox/catalogue";

/** Services of the server that a feature may use; it takes a `Pick` with the ones it needs. */
export interface FeatureHost extends CoreServices {
  /** The sessions as a client with a right of its own uses them. */
  remoteSessions(client: RemoteClient): RemoteSessions;
  /** This machine's addresses on its networks. */
  machine(): readonly string[];
  /** Port of the owner's pages. */
  serverPort(): number;
  /** Address of the owner's pages, without a final slash: the public one, or else that on this machine. */
  pagesAt(): string;
  /** Opens the listener for viewers; loads it lazily. */
  readonly openShareServer: ShareServerOpener;
  settings(): Settings;
  /** Opens a notice to the user, at the places that the settings name for its kind. */
  notify(notice: NewNotice): void;
  /** The places of all loaded features. */
  noticePlaces(): readonly NoticePlace[];
  /** Terms of a session that runs without the user; null = the user is there. */
  unattendedTerms(id: SessionId): UnattendedTerms | null;
  /** Called when `Feature.addresses` may have changed. */
  networkChanged(): void;
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
  /** Commands, or families of them. The first call of one loads the feature; one without commands has `startAfterMs`. */
  readonly commands: readonly CommandFamily[];
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

interface TypedEntry<F extends CommandFamily> extends FeatureEntry {
  readonly commands: readonly F[];
  load(): Promise<(host: FeatureHost) => Feature & HandlersOf<FamilyCommand<NoInfer<F>>>>;
}

/** Returns the entry; the compiler compares the commands of its families with the handlers it loads. */
export const defineFeature = <F extends CommandFamily>(entry: TypedEntry<F>): TypedEntry<F> => entry;
