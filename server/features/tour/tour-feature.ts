/**
 * The tour of a running server: a sample project with a connection whose answers are written in advance. Its end deletes
 * both, with the sessions and the trash of the project.
 */
import { fail, ok, type Result } from "@/lib/events/error";
import type { ProjectId } from "@/lib/events/id";
import { tourConnectionId } from "@/lib/models/tour";
import { untilAborted } from "@/server/base/abort";
import { makeSlots } from "@/server/base/concurrency";
import { makeTourConnection } from "@/server/tour/tour-connection";
import { openTourFolder, removeDeadTours, type TourFolder } from "@/server/tour/tour-folder";
import { isTourProject } from "@/server/tour/tour-project";
import type { Feature, FeatureHost } from "../feature";

interface RunningTour {
  readonly folder: TourFolder;
  readonly projectId: ProjectId;
  detach(): void;
}

type TourHost = Pick<FeatureHost, "access" | "now" | "projects" | "push" | "sessions" | "store" | "toolEnvironments">;

export function tourFeature({ access, now, projects, push, sessions, store, toolEnvironments }: TourHost) {
  /** A tour starts or ends alone. */
  const inTurn = makeSlots(1);
  let running: RunningTour | null = null;
  let returnTo: ProjectId | null = null;
  let isCleanedUp = false;

  /** Deletes what a process that was ended during a tour has left. */
  const cleanUp = async (): Promise<void> => {
    if (isCleanedUp) return;
    const left = store.projects.list().filter(isTourProject);
    for (const { id } of left) await deleteProject(id);
    if (left.length > 0) await removeDeadTours();
    isCleanedUp = true;
  };
  const begin = async (): Promise<Result<RunningTour>> => {
    await cleanUp();
    const folder = await openTourFolder();
    const opened = await projects.open(folder.project);
    if (!opened.ok) {
      folder.remove();
      return opened;
    }
    const { project } = opened.value;
    const detach = access.connections.attach(makeTourConnection({ projectId: project.id }));
    return ok({ folder, projectId: project.id, detach });
  };
  const deleteProject = async (projectId: ProjectId): Promise<void> => {
    for (const id of store.sessions.listOf(projectId)) {
      await sessions.remove(id);
      await sessions.purge({ sessionId: id });
    }
    await emptyTrash(toolEnvironments.trash, projectId);
    projects.forget(projectId);
    const project = store.projects.get(projectId);
    store.projects.delete(projectId);
    if (project !== undefined) push({ type: "project", project: { ...project, removedAt: now() } });
  };
  const end = async ({ folder, projectId, detach }: RunningTour): Promise<void> => {
    await deleteProject(projectId);
    detach();
    folder.remove();
  };
  return {
    commands: {
      "tour.start": ({ projectId }) =>
        inTurn(async () => {
          if (running === null) {
            // The whole server is a tour.
            if (access.connections.live().has(tourConnectionId)) return fail("not_allowed");
            const begun = await begin();
            if (!begun.ok) return begun;
            running = begun.value;
            returnTo = projectId;
          }
          const opened = await projects.get(running.projectId);
          if (!opened.ok) return opened;
          const view = await opened.value.view();
          push({ type: "project", project: view.project });
          return ok(view);
        }),
      "tour.end": () =>
        inTurn(async () => {
          if (running !== null) await end(running);
          running = null;
          return ok({ returnTo });
        }),
    },
    async start(signal) {
      await inTurn(cleanUp);
      await untilAborted(signal);
      await inTurn(async () => running?.folder.remove());
    },
  } satisfies Feature;
}

/** Deletes the trash of a project permanently. */
async function emptyTrash(trash: TourHost["toolEnvironments"]["trash"], projectId: ProjectId): Promise<void> {
  for (;;) {
    const { entries, more } = await trash.list({ projectId });
    for (const { id } of entries) await trash.remove(id);
    if (!more || entries.length === 0) return;
  }
}
