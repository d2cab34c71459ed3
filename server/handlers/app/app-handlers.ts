/** Commands of the app and settings families. */
import { ok } from "@/lib/events/error";
import type { Notice } from "@/lib/notices/notice";
import type { NetworkState, Share } from "@/lib/protocol/share";
import type { TlsStatus } from "@/lib/protocol/status-report";
import type { ServerLog } from "@/server/base/server-log";
import type { CommandClient, HandlerTable } from "../handlers";
import type { CoreServices } from "../core-services";

/** State of the server outside its services. */
export interface AppServices extends CoreServices {
  readonly serverLog: ServerLog;
  network(): NetworkState;
  /** Origin at which this machine reaches the owner's pages. */
  serverAddress(): string;
  /** undefined = plain http only. */
  tls(): TlsStatus | undefined;
  /** Notices that are not seen yet. */
  openNotices(): readonly Notice[];
  /** The active share links with their viewers; empty if they cannot be read. */
  shares(client: CommandClient): Promise<readonly Share[]>;
}

export const appHandlers = (services: AppServices) => {
  const { store, access, serverLog } = services;
  return {
    "app.welcome": async (_input, client) =>
      ok({
        version: services.version,
        home: services.home,
        projects: store.projects.list(),
        settings: store.settings.read(),
        models: access.models.state(),
        pulls: [
          ...access.models.pulls(),
          ...[...access.connections.live().values()].flatMap((live) => live.store?.list() ?? []),
        ],
        connections: access.connections.list(),
        shares: await services.shares(client),
        network: services.network(),
        notices: services.openNotices(),
        movedAside: store.movedAside ?? null,
      }),
    "app.log": () => ok(serverLog.read()),
    "server.status": async () => {
      const { readStatusReport } = await import("./read-status-report");
      return ok(await readStatusReport(services));
    },
    "app.report_error": ({ text }) => {
      serverLog.addError("page", text);
      return ok(null);
    },
    ...settingHandlers(services),
    ...topicHandlers,
  } satisfies Partial<HandlerTable>;
};

const topicHandlers = {
  "topic.subscribe": ({ topic, subject }, client) => {
    client.join(topic, subject);
    return ok(null);
  },
  "topic.unsubscribe": ({ topic, subject }, client) => {
    client.leave(topic, subject);
    return ok(null);
  },
} satisfies Partial<HandlerTable>;

const settingHandlers = ({ store, config, sandbox }: CoreServices) =>
  ({
    "settings.read": () => ok(store.settings.read()),
    "settings.write": ({ patch }) => config.write(patch),
    "settings.sandbox": async () => ok(await sandbox.state()),
  }) satisfies Partial<HandlerTable>;
