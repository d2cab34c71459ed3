/**
 * Composition root: with work.ts the only place where services are built. Imported after the port answers, so that it
 * does not delay the first page.
 */
import type { Server as HttpServer } from "node:http";
import type { Push } from "@/lib/protocol/push";
import { asId, type ClientId, type RuleId } from "@/lib/events/id";
import { limits, type Settings } from "@/lib/settings/settings";
import { randomId } from "./base/id";
import { type ConfigService, makeConfigFile } from "./features/config/config-file";
import type { ModelsFile } from "./features/config/models-file";
import { appHandlers } from "./handlers/app/app-handlers";
import { branchHandlers } from "./handlers/session/branch-handlers";
import { configHandlers } from "./handlers/app/config-handlers";
import { changeHandlers } from "./handlers/session/change-handlers";
import { connectionHandlers } from "./handlers/models/connection-handlers";
import { guardHandlers } from "./handlers/project/guard-handlers";
import { executeCommand, type CommandClient, type Handlers } from "./handlers/handlers";
import { historyHandlers } from "./handlers/session/history-handlers";
import { modelHandlers } from "./handlers/models/model-handlers";
import { type HandlerServices, type Network, sessionReady } from "./handlers/services";
import { imageHandlers } from "./handlers/session/image-handlers";
import { sessionHandlers } from "./handlers/session/session-handlers";
import { shareHandlers } from "./handlers/sharing/share-handlers";
import { workspaceHandlers } from "./handlers/project/workspace-handlers";
import { makeNetwork } from "@/server/transport/network";
import { recoverInterruptedCommands } from "@/server/workspace/snapshots/project-file-snapshots";
import type { Registry } from "./session/loading/registry";
import type { Shares } from "./session/share/shares";
import { makeShareService } from "@/server/features/share/share-service";
import type { Store } from "./store/open-store";
import type { ListenAddress } from "./transport/auth/guard";
import type { HttpCore } from "./transport/http/http";
import type { AddressListeners } from "./transport/http/address-listeners";
import { makeSignIns, type SignIns } from "./transport/auth/sign-in";
import { makeSocketServer, type SocketServer } from "./transport/socket/socket";
import { startServices, type CoreServices, type CoreServicesOptions } from "./work";
import type { CleanupJournal } from "./workspace/shell/cleanup-journal";
import type { Projects } from "./workspace/projects/projects";

export interface CoreOptions {
  readonly store: Store;
  readonly http: HttpServer;
  readonly listenAddress: () => ListenAddress;
  readonly home: string;
  readonly version: string;
  readonly environment: NodeJS.ProcessEnv;
  /** Bearer token of server.json. */
  readonly bearer: string;
  /** Journal of resources that a killed process would leave behind. */
  readonly leftovers: CleanupJournal;
  /** --model: for sessions without their own choice. */
  readonly model: string | null;
  /** The listeners of --host; null = this machine only. */
  readonly lan: AddressListeners | null;
  /** Folder of the exported UI, which contains the page of share links. */
  readonly ui: string;
  /** This machine's addresses on its networks. */
  readonly machine: () => readonly string[];
  log(line: string): void;
}

export interface RunningCore extends HttpCore {
  readonly registry: Registry;
  readonly projects: Projects;
  readonly socket: SocketServer;
  readonly network: Network;
  readonly config: ConfigService;
  readonly modelsFile: ModelsFile;
  /** A sign-in link was issued: a background server must not exit when idle. */
  hasIssuedLink(): boolean;
  /** Ends runs, persists waiting messages, closes everything but the store. */
  close(): Promise<void>;
}

export function startCore(options: CoreOptions): RunningCore {
  const { store, log } = options;
  const now = (): number => Date.now();
  const settings = (): Settings => store.settings.read();
  const reportBug = (name: string, error: unknown): void =>
    log(`${name}: ${error instanceof Error ? error.stack : String(error)}`);
  let transports: Transports | null = null;
  const push = (message: Push): void => transports?.push(message);
  const known = { ...options, settings, now, push, reportBug };
  const work = startServices(known);
  const config = makeConfigService(known, work);
  transports = startTransports(known, { ...work, config });
  const { registry, projects, access, doctor, indexer } = work;
  const { signIns, handlers, socket, network, shares } = transports;
  registry.recoverAll();
  // Delayed, so that reopening the listeners of share links does not slow down the first page.
  setTimeout(
    () => void shares.resume().catch((error: unknown) => reportBug("shares", error)),
    limits.shareResumeMs,
  ).unref();
  void recoverInterruptedCommands(store, projects).catch((error: unknown) => reportBug("images", error));
  // Delayed: the client of the model server loads fetch, which the first page does not need.
  const firstLook = setTimeout(
    () => void access.models.refresh(AbortSignal.timeout(limits.serverListMs)).catch(() => {}),
    limits.firstModelLookMs,
  ).unref();
  let kept = false;
  return {
    signIns,
    hasIssuedLink: () => kept,
    freshLinkToken() {
      kept = true;
      return signIns.freshLinkToken();
    },
    async call(name, input, asked) {
      const client = requestClient(asked);
      const answer = await executeCommand(handlers, name, input, client);
      handlers.clientDisconnected(client);
      return answer;
    },
    registry,
    projects,
    socket,
    network,
    config,
    modelsFile: access.modelsFile,
    async close() {
      config.close();
      clearTimeout(firstLook);
      indexer.close();
      await Promise.all([registry.close(), doctor.close(), shares.close()]);
      await Promise.all([socket.close(), access.close(), projects.dispose()]);
    },
  };
}

/** The entry points of clients: the owner's socket and network, and the viewers' links. */
interface Transports {
  readonly signIns: SignIns;
  readonly shares: Shares;
  readonly network: Network;
  readonly handlers: Handlers;
  readonly socket: SocketServer;
  push(push: Push): void;
}

type TransportOptions = CoreOptions & Pick<CoreServicesOptions, "settings" | "now" | "push" | "reportBug">;

/** The settings with their file; pushes changes to clients and model servers. */
const makeConfigService = (
  { home, store, push, log }: TransportOptions,
  { access, sandbox }: Pick<CoreServices, "access" | "sandbox">,
): ConfigService =>
  makeConfigFile({
    home,
    store: store.settings,
    changed(settings, before) {
      push({ type: "settings", settings });
      access.settingsChanged(settings, before);
    },
    checked: (problems) => push({ type: "config", problems }),
    log,
    sandbox: sandbox.state,
  });

function startTransports(
  options: TransportOptions,
  work: CoreServices & { readonly config: ConfigService },
): Transports {
  const { store, http, listenAddress, bearer, push, now } = options;
  const { registry, services, access } = work;
  let socket: SocketServer | null = null;
  const devicesChanged = (): void => push({ type: "devices" });
  const signIns = makeSignIns({
    store: store.signIns,
    port: () => listenAddress().port,
    bearer,
    now,
    changed: devicesChanged,
  });
  const networkChanged = (): void => push({ type: "network", network: network.state() });
  const shares = makeShareService({ ...options, registry, networkChanged });
  const rows = store.signIns;
  const network = makeNetwork({ ...options, shares: shares.addresses, signIns, rows, socket: () => socket });
  const handlers = makeHandlers({
    ...options,
    ...work,
    ...access,
    projectFiles: services.projectFiles,
    judge: services.judge,
    seesImages: services.seesImages,
    redactor: async () => (await import("@/server/features/share/secret-redactor")).makeSecretRedactor(options)(),
    freshRuleId: () => randomId<RuleId>("rule"),
    shares,
    network,
  });
  const opened = makeSocketServer({ http, listenAddress, signIns, handlers, registry, devicesChanged });
  socket = opened;
  return {
    signIns,
    shares,
    network,
    handlers,
    socket: opened,
    push(message) {
      opened.push(message);
      if (message.type === "session_removed") shares.sessionRemoved(message.sessionId);
    },
  };
}

function makeHandlers(services: HandlerServices): Handlers {
  const watching = new Map<ClientId, () => void>();
  const stopWatching = (id: ClientId): void => {
    watching.get(id)?.();
    watching.delete(id);
  };
  const watchModels = (id: ClientId, on: boolean): void => {
    if (!on) return stopWatching(id);
    if (watching.has(id)) return;
    const stops = [services.models.watch(), services.connections.watch()];
    watching.set(id, () => stops.forEach((stop) => stop()));
  };
  return {
    table: {
      ...appHandlers(services),
      ...configHandlers(services),
      ...guardHandlers(services),
      ...modelHandlers({ ...services, watchModels }),
      ...connectionHandlers(services),
      ...sessionHandlers(services),
      ...imageHandlers(services),
      ...shareHandlers(services),
      ...branchHandlers(services),
      ...changeHandlers(services),
      ...historyHandlers(services),
      ...workspaceHandlers(services),
    },
    ready: sessionReady(services),
    clientDisconnected(client) {
      stopWatching(client.id);
      services.projects.removeClient(client.id);
    },
    reportBug: services.reportBug,
  };
}

/** A command over HTTP has no connection that could join a session; the client is released after the answer. */
const requestClient = (access: string): CommandClient => ({
  id: asId<ClientId>(access === "bearer" ? "commandline" : randomId<ClientId>("request")),
  access: "owner",
  bearer: access === "bearer",
  join: () => {},
  leave: () => {},
});
