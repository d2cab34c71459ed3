/** Takes the home's lock, opens its store and starts the core: everything needed before a command can be answered. */
import type { Server } from "node:http";
import type { Socket } from "node:net";
import { join } from "node:path";
import type { ServeArguments } from "./cli/arguments/parse-arguments";
import type { ServerLog } from "./base/server-log";
import { randomSecret } from "./base/id";
import type { RunningCore } from "./compose";
import { takeHomeLock } from "./store/core/home-lock";
import { openStore, type Store } from "./store/open-store";
import { networkFileSystem } from "./store/core/network-file-system";
import { removeServerFile, writeServerFile } from "./store/core/server-file";
import { machineName } from "./base/machine-name";
import { machineAddresses } from "./base/machine-addresses";
import { type ListenAddress, pageBase } from "./transport/auth/guard";
import type { AddressListeners } from "./transport/http/address-listeners";
import type { FrontDoor } from "./transport/front-door/front-door";
import type { ServerTls } from "./transport/tls/server-tls";
import { readBuild, readVersion } from "./cli/version";
import { type CleanupJournal, makeCleanupJournal } from "./workspace/shell/cleanup-journal";
import { isTemporaryName } from "./workspace/files/write-file";

/** Time that open requests have when the server ends, ms. */
const connectionGraceMs = 1_000;

interface OpenHomeOptions {
  readonly command: ServeArguments;
  readonly environment: NodeJS.ProcessEnv;
  readonly http: Server;
  readonly listenAddress: () => ListenAddress;
  readonly lan: AddressListeners | null;
  /** Absent = plain http only. */
  readonly tls?: ServerTls;
  /** Absent = people sign in with the links of this server. */
  readonly frontDoor?: FrontDoor;
  readonly ui: string;
  /** Called when the store is open. */
  onStoreOpen(): void;
  readonly serverLog: ServerLog;
  log(line: string): void;
}

type OpenedHome =
  | { readonly kind: "open"; readonly core: RunningCore; readonly projectOpen: Promise<void>; end(): Promise<void> }
  /** Another process holds the home. */
  | { readonly kind: "held" }
  /** Already reported on stderr. */
  | { readonly kind: "failed" };

export async function openHome({ command, onStoreOpen, ...parts }: OpenHomeOptions): Promise<OpenedHome> {
  const { http, listenAddress, lan, serverLog, log } = parts;
  const { home } = command;
  const build = readBuild();
  const lock = takeHomeLock(home);
  if (!lock.ok) {
    if (lock.error.code === "store_locked") return { kind: "held" };
    log(
      lock.error.code === "store_no_locks"
        ? `Can't use the folder ${home}: its file system can't lock files (a network folder?), so two gopi-web could damage the data. Choose a folder on a local disk with --home.`
        : `Can't use the folder ${home}: ${lock.error.detail ?? lock.error.code}. Choose another one with --home.`,
    );
    return { kind: "failed" };
  }
  const opened = openStore({ home, now: () => Date.now() });
  if (!opened.ok) {
    lock.value.release();
    log(storeErrorText(opened.error.code, opened.error.detail, home));
    return { kind: "failed" };
  }
  const store = opened.value;
  const network = networkFileSystem(home);
  if (network !== null)
    log(
      `${home} is on a network file system (${network}): two machines that use it at once can damage the data. Choose a folder on a local disk with --home or GOPI_HOME, or use it on one machine only.`,
    );
  if (store.movedAside !== undefined)
    log(`The database couldn't be read. It was moved to ${store.movedAside}, and a new one was created.`);
  const bearer = randomSecret();
  serverLog.keepIn(join(home, "gopi-web.log"));
  onStoreOpen();
  // Yields, so that requests waiting for the store are answered before the next 100 ms of loading.
  await new Promise((resolve) => setImmediate(resolve));
  const version = readVersion();
  const { startCore } = await import("./compose");
  const connections = command.demo ? [(await import("./tour/tour-connection")).makeTourConnection()] : [];
  const leftovers = makeCleanupJournal(home, isTemporaryName);
  const machine = machineAddresses;
  const { model } = command;
  const core = startCore({ ...parts, store, machine, home, version, bearer, leftovers, model, connections });
  await core.config.start();
  await core.modelsFile.start();
  const { port } = listenAddress();
  const serverFields = {
    address: command.host,
    port,
    token: bearer,
    pid: process.pid,
    version,
    origin: pageBase(listenAddress()),
    machine: machineName(),
    socket: command.socket,
    isOfHub: command.hub === undefined ? undefined : true,
    build,
  };
  writeServerFile(home, serverFields);
  cleanUpAfterCrash(store, leftovers, log);
  const clients = trackConnections(http);
  return {
    kind: "open",
    core,
    projectOpen:
      command.background || command.folder === null ? Promise.resolve() : openFolder(core, command.folder, log),
    async end() {
      lan?.close();
      http.close();
      http.closeIdleConnections();
      // A client that sends nothing would hold the server.
      setTimeout(() => clients.forEach((one) => one.destroy()), connectionGraceMs).unref();
      await core.close();
      removeServerFile(home, process.pid);
      store.close();
      lock.value.release();
    },
  };
}

/** Returns the connections that are open; those of before the call are not among them. */
function trackConnections(http: Server): ReadonlySet<Socket> {
  const connections = new Set<Socket>();
  http.on("connection", (socket: Socket) => {
    connections.add(socket);
    socket.once("close", () => connections.delete(socket));
  });
  return connections;
}

async function openFolder(core: RunningCore, folder: string, log: (line: string) => void): Promise<void> {
  const project = await core.projects.open(folder);
  if (!project.ok) log(`${folder} cannot be opened: ${project.error.code}.`);
}

/**
 * After an unclean end: deletes what the killed process left behind, before this process records anything; and checks
 * the whole database once, delayed.
 */
function cleanUpAfterCrash(store: Store, leftovers: CleanupJournal, log: (line: string) => void): void {
  void leftovers.cleanUp();
  if (!store.uncleanEnd) return;
  // Staged rows are invisible; the next import removes them too.
  void store.staged.removeStale().catch(() => {});
  setTimeout(() => {
    const check = store.quickCheck();
    if (!check.ok)
      log(
        `The database ${store.path} is damaged: ${check.error.detail ?? ""}. Stop gopi-web and make a copy of the database.`,
      );
  }, 2_000).unref();
}

function storeErrorText(code: string, detail: string | undefined, home: string): string {
  switch (code) {
    case "store_newer":
      return `The data in ${home} is from a newer gopi-web. Update this one, or choose another folder with --home. Nothing was changed.`;
    case "store_readonly":
      return `Can't write to ${home}: ${detail ?? "no permission"}. Fix the permissions or choose another folder with --home.`;
    case "disk_full":
      return `The disk that holds ${home} is full. Free up some space and start again. Nothing was lost.`;
    default:
      return `Can't open the data in ${home}: ${detail ?? code}. Choose another folder with --home to start without it.`;
  }
}
