/** Commands of the app, settings and rules families. */
import { fail, ok } from "@/lib/error";
import { limits } from "@/lib/settings";
import type { HandlerTable } from "./handlers";
import type { HandlerServices } from "./services";

type AppCommand = Extract<keyof HandlerTable, `app.${string}` | `settings.${string}` | `rules.${string}`>;

export const appHandlers = (services: HandlerServices): Pick<HandlerTable, AppCommand> => ({
  "app.welcome": () =>
    ok({
      version: services.version,
      home: services.home,
      projects: services.store.projects.list(),
      settings: services.store.settings.read(),
      models: services.models.state(),
      pulls: services.models.pulls(),
      connections: services.connections.list(),
      movedAside: services.store.movedAside ?? null,
    }),
  ...settingHandlers(services),
});

const settingHandlers = ({ store, push, models }: HandlerServices) =>
  ({
    "settings.read": () => ok(store.settings.read()),
    "settings.write": ({ patch }) => {
      const before = store.settings.read();
      const settings = store.settings.write(patch);
      push({ type: "settings", settings });
      if (settings.ollamaHost !== before.ollamaHost)
        void models.refresh(AbortSignal.timeout(limits.serverStateMs)).catch(() => {});
      return ok(settings);
    },
    "rules.list": async ({ projectId }) =>
      ok({
        rules:
          projectId === undefined ? (await store.rules.all()).map(({ rule }) => rule) : store.rules.list(projectId),
      }),
    "rules.remove": async ({ ruleId }) => {
      const rule = (await store.rules.all()).find((one) => one.rule.id === ruleId);
      if (rule === undefined || !(await store.rules.remove(ruleId))) return fail("not_found");
      push({ type: "rules", projectId: rule.project.id, rules: store.rules.list(rule.project.id) });
      return ok(null);
    },
  }) satisfies Partial<HandlerTable>;
