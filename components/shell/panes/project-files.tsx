"use client";
/** The file tree of a project, with the histories that its menu opens. Loaded when it is first shown. */
import type { ProjectId } from "@/lib/events/id";
import { HistoryHost } from "../../changes/history/history-host";
import { FileTree } from "../../files/file-tree";

interface ProjectFilesProps {
  readonly projectId: ProjectId;
  readonly onOpened?: () => void;
}

export const ProjectFiles = ({ projectId, onOpened }: ProjectFilesProps) => (
  <>
    <FileTree projectId={projectId} onOpened={onOpened} />
    <HistoryHost projectId={projectId} pane="files" />
  </>
);
