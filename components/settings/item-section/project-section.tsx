"use client";
/** Parts of settings sections: the choice of a project with its header, and what is shown until a section has loaded. */
import { skipToken, type SkipToken, type UseQueryResult } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import type { ProjectId } from "@/lib/events/id";
import type { Project } from "@/lib/workspace/project";
import { useFullMessages } from "../../messages/full-messages";
import { useClient } from "../../state/client";
import { CallError } from "../../state/command-query";
import { useStore } from "../../state/store";
import { Button } from "../../ui/controls/button";
import { Select } from "../../ui/controls/select";
import { Skeleton } from "../../ui/indicators/skeleton";
import { type ItemKind, parseItemAddress, useOpenItem } from "./open-item";
import { SectionTitle } from "./section-title";

export interface ShownProject {
  readonly projects: readonly Project[];
  /** Undefined = there are no projects. */
  readonly project: Project | undefined;
  readonly choose: (id: ProjectId | null) => void;
  /** Address of the open item within its project; null = none, or there are no projects. */
  readonly opened: string | null;
  /** Input of the command that lists the items. */
  readonly input: { readonly projectId: ProjectId } | SkipToken;
}

/**
 * Returns the project of the address, else the one that was chosen, the open one, or the first. `kind` = the items that have
 * addresses, see `formatItemAddress`.
 */
export function useShownProject(projects: readonly Project[], kind?: ItemKind): ShownProject {
  const openProject = useStore(useClient().workbench, ({ projectId }) => projectId);
  const address = useOpenItem();
  const [chosen, choose] = useState<ProjectId | null>(null);
  const inKind = kind === undefined ? null : parseItemAddress(kind, address);
  const [ofAddress, ...rest] = inKind?.split("/") ?? [];
  const wanted = [ofAddress, chosen, openProject].flatMap((id) => projects.filter((one) => one.id === id));
  const project = wanted[0] ?? projects[0];
  if (project === undefined) return { projects, project, choose, opened: null, input: skipToken };
  return { projects, project, choose, opened: inKind && rest.join("/"), input: { projectId: project.id } };
}

interface ProjectHeaderProps {
  readonly title: string;
  readonly about: ReactNode;
  /** Absent = no project is chosen here. */
  readonly shown?: ShownProject | undefined;
}

export function ProjectHeader({ title, about, shown }: ProjectHeaderProps) {
  const { settings } = useFullMessages();
  const { projects = [], project, choose } = shown ?? {};
  return (
    <div className="flex flex-wrap items-start gap-x-6 gap-y-3">
      <div className="min-w-0 flex-1 basis-72">
        <SectionTitle title={title} />
        <div className="max-w-[68ch] text-ink-muted">{about}</div>
      </div>
      {project !== undefined && choose !== undefined && projects.length > 1 && (
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
  /** Sentence for a failure; absent = that of the error's code. */
  readonly failed?: string;
  readonly children: (data: T) => ReactNode;
}

/** Draws the data of a query; before that a placeholder, or the failure with a button that loads again. */
export function LoadedQuery<T>({ query, failed, children }: LoadedQueryProps<T>) {
  const { common, errors } = useFullMessages();
  if (query.data !== undefined) return children(query.data);
  if (!query.isError) return <Skeleton label={common.loading} className="h-24" />;
  return (
    <p role="alert" className="flex flex-wrap items-center gap-3">
      {failed ?? errors.sentences[query.error instanceof CallError ? query.error.error.code : "internal"]}
      <Button size="small" onClick={() => void query.refetch()}>
        {common.retry}
      </Button>
    </p>
  );
}
