"use client";
/** Current location of the workbench: project and session with their loaded state, shared by header, bars and panes. */
import { useQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import type { ProjectView } from "@/lib/answers";
import type { ProjectId, SessionId } from "@/lib/id";
import type { Project } from "@/lib/project";
import { useClient } from "../state/client";
import { queries } from "../state/queries";
import type { OpenSession } from "../state/session-store";
import { useStore } from "../state/store";
import { rememberedProject } from "../state/workbench-store";
import { browserStorage } from "./browser-storage";
import type { Route } from "./router";
import { useSession } from "./use-session";

export interface Place {
  readonly projects: readonly Project[];
  readonly projectId: ProjectId | null;
  readonly project: ProjectView | undefined;
  readonly sessionId: SessionId | null;
  readonly session: OpenSession;
  /** The first response of the server has arrived. */
  readonly isWelcome: boolean;
}

export function usePlace(route: Route): Place {
  const { call, workbench } = useClient();
  const welcome = useQuery(queries.welcome()).data;
  const projectId = useStore(workbench, (state) => state.projectId);
  const project = useQuery(queries.project(call, projectId)).data;
  const sessionId = route.page === "session" ? route.id : null;
  const { session } = useSession(sessionId);
  const ofSession = session.view?.projectId;
  const projects = welcome?.projects;
  useEffect(() => {
    if (ofSession !== undefined) return workbench.showProject(ofSession);
    if (projects === undefined || workbench.get().projectId !== null) return;
    const remembered = rememberedProject(browserStorage());
    const first = projects.find((one) => one.id === remembered) ?? projects[0];
    // A session sets its own project as soon as it is open.
    if (first !== undefined && sessionId === null) workbench.showProject(first.id);
  }, [workbench, projects, ofSession, sessionId]);
  return { projects: projects ?? [], projectId, project, sessionId, session, isWelcome: welcome !== undefined };
}
