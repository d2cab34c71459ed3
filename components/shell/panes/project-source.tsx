"use client";
/** Source control of a project, which opens sessions in its work trees. Loaded when it is first shown. */
import type { ProjectId } from "@/lib/events/id";
import { SourcePane } from "../../changes/source/source-pane";
import { writeDraft } from "../../chat/composer/drafts/drafts";
import { useClient } from "../../state/client";
import { openNewSession } from "../navigation/open-new-session";

interface ProjectSourceProps {
  readonly projectId: ProjectId;
  readonly onChosen?: () => void;
}

export function ProjectSource({ projectId, onChosen }: ProjectSourceProps) {
  const { workbench } = useClient();
  return (
    <SourcePane
      projectId={projectId}
      onChosen={onChosen}
      onProject={(id, command) => {
        if (command !== "") writeDraft(`new.${id}`, `!${command}`);
        workbench.showProject(id);
        openNewSession(workbench);
      }}
    />
  );
}
