/** Undo of the operations on files: from its notice, and by key also after the notice is gone. */
import type { ProjectId } from "@/lib/events/id";
import type { AppClient } from "../../state/client";
import type { OperationContext } from "./file-operations";

interface UndoStep {
  readonly undo: () => void;
  /** The text of its notice. */
  readonly text: string;
  isNoticeShown: boolean;
  readonly closeNotice: () => void;
}

/** Older steps are dropped. */
const maxSteps = 50;

const stepsByClient = new WeakMap<AppClient, Map<ProjectId, UndoStep[]>>();

function stepsOf(client: AppClient, projectId: ProjectId): UndoStep[] {
  const projects = stepsByClient.get(client) ?? new Map<ProjectId, UndoStep[]>();
  stepsByClient.set(client, projects);
  const steps = projects.get(projectId) ?? [];
  projects.set(projectId, steps);
  return steps;
}

/** Shows a notice about an operation, with a button that undoes it. */
export function offerUndo({ client, messages, projectId }: OperationContext, text: string, undo: () => void): void {
  const steps = stepsOf(client, projectId);
  const takeBack = (): void => {
    steps.splice(steps.indexOf(step), 1);
    undo();
  };
  const action = { label: messages.files.undo, onSelect: takeBack };
  const step: UndoStep = {
    undo: takeBack,
    text,
    isNoticeShown: true,
    closeNotice: client.toasts.open({ text, action }, () => (step.isNoticeShown = false)),
  };
  steps.push(step);
  steps.splice(0, steps.length - maxSteps);
}

/** Undoes the latest operation on files of the project; returns whether there is one. */
export function undoFileOperation({ client, messages, projectId }: OperationContext): boolean {
  const step = stepsOf(client, projectId).at(-1);
  if (step === undefined) return false;
  if (step.isNoticeShown) step.closeNotice();
  else client.toasts.show({ text: messages.files.undone(step.text) });
  step.undo();
  return true;
}
