"use client";
/** Synchronises open files with the disk: watches folders, compares on changes and reconnects, warns before unload. */
import { useCallback, useEffect, useMemo } from "react";
import type { ProjectId } from "@/lib/events/id";
import type { PushOf } from "@/lib/protocol/topics";
import { useClient } from "../state/client";
import { useTopic } from "../state/use-topic";
import { hasUnsavedFiles, type OpenFiles } from "./open-files";

const parentFolder = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf("/")));

export function useDiskSync(projectId: ProjectId, { documents }: OpenFiles, tabs: readonly string[]): void {
  const client = useClient();
  const folders = useMemo(() => [...new Set(tabs.map(parentFolder))], [tabs]);
  useEffect(() => client.watchedFolders.show(projectId, "editor", folders), [client, projectId, folders]);
  useTopic(
    "files",
    projectId,
    useCallback(
      (push: PushOf<"files"> | null) => {
        const touched = [...documents.get().keys()].filter(
          (path) => push?.paths.includes(path) === true || push?.folders.includes(parentFolder(path)) === true,
        );
        documents.changedOnDisk(push === null ? "all" : touched);
      },
      [documents],
    ),
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
      documents.writeDrafts();
      if (hasUnsavedFiles(client)) event.preventDefault();
    };
    addEventListener("beforeunload", warn);
    addEventListener("pagehide", documents.writeDrafts);
    return () => {
      removeEventListener("beforeunload", warn);
      removeEventListener("pagehide", documents.writeDrafts);
    };
  }, [client, documents]);
}
