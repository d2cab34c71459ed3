/** Reads the state of the installation in a running server. */
import { isPausedAutomation } from "@/lib/automations/automation";
import type { AutomationsStatus, HostStatus, RunningStatus, SessionsStatus } from "@/lib/protocol/status-report";
import { timeLimit } from "@/server/base/abort";
import { readModelHosts } from "@/server/models/access/read-model-hosts";
import type { SessionService } from "@/server/session/service/session-service";
import { readServiceState } from "@/server/service/service-state";
import { readHomeStatus } from "@/server/store/core/home-status";
import { type AutomationStore, createAutomations } from "@/server/store/automations";
import type { AppServices } from "./app-handlers";

/** Maximum wait for the models of all model servers, ms. */
const hostAnswerMs = 3_000;
/** Maximum wait for the service manager and the count of the files, ms. */
const systemAnswerMs = 20_000;

export async function readStatusReport(services: AppServices): Promise<RunningStatus> {
  const { access, store, sessions, config, version, home, environment, serverAddress } = services;
  const servers = { ...access, settings: () => store.settings.read() };
  const limit = timeLimit(systemAnswerMs);
  const [hosts, file, homeStatus, service] = await Promise.all([
    readModelHosts(servers, timeLimit(hostAnswerMs)),
    config.file(),
    readHomeStatus(home, limit),
    readServiceState(environment, limit),
  ]);
  return {
    version,
    server: { address: serverAddress(), pid: process.pid, version, responds: true },
    hosts: hosts.map(
      ({ models: listed, ...host }): HostStatus => ({ ...host, models: listed.map(({ name }) => name) }),
    ),
    sessions: readSessions(sessions),
    automations: readAutomations(createAutomations(store.database)),
    hasChannels: store.hasWork("channels"),
    tls: services.tls?.(),
    config: file.ok
      ? { path: file.value.path, problems: file.value.problems }
      : { path: config.path, problems: [], error: file.error },
    home: homeStatus,
    service,
  };
}

function readAutomations(automations: AutomationStore): AutomationsStatus {
  const all = automations.list();
  return {
    on: all.filter(({ isOn }) => isOn).length,
    paused: all.filter(isPausedAutomation).map(({ name }) => name),
  };
}

function readSessions(sessions: SessionService): SessionsStatus {
  const { rows } = sessions.list({ active: true });
  const cards = rows.filter(({ status }) => status === "waiting");
  return {
    working: rows.length,
    waiting: cards.length,
    cards: cards.map(({ id, projectId, title, cwd }) => ({ id, projectId, title, cwd })),
  };
}
