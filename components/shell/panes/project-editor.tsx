"use client";
/** The editor of a project, with the histories and commits that its menu opens. Loaded when it is first shown. */
import type { ReactNode } from "react";
import type { ProjectId } from "@/lib/events/id";
import { HistoryHost } from "../../changes/history/history-host";
import { SplitEditor } from "../../editor/split-editor";

interface ProjectEditorProps {
  readonly projectId: ProjectId;
  readonly children: ReactNode;
}

export const ProjectEditor = ({ projectId, children }: ProjectEditorProps) => (
  <>
    <SplitEditor projectId={projectId}>{children}</SplitEditor>
    <HistoryHost projectId={projectId} pane="editor" />
  </>
);
