/**
 * Adapter: file snapshots of a project in the store, and recovery of commands that a killed process left unfinished.
 */
import type { ProjectId, SessionId } from "@/lib/id";
import { stateOf } from "./found-changes";
import type { Session } from "./session/session";
import type { Store } from "./store/open-store";
import type { ImagesOptions } from "./workspace/images";
import type { Projects } from "./workspace/projects";

export interface ProjectImagesOptions {
  readonly store: Pick<Store, "fileImages" | "blobs">;
  /** undefined = deleted. */
  session(id: SessionId): Session | undefined;
  now(): number;
  /** Something could not be stored. Must not throw. */
  trouble(error: unknown): void;
}

/** Snapshot options of one project. */
export function projectImages(
  { store, session, now, trouble }: ProjectImagesOptions,
  projectId: ProjectId,
): Omit<ImagesOptions, "policy"> {
  const { fileImages, blobs } = store;
  return {
    now,
    trouble,
    index: {
      pages: () => fileImages.pages(projectId),
      get: (path) => fileImages.get(projectId, path),
      update: (change) => fileImages.update(projectId, change),
      opened: (command) => fileImages.opened({ projectId, ...command }),
      closed: (command) => fileImages.closed({ projectId, ...command }),
      open: () => fileImages.open().filter((command) => command.projectId === projectId),
      keep: (bytes) => blobs.put(bytes),
    },
    lost(commands, { changes }) {
      const states = changes.map(({ path, before }) =>
        before === null ? { path, before: null, mode: 0 } : stateOf({ path, ...before }),
      );
      // With several commands at once the author is unknown: each of them can restore the file.
      if (states.length > 0)
        for (const { sessionId, callId } of commands) session(sessionId)?.files.found(callId, states);
    },
  };
}

/** After a start: scans projects in which a command was running, before their next command. */
export async function lookAfterKill(store: Pick<Store, "fileImages">, projects: Pick<Projects, "get">): Promise<void> {
  for (const projectId of new Set(store.fileImages.open().map((command) => command.projectId))) {
    const project = await projects.get(projectId);
    if (project.ok) project.value.images?.begin();
  }
}
