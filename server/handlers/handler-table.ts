/** The table of the owner's commands, and the client of a command over HTTP. */
import { ok } from "@/lib/events/error";
import { asId, type ClientId, type ProjectId } from "@/lib/events/id";
import type { CommandName } from "@/lib/protocol/command";
import { randomId } from "@/server/base/id";
import type { SessionService } from "@/server/session/service/session-service";
import { type AppServices, appHandlers } from "./app/app-handlers";
import { configHandlers } from "./app/config-handlers";
import type { CoreServices } from "./core-services";
import { connectionHandlers } from "./models/connection-handlers";
import { modelHandlers } from "./models/model-handlers";
import { guardHandlers } from "./project/guard-handlers";
import { workspaceHandlers } from "./project/workspace-handlers";
import { branchHandlers } from "./session/branch-handlers";
import { changeHandlers } from "./session/change-handlers";
import { historyHandlers } from "./session/history-handlers";
import { imageHandlers } from "./session/image-handlers";
import { reviewHandlers } from "./session/review-handlers";
import { sessionHandlers } from "./session/session-handlers";
import { clientOrigin, type CommandClient, type Handlers, type HandlerTable } from "./handlers";

/** The features as the commands of the core use them. */
interface LoadedFeatures {
  /** Name of a model that a feature uses: it is not removed, and no other is loaded. null = none. */
  usedModel(): string | null;
  /** The user does not trust this project any more: ends at once what runs because of that trust. */
  trustWithdrawn(id: ProjectId): void;
}

/** Returns the handlers of all commands but those that a feature or the network has. */
export function makeHandlers(services: AppServices, { usedModel, trustWithdrawn }: LoadedFeatures) {
  const watching = makeModelWatch(services);
  return {
    table: {
      ...watching.commands,
      ...appHandlers(services),
      ...configHandlers(services),
      ...guardHandlers(services, trustWithdrawn),
      ...modelHandlers(services, usedModel),
      ...connectionHandlers(services),
      ...sessionHandlers(services),
      ...imageHandlers(services),
      ...branchHandlers(services),
      ...changeHandlers(services),
      ...reviewHandlers(services),
      ...historyHandlers(services),
      ...workspaceHandlers(services),
    },
    ready: sessionReady(services),
    clientDisconnected({ id }) {
      watching.stop(id);
      services.projects.removeClient(id);
    },
    reportBug: services.reportBug,
  } satisfies Handlers;
}

/** Keeps the state of the models current for each client that watches it. */
function makeModelWatch({ access: { models, connections } }: CoreServices) {
  const watching = new Map<ClientId, () => void>();
  const stop = (id: ClientId): void => {
    watching.get(id)?.();
    watching.delete(id);
  };
  return {
    stop,
    commands: {
      "models.watch": ({ on }, { id }) => {
        if (!on) stop(id);
        else if (!watching.has(id)) {
          const stops = [models.watch(), connections.watch()];
          watching.set(id, () => stops.forEach((one) => one()));
        }
        return ok(null);
      },
    } satisfies Partial<HandlerTable>,
  };
}

/** Commands that do not need a session's log and therefore do not load it. */
const commandsWithoutLog: ReadonlySet<CommandName> = new Set<CommandName>([
  "session.close",
  "session.restore",
  "session.purge",
  "share.create",
  "share.list",
  "decisions.list",
]);

/**
 * Implements Handlers.ready: loads a session's log in slices before a command that needs it; commands keep their order.
 */
export const sessionReady =
  ({
    sessions,
  }: {
    readonly sessions: Pick<SessionService, "ready" | "waitForRead">;
  }): NonNullable<Handlers["ready"]> =>
  (id, name, signal) =>
    commandsWithoutLog.has(name) ? sessions.waitForRead(id, signal) : sessions.ready(id, signal);

/** A command over HTTP has no connection that could join a session; the client is released after the answer. */
export const requestClient = (access: string): CommandClient => ({
  id: asId<ClientId>(access === "bearer" ? "commandline" : randomId<ClientId>("request")),
  access: "owner",
  ...clientOrigin(access),
  join: () => {},
  leave: () => {},
});
