/** Passes the folder of a second start to the server already running in the home, and prints a fresh sign-in link. */
import { setTimeout as sleep } from "node:timers/promises";
import { limits } from "@/lib/settings";
import { takeHomeLock } from "@/server/store/home-lock";
import { readServerFile, type ServerFile } from "@/server/store/server-file";
import type { ServeArguments } from "./args";
import { openBrowser } from "./open-browser";
import { type Environment, printable } from "./options";
import { call, freshLink, isAlive, isHealthy } from "./server-client";
import { sentenceOf } from "./sentences";

export interface HandOverOptions {
  readonly arguments: ServeArguments;
  readonly version: string;
  /** Result of readBuild. */
  readonly build: string | undefined;
  readonly environment: Environment;
  /** Write a line to stdout and stderr, without a line end. */
  readonly say: (line: string) => void;
  readonly warn: (line: string) => void;
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
export async function handOver(options: HandOverOptions, signal: AbortSignal): Promise<number | "free"> {
  const { arguments: given, say, warn } = options;
  const server = await holder(options, signal);
  if (server === null) return 1;
  if (server === "free") return "free";
  if (given.background) return 0;
  const opened = await call(server, "project.open", { path: given.folder }, signal);
  if (!opened.ok) {
    warn(`gopi-web: ${printable(given.folder)} couldn't be opened: ${sentenceOf(opened.error)}`);
    return 1;
  }
  const url = await freshLink(server, signal);
  if (url === null) {
    warn(unanswered(given.home, server));
    return 1;
  }
  for (const note of differences(server, options)) warn(note);
  if (given.network.length > 0) await tellNetwork(server, options, signal);
  const { port, pid, version } = server;
  const ready: ReadyLine = { url, port, pid, home: given.home, version };
  say(given.json ? JSON.stringify(ready) : `Opened in the running gopi-web: ${url}`);
  const trouble = given.open ? await openBrowser(url, options.environment) : null;
  if (trouble !== null) warn(trouble);
  return 0;
}

/**
 * The server that holds the home. A starting one gets `holderAnswerMs` to answer; null = it did not, and the user was
 * warned.
 */
async function holder(options: HandOverOptions, signal: AbortSignal): Promise<ServerFile | "free" | null> {
  const { home } = options.arguments;
  const until = performance.now() + limits.holderAnswerMs;
  let server: ServerFile | undefined;
  do {
    if (!isHeld(home)) return "free";
    server = readServerFile(home);
    if (server !== undefined && isAlive(server.pid) && (await isHealthy(server, signal))) return server;
    await sleep(limits.serverStartPollMs, undefined, { signal });
  } while (performance.now() < until);
  options.warn(unanswered(home, server));
  return null;
}

/** For --host: prints the network links of the running server, whose addresses are fixed. */
async function tellNetwork(server: ServerFile, { say, warn, ...options }: HandOverOptions, signal: AbortSignal) {
  const given = await call(server, "devices.link", {}, signal);
  const links = given.ok ? given.value.links : [];
  const { lanNotice } = await import("./lan-notice");
  if (links.length > 0) (options.arguments.json ? warn : say)(lanNotice(links, process.stdout.isTTY));
  else
    warn(
      "The running gopi-web listens on this machine only. Stop it and start again with --host to let other devices in.",
    );
}

/** Whether another process holds the home's lock. */
export function isHeld(home: string): boolean {
  const lock = takeHomeLock(home);
  if (lock.ok) lock.value.release();
  return !lock.ok && lock.error.code === "store_locked";
}

function unanswered(home: string, server: ServerFile | undefined): string {
  const who =
    server === undefined ? "another gopi-web" : `gopi-web ${printable(server.version)} (process ${server.pid})`;
  return `gopi-web: ${who} is using ${printable(home)} but isn't responding. Stop it, or pass another folder with --home DIR.`;
}

/** Note that an older version or build is still running, after an update; null = it is the same. */
function olderText({ version, build, pid }: ServerFile, now: HandOverOptions): string | null {
  if (version === now.version && build === now.build) return null;
  const what =
    version === now.version
      ? `An older build of ${now.version} is running`
      : `Version ${printable(version)} is running; this is ${now.version}`;
  return `${what} (process ${pid}). To use this one, stop it (Ctrl+C in its terminal, or kill ${pid}) and start again.`;
}

/** Notes on options that do not apply, because the server was started with others. */
function differences(server: ServerFile, options: HandOverOptions): readonly string[] {
  const { port, model } = options.arguments;
  const notes: string[] = [];
  const older = olderText(server, options);
  if (older !== null) notes.push(older);
  if (port !== null && port !== 0 && port !== server.port)
    notes.push(`Already running on port ${server.port}; --port was ignored.`);
  if (model !== null) notes.push("Already running, so --model was ignored. Choose the model in the browser.");
  return notes;
}
