"use client";
/** The workflows of one place; a row opens the workflow's page. */
import type { WorkflowFileView } from "@/lib/workflows/workflow-views";
import type { Project } from "@/lib/workspace/project";
import { useFullMessages } from "../../messages/full-messages";
import { Chip } from "../../ui/indicators/chip";
import { VisibleText } from "../../ui/text/visible-text";
import { ItemDescription, ItemRow } from "../item-row";
import { ItemList } from "../item-section/item-section";
import { OpenItemButton } from "../open-item-button";
import { formatWorkflowAddress } from "./workflow-address";

interface WorkflowListProps {
  readonly title: string;
  readonly files: readonly WorkflowFileView[];
  readonly project: Project;
}

/** Nothing if there are none. */
export function WorkflowList({ title, files, project }: WorkflowListProps) {
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
