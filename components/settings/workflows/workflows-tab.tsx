"use client";
/** Workflows tab: the workflows of a project and of all projects, the page of one, or the form for a new one. */
import type { ReactNode } from "react";
import type { WorkflowsState, WorkflowFileView } from "@/lib/workflows/workflow-views";
import type { Project } from "@/lib/workspace/project";
import { useFullMessages } from "../../messages/full-messages";
import { Button } from "../../ui/controls/button";
import { BackLink } from "../back-link";
import { EmptyItems, ItemList } from "../item-section/item-section";
import { openItem, useOpenItem } from "../open-item";
import { LoadedQuery, ProjectHeader, useShownProject } from "../project-section";
import type { SettingsSectionContext } from "../settings-section";
import { NewWorkflow } from "./new-workflow";
import { draftSessionOf, newWorkflowAddress, parseWorkflowAddress, formatWorkflowAddress } from "./workflow-address";
import { WorkflowPage } from "./workflow-page";
import { useCommandQuery } from "../../state/use-command-query";
import { Chip } from "../../ui/indicators/chip";
import { VisibleText } from "../../ui/text/visible-text";
import { ItemDescription, ItemRow } from "../item-row";
import { OpenItemButton } from "../open-item-button";

interface WorkflowListProps {
  readonly title: string;
  readonly files: readonly WorkflowFileView[];
  readonly project: Project;
}

/** The workflows of one place; a row opens the workflow's page. Nothing if there are none. */
function WorkflowList({ title, files, project }: WorkflowListProps) {
  const { workflows: text, common } = useFullMessages();
  if (files.length === 0) return null;
  return (
    <section aria-label={title} className="grid gap-2 *:min-w-0">
      <h3 className="font-semibold">{title}</h3>
      <ItemList label={title}>
        {files.map(({ place, name, path, description, steps, problems, isShadowed }) => (
          <ItemRow
            key={path}
            name={
              <OpenItemButton
                item={formatWorkflowAddress(project.id, place, name)}
                className="[overflow-wrap:anywhere]"
              >
                <VisibleText text={name} names={common.hidden} />
              </OpenItemButton>
            }
            chips={
              problems.length > 0 ? (
                <Chip tone="danger">{text.problems(problems.length)}</Chip>
              ) : (
                isShadowed && <Chip>{text.shadowed}</Chip>
              )
            }
          >
            <ItemDescription text={description} />
            {steps.length > 0 && <p className="text-small text-ink-muted tabular-nums">{text.steps(steps.length)}</p>}
          </ItemRow>
        ))}
      </ItemList>
    </section>
  );
}

export function WorkflowsTab({ projects }: SettingsSectionContext) {
  const { workflows: text } = useFullMessages();
  const address = useOpenItem();
  const opened = parseWorkflowAddress(address);
  const shown = useShownProject(projects, opened?.projectId);
  const { project } = shown;
  const isNew = address?.startsWith(newWorkflowAddress) === true && opened === null;
  if (project !== undefined && (opened !== null || isNew))
    return (
      <>
        <BackLink label={text.back} />
        <Loaded project={project}>
          {(state) => {
            if (opened === null)
              return <NewWorkflow project={project} state={state} sessionId={draftSessionOf(address)} />;
            const workflow = state.files.find(({ place, name }) => place === opened.place && name === opened.name);
            if (workflow === undefined) return <p>{text.missing}</p>;
            return <WorkflowPage key={workflow.path} workflow={workflow} project={project} />;
          }}
        </Loaded>
      </>
    );
  return (
    <section aria-label={text.title} className="mb-8 grid gap-5 *:min-w-0">
      <ProjectHeader title={text.title} about={text.about} projects={projects} {...shown} />
      {project === undefined ? (
        <p>{text.noProject}</p>
      ) : (
        <Loaded key={project.id} project={project}>
          {(state) => <WorkflowLists state={state} project={project} />}
        </Loaded>
      )}
    </section>
  );
}

interface LoadedProps {
  readonly project: Project;
  readonly children: (state: WorkflowsState) => ReactNode;
}

function Loaded({ project, children }: LoadedProps) {
  const { workflows: text } = useFullMessages();
  return (
    <LoadedQuery query={useCommandQuery("workflows.list", { projectId: project.id })} failed={text.failed}>
      {children}
    </LoadedQuery>
  );
}

function WorkflowLists({ state, project }: { readonly state: WorkflowsState; readonly project: Project }) {
  const { workflows: text } = useFullMessages();
  const { untrusted, files } = state;
  const create = (
    <div>
      <Button look={files.length === 0 ? "primary" : "plain"} onClick={() => openItem(newWorkflowAddress)}>
        {text.new}
      </Button>
    </div>
  );
  return (
    <>
      {untrusted.length > 0 && (
        <p className="max-w-[68ch] rounded-card border border-line bg-raised px-3.5 py-3">
          {text.untrusted(untrusted.join(", "))}
        </p>
      )}
      {files.length === 0 ? (
        <EmptyItems title={text.emptyTitle}>
          <p className="mb-3">{text.emptyNote}</p>
          {create}
        </EmptyItems>
      ) : (
        create
      )}
      <WorkflowList title={text.ofProject} files={files.filter(({ place }) => place === "project")} project={project} />
      <WorkflowList title={text.ofHome} files={files.filter(({ place }) => place === "home")} project={project} />
    </>
  );
}
