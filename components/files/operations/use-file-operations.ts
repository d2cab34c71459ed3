"use client";
/** Operations of the file tree on several entries: clipboard, and the question before unsaved text is lost. */
import { useState } from "react";
import type { ProjectId } from "@/lib/events/id";
import { isWithin, joinPath } from "@/lib/workspace/project-path";
import { useFullMessages } from "../../messages/full-messages";
import { useClient } from "../../state/client";
import { addToMessage } from "../../state/workbench/add-to-message";
import { setExpanded } from "../../state/workbench/layout";
import { useServerState } from "../../state/use-server-state";
import { copyText } from "../../ui/controls/copy-button";
import { movablePaths } from "./drop-targets";
import { downloadArchive, downloadFile } from "./download-files";
import { copyFiles, deleteFiles, moveFiles } from "./file-operations";
import type { TreeMenuActions } from "../tree-menu-items";
import { chosenFiles, readDroppedEntries, type UploadSource } from "../upload/upload-source";

interface FileClipboard {
  readonly kind: "cut" | "copy";
  readonly paths: readonly string[];
}

interface FileOperationEvents {
  /** Entries were moved or copied to these paths. */
  readonly onCreated: (paths: readonly string[]) => void;
  /** These paths are being deleted. */
  readonly onRemove: (paths: readonly string[]) => void;
}

export function useFileOperations(projectId: ProjectId, { onCreated, onRemove }: FileOperationEvents) {
  const client = useClient();
  const messages = useFullMessages();
  const root = useServerState("projects")?.find(({ id }) => id === projectId)?.path ?? "";
  const [clipboard, setClipboard] = useState<FileClipboard | null>(null);
  const [asking, setAsking] = useState<{
    readonly paths: readonly string[];
    readonly unsaved: readonly string[];
  } | null>(null);
  const context = { client, messages, projectId };
  const run = (work: Promise<readonly string[]>): void =>
    void work.then((paths) => {
      if (paths.length > 0) onCreated(paths);
    });
  const remove = (paths: readonly string[]): void => {
    onRemove(paths);
    void deleteFiles(context, paths);
  };
  const move = (paths: readonly string[], folder: string): void => run(moveFiles(context, paths, folder));
  const upload = async (folder: string, source: UploadSource): Promise<readonly string[]> => {
    if (folder !== "") client.workbench.changeLayout((layout) => setExpanded(layout, folder, true));
    const { uploadFiles } = await import("../upload/upload-files");
    return uploadFiles(context, folder, source);
  };
  return {
    clipboard,
    setClipboard,
    /** The deletion that waits for an answer, with the files whose text is not saved. */
    asking,
    answer: (isYes: boolean): void => {
      setAsking(null);
      if (isYes && asking !== null) remove(asking.paths);
    },
    /** Asks first if text that is not saved would be lost. */
    remove: (paths: readonly string[]): void => {
      const unsaved = (client.handles.unsavedFiles?.list(projectId) ?? []).filter((file) =>
        paths.some((path) => isWithin(path, file)),
      );
      if (unsaved.length > 0) setAsking({ paths, unsaved });
      else remove(paths);
    },
    move,
    duplicate: (paths: readonly string[]): void => run(copyFiles(context, paths)),
    paste: (folder: string): void => {
      if (clipboard === null) return;
      if (clipboard.kind === "copy") return run(copyFiles(context, clipboard.paths, folder));
      setClipboard(null);
      const paths = movablePaths(clipboard.paths, folder);
      if (paths.length > 0) move(paths, folder);
    },
    uploadChosen: (folder: string, files: readonly File[]): void => {
      if (files.length > 0) run(upload(folder, chosenFiles(files)));
    },
    uploadDropped: (folder: string, entries: readonly FileSystemEntry[]): void =>
      void readDroppedEntries(entries).then(
        (source) => run(upload(folder, source)),
        () => client.toasts.show({ text: messages.files.failed, look: "danger" }),
      ),
    download: (path: string): void => void downloadFile(context, path),
    /** "" in the paths = the project. */
    downloadArchive: (paths: readonly string[]): void => void downloadArchive(context, paths),
    copyPaths: (paths: readonly string[], isRelative: boolean): void =>
      void copyText(paths.map((path) => (isRelative ? path : joinPath(root, path))).join("\n")),
    addToMessage: (paths: readonly string[]): void =>
      addToMessage(
        client,
        paths.map((path) => ({ kind: "file", path }) as const),
      ),
    /** Undefined while no composer is shown. */
    pin: (paths: readonly string[]): TreeMenuActions["pin"] => {
      const pins = client.handles.composer?.pins ?? null;
      if (pins === null) return undefined;
      const isPinned = paths.every(pins.isPinned);
      return { isPinned, perform: () => paths.forEach((path) => void pins.setPinned(path, !isPinned)) };
    },
  };
}
