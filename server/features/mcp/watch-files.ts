/** Reports edits of the files with servers to pages that show them. Files are compared by their times, also on network drives. */
import { unwatchFile, watchFile } from "node:fs";
import type { ProjectId } from "@/lib/events/id";
import { lookMs } from "./mcp-file";

/** A page that is open queries the servers again after each report and every five minutes, which extends the time. */
const watchedMs = 600_000;
const intervalMs = 500;

export interface FileWatch {
  /** Watches the files of a project from now on, for ten minutes. */
  watch(projectId: ProjectId, paths: readonly string[]): void;
  /** The projects whose files are watched. */
  watched(): readonly ProjectId[];
  close(): void;
}

interface WatchedProject {
  readonly timer: NodeJS.Timeout;
  end(): void;
}

/** `onEdit` is called when the file is read again, not before. */
export function makeFileWatch(onEdit: (projectId: ProjectId) => void): FileWatch {
  const projects = new Map<ProjectId, WatchedProject>();
  return {
    watch(projectId, paths) {
      const watched = projects.get(projectId);
      if (watched !== undefined) return void watched.timer.refresh();
      let report: NodeJS.Timeout | undefined;
      const edited = (): void => {
        clearTimeout(report);
        report = setTimeout(() => onEdit(projectId), lookMs).unref();
      };
      for (const path of paths) watchFile(path, { persistent: false, interval: intervalMs }, edited);
      const end = (): void => {
        for (const path of paths) unwatchFile(path, edited);
        clearTimeout(report);
        clearTimeout(timer);
        projects.delete(projectId);
      };
      const timer = setTimeout(end, watchedMs).unref();
      projects.set(projectId, { timer, end });
    },
    watched: () => [...projects.keys()],
    close() {
      for (const { end } of [...projects.values()]) end();
    },
  };
}
