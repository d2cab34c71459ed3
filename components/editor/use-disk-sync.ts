"use client";
/** Synchronises open files with the disk: watches folders, compares on changes and reconnects. */
import { useCallback, useEffect, useMemo } from "react";
import type { ProjectId } from "@/lib/events/id";
import type { PushOf } from "@/lib/protocol/topics";
import { parentFolder } from "@/lib/workspace/project-path";
import { useClient } from "../state/client";
import { useTopic } from "../state/use-topic";
import type { OpenFiles } from "./open-files";

/** The folders that contain the file; their `.editorconfig` files apply to it. */
function foldersAbove(path: string): readonly string[] {
  const names = path.split("/").slice(0, -1);
  return ["", ...names.map((_, index) => names.slice(0, index + 1).join("/"))];
}

const isEditorConfig = (path: string): boolean => /(?:^|\/)\.editorconfig$/.test(path);

export function useDiskSync(projectId: ProjectId, { documents }: OpenFiles, tabs: readonly string[]): void {
  const client = useClient();
  const folders = useMemo(() => [...new Set(tabs.flatMap(foldersAbove))], [tabs]);
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
        if (push === null || push.paths.some(isEditorConfig)) documents.stylesChanged();
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
}
