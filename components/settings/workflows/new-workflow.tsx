"use client";
/** Form for a new workflow: its name, its place, and a text to begin with. */
import { skipToken } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { asId, type SessionId } from "@/lib/events/id";
import { isWorkflowName, type WorkflowPlace } from "@/lib/workflows/workflow";
import type { WorkflowsState } from "@/lib/workflows/workflow-views";
import type { Project } from "@/lib/workspace/project";
import { useFullMessages } from "../../messages/full-messages";
import { useClient } from "../../state/client";
import { invalidateCommands } from "../../state/command-query";
import { useCommandQuery } from "../../state/use-command-query";
import { Button } from "../../ui/controls/button";
import { Select } from "../../ui/controls/select";
import { TextField } from "../../ui/controls/text-field";
import { ChangeError } from "../item-section/change-error";
import { FormRow } from "../item-section/form-row";
import { useChange } from "../../state/use-change";
import { formatItemAddress, openItem } from "../item-section/open-item";

interface NewWorkflowProps {
  readonly project: Project;
  readonly state: WorkflowsState;
  /** Its prompts are the first steps; null = an example. */
  readonly sessionId: string | null;
}

const firstText = `description: ""
inputs:
  goal:
    description: What to look for
    default: failing tests
steps:
  - id: check
    run: git status --short
  - id: look
    prompt: |
      Look for \${{ inputs.goal }}. These files have changes:
      \${{ steps.check.output }}
`;

export function NewWorkflow({ project, state, sessionId }: NewWorkflowProps) {
  const { workflows: text } = useFullMessages();
  const { cache } = useClient();
  const draft = useCommandQuery(
    "workflows.draft",
    sessionId === null ? skipToken : { sessionId: asId<SessionId>(sessionId) },
    { retry: false, gcTime: 0 },
  );
  const begins = sessionId === null ? firstText : draft.data?.text;
  const [name, setName] = useState("");
  const [place, setPlace] = useState<WorkflowPlace>(state.isTrusted ? "project" : "home");
  const { isBusy, error, perform } = useChange("inline");
  const isWrong = name !== "" && !isWorkflowName(name);
  const places: readonly WorkflowPlace[] = state.isTrusted ? ["project", "home"] : ["home"];
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    if (!isWorkflowName(name) || isBusy || begins === undefined) return;
    const made = await perform("workflows.write", { projectId: project.id, place, name, text: begins, before: null });
    if (made === undefined) return;
    await invalidateCommands(cache, ["workflows."], { projectId: project.id });
    openItem(formatItemAddress("workflow", project.id, place, name), "replace");
  };
  return (
    <form noValidate onSubmit={(event) => void submit(event)} className="grid gap-3">
      <div>
        <h2 className="text-title font-semibold">{sessionId === null ? text.new : text.saveAs}</h2>
        {sessionId !== null && <p className="text-ink-muted">{draft.isError ? text.noPrompts : text.saveAsNote}</p>}
      </div>
      <div className="divide-y divide-line border-y border-line">
        <FormRow label={text.newName} note={text.newNameNote} problem={isWrong ? text.badName : undefined}>
          {(id, described) => (
            <TextField
              id={id}
              autoFocus
              value={name}
              invalid={isWrong}
              aria-describedby={described}
              onChange={(event) => setName(event.target.value)}
            />
          )}
        </FormRow>
        <FormRow label={text.newPlace} note={text.newPlaceNote}>
          {(id, described) => (
            <Select
              id={id}
              value={place}
              aria-describedby={described}
              options={places.map((value) => ({ value, label: value === "home" ? text.ofHome : text.ofProject }))}
              onChange={setPlace}
            />
          )}
        </FormRow>
      </div>
      <ChangeError error={error} />
      <div>
        <Button type="submit" look="primary" busy={isBusy} disabled={!isWorkflowName(name) || begins === undefined}>
          {text.create}
        </Button>
      </div>
    </form>
  );
}
