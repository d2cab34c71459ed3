/**
 * Composition root: with work.ts the only place where services are built. Imported after the port answers, so that it
 * does not delay the first page.
 */
import type { Server as HttpServer } from "node:http";
import type { Push } from "@/lib/push";
import { asId, type ClientId, type RuleId } from "@/lib/id";
import { limits, type Settings } from "@/lib/settings";
import { freshId } from "./base/id";
import { type ConfigService, makeConfigFile } from "./features/config/config-file";
import type { ModelsFile } from "./features/config/models-file";
import { appHandlers } from "./handlers/app-handlers";
import { branchHandlers } from "./handlers/branch-handlers";
import { configHandlers } from "./handlers/config-handlers";
import { changeHandlers } from "./handlers/change-handlers";
import { connectionHandlers } from "./handlers/connection-handlers";
import { guardHandlers } from "./handlers/guard-handlers";
import { callCommand, type Client, type Handlers } from "./handlers/handlers";
import { historyHandlers } from "./handlers/history-handlers";
import { modelHandlers } from "./handlers/model-handlers";
import { type HandlerServices, type Network, sessionReady } from "./handlers/services";
import { imageHandlers } from "./handlers/image-handlers";
import { sessionHandlers } from "./handlers/session-handlers";
import { shareHandlers } from "./handlers/share-handlers";
import { workspaceHandlers } from "./handlers/workspace-handlers";
import { makeNetwork } from "./network";
import { lookAfterKill } from "./project-images";
import type { Registry } from "./session/registry";
import type { Shares } from "./session/shares";
import { makeSharing } from "./sharing";
import type { Store } from "./store/open-store";
import type { Door } from "./transport/guard";
import type { Core } from "./transport/http";
import type { Lan } from "./transport/lan";
import { makeSignIns, type SignIns } from "./transport/sign-in";
import { makeSocketServer, type SocketServer } from "./transport/socket";
import { startWork, type Work, type WorkOptions } from "./work";
import type { Leftovers } from "./workspace/leftovers";
import type { Projects } from "./workspace/projects";

export interface CoreOptions {
  readonly store: Store;
  readonly http: HttpServer;
  readonly door: () => Door;
  readonly home: string;
  readonly version: string;
  readonly environment: NodeJS.ProcessEnv;
  /** Bearer token of server.json. */
  readonly bearer: string;
  /** Journal of what a kill would leave behind. */
  readonly leftovers: Leftovers;
  /** --model: for sessions without their own choice. */
  readonly model: string | null;
  /** The listeners of --host; null = this machine only. */
  readonly lan: Lan | null;
  /** Folder of the exported UI, which contains the page of share links. */
  readonly ui: string;
  /** This machine's addresses on its networks. */
  readonly machine: () => readonly string[];
  log(line: string): void;
}

export interface RunningCore extends Core {
  readonly registry: Registry;
  readonly projects: Projects;
  readonly socket: SocketServer;
  readonly network: Network;
  readonly config: ConfigService;
  readonly modelsFile: ModelsFile;
  /** A sign-in link was issued: a background server must not exit when idle. */
  isKept(): boolean;
  /** Ends runs, persists waiting messages, closes everything but the store. */
  close(): Promise<void>;
}

export function startCore(options: CoreOptions): RunningCore {
  const { store, log } = options;
  const now = (): number => Date.now();
  const settings = (): Settings => store.settings.read();
  const bug = (name: string, error: unknown): void =>
    log(`${name}: ${error instanceof Error ? error.stack : String(error)}`);
  let doors: Doors | null = null;
  const push = (message: Push): void => doors?.push(message);
  const known = { ...options, settings, now, push, bug };
  const work = startWork(known);
  const config = configOf(known, work);
  doors = openDoors(known, { ...work, config });
  const { registry, projects, access, doctor, indexer } = work;
  const { signIns, handlers, socket, network, shares } = doors;
  registry.recoverAll();
  // Delayed, so that reopening the listeners of share links does not slow down the first page.
  setTimeout(() => void shares.resume().catch((error: unknown) => bug("shares", error)), limits.shareResumeMs).unref();
  void lookAfterKill(store, projects).catch((error: unknown) => bug("images", error));
  // Delayed: the client of the model server loads fetch, which the first page does not need.
  const firstLook = setTimeout(
    () => void access.models.refresh(AbortSignal.timeout(limits.serverListMs)).catch(() => {}),
    limits.firstModelLookMs,
  ).unref();
  let kept = false;
  return {
    signIns,
    isKept: () => kept,
    freshLinkToken() {
      kept = true;
      return signIns.freshLinkToken();
    },
    async call(name, input, asked) {
      const client = requestClient(asked);
      const answer = await callCommand(handlers, name, input, client);
      handlers.gone(client);
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
interface Doors {
  readonly signIns: SignIns;
  readonly shares: Shares;
  readonly network: Network;
  readonly handlers: Handlers;
  readonly socket: SocketServer;
  push(push: Push): void;
}

type DoorOptions = CoreOptions & Pick<WorkOptions, "settings" | "now" | "push" | "bug">;

/** The settings with their file; pushes changes to clients and model servers. */
const configOf = (
  { home, store, push, log }: DoorOptions,
  { access, sandbox }: Pick<Work, "access" | "sandbox">,
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

function openDoors(options: DoorOptions, work: Work & { readonly config: ConfigService }): Doors {
  const { store, http, door, bearer, push, now } = options;
  const { registry, services, access } = work;
  let socket: SocketServer | null = null;
  const devicesChanged = (): void => push({ type: "devices" });
  const signIns = makeSignIns({ store: store.signIns, port: () => door().port, bearer, now, changed: devicesChanged });
  const networkChanged = (): void => push({ type: "network", network: network.state() });
  const shares = makeSharing({ ...options, registry, networkChanged });
  const rows = store.signIns;
  const network = makeNetwork({ ...options, shares: shares.addresses, signIns, rows, socket: () => socket });
  const handlers = makeHandlers({
    ...options,
    ...work,
    ...access,
    hands: services.hands,
    judge: services.judge,
    seesImages: services.seesImages,
    redactor: async () => (await import("./share-secrets")).redactorOf(options)(),
    freshRuleId: () => freshId<RuleId>("rule"),
    shares,
    network,
  });
  const opened = makeSocketServer({ http, door, signIns, handlers, registry, devicesChanged });
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
    gone(client) {
      stopWatching(client.id);
      services.projects.gone(client.id);
    },
    bug: services.bug,
  };
}

/** A command over HTTP has no connection that could join a session; the client is released after the answer. */
const requestClient = (access: string): Client => ({
  id: asId<ClientId>(access === "bearer" ? "commandline" : freshId<ClientId>("request")),
  access: "owner",
  bearer: access === "bearer",
  join: () => {},
  leave: () => {},
});
