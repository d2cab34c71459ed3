/**
 * Serves one home: answers the first page as soon as the port listens, then takes the home's lock, opens the store and
 * builds the core. If the home has a running server, passes this start's folder to it.
 */
import type { Server } from "node:http";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { existsSync } from "node:fs";
import type { ServeArguments } from "./cli/arguments/parse-arguments";
import type { ReadyLine } from "./cli/serve/forward-to-running-server";
import { makeServerLog, type ServerLog } from "./base/server-log";
import type { RunningCore } from "./compose";
import { hubTokenVariables } from "./base/hub-variables";
import { type AddressListeners, listenAt, makeAddressListeners, toHostName } from "./transport/http/address-listeners";
import { type HttpCore, makeHttpServer } from "./transport/http/http";
import { type ListenAddress, loopbackNames, pageBase } from "./transport/auth/guard";
import { makeStaticServer, type ServeStatic } from "./transport/http/static";
import type { HubDoor, openHubDoor as OpenHubDoor } from "./transport/front-door/hub/open-hub-door";
import type { TlsFiles } from "./transport/tls/certificate";
import type { ServerTls } from "./transport/tls/server-tls";
import { nativeModuleProblem } from "./store/native-module";
import { readBuild, readVersion } from "./cli/version";
import { neverAborted } from "./base/abort";

/** Port of the server if none is given. */
const defaultPort = 4674;
/** Time without clients after which the server exits if requested, ms. */
const clientIdleExitMs = 5_000;
/** Maximum duration of a clean shutdown, ms. */
const shutdownMs = 5_000;

interface ServingHome {
  readonly core: RunningCore;
  /** Closes everything in order; safe to call twice. */
  end(): Promise<void>;
}

export async function serve(command: ServeArguments, environment: NodeJS.ProcessEnv): Promise<number | undefined> {
  const serverLog = makeServerLog((line) => void process.stderr.write(`${line}\n`), Date.now);
  const log = serverLog.add;
  for (const name of hubTokenVariables) for (const variables of [environment, process.env]) delete variables[name];
  const handedOver = existsSync(join(command.home, "server.json")) ? await forwardToHolder(command, environment) : null;
  if (handedOver !== null) return handedOver;
  const core = deferred<HttpCore>();
  const store = deferred<void>();
  const pages = countOpenResponses(await makePageServer(environment, command));
  const tls = command.tls === undefined ? undefined : await loadTls(command.tls, log);
  if (tls === null) return 1;
  const local = command.socket === undefined ? null : await loadSocketListener(command.socket, command.proxyUser, log);
  const hub = command.hub === undefined ? null : await loadHubDoor(command.hub, log);
  const frontDoor = hub?.frontDoor ?? local?.frontDoor;
  const listenAddress: ListenAddress & { port: number; names: readonly string[] } = {
    port: 0,
    names: loopbackNames,
    covers: tls?.covers,
    publicAddress: command.publicAddress,
    isOverSocket: local?.has,
  };
  const http = makeHttpServer({
    listenAddress: (): ListenAddress => listenAddress,
    version: readVersion(),
    now: () => performance.now(),
    serveStatic: pages.serve,
    core: core.promise,
    store: store.promise,
    frontDoor,
    reportBug: serverLog.addError,
  });
  tls?.serve(http);
  const port = await (hub === null ? listenOnFreePort(http, command, log) : listenForHub(http, hub, command));
  if (port === null || (await local?.listen(http)) === false) return endHttp(http);
  listenAddress.port = port;
  const lan = await listenOnNetwork(http, command, listenAddress, log);
  await waitForFirstPage(pages);
  const problem = nativeModuleProblem();
  if (problem !== null) {
    log(problem);
    return endHttp(http);
  }
  const { openHome } = await import("./home");
  const ui = uiFolder();
  const home = await openHome({
    command,
    environment,
    http,
    listenAddress: () => listenAddress,
    lan,
    tls,
    frontDoor,
    ui,
    onStoreOpen: store.resolve,
    serverLog,
    log,
  });
  if (home.kind !== "open") endHttp(http);
  if (home.kind === "held") {
    return (await forwardToHolder(command, environment)) ?? serve(command, environment);
  }
  if (home.kind === "failed") return 1;
  logUncaughtErrors(serverLog);
  core.resolve(home.core);
  await reportReady({ ...home, hasLinks: frontDoor === undefined }, command, environment, listenAddress);
  return waitForEnd(home, command);
}

/** Ends the connections too; returns the exit code. */
function endHttp(http: Server): 1 {
  http.close();
  http.closeAllConnections();
  return 1;
}

/** Event loop turns to wait for a request of the first page, and the most to wait for its answer. */
const minWaitTurns = 4;
const maxWaitTurns = 200;

/**
 * Lets the first page be answered before the home is opened: since Node 22 import() loads files from disk without
 * returning to the event loop, and opening the home takes about 100 ms.
 */
async function waitForFirstPage(pages: { open(): number }): Promise<void> {
  for (let turn = 0; turn < minWaitTurns || (pages.open() > 0 && turn < maxWaitTurns); turn += 1)
    await new Promise((resolve) => setTimeout(resolve, 1));
}

/** Counts unfinished responses. */
function countOpenResponses(serveStatic: ServeStatic): { readonly serve: ServeStatic; open(): number } {
  let open = 0;
  return {
    serve(request, response) {
      open += 1;
      response.once("close", () => {
        open -= 1;
      });
      serveStatic(request, response);
    },
    open: () => open,
  };
}

/**
 * Logs uncaught errors instead of exiting: a bug in one session or packet must not end the others. Transactions keep
 * the log on disk consistent.
 */
function logUncaughtErrors({ addError }: Pick<ServerLog, "addError">): void {
  const logError = (error: unknown): void => addError("A bug", error);
  process.on("uncaughtException", logError);
  process.on("unhandledRejection", logError);
}

/** A promise with its resolve function. */
function deferred<T>(): { readonly promise: Promise<T>; readonly resolve: (value: T) => void } {
  let resolve = (_value: T): void => {};
  const promise = new Promise<T>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}

/** Exit code after passing the folder to the home's server; null = the home has none (any more): serve. */
async function forwardToHolder(command: ServeArguments, environment: NodeJS.ProcessEnv): Promise<number | null> {
  const { folder } = command;
  if (command.hub !== undefined) {
    const { heldHomeText, isHomeLocked } = await import("./cli/serve/forward-to-running-server");
    if (!isHomeLocked(command.home)) return null;
    process.stderr.write(`${heldHomeText(command.home)}\n`);
    return 1;
  }
  if (folder === null) {
    const { waitForHome } = await import("./cli/serve/wait-for-home");
    await waitForHome(command.home, (line) => void process.stderr.write(`${line}\n`));
    return null;
  }
  const cli = await import("./cli/serve/forward-to-running-server");
  if (!cli.isHomeLocked(command.home)) return null;
  const writeOutput = (line: string): void => void process.stdout.write(`${line}\n`);
  const writeError = (line: string): void => void process.stderr.write(`${line}\n`);
  const options = {
    arguments: { ...command, folder },
    version: readVersion(),
    build: readBuild(),
    environment,
    writeOutput,
    writeError,
  };
  const end = await cli.forwardToRunningServer(options, neverAborted);
  return end === "free" ? null : end;
}

async function makePageServer(environment: NodeJS.ProcessEnv, { publicAddress, hub }: ServeArguments) {
  const { prefix = "" } = publicAddress ?? {};
  const ui = environment.GOPI_DEV_UI;
  if (ui === undefined) {
    if (prefix === "") return makeStaticServer(uiFolder());
    const { makePrefixedFiles } = await import("./transport/front-door/prefixed-files");
    return makeStaticServer(uiFolder(), makePrefixedFiles(uiFolder(), { prefix, isOfHub: hub !== undefined }));
  }
  const { makeDevProxy } = await import("./transport/http/dev-proxy");
  return makeDevProxy(ui);
}

/** null = the certificate cannot be used; reported. */
async function loadTls(files: TlsFiles, log: (line: string) => void): Promise<ServerTls | null> {
  const [{ makeServerTls }, { certificateFailureText }] = await Promise.all([
    import("./transport/tls/server-tls"),
    import("./base/certificate-texts"),
  ]);
  const tls = makeServerTls({ files, now: () => Date.now(), elapsed: () => performance.now(), log });
  if (!("problem" in tls)) return tls;
  log(certificateFailureText(tls));
  return null;
}

/** --socket and --proxy-user. Problems are logged. */
async function loadSocketListener(path: string, proxyUser: ServeArguments["proxyUser"], log: (line: string) => void) {
  const { makeSocketListener } = await import("./transport/front-door/socket-listener");
  const listener = makeSocketListener(path, log);
  if (proxyUser === undefined) return { ...listener, frontDoor: undefined };
  const { makeProxyUserDoor } = await import("./transport/front-door/proxy-user");
  const frontDoor = makeProxyUserDoor({ ...proxyUser, isOverSocket: listener.has, log, now: Date.now });
  return { ...listener, frontDoor };
}

const loadHubDoor = async (...parts: Parameters<typeof OpenHubDoor>): Promise<HubDoor> =>
  (await import("./transport/front-door/hub/open-hub-door")).openHubDoor(...parts);

/** The port that the hub named; null = it is not available, which is reported. */
const listenForHub = async (http: Server, hub: HubDoor, { port }: ServeArguments): Promise<number | null> =>
  (await hub.listen(http)) ? port : null;

const uiFolder = (): string => fileURLToPath(new URL("../ui", import.meta.url));

/** --host: also listens at this machine's network addresses, on the same port. */
async function listenOnNetwork(
  http: Server,
  command: ServeArguments,
  listenAddress: { port: number; names: readonly string[] },
  log: (line: string) => void,
): Promise<AddressListeners | null> {
  if (command.network.length === 0) return null;
  const lan = makeAddressListeners(http);
  for (const { address, code } of await lan.open(command.network, listenAddress.port))
    log(`Can't listen on ${toHostName(address)}:${listenAddress.port}: ${code}.`);
  listenAddress.names = [...loopbackNames, ...lan.addresses.map(toHostName)];
  return lan;
}

const portsToTry = 20;

/** Listens on the requested port, else on the next free one, which is reported. null = no port available. */
async function listenOnFreePort(
  http: Server,
  command: ServeArguments,
  log: (line: string) => void,
): Promise<number | null> {
  const wanted = command.port ?? (command.background ? 0 : defaultPort);
  const last = wanted === 0 ? 0 : Math.min(65_535, wanted + portsToTry);
  for (let port = wanted; port <= last; port += 1) {
    const failure = await listenAt(http, port, command.host);
    if (failure === null) {
      if (port !== wanted && wanted !== 0) log(`Port ${wanted} is in use, so gopi-web is using ${port}.`);
      const address = http.address();
      return typeof address === "object" && address !== null ? address.port : port;
    }
    if (failure !== "EADDRINUSE" && failure !== "EACCES") {
      log(`Can't listen on ${command.host}:${port}: ${failure}.`);
      return null;
    }
  }
  log(`Ports ${wanted} to ${last} are all in use. Choose a free one with --port.`);
  return null;
}

async function reportReady(
  opened: ServingHome & { readonly projectOpen: Promise<void>; readonly hasLinks: boolean },
  command: ServeArguments,
  environment: NodeJS.ProcessEnv,
  listenAddress: ListenAddress,
): Promise<void> {
  await opened.projectOpen;
  const { port } = listenAddress;
  const origin = pageBase(listenAddress);
  // Output of a service is stored in a log, where a link that signs in does not belong; a front door needs none.
  if (!command.json && (!opened.hasLinks || (command.folder === null && !process.stdout.isTTY)))
    return void process.stdout.write(`gopi-web serves ${command.home} at ${origin}\n`);
  const { signInUrl } = await import("./cli/server-client");
  const url = opened.hasLinks ? signInUrl(origin, opened.core.signIns.freshLinkToken(), command.files) : `${origin}/`;
  const ready: ReadyLine = { url, port, pid: process.pid, home: command.home, version: readVersion() };
  if (command.json) process.stdout.write(`${JSON.stringify(ready)}\n`);
  else if (!command.background) process.stdout.write(`gopi-web is ready:\n  ${url}\n`);
  if (command.network.length > 0) {
    const { lanNotice } = await import("./cli/serve/lan-notice");
    const out = command.json ? process.stderr : process.stdout;
    out.write(`${lanNotice(opened.core.network.links(), out.isTTY)}\n`);
  }
  if (!command.json && !command.background) await offerFreshLinks(opened.core, command, environment, origin);
  if (!command.open) return;
  const { openBrowser } = await import("./cli/serve/open-browser");
  const trouble = await openBrowser(url, environment);
  if (trouble !== null) process.stderr.write(`${trouble}\n`);
}

/** Prints how to get another link, since each works once and for ten minutes; in a terminal Enter prints one. */
async function offerFreshLinks(
  core: RunningCore,
  { demo }: ServeArguments,
  environment: NodeJS.ProcessEnv,
  origin: string,
): Promise<void> {
  const { signInUrl } = await import("./cli/server-client");
  const { isInForeground, listenForEnter } = await import("./cli/serve/link-key");
  const print = (): void => void process.stdout.write(`  ${signInUrl(origin, core.signIns.freshLinkToken())}\n`);
  const look = (): Promise<boolean> => isInForeground(environment, neverAborted);
  const hasKey = process.stdin.isTTY && (await listenForEnter(process.stdin, look, print, neverAborted));
  const ways = [
    ...(hasKey ? ["press Enter here"] : []),
    // That would show another tour.
    ...(demo ? [] : ["run the same command in another terminal"]),
  ];
  const freshLink = ways.length === 0 ? "" : ` For a new one, ${ways.join(", or ")}.`;
  process.stdout.write(`The link works once, for 10 minutes.${freshLink}\n`);
}

/** Resolves with the exit code after a signal, or, in the background, when idle. */
function waitForEnd(serving: ServingHome, command: ServeArguments): Promise<number> {
  return new Promise((resolve) => {
    let ending = false;
    const end = (code: number): void => {
      if (ending) return process.exit(code);
      ending = true;
      setTimeout(() => process.exit(code), shutdownMs).unref();
      const leave = (exitCode: number): void => {
        resolve(exitCode);
        process.exit(exitCode);
      };
      serving.end().then(
        () => leave(code),
        (error: unknown) => {
          process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
          leave(1);
        },
      );
    };
    process.on("SIGINT", () => end(130));
    process.on("SIGTERM", () => end(0));
    process.on("SIGHUP", () => end(0));
    if (command.background) watchIdle(serving.core, () => end(0));
  });
}

/** Ends a background server a few seconds after its last run and its last client, unless a sign-in link was issued. */
function watchIdle(core: RunningCore, end: () => void): void {
  let idleSince = performance.now();
  const timer = setInterval(() => {
    if (core.hasIssuedLink()) return clearInterval(timer);
    if (core.isInUse()) idleSince = performance.now();
    if (performance.now() - idleSince < clientIdleExitMs) return;
    // Called once only: a second end() exits at once.
    clearInterval(timer);
    end();
  }, clientIdleExitMs / 10);
}
