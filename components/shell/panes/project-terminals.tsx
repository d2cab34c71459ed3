"use client";
/** The terminals of a project, with the file references in their output opened in the editor. */
import type { ReactNode } from "react";
import type { ProjectId } from "@/lib/events/id";
import { useMessages } from "../../messages/messages";
import { useClient } from "../../state/client";
import { TerminalPane } from "../../terminal/terminal-pane";
import { openReference } from "../session/open-reference";

interface ProjectTerminalsProps {
  readonly projectId: ProjectId;
  readonly onEmpty: (() => void) | undefined;
  readonly children: ReactNode;
}

export function ProjectTerminals({ projectId, onEmpty, children }: ProjectTerminalsProps) {
  const client = useClient();
  const messages = useMessages();
  return (
    <TerminalPane
      projectId={projectId}
      onEmpty={onEmpty}
      openFile={(path, line) => void openReference({ client, messages }, path, line)}
    >
      {children}
    </TerminalPane>
  );
}
