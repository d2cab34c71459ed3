"use client";
/** Workflows whose names complete `/workflow` in the message field; picking one opens its form. */
import { useQuery } from "@tanstack/react-query";
import type { ProjectId } from "@/lib/events/id";
import { useFullMessages } from "../../../messages/full-messages";
import { useClient } from "../../../state/client";
import { chosenWorkflow, offeredWorkflowsQuery, usableWorkflows } from "../../../state/workflow-queries";
import type { OfferRow } from "../menus/offer-menu";

const maxRows = 8;
const commandStart = "/workflow ";

/** A text that is the start of `/workflow `, or that and the start of a name. */
const isWorkflowCommand = (text: string): boolean =>
  text.length > 1 && (commandStart.startsWith(text) || /^\/workflow [a-z0-9_-]*$/.test(text));

export function useWorkflowRows(
  projectId: ProjectId,
  text: string,
  onText: (text: string) => void,
): readonly OfferRow[] {
  const { workflows } = useFullMessages();
  const { call, workbench } = useClient();
  const isCommand = isWorkflowCommand(text);
  const { data } = useQuery({ ...offeredWorkflowsQuery(call, projectId), enabled: isCommand });
  if (!isCommand) return [];
  const typed = text.slice(commandStart.length);
  const open = (name: string | null) => (): void => {
    onText("");
    chosenWorkflow.set(name);
    workbench.showOverlay("run_workflow");
  };
  const named = usableWorkflows(data)
    .filter(({ name }) => name.startsWith(typed))
    .slice(0, maxRows)
    .map(({ path, name, description }) => ({
      key: path,
      name: commandStart + name,
      detail: description,
      complete: () => onText(commandStart + name),
      pick: open(name),
    }));
  const all = { key: commandStart, name: commandStart.trim(), detail: workflows.runTitle, pick: open(null) };
  return typed === "" ? [all, ...named] : named;
}
