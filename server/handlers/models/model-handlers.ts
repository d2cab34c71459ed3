/** Commands of the models family, and a session's requests to its model server. */
import { serverLimits } from "@/lib/settings/server-limits";
import { fail, ok, type Result } from "@/lib/events/error";
import { isSameModelName } from "@/lib/models/model-names";
import type { WindowPlan } from "@/lib/models/models";
import { toWindowSetting } from "@/lib/settings/model-settings";
import { timeLimit } from "@/server/base/abort";
import { findModel } from "@/server/models/choice/choose-model";
import { connectionModelKey } from "@/server/models/access/connection-server-entry";
import type { ActiveConnection } from "@/server/models/connections/active-connection";
import { connectionWindowTokens, planConnectionWindow } from "@/server/models/connection-window";
import { findOllama } from "@/server/models/ollama/find-ollama";
import type { HandlerTable } from "../handlers";
import type { CoreServices } from "../core-services";

/** Maximum wait of a command for a server being started, ms. */
const serverStartWaitMs = 60_000;

/** Name of a model that a feature uses: it is not removed, and no other is loaded. null = none. */
type UsedModel = () => string | null;

export const modelHandlers = (core: CoreServices, usedModel: UsedModel) => ({
  ...serverHandlers(core),
  ...modelPageHandlers(core, usedModel),
  ...sessionModelHandlers(core, usedModel),
});

const serverHandlers = ({ access, store }: CoreServices) => {
  const { models, connections } = access;
  return {
    "models.refresh": async () => ok(await models.refresh(timeLimit(serverLimits.serverStateMs))),
    "models.hosts": async () => {
      const { readModelHosts } = await import("@/server/models/access/read-model-hosts");
      const servers = { ...access, settings: () => store.settings.read() };
      return ok({ hosts: await readModelHosts(servers, listTimeout()) });
    },
    "models.start": async () => models.startServer(timeLimit(serverStartWaitMs)),
    "models.pull": ({ name, connection }) => {
      if (connection === undefined) return ok(models.pull(name));
      const store = connections.live().get(connection)?.store;
      return store === undefined ? fail("not_found") : ok(store.pull(name));
    },
    "models.cancel_pull": ({ name, connection }) => {
      if (connection === undefined) models.cancelPull(name);
      else connections.live().get(connection)?.store?.cancel(name);
      return ok(null);
    },
  } satisfies Partial<HandlerTable>;
};

const listTimeout = (): AbortSignal => timeLimit(serverLimits.serverListMs);

const modelPageHandlers = ({ access, sessions }: CoreServices, usedModel: UsedModel) => {
  const { models, connections, modelsFile } = access;
  /** Not while a session works there: a router that has to unload its model never answers the load. */
  const changeLoad = async (change: "load" | "unload", model: string, connection: string): Promise<Result<null>> => {
    if (sessions.running().some(({ view }) => view.model?.provider === connection))
      return fail("busy", undefined, { model });
    const live = connections.live().get(connection);
    const window = live === undefined ? undefined : planWindowOf(live, model)?.chosen;
    return (
      (await live?.loader?.change(change, model, window ?? connectionWindowTokens, listTimeout())) ?? fail("not_found")
    );
  };
  /** undefined = it is not in the list. */
  const planWindowOf = (live: ActiveConnection, model: string): WindowPlan | undefined => {
    const info = live.lastList()?.find(({ name }) => name === model);
    if (info === undefined) return undefined;
    const note = models.known.note(connectionModelKey(live, model));
    return planConnectionWindow(info, note, live.toConnection().numCtx, live.memoryBytes);
  };
  return {
    "models.show": ({ model }) => models.show(model, listTimeout()),
    "models.window": async ({ model, connection = "ollama" }) => {
      const ollama = findOllama(access, connection);
      if (ollama !== undefined) return ollama.window(model, listTimeout());
      const live = connections.live().get(connection);
      const plan = live === undefined ? undefined : planWindowOf(live, model);
      return plan === undefined ? fail("not_found") : ok(plan);
    },
    "models.choose": async ({ model: name, connection = "ollama", numCtx, ...wanted }) => {
      const ollama = findOllama(access, connection);
      const model = ollama === undefined ? ok({ name }) : await ollama.find(name, listTimeout());
      if (!model.ok) return model;
      const ready = await modelsFile.ready();
      if (!ready.ok) return ready;
      const live = connections.live().get(connection);
      const other = live === undefined ? { provider: connection, name } : connectionModelKey(live, name);
      const key = ollama?.keyOf(model.value.name) ?? other;
      const window = numCtx === undefined ? {} : { numCtx: toWindowSetting(numCtx) };
      return (ollama ?? models).known.saveUserSettings(key, { ...wanted, ...window });
    },
    "models.load": ({ model, connection }) => changeLoad("load", model, connection),
    "models.unload": async ({ model, connection = "ollama" }) =>
      (await findOllama(access, connection)?.unload(model, listTimeout())) ?? changeLoad("unload", model, connection),
    "models.remove": async ({ model: name, connection = "ollama" }) => {
      const isOllama = connection === "ollama";
      const model = isOllama ? (findModel(models.state().models, name)?.name ?? name) : name;
      const used = sessions
        .running()
        .some(({ view }) => view.model?.provider === connection && isSameModelName(view.model.model, model));
      if (used || isSameModelName(usedModel() ?? "", model)) return fail("busy", undefined, { model });
      if (isOllama) return models.remove(model, listTimeout());
      return (await connections.live().get(connection)?.store?.remove(model, listTimeout())) ?? fail("not_found");
    },
  } satisfies Partial<HandlerTable>;
};

/** Commands that prepare a model for use. */
const sessionModelHandlers = ({ access, sessions }: CoreServices, usedModel: UsedModel) =>
  ({
    "session.run_first": ({ sessionId }) => ok({ moved: access.runFirst(sessionId) }),
    "models.warm": async ({ model = "" }) => {
      await access.ensureListed("ollama");
      if (usedModel() === null) access.warm(model);
      return ok(null);
    },
    "session.warm": async ({ sessionId }) => {
      const session = sessions.get(sessionId);
      if (!session.ok) return session;
      await access.ensureListed(session.value.view.model?.provider);
      // Warming would unload the model that a feature uses.
      if (usedModel() === null) access.warm(session.value.view.model ?? "");
      return ok(null);
    },
  }) satisfies Partial<HandlerTable>;
