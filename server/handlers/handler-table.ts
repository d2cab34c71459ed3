/** The table of all commands of the owner, and the client of a command over HTTP. */
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
import { shareHandlers } from "./sharing/share-handlers";
import { workspaceHandlers } from "./project/workspace-handlers";
import type { CommandClient, Handlers } from "./handlers";
import { type HandlerServices, sessionReady } from "./services";

export function makeHandlers(services: HandlerServices): Handlers {
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
      ...shareHandlers(services),
      ...branchHandlers(services),
      ...changeHandlers(services),
      ...historyHandlers(services),
      ...workspaceHandlers(services),
    },
    ready: sessionReady(services),
    clientDisconnected(client) {
      stopWatching(client.id);
      services.projects.removeClient(client.id);
    },
    reportBug: services.reportBug,
  };
}

/** A command over HTTP has no connection that could join a session; the client is released after the answer. */
export const requestClient = (access: string): CommandClient => ({
  id: asId<ClientId>(access === "bearer" ? "commandline" : randomId<ClientId>("request")),
  access: "owner",
  bearer: access === "bearer",
  join: () => {},
  leave: () => {},
});
