/**
 * Composition root: the only place where services are built. Imported after the port answers, so that it does not delay
 * the first page.
 */
import type { ServerLog } from "./base/server-log";
import type { Server as HttpServer } from "node:http";
import type { Push } from "@/lib/protocol/push";
import { serverLimits } from "@/lib/settings/server-limits";
import type { Settings } from "@/lib/settings/settings";
import { timeLimit } from "./base/abort";
import { makeIdleCollection } from "./base/idle-collection";
import type { ConfigService } from "./config/config-file";
import type { ModelsFile } from "./config/models-file";
import type { FeatureEntry } from "./features/feature";
import { type FeatureCommand, featureList } from "./features/feature-list";
import { type Features, runFeatures } from "./features/run-features";
import type { CoreServices } from "./handlers/core-services";
import type { CoreContext } from "./session/core/services";
import { makeFileUploads } from "./handlers/project/file-uploads";
import { makeHandlers, requestClient } from "./handlers/handler-table";
import { type CommandClient, executeCommand, type Handlers, type HandlerTable } from "./handlers/handlers";
import { makeNetwork, type Network } from "./transport/network";
import { recoverInterruptedCommands } from "./workspace/snapshots/project-file-snapshots";
import type { Store } from "./store/open-store";
import { type ListenAddress, pageBase } from "./transport/auth/guard";
import { makeShareServerOpener } from "./transport/share/open-share-server";
import type { HttpCore } from "./transport/http/http";
import type { AddressListeners } from "./transport/http/address-listeners";
import { makeSignIns, type SignIns } from "./transport/auth/sign-in";
import type { FrontDoor, FrontDoorServices } from "./transport/front-door/front-door";
import { type LastUse, makeLastUse } from "./transport/front-door/last-use";
import type { ServerTls } from "./transport/tls/server-tls";
import { makeSocketServer, type SocketServer } from "./transport/socket/socket";
import type { ManagedConnection } from "./models/connections/active-connection";
import { builtInSource } from "./tools/core/built-in-source";
import { builtInSources } from "./session/context/sources/built-in-sources";
import { makeRemoteSessions } from "./session/service/remote-sessions";
import { type SessionService } from "./session/service/session-service";
import { type Projects } from "./workspace/projects/projects";
import { composeServices } from "./compose-services";

/** Delay after start before the model server is queried, ms. */
const firstModelLookMs = 50;

interface CoreOptions extends Omit<CoreContext, "now" | "push" | "reportBug"> {
  readonly http: HttpServer;
  readonly listenAddress: () => ListenAddress;
  /** --model: for sessions without their own choice. */
  readonly model: string | null;
  /** Connections beside the saved ones and those of features; default: none. */
  readonly connections?: readonly ManagedConnection[];
  /** The listeners of --host; null = this machine only. */
  readonly lan: AddressListeners | null;
  /** Absent = plain http only. */
  readonly tls?: ServerTls;
  /** Absent = people sign in with the links of this server. */
  readonly frontDoor?: FrontDoor;
  /** Folder of the exported UI, which contains the page of share links. */
  readonly ui: string;
  /** This machine's addresses on its networks. */
  readonly machine: () => readonly string[];
  /** Default: all features of the product. */
  readonly features?: readonly FeatureEntry[];
  readonly serverLog: ServerLog;
}

export interface RunningCore extends HttpCore {
  readonly sessions: SessionService;
  readonly projects: Projects;
  readonly network: Network;
  readonly config: ConfigService;
  readonly modelsFile: ModelsFile;
  /** A sign-in link was issued: a background server must not exit when idle. */
  hasIssuedLink(): boolean;
  /** A client is connected, a request is answered, a run is active, or a feature is at work. */
  isInUse(): boolean;
  /** Ends runs, persists waiting messages, closes everything but the store. */
  close(): Promise<void>;
}

export function startCore(options: CoreOptions): RunningCore {
  const { store } = options;
  const now = (): number => Date.now();
  const settings = (): Settings => store.settings.read();
  const reportBug = options.serverLog.addError;
  let transports: Transports | null = null;
  const collection = makeIdleCollection({ isBusy: () => sessions.running().length > 0, now });
  const push = (message: Push): void => {
    transports?.socket.push(message);
    if (message.type === "session_row") features.sessionListener.row(message.row);
    if (message.type === "session_removed") features.sessionListener.removed(message.sessionId);
    collection.active();
  };
  const features = runFeatures(options.features ?? featureList, () => ({
    ...options,
    ...core,
    settings,
    remoteSessions: (client) => makeRemoteSessions(sessions, client),
    networkChanged: () => push({ type: "network", network: network.state() }),
    serverPort: () => options.listenAddress().port,
    // Plain http on this machine is served beside https, and needs no certificate.
    pagesAt: () => pageBase({ ...options.listenAddress(), covers: undefined }),
    openShareServer: makeShareServerOpener(options.ui, options.tls),
  }));
  const core = composeServices({
    ...options,
    ...features,
    toolSources: () => [builtInSource, ...features.toolSources()],
    contextSources: () => [...builtInSources, ...features.contextSources()],
    settings,
    now,
    push,
    reportBug,
  });
  const { sessions, projects, access, config } = core;
  sessions.subscribe(features.sessionListener.event);
  transports = startTransports(options, core, features);
  const { signIns, handlers, socket, network, lastUse } = transports;
  const endFrontDoor = options.frontDoor?.begin?.(frontDoorServices(store, sessions, features, transports));
  sessions.recoverAll();
  features.start();
  void recoverInterruptedCommands(store, projects).catch((error: unknown) => reportBug("images", error));
  // Delayed: the client of the model server loads fetch, which the first page does not need.
  const firstLook = setTimeout(
    () => void access.models.refresh(timeLimit(serverLimits.serverListMs)).catch(() => {}),
    firstModelLookMs,
  ).unref();
  let wasLinkIssued = false;
  const requests = makeRequestCalls(handlers, lastUse);
  return {
    signIns,
    hasIssuedLink: () => wasLinkIssued,
    isInUse: () => requests.count() + socket.count() > 0 || sessions.running().length > 0 || features.keepsAlive(),
    freshLinkToken() {
      wasLinkIssued = true;
      return signIns.freshLinkToken();
    },
    call: requests.call,
    sessions,
    fileAccess: core.fileAccess,
    fileArchives: core.fileArchives,
    fileUploads: makeFileUploads({ projects, trash: core.toolEnvironments.trash }),
    projects,
    network,
    config,
    modelsFile: access.modelsFile,
    async close() {
      config.close();
      clearTimeout(firstLook);
      collection.close();
      await Promise.all([sessions.close(), features.close()]);
      projects.dispose();
      await Promise.all([socket.close(), access.close()]);
      // Later than the pages have left: they would sign in again.
      endFrontDoor?.();
    },
  };
}

const frontDoorServices = (
  store: Store,
  sessions: SessionService,
  features: Features,
  { signIns, network, lastUse }: Transports,
): FrontDoorServices => ({
  signIns,
  devices: () => store.signIns.list().map(({ id }) => id),
  revoke: (device) => void network.revoke(device),
  lastUsed: lastUse.at,
  // A run that waits for an answer to its card does not work.
  isWorking: () => sessions.running().some(({ view }) => view.run?.waitingSince === null) || features.isWorking(),
});

/** Executes the commands of HTTP requests, and counts those without an answer. */
function makeRequestCalls(handlers: Handlers, lastUse: LastUse): Pick<RunningCore, "call"> & { count(): number } {
  let open = 0;
  return {
    count: () => open,
    async call(name, input, request) {
      const client = requestClient(request);
      open += 1;
      lastUse.note(name);
      const answer = await executeCommand(handlers, name, input, client);
      open -= 1;
      handlers.clientDisconnected(client);
      return answer;
    },
  };
}

/** The entry points of clients: the owner's socket and network, and the viewers' links. */
interface Transports {
  readonly signIns: SignIns;
  readonly network: Network;
  readonly handlers: Handlers;
  readonly socket: SocketServer;
  readonly lastUse: LastUse;
}

function startTransports(options: CoreOptions, core: CoreServices, features: Features): Transports {
  const { http, listenAddress, frontDoor } = options;
  const { store, bearer, push, now, sessions } = core;
  let socket: SocketServer | null = null;
  const devicesChanged = (): void => push({ type: "devices" });
  const signIns = makeSignIns({
    store: store.signIns,
    port: () => listenAddress().port,
    publicAddress: listenAddress().publicAddress,
    bearer,
    now,
    changed: devicesChanged,
  });
  const network = makeNetwork({
    ...options,
    shares: features.addresses,
    deviceRevoked: features.deviceRevoked,
    signIns,
    rows: store.signIns,
    socket: () => socket,
    now,
    push,
  });
  const app = {
    ...core,
    serverLog: options.serverLog,
    network: network.state,
    serverAddress: () => pageBase(listenAddress()),
    tls: () => options.tls?.status(),
    openNotices: features.openNotices,
    async shares(client: CommandClient) {
      if (store.shares.active(now()).length === 0) return [];
      const active = await features.commands["share.list"]?.({}, client);
      return active?.ok ? active.value.shares : [];
    },
  };
  const made = makeHandlers(app, features);
  // The compiler reports a command without a handler.
  const table: Omit<HandlerTable, FeatureCommand> = { ...made.table, ...network.commands };
  const handlers: Handlers = { ...made, table: { ...table, ...features.commands } };
  const { topicSources } = features;
  const lastUse = makeLastUse(now);
  const entry = { http, listenAddress, frontDoor, signIns, handlers, registry: sessions };
  socket = makeSocketServer({ ...entry, topicSources, devicesChanged, commandReceived: lastUse.note });
  return { signIns, network, handlers, socket, lastUse };
}
