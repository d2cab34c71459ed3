"use client";
/** Parts of settings sections: the choice of a project with its header, and what is shown until a section has loaded. */
import type { UseQueryResult } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import type { ProjectId } from "@/lib/events/id";
import type { Project } from "@/lib/workspace/project";
import { useFullMessages } from "../messages/full-messages";
import { useClient } from "../state/client";
import { useStore } from "../state/store";
import { Button } from "../ui/controls/button";
import { Select } from "../ui/controls/select";
import { Skeleton } from "../ui/indicators/skeleton";
import { SectionTitle } from "./fields/section-title";

interface ShownProject {
  /** Undefined = there are no projects. */
  readonly project: Project | undefined;
  readonly choose: (id: ProjectId | null) => void;
}

/** Returns the project of the address, else the one that was chosen, the open one, or the first. */
export function useShownProject(projects: readonly Project[], ofAddress?: string): ShownProject {
  const openProject = useStore(useClient().workbench, ({ projectId }) => projectId);
  const [chosen, choose] = useState<ProjectId | null>(null);
  const wanted = [ofAddress, chosen, openProject].flatMap((id) => projects.filter((one) => one.id === id));
  return { project: wanted[0] ?? projects[0], choose };
}

interface ProjectHeaderProps extends ShownProject {
  readonly title: string;
  readonly about: string;
  readonly projects: readonly Project[];
}

export function ProjectHeader({ title, about, projects, project, choose }: ProjectHeaderProps) {
  const { settings } = useFullMessages();
  return (
    <div className="flex flex-wrap items-start gap-x-6 gap-y-3">
      <div className="min-w-0 flex-1 basis-72">
        <SectionTitle title={title} />
        <p className="max-w-[68ch] text-ink-muted">{about}</p>
      </div>
      {project !== undefined && projects.length > 1 && (
        <Select
          aria-label={settings.project}
          value={String(project.id)}
          options={projects.map(({ id, name }) => ({ value: String(id), label: name }))}
          onChange={(id) => choose(projects.find((one) => one.id === id)?.id ?? null)}
          className="max-w-52"
        />
      )}
    </div>
  );
}

interface LoadedQueryProps<T> {
  readonly query: UseQueryResult<T>;
  /** Sentence for a failure. */
  readonly failed: string;
  readonly children: (data: T) => ReactNode;
}

/** Draws the data of a query; before that a placeholder, or the failure with a button that loads again. */
export function LoadedQuery<T>({ query, failed, children }: LoadedQueryProps<T>) {
  const { common } = useFullMessages();
  if (query.data !== undefined) return children(query.data);
  if (!query.isError) return <Skeleton label={common.loading} className="h-24" />;
  return (
    <p role="alert" className="flex flex-wrap items-center gap-3">
      {failed}
      <Button size="small" onClick={() => void query.refetch()}>
        {common.retry}
      </Button>
    </p>
  );
}
