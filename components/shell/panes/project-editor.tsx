"use client";
/**
 * The editor of a project, with the review of the open session's changes, and the histories and commits that its menu
 * opens. Loaded when it is first shown.
 */
import { type ReactNode, useCallback } from "react";
import type { ProjectId, SessionId } from "@/lib/events/id";
import { HistoryHost } from "../../changes/history/history-host";
import { EditorReviewHost } from "../../changes/review/in-editor/editor-review-host";
import type { DrawBesideText, ShownText } from "../../editor/code-area";
import { SplitEditor } from "../../editor/split-editor";
import { useSession } from "../session/use-session";

interface ProjectEditorProps {
  readonly projectId: ProjectId;
  readonly sessionId: SessionId | null;
  readonly children: ReactNode;
}

export function ProjectEditor({ projectId, sessionId, children }: ProjectEditorProps) {
  const drawReview: DrawBesideText = useCallback(
    (text) => <SessionReview key={sessionId} {...{ projectId, sessionId, text }} />,
    [projectId, sessionId],
  );
  return (
    <>
      <SplitEditor projectId={projectId} drawBeside={drawReview}>
        {children}
      </SplitEditor>
      <HistoryHost projectId={projectId} pane="editor" />
    </>
  );
}

interface SessionReviewProps extends Omit<ProjectEditorProps, "children"> {
  readonly text: ShownText;
}

function SessionReview({ projectId, sessionId, text }: SessionReviewProps) {
  const { view } = useSession(sessionId).session;
  return view?.projectId === projectId && <EditorReviewHost session={view} {...text} />;
}
