"use client";
/** Current location of the workbench: project and session with their loaded state, shared by header, bars and panes. */
import { skipToken } from "@tanstack/react-query";
import { useEffect } from "react";
import type { ProjectView } from "@/lib/protocol/answers";
import type { ProjectId, SessionId } from "@/lib/events/id";
import type { Project } from "@/lib/workspace/project";
import { useClient } from "../../state/client";
import { useCommandQuery } from "../../state/use-command-query";
import { useServerState } from "../../state/use-server-state";
import type { OpenSession } from "../../state/session/open-session-store";
import { useStore } from "../../state/store";
import { useProjectFiles } from "../../state/use-topic";
import { readTabProject } from "../../state/workbench/workbench-store";
import { browserStorage } from "../boot/browser-storage";
import type { Route } from "./router";
import { useSession } from "../session/use-session";

export interface WorkbenchLocation {
  readonly projects: readonly Project[];
  readonly projectId: ProjectId | null;
  readonly project: ProjectView | undefined;
  readonly sessionId: SessionId | null;
  readonly session: OpenSession;
  /** The first response of the server has arrived. */
  readonly isLoaded: boolean;
}

export function useWorkbenchLocation(route: Route): WorkbenchLocation {
  const { workbench } = useClient();
  const projects = useServerState("projects");
  const projectId = useStore(workbench, (state) => state.projectId);
  const project = useCommandQuery("project.open", projectId === null ? skipToken : { projectId }).data;
  useProjectFiles(projectId);
  const sessionId = route.page === "session" ? route.id : null;
  const { session } = useSession(sessionId);
  const ofSession = session.view?.projectId;
  useEffect(() => {
    if (ofSession !== undefined) return workbench.showProject(ofSession);
    if (projects === undefined || workbench.get().projectId !== null) return;
    const remembered = readTabProject(browserStorage());
    const first = projects.find((one) => one.id === remembered) ?? projects[0];
    // A session sets its own project as soon as it is open.
    if (first !== undefined && sessionId === null) workbench.showProject(first.id);
  }, [workbench, projects, ofSession, sessionId]);
  return { projects: projects ?? [], projectId, project, sessionId, session, isLoaded: projects !== undefined };
}
