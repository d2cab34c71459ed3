"use client";
/** Synchronises open files with the disk: watches folders, compares on changes and reconnects, warns before unload. */
import { useEffect, useMemo } from "react";
import type { ProjectId } from "@/lib/id";
import { useClient } from "../state/client";
import { anyDirty, type OpenFiles } from "./documents-of";

const folderOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf("/")));

export function useDisk(projectId: ProjectId, { documents }: OpenFiles, tabs: readonly string[]): void {
  const client = useClient();
  const folders = useMemo(() => [...new Set(tabs.map(folderOf))], [tabs]);
  useEffect(() => client.watching.show(projectId, "editor", folders), [client, projectId, folders]);
  useEffect(
    () =>
      client.onPush((push) => {
        if (push.type !== "files" || push.projectId !== projectId) return;
        const touched = [...documents.get().keys()].filter(
          (path) => push.paths.includes(path) || push.folders.includes(folderOf(path)),
        );
        documents.changedOnDisk(touched);
      }),
    [client, projectId, documents],
  );
  useEffect(
    () =>
      client.connection.state.subscribe(() => {
        if (client.connection.state.get() === "online") documents.changedOnDisk("all");
      }),
    [client, documents],
  );
  useEffect(() => {
    const warn = (event: BeforeUnloadEvent): void => {
      documents.keepDrafts();
      if (anyDirty(client)) event.preventDefault();
    };
    addEventListener("beforeunload", warn);
    addEventListener("pagehide", documents.keepDrafts);
    return () => {
      removeEventListener("beforeunload", warn);
      removeEventListener("pagehide", documents.keepDrafts);
    };
  }, [client, documents]);
}
