/** Commands of the app and settings families. */
import { ok } from "@/lib/events/error";
import type { HandlerTable } from "../handlers";
import type { HandlerServices } from "../services";

type AppCommand = Extract<keyof HandlerTable, `${"app" | "server" | "settings" | "topic"}.${string}`>;

export const appHandlers = (services: HandlerServices): Pick<HandlerTable, AppCommand> => ({
  "app.welcome": async (_input, client) =>
    ok({
      version: services.version,
      home: services.home,
      projects: services.store.projects.list(),
      settings: services.store.settings.read(),
      models: services.models.state(),
      pulls: [
        ...services.models.pulls(),
        ...[...services.connections.live().values()].flatMap(({ store }) => store?.list() ?? []),
      ],
      connections: services.connections.list(),
      shares: await services.shares(client),
      network: services.network.state(),
      notices: services.notices(),
      movedAside: services.store.movedAside ?? null,
    }),
  "app.log": () => ok(services.serverLog.read()),
  "server.status": async () => {
    const { readStatusReport } = await import("./read-status-report");
    return ok(await readStatusReport(services));
  },
  "app.report_error": ({ text }) => {
    services.serverLog.addError("page", text);
    return ok(null);
  },
  ...settingHandlers(services),
  ...topicHandlers,
});

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

const settingHandlers = ({ store, config, sandbox }: HandlerServices) =>
  ({
    "settings.read": () => ok(store.settings.read()),
    "settings.write": ({ patch }) => config.write(patch),
    "settings.sandbox": async () => ok(await sandbox.state()),
  }) satisfies Partial<HandlerTable>;
