/** Passes the folder of a second start to the server already running in the home, and prints a fresh sign-in link. */
import { setTimeout as sleep } from "node:timers/promises";
import { serverLimits } from "@/lib/settings/server-limits";
import { isProcessAlive } from "@/server/base/is-process-alive";
import { takeHomeLock } from "@/server/store/core/home-lock";
import { readServerFile, type ServerFile } from "@/server/store/core/server-file";
import type { ServeArguments } from "../arguments/parse-arguments";
import { openBrowser } from "./open-browser";
import { type Environment, printable } from "../arguments/options";
import { callServer, isElsewhere, requestSignInLink, isHealthy, serverOrigin } from "../server-client";
import { cliErrorText } from "../cli-error-text";

interface ForwardOptions {
  readonly arguments: ServeArguments & { readonly folder: string };
  readonly version: string;
  /** Result of readBuild. */
  readonly build: string | undefined;
  readonly environment: Environment;
  /** Write a line to stdout and stderr, without a line end. */
  readonly writeOutput: (line: string) => void;
  readonly writeError: (line: string) => void;
}

/** The JSON line of --json, for every start. */
export interface ReadyLine {
  readonly url: string;
  readonly port: number;
  readonly pid: number;
  readonly home: string;
  readonly version: string;
}

/**
 * Exit code: 0 = the running server has the folder; 1 = it does not answer or refused. "free" = it has left the home
 * meanwhile.
 */
export async function forwardToRunningServer(options: ForwardOptions, signal: AbortSignal): Promise<number | "free"> {
  const { arguments: serveArguments, writeOutput, writeError } = options;
  const server = await findHolder(options, signal);
  if (server === null) return 1;
  if (server === "free") return "free";
  if (serveArguments.background) return 0;
  const opened = await callServer(server, "project.open", { path: serveArguments.folder }, signal);
  if (!opened.ok) {
    writeError(`gopi-web: ${printable(serveArguments.folder)} couldn't be opened: ${cliErrorText(opened.error)}`);
    return 1;
  }
  const page = `${server.origin ?? serverOrigin(server)}/`;
  const url = server.isOfHub === true ? page : await requestSignInLink(server, serveArguments.files, signal);
  if (url === null) {
    writeError(unresponsiveText(serveArguments.home, server));
    return 1;
  }
  for (const note of ignoredOptionNotes(server, options)) writeError(note);
  if (serveArguments.network.length > 0) await printNetworkLinks(server, options, signal);
  const { port, pid, version } = server;
  const ready: ReadyLine = { url, port, pid, home: serveArguments.home, version };
  const place = server.isOfHub === true ? `${new URL(page).pathname} at JupyterHub` : url;
  writeOutput(serveArguments.json ? JSON.stringify(ready) : `Opened in the running gopi-web: ${place}`);
  const isOpening = serveArguments.open && server.isOfHub !== true;
  const trouble = isOpening ? await openBrowser(url, options.environment) : null;
  if (trouble !== null) writeError(trouble);
  return 0;
}

/**
 * The server that holds the home. A starting one gets `holderAnswerMs` to answer; null = it did not, and the user was
 * warned.
 */
async function findHolder(options: ForwardOptions, signal: AbortSignal): Promise<ServerFile | "free" | null> {
  const { home } = options.arguments;
  const until = performance.now() + serverLimits.holderAnswerMs;
  let server: ServerFile | undefined;
  do {
    if (!isHomeLocked(home)) return "free";
    server = readServerFile(home);
    if (server !== undefined && isElsewhere(server)) {
      options.writeError(heldHomeText(home));
      return null;
    }
    if (server !== undefined && isProcessAlive(server.pid) && (await isHealthy(server, signal))) return server;
    await sleep(serverLimits.serverStartPollMs, undefined, { signal });
  } while (performance.now() < until);
  options.writeError(unresponsiveText(home, server));
  return null;
}

/** For --host: prints the network links of the running server, whose addresses are fixed. */
async function printNetworkLinks(
  server: ServerFile,
  { writeOutput, writeError, ...options }: ForwardOptions,
  signal: AbortSignal,
) {
  const linkAnswer = await callServer(server, "devices.link", {}, signal);
  const links = linkAnswer.ok ? linkAnswer.value.links : [];
  const { lanNotice } = await import("./lan-notice");
  if (links.length > 0) (options.arguments.json ? writeError : writeOutput)(lanNotice(links, process.stdout.isTTY));
  else
    writeError(
      "The running gopi-web listens on this machine only. Stop it and start again with --host to let other devices in.",
    );
}

/** Whether another process holds the home's lock. */
export function isHomeLocked(home: string): boolean {
  const lock = takeHomeLock(home);
  if (lock.ok) lock.value.release();
  return !lock.ok && lock.error.code === "store_locked";
}

/** Returns who uses a home that this process needs for itself. */
export const heldHomeText = (home: string): string =>
  `gopi-web: ${holderName(readServerFile(home))} is using ${printable(home)}. Stop it, or pass another folder with --home DIR.`;

const unresponsiveText = (home: string, server: ServerFile | undefined): string =>
  `gopi-web: ${holderName(server)} is using ${printable(home)} but isn't responding. Stop it, or pass another folder with --home DIR.`;

function holderName(server: ServerFile | undefined): string {
  if (server === undefined) return "another gopi-web";
  const place = isElsewhere(server) ? ` on ${printable(server.machine ?? "")}` : "";
  return `gopi-web ${printable(server.version)} (process ${server.pid}${place})`;
}

/** Note that an older version or build is still running, after an update; null = it is the same. */
function outdatedServerNote({ version, build, pid }: ServerFile, now: ForwardOptions): string | null {
  if (version === now.version && build === now.build) return null;
  const comparison =
    version === now.version
      ? `An older build of ${now.version} is running`
      : `Version ${printable(version)} is running; this is ${now.version}`;
  return `${comparison} (process ${pid}). To use this one, stop it (Ctrl+C in its terminal, or kill ${pid}) and start again.`;
}

/** Notes on options that do not apply, because the server was started with others. */
function ignoredOptionNotes(server: ServerFile, options: ForwardOptions): readonly string[] {
  const { port, model, publicAddress, socket } = options.arguments;
  const notes: string[] = [];
  const older = outdatedServerNote(server, options);
  if (older !== null) notes.push(older);
  if (port !== null && port !== 0 && port !== server.port)
    notes.push(`Already running on port ${server.port}; --port was ignored.`);
  const startAgain = `Stop it (Ctrl+C in its terminal, or kill ${server.pid}) and start again.`;
  if (publicAddress !== undefined && server.origin !== `${publicAddress.origins[0]}${publicAddress.prefix}`)
    notes.push(`Already running at ${printable(server.origin ?? "")}; --public-url was ignored. ${startAgain}`);
  if (socket !== undefined && server.socket !== socket)
    notes.push(`Already running without this socket; --socket was ignored. ${startAgain}`);
  if (model !== null) notes.push("Already running, so --model was ignored. Choose the model in the browser.");
  return notes;
}
