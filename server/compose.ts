/**
 * Composition root: the only place where services are built. Imported after the port answers, so that it does not delay
 * the first page.
 */
import type { ServerLog } from "./base/server-log";
import type { Server as HttpServer } from "node:http";
import type { Push } from "@/lib/protocol/push";
import type { RuleId } from "@/lib/events/id";
import { serverLimits } from "@/lib/settings/server-limits";
import type { Settings } from "@/lib/settings/settings";
import { timeLimit } from "./base/abort";
import { randomId } from "./base/id";
import { makeIdleCollection } from "./base/idle-collection";
import { lateGates } from "./agent/tools/call-gate";
import { type ConfigService, makeConfigFile } from "./config/config-file";
import type { ModelsFile } from "./config/models-file";
import type { FeatureEntry } from "./features/feature";
import { type FeatureCommand, featureList } from "./features/feature-list";
import { type Features, runFeatures } from "./features/run-features";
import { type OwnerFileAccess, makeFileAccess } from "./handlers/project/file-access";
import { type OwnerFileArchives, makeFileArchives } from "./handlers/project/file-archives";
import { makeFileUploads } from "./handlers/project/file-uploads";
import { makeHandlers, requestClient } from "./handlers/handler-table";
import { executeCommand, type Handlers, type HandlerTable } from "./handlers/handlers";
import type { Network } from "./handlers/services";
import { makeNetwork } from "./transport/network";
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
import type { CleanupJournal } from "./workspace/shell/cleanup-journal";
import { builtInSource } from "./tools/core/built-in-source";
import { builtInSources } from "./session/context/sources/built-in-sources";
import { makeRemoteSessions } from "./session/service/remote-sessions";
import { type SessionService } from "./session/service/session-service";
import { type Projects } from "./workspace/projects/projects";
import { type CoreServices, type CoreServicesOptions, composeServices } from "./compose-services";

/** Delay after start before the model server is queried, ms. */
const firstModelLookMs = 50;

interface CoreOptions {
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
  log(line: string): void;
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
  const collection = makeIdleCollection({ isBusy: () => work.sessions.running().length > 0, now });
  const push = (message: Push): void => {
    transports?.push(message);
    collection.active();
  };
  const toolSources = () => [builtInSource, ...(transports?.features.toolSources() ?? [])];
  const catalogueSources = () => transports?.features.catalogueSources() ?? [];
  const loadToolSources = async () => transports?.features.loadToolSources();
  const contextSources = () => [...builtInSources, ...(transports?.features.contextSources() ?? [])];
  const askGates = lateGates(() => transports?.features.askGates);
  const unattendedTerms: Features["unattendedTerms"] = (id) => transports?.features.unattendedTerms(id) ?? null;
  const readRoots = () => transports?.features.readRoots() ?? [];
  const coreOptions = {
    ...options,
    settings,
    now,
    push,
    reportBug,
    toolSources,
    catalogueSources,
    loadToolSources,
    contextSources,
    readRoots,
    unattendedTerms,
    askGates,
  };
  const work = composeServices(coreOptions);
  const fileAccess = makeFileAccess({ projects: work.projects, now });
  const fileArchives = makeFileArchives({ projects: work.projects, now });
  const fileUploads = makeFileUploads({ projects: work.projects, trash: work.toolEnvironments.trash });
  const config = makeConfigService(coreOptions, work);
  transports = startTransports(coreOptions, { ...work, config, fileAccess, fileArchives });
  const { sessions, projects, access } = work;
  const { signIns, handlers, socket, network, features, lastUse } = transports;
  const endFrontDoor = options.frontDoor?.begin?.(frontDoorServices(store, sessions, transports));
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
    fileAccess,
    fileArchives,
    fileUploads,
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
  { signIns, network, lastUse, features }: Transports,
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
  readonly features: Features;
  readonly network: Network;
  readonly handlers: Handlers;
  readonly socket: SocketServer;
  readonly lastUse: LastUse;
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
  work: CoreServices & {
    readonly config: ConfigService;
    readonly fileAccess: OwnerFileAccess;
    readonly fileArchives: OwnerFileArchives;
  },
): Transports {
  const { store, http, listenAddress, frontDoor, bearer, push, now } = options;
  const { sessions, services, access } = work;
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
  const features = runFeatures(options.features ?? featureList, {
    ...options,
    ...work,
    remoteSessions: (client) => makeRemoteSessions(sessions, client),
    networkChanged: () => push({ type: "network", network: network.state() }),
    serverPort: () => listenAddress().port,
    // Plain http on this machine is served beside https, and needs no certificate.
    pagesAt: () => pageBase({ ...listenAddress(), covers: undefined }),
    openShareServer: makeShareServerOpener(options.ui, options.tls),
  });
  sessions.subscribe(features.sessionListener.event);
  const rows = store.signIns;
  const { addresses: shares, deviceRevoked } = features;
  const network = makeNetwork({ ...options, shares, deviceRevoked, signIns, rows, socket: () => socket });
  const core = makeHandlers({
    ...options,
    ...work,
    ...access,
    projectFiles: services.projectFiles,
    judge: services.judge,
    seesImages: services.seesImages,
    redactor: async () =>
      (await import("./session/share/secret-redactor")).makeSecretRedactor({ ...options, access })(),
    freshRuleId: () => randomId<RuleId>("rule"),
    usedModel: features.usedModel,
    serverAddress: () => pageBase(listenAddress()),
    tls: () => options.tls?.status(),
    notices: features.openNotices,
    trustWithdrawn: features.trustWithdrawn,
    async shares(client) {
      if (store.shares.active(now()).length === 0) return [];
      const active = await features.commands["share.list"]?.({}, client);
      return active?.ok ? active.value.shares : [];
    },
    network,
  });
  // The compiler reports a command without a handler.
  const table: Omit<HandlerTable, FeatureCommand> = core.table;
  const handlers: Handlers = { ...core, table: { ...table, ...features.commands } };
  const { topicSources } = features;
  const registry = sessions;
  const lastUse = makeLastUse(now);
  const entry = { http, listenAddress, frontDoor, signIns, handlers, registry };
  const opened = makeSocketServer({ ...entry, topicSources, devicesChanged, commandReceived: lastUse.note });
  socket = opened;
  return {
    signIns,
    features,
    network,
    handlers,
    socket: opened,
    lastUse,
    push(message) {
      opened.push(message);
      if (message.type === "session_row") features.sessionListener.row(message.row);
      if (message.type === "session_removed") features.sessionListener.removed(message.sessionId);
    },
  };
}
