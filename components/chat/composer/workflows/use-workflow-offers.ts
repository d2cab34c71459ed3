"use client";
/**
 * Workflows whose names complete `/workflow` in the message field, and what sends such a text: the form of the workflow, or
 * why there is none.
 */
import type { ProjectId } from "@/lib/events/id";
import { type FullMessages, useFullMessages } from "../../../messages/full-messages";
import { useClient } from "../../../state/client";
import { isAnswered, useCommandQuery } from "../../../state/use-command-query";
import { chosenWorkflow, usableWorkflows } from "../../../state/workflow-choice";
import type { WorkflowsState } from "@/lib/workflows/workflow-views";
import type { OfferRow } from "../menus/offer-menu";

const maxRows = 8;
/** Length to which a name that starts nothing is shown. */
const nameMaxChars = 60;
const commandStart = "/workflow ";

/** A text that is the start of `/workflow `, or that and the start of a name. */
const isWorkflowCommand = (text: string): boolean =>
  text.length > 1 && (commandStart.startsWith(text) || /^\/workflow [a-z0-9_-]*$/.test(text));

/** The name of a whole command, "" = without one; null = the text is no command. */
const namedWorkflow = (text: string): string | null => {
  const [command, name = ""] = /^\/workflow(?:\s+([^]*))?$/.exec(text.trim()) ?? [];
  return command === undefined ? null : name;
};

interface WorkflowOffers {
  readonly isKnown: boolean;
  readonly rows: readonly OfferRow[];
  /** Performs the text, which is a command; null = it is none. */
  readonly performTyped: (() => void) | null;
}

export function useWorkflowOffers(projectId: ProjectId, text: string, onText: (text: string) => void): WorkflowOffers {
  const messages = useFullMessages();
  const { workflows } = messages;
  const { workbench, toasts } = useClient();
  const isCommand = isWorkflowCommand(text);
  const named = namedWorkflow(text);
  const offered = useCommandQuery(
    "workflows.list",
    { projectId },
    // The folders are read again only after half a minute.
    { staleTime: 30_000, enabled: isCommand || named !== null },
  );
  const { data } = offered;
  const open = (name: string | null) => (): void => {
    onText("");
    chosenWorkflow.set(name);
    workbench.showOverlay("run_workflow");
  };
  const usable = usableWorkflows(data);
  const perform = (name: string) => (): void => {
    if (name === "" || usable.some((one) => one.name === name)) return open(name === "" ? null : name)();
    toasts.show({ text: obstacleText(name, data, messages), look: "danger" });
  };
  const typed = text.slice(commandStart.length);
  const rows = usable
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
  return {
    isKnown: named === null || isAnswered(offered),
    rows: !isCommand ? [] : typed === "" ? [all, ...rows] : rows,
    performTyped: named === null ? null : perform(named),
  };
}

/** Why a name starts nothing. */
function obstacleText(name: string, state: WorkflowsState | undefined, { workflows }: FullMessages): string {
  if (state === undefined) return workflows.failed;
  if (state.untrusted.includes(name)) return workflows.untrustedProject;
  const [problem] = state.files.find((file) => file.name === name)?.problems ?? [];
  if (problem !== undefined) return workflows.fileProblem(String(problem.line));
  return workflows.unknownName(
    name.slice(0, nameMaxChars),
    usableWorkflows(state)
      .map((one) => one.name)
      .join(", "),
  );
}
