/**
 * The composition root: store, services, handlers, socket; the only place where services are built. Loaded by open-home once the
 * port answers, so nothing here delays the first page.
 */
import type { Server as HttpServer } from "node:http";
import type { Push } from "@/lib/push";
import { limits, type Settings } from "@/lib/settings";
import { freshId, freshSecret } from "./base/id";
import { type Indexer, makeIndexer } from "./features/history/indexer";
import { appHandlers } from "./handlers/app-handlers";
import { branchHandlers } from "./handlers/branch-handlers";
import { changeHandlers } from "./handlers/change-handlers";
import { connectionHandlers } from "./handlers/connection-handlers";
import { guardHandlers } from "./handlers/guard-handlers";
import { callCommand, type Client, type Handlers } from "./handlers/handlers";
import { historyHandlers } from "./handlers/history-handlers";
import type { HandlerServices, Network } from "./handlers/services";
import { sessionHandlers } from "./handlers/session-handlers";
import { shareHandlers } from "./handlers/share-handlers";
import { workspaceHandlers } from "./handlers/workspace-handlers";
import { modelHandlers } from "./handlers/model-handlers";
import { makeModelAccess, noteKeeper } from "./model-access";
import { makeDoctor } from "./models/doctor";
import { lookAfterKill, projectImages } from "./project-images";
import { makeRegistry, type Registry } from "./session/registry";
import { isReadDenied } from "./security/path-rules";
import { makeSessionServices } from "./session-services";
import { makeNetwork } from "./network";
import { makeSharing } from "./sharing";
import type { Store } from "./store/open-store";
import { isDurable } from "@/lib/event";
import type { Door } from "./transport/guard";
import type { Lan } from "./transport/lan";
import type { Core } from "./transport/http";
import { makeSignIns } from "./transport/sign-in";
import { makeSocketServer, type SocketServer } from "./transport/socket";
import type { Leftovers } from "./workspace/leftovers";
import { makeProjects, type Projects, type ProjectsOptions } from "./workspace/projects";
import { makeSandbox } from "./workspace/sandbox";
import { makeWorlds } from "./world";
import { asId, type ClientId, type ProjectId, type RuleId, type SessionId } from "@/lib/id";

export interface CoreOptions {
  readonly store: Store;
  readonly http: HttpServer;
  readonly door: () => Door;
  readonly home: string;
  readonly version: string;
  readonly environment: NodeJS.ProcessEnv;
  /** Of server.json. */
  readonly bearer: string;
  /** Where is noted what a kill would leave behind. */
  readonly leftovers: Leftovers;
  /** --model: for sessions without a choice of their own. */
  readonly model: string | null;
  /** The listeners of --host; null = this machine only. */
  readonly lan: Lan | null;
  /** Where the exported UI lies: the page of share links is in it. */
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
  /** A person was given a link: a background server must not end by itself any more. */
  isKept(): boolean;
  /** Ends what runs, keeps what waits, closes everything but the store. */
  close(): Promise<void>;
}

export function startCore(options: CoreOptions): RunningCore {
  const { store, log } = options;
  const now = (): number => Date.now();
  let socket: SocketServer | null = null;
  const push = (message: Push): void => {
    socket?.push(message);
    if (message.type === "session_removed") shares.sessionRemoved(message.sessionId);
  };
  const settings = (): Settings => store.settings.read();

  const images = (id: ProjectId) =>
    projectImages(
      { store, now, session: (asked) => registry.get(asked), trouble: (error) => bug("images", error) },
      id,
    );
  const projects = projectsOf(options, { settings, push, now, images });
  const sandbox = makeSandbox({
    ...options,
    wanted: () => (settings().sandbox ? { network: settings().sandboxNetwork } : null),
  });
  const worlds = makeWorlds({
    ...options,
    projects,
    sandbox,
    settings,
    now,
    trashChanged: (projectId) => push({ type: "trash", projectId }),
  });
  const running = () => registry.running().map((session) => session.view.model);
  const access = makeModelAccess({ ...options, notes: noteKeeper(store, log), settings, push, running });
  const services = makeSessionServices({ ...options, projects, worlds, access, sandbox, settings, now, push });
  const registry = makeRegistry(services);
  const bug = (name: string, error: unknown): void =>
    log(`${name}: ${error instanceof Error ? error.stack : String(error)}`);
  const doctor = makeDoctor({
    async patient(...asked) {
      const { patientFor } = await import("./doctor-patient");
      const word = (): string =>
        freshSecret()
          .replace(/[^a-z]/gi, "")
          .slice(0, 7)
          .toLowerCase();
      return patientFor({ access, services, environment: options.environment, word }, ...asked);
    },
    onRun: (run) => push({ type: "doctor", run }),
    onBug: (error) => bug("doctor", error),
    now,
  });
  tellRows(registry, push);
  const indexer = indexerOf(store, registry, bug);
  const { models, connections, warm, runFirst } = access;
  const { hands, judge } = services;
  const freshRuleId = (): RuleId => freshId<RuleId>("rule");
  const known = {
    registry,
    judge,
    freshRuleId,
    store,
    projects,
    worlds,
    sandbox,
    hands,
    models,
    connections,
    doctor,
    indexer,
    warm,
    runFirst,
  };
  const port = (): number => options.door().port;
  const devicesChanged = (): void => push({ type: "devices" });
  const signIns = makeSignIns({ store: store.signIns, port, bearer: options.bearer, now, changed: devicesChanged });
  const networkChanged = (): void => push({ type: "network", network: network.state() });
  const shares = makeSharing({ ...options, registry, settings, now, push, networkChanged });
  const network = makeNetwork({
    ...options,
    shares: shares.addresses,
    signIns,
    rows: store.signIns,
    socket: () => socket,
    now,
    push,
  });
  const handlers = makeHandlers({
    ...known,
    shares,
    network,
    version: options.version,
    home: options.home,
    push,
    now,
    bug,
  });
  socket = makeSocketServer({ http: options.http, door: options.door, signIns, handlers, registry, devicesChanged });
  registry.recoverAll();
  // Links of before are answered again, when nobody waits for the first page any more.
  setTimeout(() => void shares.resume().catch((error: unknown) => bug("shares", error)), limits.shareResumeMs).unref();
  void lookAfterKill(store, projects).catch((error: unknown) => bug("images", error));
  void models.refresh(AbortSignal.timeout(limits.serverListMs)).catch(() => {});
  let kept = false;
  return {
    signIns,
    isKept: () => kept,
    freshLinkToken() {
      kept = true;
      return signIns.freshLinkToken();
    },
    async call(name, input, access) {
      const client = requestClient(access);
      const answer = await callCommand(handlers, name, input, client);
      handlers.gone(client);
      return answer;
    },
    registry,
    projects,
    socket,
    network,
    async close() {
      indexer.close();
      await Promise.all([registry.close(), doctor.close(), shares.close()]);
      await Promise.all([socket.close(), access.close(), projects.dispose()]);
    },
  };
}

const projectsOf = (
  { store, leftovers }: Pick<CoreOptions, "store" | "leftovers">,
  {
    settings,
    push,
    now,
    images,
  }: Pick<ProjectsOptions, "push" | "images"> & {
    settings(): Settings;
    now(): number;
  },
): Projects =>
  makeProjects({
    record: (folder) => store.projects.open(folder, now()),
    find: (id) => store.projects.get(id),
    move: (id, path) => store.projects.move(id, path),
    protectedNames: () => settings().protectedNames,
    isDenied: (id, path) => isReadDenied(store.rules.list(id), path),
    push,
    ...(images === undefined ? {} : { images }),
    leftovers,
  });

/** Every log that grows is told to the index of the history, which waits while a session runs. */
function indexerOf(store: Store, registry: Registry, bug: (name: string, error: unknown) => void): Indexer {
  const indexer = makeIndexer({
    open: store.history,
    isBusy: () => registry.running().length > 0,
    bug: (error) => bug("history", error),
  });
  registry.subscribe((envelope) => {
    if (isDurable(envelope)) indexer.touch();
  });
  return indexer;
}

/** The list rows of sessions whose status, title or figures changed; a row that only grew older is not told. */
function tellRows(registry: Registry, push: (push: Push) => void): void {
  const told = new Map<SessionId, string>();
  registry.subscribe((envelope) => {
    const row = isDurable(envelope) ? registry.row(envelope.sessionId) : undefined;
    if (row === undefined) return;
    const { updatedAt: _updatedAt, lastSeq: _lastSeq, ...shown } = row;
    const text = JSON.stringify(shown);
    if (told.get(row.id) === text) return;
    told.set(row.id, text);
    push({ type: "session_row", row });
  });
}

function makeHandlers(services: HandlerServices): Handlers {
  const watching = new Map<ClientId, () => void>();
  const stopWatching = (id: ClientId): void => {
    watching.get(id)?.();
    watching.delete(id);
  };
  const watchModels = (id: ClientId, on: boolean): void => {
    if (!on) return stopWatching(id);
    if (!watching.has(id)) watching.set(id, services.models.watch());
  };
  return {
    table: {
      ...appHandlers(services),
      ...guardHandlers(services),
      ...modelHandlers({ ...services, watchModels }),
      ...connectionHandlers(services),
      ...sessionHandlers(services),
      ...shareHandlers(services),
      ...branchHandlers(services),
      ...changeHandlers(services),
      ...historyHandlers(services),
      ...workspaceHandlers(services),
    },
    gone(client) {
      stopWatching(client.id);
      services.projects.gone(client.id);
    },
    bug: services.bug,
  };
}

/** A command over HTTP has no connection to join a session with, and has gone when it is answered. */
const requestClient = (access: string): Client => ({
  id: asId<ClientId>(access === "bearer" ? "commandline" : freshId<ClientId>("request")),
  access: "owner",
  bearer: access === "bearer",
  join: () => {},
  leave: () => {},
});
