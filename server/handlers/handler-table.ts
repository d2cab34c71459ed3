/** The table of the owner's commands, and the client of a command over HTTP. */
import { asId, type ClientId } from "@/lib/events/id";
import { randomId } from "@/server/base/id";
import { appHandlers } from "./app/app-handlers";
import { branchHandlers } from "./session/branch-handlers";
import { configHandlers } from "./app/config-handlers";
import { changeHandlers } from "./session/change-handlers";
import { connectionHandlers } from "./models/connection-handlers";
import { guardHandlers } from "./project/guard-handlers";
import { historyHandlers } from "./session/history-handlers";
import { modelHandlers } from "./models/model-handlers";
import { imageHandlers } from "./session/image-handlers";
import { sessionHandlers } from "./session/session-handlers";
import { networkHandlers } from "./sharing/network-handlers";
import { workspaceHandlers } from "./project/workspace-handlers";
import { clientOrigin, type CommandClient, type Handlers } from "./handlers";
import { type HandlerServices, sessionReady } from "./services";

/** Returns the handlers of all commands that are not a feature's. */
export function makeHandlers(services: HandlerServices) {
  const watching = new Map<ClientId, () => void>();
  const stopWatching = (id: ClientId): void => {
    watching.get(id)?.();
    watching.delete(id);
  };
  const watchModels = (id: ClientId, on: boolean): void => {
    if (!on) return stopWatching(id);
    if (watching.has(id)) return;
    const stops = [services.models.watch(), services.connections.watch()];
    watching.set(id, () => stops.forEach((stop) => stop()));
  };
  return {
    table: {
      ...appHandlers(services),
      ...configHandlers(services),
      ...guardHandlers(services),
      ...modelHandlers({ ...services, watchModels }),
      ...connectionHandlers(services),
      ...sessionHandlers(services),
      ...imageHandlers(services),
      ...networkHandlers(services),
      ...branchHandlers(services),
      ...changeHandlers(services),
      ...historyHandlers(services),
      ...workspaceHandlers(services),
    },
    ready: sessionReady(services),
    clientDisconnected(client: CommandClient) {
      stopWatching(client.id);
      services.projects.removeClient(client.id);
    },
    reportBug: services.serverLog.addError,
  } satisfies Handlers;
}

/** A command over HTTP has no connection that could join a session; the client is released after the answer. */
export const requestClient = (access: string): CommandClient => ({
  id: asId<ClientId>(access === "bearer" ? "commandline" : randomId<ClientId>("request")),
  access: "owner",
  ...clientOrigin(access),
  join: () => {},
  leave: () => {},
});
