"use client";
/** Source control of a project. Loaded when it is first shown. */
import type { ProjectId } from "@/lib/events/id";
import { SourcePane } from "../../changes/source/source-pane";
import { useSourceLinks } from "./use-source-links";

interface ProjectSourceProps {
  readonly projectId: ProjectId;
  readonly onChosen?: () => void;
}

export const ProjectSource = (props: ProjectSourceProps) => <SourcePane {...props} links={useSourceLinks()} />;
