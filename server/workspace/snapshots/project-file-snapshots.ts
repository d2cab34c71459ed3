/**
 * Adapter: file snapshots of a project in the store, and recovery of commands that a killed process left unfinished.
 */
import { join } from "node:path";
import type { CallId, SessionId } from "@/lib/events/id";
import { type PreviousState, toPreviousState } from "./found-changes";
import type { Store } from "@/server/store/open-store";
import type { FileSnapshotsOptions } from "./file-snapshots";
import { openProjectGit } from "../git/project-git";
import type { OpenProject, Projects } from "../projects/projects";

export interface ProjectFileSnapshotsOptions {
  readonly store: Pick<Store, "fileSnapshots" | "blobs">;
  /** The application's data folder. */
  readonly home: string;
  readonly environment: NodeJS.Dict<string>;
  readonly maxFiles?: number;
  /** Records previous states of files found changed by a call of a session; nothing if the session was deleted. */
  recordFoundChanges(sessionId: SessionId, callId: CallId, states: readonly PreviousState[]): void;
  now(): number;
  /** Something could not be stored. Must not throw. */
  trouble(error: unknown): void;
}

/** Snapshot options of one project. */
export function projectFileSnapshots(
  { store, home, environment, maxFiles, recordFoundChanges, now, trouble }: ProjectFileSnapshotsOptions,
  { project, root, trusted }: Pick<OpenProject, "project" | "root" | "trusted">,
): Omit<FileSnapshotsOptions, "policy"> {
  const { fileSnapshots, blobs } = store;
  const projectId = project.id;
  const indexFile = join(home, "snapshots", `${projectId}.index`);
  return {
    now,
    maxFiles,
    onError: trouble,
    git: {
      indexFile,
      async open(signal) {
        const git = await openProjectGit({ root, trusted }, environment, signal, indexFile);
        return git.ok && typeof git.value !== "string" ? git.value : null;
      },
    },
    index: {
      pages: () => fileSnapshots.pages(projectId),
      get: (path) => fileSnapshots.get(projectId, path),
      update: (change) => fileSnapshots.update(projectId, change),
      commandStarted: (command) => fileSnapshots.markCommandOpen({ projectId, ...command }),
      commandEnded: (command) => fileSnapshots.clearOpenCommand({ projectId, ...command }),
      openCommands: () => fileSnapshots.listOpenCommands().filter((command) => command.projectId === projectId),
      storeBlob: (bytes) => blobs.put(bytes),
    },
    onLostChanges(commands, { changes }) {
      const states = changes.map(({ path, before }) =>
        before === null ? { path, before: null, mode: 0 } : toPreviousState({ path, ...before }),
      );
      // With several commands at once the author is unknown: each of them can restore the file.
      if (states.length > 0)
        for (const { sessionId, callId } of commands) recordFoundChanges(sessionId, callId, states);
    },
  };
}

/** After a start: scans projects in which a command was running, before their next command. */
export async function recoverInterruptedCommands(
  store: Pick<Store, "fileSnapshots">,
  projects: Pick<Projects, "get">,
): Promise<void> {
  for (const projectId of new Set(store.fileSnapshots.listOpenCommands().map((command) => command.projectId))) {
    const project = await projects.get(projectId);
    if (project.ok) project.value.snapshots?.begin();
  }
}
