/** Reads the state of the installation for `gopi-web status`; starts nothing and changes nothing. */
import { accessSync, constants, existsSync, lstatSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { AgentError } from "@/lib/events/error";
import type { ConfigProblem } from "@/lib/settings/config-keys";
import { serverLimits } from "@/lib/settings/server-limits";
import type { ServiceState } from "@/lib/protocol/status-report";
import { readServiceState } from "@/server/service/service-state";
import type { ServerFile } from "@/server/store/core/server-file";
import { timeLimit } from "@/server/base/abort";
import type { Environment } from "../arguments/options";
import { callServer, findServer, findServerFile, serverOrigin } from "../server-client";
import type { CommandLink } from "../session-link";
import { readVersion } from "../version";
import { type ModelHost, readModelHosts } from "./model-hosts";

export interface HostStatus extends Omit<ModelHost, "models"> {
  /** Their names. */
  readonly models: readonly string[];
}

interface ServerStatus {
  readonly address: string;
  readonly pid: number;
  readonly version: string;
  /** False = it holds the home but does not answer. */
  readonly responds: boolean;
}

export interface StatusReport {
  readonly version: string;
  /** null = no server runs; what only a server has is null then, too. */
  readonly server: ServerStatus | null;
  readonly hosts: readonly HostStatus[] | null;
  readonly sessions: { readonly working: number; readonly waiting: number } | null;
  readonly config: {
    readonly path: string;
    readonly problems: readonly ConfigProblem[];
    /** The file cannot be read. */
    readonly error?: AgentError;
  };
  readonly home: { readonly path: string; readonly bytes: number; readonly isWritable: boolean };
  readonly service: ServiceState;
}

/** Rejects only with the signal's reason. */
export async function readStatus(home: string, environment: Environment, signal: AbortSignal): Promise<StatusReport> {
  const file = findServerFile(home);
  const answer = file === null ? null : await askServer(file, home, signal);
  // After the answer, whose time limit would run out while the files are counted.
  const common = {
    version: readVersion(),
    home: { path: home, bytes: folderBytes(home), isWritable: isWritable(home) },
    service: await readServiceState(environment, signal),
  };
  if (file !== null && answer) return { ...common, server: serverStatus(file, true), ...answer };
  // Only the answer to its token, or the lock of the home, proves that it is the server.
  const silent = file === null ? null : findServer(home);
  const server = silent === null ? null : serverStatus(silent, false);
  return { ...common, server, hosts: null, sessions: null, config: await readConfig(home) };
}

const serverStatus = (server: ServerFile, responds: boolean): ServerStatus => ({
  address: serverOrigin(server),
  pid: server.pid,
  version: server.version,
  responds,
});

/** Maximum wait for the models of all model servers. */
const hostAnswerMs = 3_000;

const configPath = (home: string): string => join(home, "config.yaml");

/** null = the server does not answer. */
async function askServer(
  server: ServerFile,
  home: string,
  signal: AbortSignal,
): Promise<Pick<StatusReport, "hosts" | "sessions" | "config"> | null> {
  const linkWithin = (milliseconds: number): CommandLink => ({
    call: (name, input) => callServer(server, name, input, timeLimit(milliseconds, signal)),
  });
  const link = linkWithin(serverLimits.holderAnswerMs);
  try {
    const [hosts, active, config] = await Promise.all([
      readModelHosts(link, linkWithin(hostAnswerMs)),
      link.call("session.list", { active: true }),
      link.call("config.read", {}),
    ]);
    if (!hosts.ok || !active.ok) return null;
    // A server of an older version answers with all sessions.
    const rows = active.value.rows.filter(({ status }) => status === "running" || status === "waiting");
    return {
      hosts: hosts.value.map(({ models, ...host }) => ({ ...host, models: models.map(({ name }) => name) })),
      sessions: { working: rows.length, waiting: rows.filter(({ status }) => status === "waiting").length },
      config: config.ok
        ? { path: config.value.path, problems: config.value.problems }
        : { path: configPath(home), problems: [], error: config.error },
    };
  } catch {
    signal.throwIfAborted();
    return null;
  }
}

/** Checks the file as a server does when it starts. */
async function readConfig(home: string): Promise<StatusReport["config"]> {
  const path = configPath(home);
  if (!existsSync(path)) return { path, problems: [] };
  try {
    const text = readFileSync(path, "utf8");
    const { parseConfig } = await import("@/server/config/config-yaml");
    return { path, problems: parseConfig(text).problems };
  } catch (error) {
    const detail = error instanceof Error ? error.message : String(error);
    return { path, problems: [], error: { code: "no_permission", detail } };
  }
}

/** Bytes of all files below the folder, 0 without one. Files that disappear meanwhile do not count. */
function folderBytes(path: string): number {
  try {
    return readdirSync(path, { withFileTypes: true }).reduce(
      (sum, entry) =>
        sum + (entry.isDirectory() ? folderBytes(join(path, entry.name)) : fileBytes(join(path, entry.name))),
      0,
    );
  } catch {
    return 0;
  }
}

const fileBytes = (path: string): number => lstatSync(path, { throwIfNoEntry: false })?.size ?? 0;

/** Whether the home and its database can be written; true where they do not exist yet. */
const isWritable = (home: string): boolean =>
  [home, join(home, "gopi.db")].every((path) => {
    try {
      if (existsSync(path)) accessSync(path, constants.W_OK);
      return true;
    } catch {
      return false;
    }
  });
