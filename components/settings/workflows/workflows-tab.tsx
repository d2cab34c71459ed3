"use client";
/** Workflows tab: the workflows of a project and of all projects, the page of one, or the form for a new one. */
import type { WorkflowsState, WorkflowFileView } from "@/lib/workflows/workflow-views";
import type { Project } from "@/lib/workspace/project";
import { useFullMessages } from "../../messages/full-messages";
import { Button } from "../../ui/controls/button";
import { EmptyItems, ItemList, ProjectItemSection } from "../item-section/item-section";
import { formatItemAddress, openItem, parseItemAddress, useOpenItem } from "../item-section/open-item";
import { useShownProject } from "../item-section/project-section";
import type { SettingsSectionContext } from "../item-section/settings-section";
import { NewWorkflow } from "./new-workflow";
import { WorkflowPage } from "./workflow-page";
import { useCommandQuery } from "../../state/use-command-query";
import { Chip } from "../../ui/indicators/chip";
import { VisibleText } from "../../ui/text/visible-text";
import { ItemDescription, ItemRow } from "../item-section/item-row";
import { OpenItemButton } from "../item-section/open-item-button";

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
                item={formatItemAddress("workflow", project.id, place, name)}
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

/** Address of the form for a new one. The id of a session may follow, whose prompts are its first steps. */
const newAddress = formatItemAddress("workflow", "new");

export function WorkflowsTab({ projects }: SettingsSectionContext) {
  const { workflows: text } = useFullMessages();
  const shown = useShownProject(projects, "workflow");
  const { project } = shown;
  const query = useCommandQuery("workflows.list", shown.input);
  const [first, sessionId = null] = parseItemAddress("workflow", useOpenItem())?.split("/") ?? [];
  return (
    <ProjectItemSection<WorkflowsState, WorkflowFileView>
      text={text}
      about={text.about}
      shown={shown}
      query={query}
      items={({ files }) => files}
      addressOf={({ place, name }) => `${place}/${name}`}
      list={(state, project) => <WorkflowLists state={state} project={project} />}
      page={(workflow, project) => <WorkflowPage workflow={workflow} project={project} />}
      otherPage={
        first === "new" &&
        project &&
        query.data && <NewWorkflow project={project} state={query.data} sessionId={sessionId} />
      }
    />
  );
}

function WorkflowLists({ state, project }: { readonly state: WorkflowsState; readonly project: Project }) {
  const { workflows: text } = useFullMessages();
  const { untrusted, files } = state;
  const create = (
    <div>
      <Button look={files.length === 0 ? "primary" : "plain"} onClick={() => openItem(newAddress)}>
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
