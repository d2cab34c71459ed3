/** Folders displayed in this tab, by the tree and by open files together; the server watches exactly these. */
import type { ProjectId } from "@/lib/events/id";
import { limits } from "@/lib/settings/settings";
import type { ServerConnection } from "./connection/server-connection";

type ScreenPart = "tree" | "editor" | "marks" | "pins";

export interface WatchedFolders {
  /** Sets the folders of one part of the screen. Another project replaces those of the previous one. */
  readonly show: (projectId: ProjectId, part: ScreenPart, folders: readonly string[]) => void;
  /** Sends all folders again on a new connection. */
  readonly resend: () => void;
}

/** Changes within this time are merged into one call. */
const joinMs = 20;

export function createWatchedFolders(call: ServerConnection["call"]): WatchedFolders {
  let projectId: ProjectId | null = null;
  const parts = new Map<ScreenPart, readonly string[]>();
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
    resend: () => {
      sent = "";
      soon();
    },
  };
}
