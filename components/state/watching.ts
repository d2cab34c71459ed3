/** Folders displayed in this tab, by the tree and by open files together; the server watches exactly these. */
import type { ProjectId } from "@/lib/id";
import { limits } from "@/lib/settings";
import type { Connection } from "./connection";

export interface Watching {
  /** Sets the folders of one part of the screen. Another project replaces those of the previous one. */
  readonly show: (projectId: ProjectId, part: "tree" | "editor", folders: readonly string[]) => void;
  /** Sends all folders again on a new connection. */
  readonly again: () => void;
}

/** Changes within this time are merged into one call. */
const joinMs = 20;

export function createWatching(call: Connection["call"]): Watching {
  let projectId: ProjectId | null = null;
  const parts = new Map<"tree" | "editor", readonly string[]>();
  let sent = "";
  let timer: ReturnType<typeof setTimeout> | undefined;

  const send = (): void => {
    timer = undefined;
    if (projectId === null) return;
    const folders = [...new Set([...parts.values()].flat())].slice(0, limits.watchedFolders);
    const text = JSON.stringify([projectId, folders]);
    if (text === sent) return;
    sent = text;
    void call("files.watch", { projectId, folders });
  };
  const soon = (): void => {
    timer ??= setTimeout(send, joinMs);
  };
  return {
    show: (project, part, folders) => {
      if (project !== projectId) parts.clear();
      projectId = project;
      parts.set(part, folders);
      soon();
    },
    again: () => {
      sent = "";
      soon();
    },
  };
}
