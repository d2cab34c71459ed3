/** Where the states of projects' files are kept, and what becomes of commands that a killed process left without an end. Joined by core. */
import type { ProjectId, SessionId } from "@/lib/id";
import { stateOf } from "./found-changes";
import type { Session } from "./session/session";
import type { Store } from "./store/open-store";
import type { ImagesOptions } from "./workspace/images";
import type { Projects } from "./workspace/projects";

export interface ProjectImagesOptions {
  readonly store: Pick<Store, "fileImages" | "blobs">;
  /** undefined = there is none any more. */
  session(id: SessionId): Session | undefined;
  now(): number;
  /** Something could not be stored. Must not throw. */
  trouble(error: unknown): void;
}

/** The index of one project. */
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
      // Of several at once nobody can tell whose it was: each can put it back.
      if (states.length > 0)
        for (const { sessionId, callId } of commands) session(sessionId)?.files.found(callId, states);
    },
  };
}

/** After a start: projects in which a command was running are looked at, before the next command of theirs. */
export async function lookAfterKill(store: Pick<Store, "fileImages">, projects: Pick<Projects, "get">): Promise<void> {
  for (const projectId of new Set(store.fileImages.open().map((command) => command.projectId))) {
    const project = await projects.get(projectId);
    if (project.ok) project.value.images?.begin();
  }
}
