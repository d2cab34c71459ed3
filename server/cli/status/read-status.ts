/** Reads the state of the installation for `gopi-web status`: that of the running server, or of the home; changes nothing. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { thrownText } from "@/lib/events/error";
import type { ConfigStatus, RunningStatus, ServerStatus, StatusReport } from "@/lib/protocol/status-report";
import { serverLimits } from "@/lib/settings/server-limits";
import { timeLimit } from "@/server/base/abort";
import { readServiceState } from "@/server/service/service-state";
import { readHomeStatus } from "@/server/store/core/home-status";
import type { ServerFile } from "@/server/store/core/server-file";
import type { Environment } from "../arguments/options";
import { callServer, findServer, findServerFile, serverOrigin } from "../server-client";
import { readVersion } from "../version";

/** Rejects only with the signal's reason. */
export async function readStatus(home: string, environment: Environment, signal: AbortSignal): Promise<StatusReport> {
  const version = readVersion();
  const file = findServerFile(home);
  const answer = file === null ? null : await askServer(file, signal);
  if (answer !== null && answer !== "refused") return { ...answer, version };
  // Only the answer to its token, or the lock of the home, proves that it is the server.
  const silent = file === null || answer === "refused" ? file : findServer(home);
  const server = silent === null ? null : serverStatus(silent, answer === "refused");
  const [homeStatus, config, service] = await Promise.all([
    readHomeStatus(home, signal),
    readConfig(home),
    readServiceState(environment, signal),
  ]);
  return { version, server, hosts: null, sessions: null, config, home: homeStatus, service };
}

const serverStatus = (server: ServerFile, responds: boolean): ServerStatus => ({
  address: serverOrigin(server),
  pid: server.pid,
  version: server.version,
  responds,
});

/** null = the server does not answer; refused = it does, and is of a version without the command. */
async function askServer(server: ServerFile, signal: AbortSignal): Promise<RunningStatus | "refused" | null> {
  try {
    // First whether it responds: the report waits for model servers.
    const welcome = await callServer(server, "app.welcome", {}, timeLimit(serverLimits.holderAnswerMs, signal));
    if (!welcome.ok) return null;
    const answer = await callServer(server, "server.status", {}, timeLimit(reportMs, signal));
    if (!answer.ok || !answer.value.hasChannels) return answer.ok ? answer.value : "refused";
    const listed = await callServer(server, "channels.list", {}, timeLimit(reportMs, signal));
    const channels = listed.ok ? listed.value.channels.filter(({ isOn }) => isOn) : [];
    return { ...answer.value, channels };
  } catch {
    signal.throwIfAborted();
    return null;
  }
}

/** Maximum wait for the report, ms. */
const reportMs = 30_000;

/** Checks the file as a server does when it starts. */
async function readConfig(home: string): Promise<ConfigStatus> {
  const path = join(home, "config.yaml");
  if (!existsSync(path)) return { path, problems: [] };
  try {
    const text = readFileSync(path, "utf8");
    const { parseConfig } = await import("@/server/config/config-yaml");
    return { path, problems: parseConfig(text).problems };
  } catch (error) {
    const detail = thrownText(error);
    return { path, problems: [], error: { code: "no_permission", detail } };
  }
}
