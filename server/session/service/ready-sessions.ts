/** Waits until a session can send something to the model, or run a call. */
import type { Result } from "@/lib/events/error";
import type { SessionId } from "@/lib/events/id";
import { neverAborted } from "@/server/base/abort";
import type { Session } from "../core/session-types";
import type { SessionLookup, SessionServiceOptions } from "./session-service";

export type ReadySessions = ReturnType<typeof makeReadySessions>;

/** The session once its folder can be described to the model and its tools are available. */
export const makeReadySessions =
  ({ projects, loadToolSources, prepareContext }: SessionServiceOptions, { writable }: SessionLookup) =>
  async (id: SessionId, prepare?: (session: Session) => Promise<void>): Promise<Result<Session>> => {
    const session = writable(id);
    if (!session.ok) return session;
    const { projectId } = session.value.view;
    const sources = loadToolSources(projectId).then(() => prepareContext(projectId));
    await Promise.all([projects.waitUntilReady(projectId), sources]);
    await prepare?.(session.value);
    await session.value.readPins(neverAborted);
    return writable(id);
  };
