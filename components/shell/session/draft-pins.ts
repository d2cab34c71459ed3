/** The files to be pinned to a session that does not exist yet, stored per tab. */
import type { ProjectId } from "@/lib/events/id";
import type { CommandRequest } from "@/lib/protocol/command";

/** The project, and the model of the new session. */
export type NewSessionPlace = Omit<CommandRequest<"session.preview_pins">, "paths">;

const storageKeyPrefix = "gopi-web.draft-pins.";

/** The file that was pinned last is the last one. */
export function readDraftPins(projectId: ProjectId): readonly string[] {
  try {
    const stored: unknown = JSON.parse(sessionStorage.getItem(storageKeyPrefix + projectId) ?? "[]");
    return Array.isArray(stored) ? stored.filter((path) => typeof path === "string") : [];
  } catch {
    return [];
  }
}

export function writeDraftPins(projectId: ProjectId, paths: readonly string[]): void {
  try {
    if (paths.length === 0) sessionStorage.removeItem(storageKeyPrefix + projectId);
    else sessionStorage.setItem(storageKeyPrefix + projectId, JSON.stringify(paths));
  } catch {
    // Cannot be fixed here: storage is full or disabled.
  }
}
