/** Services the handlers use. */
import { defaultConnection } from "@/lib/models/default-connection";
import type { Redactor } from "@/server/security/redaction/redact";
import type { Push } from "@/lib/protocol/push";
import type { ConfigService } from "@/server/config/config-file";
import type { ModelsFile } from "@/server/config/models-file";
import type { Connections } from "@/server/models/connections/connections";
import type { OllamaService } from "@/server/models/ollama/ollama-service";
import type { Registry } from "@/server/session/loading/registry";
import type { SessionServices } from "@/server/session/core/services";
import type { Session } from "@/server/session/core/session-types";
import type { Store } from "@/server/store/open-store";
import type { Projects } from "@/server/workspace/projects/projects";
import type { Sandbox } from "@/server/workspace/shell/sandbox";
import type { CommandName, CommandOutput } from "@/lib/protocol/command";
import { fail, ok, type Result } from "@/lib/events/error";
import { limits } from "@/lib/settings/settings";
import type { ProjectId, RuleId, SessionId, TrashId } from "@/lib/events/id";
import type { Device, AddressLink, NetworkState, Share } from "@/lib/protocol/share";
import type { ModelState } from "@/lib/view/view";
import type { CommandClient, Handlers } from "./handlers";

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
  readonly registry: Registry;
  readonly store: Store;
  /** The settings and their file. */
  readonly config: ConfigService;
  /** The settings of single models and their file. */
  readonly modelsFile: ModelsFile;
  readonly projects: Projects;
  readonly toolEnvironments: {
    readonly trash: {
      list(query: { readonly projectId?: ProjectId; readonly before?: number }): Promise<CommandOutput<"trash.list">>;
      restore(id: TrashId): Promise<Result<{ readonly path: string }>>;
      remove(id: TrashId): Promise<Result<null>>;
    };
  };
  /** Evaluates accesses, with the same function as sessions. */
  judge: SessionServices["judge"];
  freshRuleId(): RuleId;
  /** The model can see images, by the same rule as sessions. */
  seesImages: SessionServices["seesImages"];
  /** Access to a project's files as the owner, on behalf of a session. */
  projectFiles: SessionServices["projectFiles"];
  readonly sandbox: Pick<Sandbox, "state" | "known">;
  readonly models: OllamaService;
  /** Name of a model that a feature uses: it is not removed, and no other is loaded. null = none. */
  usedModel(): string | null;
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
  /** Masks the keys, tokens and home folder present now, for text that leaves the server. */
  redactor(): Promise<Redactor>;
  readonly version: string;
  readonly home: string;
  push(push: Push): void;
  now(): number;
  reportBug(name: string, error: unknown): void;
}

export function requireSession(services: { readonly registry: Pick<Registry, "get"> }, id: SessionId): Result<Session> {
  const session = services.registry.get(id);
  return session === undefined ? fail("not_found") : ok(session);
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
  ({ registry }: { readonly registry: Pick<Registry, "ready" | "waitForRead"> }): NonNullable<Handlers["ready"]> =>
  (id, name, signal) =>
    commandsWithoutLog.has(name) ? registry.waitForRead(id, signal) : registry.ready(id, signal);

/** Session for a command that continues or changes it; call it again after each await. Fails with not_found, in_bin. */
export function requireWritableSession(
  services: { readonly registry: Pick<Registry, "get" | "row"> },
  id: SessionId,
): Result<Session> {
  const session = requireSession(services, id);
  return session.ok && services.registry.row(id)?.deletedAt !== undefined ? fail("in_bin") : session;
}

/**
 * Loads the model list before a model is chosen; queries the server only when its state or the models' shapes are
 * unknown. `connection` = source of the model; absent = the one for new sessions.
 */
export async function ensureModelsListed(
  { models, connections, store }: Pick<HandlerServices, "models" | "connections" | "store">,
  connection: string = store.settings.read().connection,
): Promise<void> {
  if (connections.live().has(connection)) return connections.ready(connection);
  if (models.state().status === "unknown")
    await models.refresh(AbortSignal.timeout(limits.serverAnswerMs)).catch(() => {});
  const instead = defaultConnection(models.state(), store.settings.read(), connections.list());
  if (instead !== undefined) return connections.ready(instead.id);
  await models.shapesReady(AbortSignal.timeout(limits.modelShapeWaitMs));
}
