/** What the handlers may ask: everything they need was built by main. */
import { connectionInstead } from "@/lib/connection-instead";
import type { Redactor } from "../security/redact";
import type { Push } from "@/lib/push";
import type { ConfigService } from "../features/config/config-file";
import type { ModelsFile } from "../features/config/models-file";
import type { Indexer } from "../features/history/indexer";
import type { Connections } from "../models/connections";
import type { Doctor } from "../models/doctor";
import type { Models } from "../models/models";
import type { Registry } from "../session/registry";
import type { SessionServices } from "../session/services";
import type { Session } from "../session/session";
import type { Shares } from "../session/shares";
import type { Store } from "../store/open-store";
import type { Projects } from "../workspace/projects";
import type { Sandbox } from "../workspace/sandbox";
import type { CommandName, CommandOutput } from "@/lib/command";
import { fail, ok, type Result } from "@/lib/error";
import { limits } from "@/lib/settings";
import type { ProjectId, RuleId, SessionId, TrashId } from "@/lib/id";
import type { Device, Link, NetworkState } from "@/lib/share";
import type { ModelState } from "@/lib/view";
import type { Handlers } from "./handlers";

/** Where the owner's devices come in, and who they are. */
export interface Network {
  state(): NetworkState;
  /** Back to this machine only. */
  close(): NetworkState;
  /** One-time links to this server by its addresses; none while it listens on this machine only. */
  links(): readonly Link[];
  devices(current: string | null): Promise<readonly Device[]>;
  /** false = there is none of that id. */
  revoke(id: string): boolean;
}

export interface HandlerServices {
  readonly registry: Registry;
  readonly store: Store;
  /** The settings and their file. */
  readonly config: ConfigService;
  /** The settings of single models and their file. */
  readonly modelsFile: ModelsFile;
  readonly projects: Projects;
  readonly worlds: {
    readonly trash: {
      list(query: { readonly projectId?: ProjectId; readonly before?: number }): Promise<CommandOutput<"trash.list">>;
      restore(id: TrashId): Promise<Result<{ readonly path: string }>>;
      remove(id: TrashId): Promise<Result<null>>;
    };
  };
  /** What would be decided; as sessions ask it. */
  judge: SessionServices["judge"];
  freshRuleId(): RuleId;
  /** The model can see images; as sessions ask it. */
  seesImages: SessionServices["seesImages"];
  /** The owner's hands on a project's files, for a session. */
  hands: SessionServices["hands"];
  readonly sandbox: Pick<Sandbox, "state" | "known">;
  readonly models: Models;
  readonly doctor: Doctor;
  /** A session is about to use this model, a new one the model of this name ("" = the best): it is loaded if its server is free. */
  warm(model: ModelState | string): void;
  /** The session's request goes before the others that wait; false = it does not wait. */
  runFirst(id: SessionId): boolean;
  /** Searching and counting all sessions. */
  readonly indexer: Indexer;
  /** The model servers beside Ollama. */
  readonly connections: Connections;
  readonly shares: Shares;
  readonly network: Network;
  /** Masks what must not leave: the keys, tokens and home folder that are known now. */
  redactor(): Promise<Redactor>;
  readonly version: string;
  readonly home: string;
  push(push: Push): void;
  now(): number;
  bug(name: string, error: unknown): void;
}

export function sessionOf(services: { readonly registry: Pick<Registry, "get"> }, id: SessionId): Result<Session> {
  const session = services.registry.get(id);
  return session === undefined ? fail("not_found") : ok(session);
}

/** Commands that do not look into a session's log: they do not load it. */
const withoutLog: ReadonlySet<CommandName> = new Set<CommandName>([
  "session.close",
  "session.restore",
  "session.purge",
  "share.create",
  "share.list",
  "decisions.list",
]);

/** Handlers.ready: the log of a session is read in slices before the command that needs it, which no other one overtakes. */
export const sessionReady =
  ({ registry }: { readonly registry: Pick<Registry, "ready" | "underWay"> }): NonNullable<Handlers["ready"]> =>
  (id, name, signal) =>
    withoutLog.has(name) ? registry.underWay(id, signal) : registry.ready(id, signal);

/** For what goes on with a session or changes it; to be asked again after each wait. not_found, in_bin. */
export function writableSession(
  services: { readonly registry: Pick<Registry, "get" | "row"> },
  id: SessionId,
): Result<Session> {
  const session = sessionOf(services, id);
  return session.ok && services.registry.row(id)?.deletedAt !== undefined ? fail("in_bin") : session;
}

/**
 * Models are known before one is chosen; asks the server only when nothing was ever heard of it, or not yet of the models' shapes.
 * `connection` = where the model comes from; absent = where new sessions get theirs.
 */
export async function modelsKnown(
  { models, connections, store }: Pick<HandlerServices, "models" | "connections" | "store">,
  connection: string = store.settings.read().connection,
): Promise<void> {
  if (connections.live().has(connection)) return connections.ready(connection);
  if (models.state().status === "unknown")
    await models.refresh(AbortSignal.timeout(limits.serverAnswerMs)).catch(() => {});
  const instead = connectionInstead(models.state(), store.settings.read(), connections.list());
  if (instead !== undefined) return connections.ready(instead.id);
  await models.shapesKnown(AbortSignal.timeout(limits.modelShapeWaitMs));
}
