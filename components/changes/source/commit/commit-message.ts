/** The message of the next commit of a project, stored in the browser until it is made. */
import type { ProjectId } from "@/lib/events/id";

const storageKeyPrefix = "gopi-web.commit-message.";

export function readCommitMessage(projectId: ProjectId): string {
  try {
    return localStorage.getItem(storageKeyPrefix + projectId) ?? "";
  } catch {
    return "";
  }
}

export function writeCommitMessage(projectId: ProjectId, message: string): void {
  try {
    if (message === "") localStorage.removeItem(storageKeyPrefix + projectId);
    else localStorage.setItem(storageKeyPrefix + projectId, message);
  } catch {
    // Without storage the message lasts as long as the pane.
  }
}
