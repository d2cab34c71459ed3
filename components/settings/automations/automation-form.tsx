"use client";
/** Form of an automation; a change is stored with Save. */
import { type FormEvent, useEffect, useRef, useState } from "react";
import type { Automation } from "@/lib/automations/automation";
import type { Project } from "@/lib/workspace/project";
import { useFullMessages } from "../../messages/full-messages";
import { useServerState } from "../../state/use-server-state";
import { Button } from "../../ui/controls/button";
import { Segmented } from "../../ui/controls/segmented";
import { Select } from "../../ui/controls/select";
import { Switch } from "../../ui/controls/switch";
import { TextArea } from "../../ui/controls/text-area";
import { TextField } from "../../ui/controls/text-field";
import { evalModelKey, listEvalModels } from "../evals/eval-view";
import { ChangeError } from "../item-section/change-error";
import { FormRow } from "../item-section/form-row";
import { useChange } from "../../state/use-change";
import {
  type AutomationDraft,
  type AutomationProblem,
  automationProblems,
  scheduleProblem,
  toDefinition,
} from "./automation-draft";
import { ScheduleFields } from "./schedule-fields";

interface AutomationFormProps {
  /** Absent = a new one. */
  readonly id?: string;
  readonly start: AutomationDraft;
  readonly projects: readonly Project[];
  readonly onSaved: (automation: Automation) => void;
  readonly onCancel: () => void;
}

export interface AutomationFieldProps {
  readonly draft: AutomationDraft;
  readonly problems: readonly AutomationProblem[];
  readonly onChange: (change: Partial<AutomationDraft>) => void;
}

export function AutomationForm({ id, start, projects, onSaved, onCancel }: AutomationFormProps) {
  const { automations: text } = useFullMessages();
  const form = useRef<HTMLFormElement>(null);
  const save = useChange("inline");
  const [draft, setDraft] = useState(start);
  /** Counts the attempts to save with problems, which are shown from the first on. */
  const [attempts, setAttempts] = useState(0);
  const problems = automationProblems(draft);
  const onChange = (change: Partial<AutomationDraft>): void => setDraft({ ...draft, ...change });
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    if (problems.length > 0) return setAttempts(attempts + 1);
    const saved = await save.perform("automations.save", {
      ...(id === undefined ? {} : { id }),
      definition: toDefinition(draft),
    });
    if (saved !== undefined) onSaved(saved);
  };
  useEffect(() => {
    if (attempts > 0) form.current?.querySelector<HTMLElement>("[aria-invalid=true]")?.focus();
  }, [attempts]);
  const shown = { draft, onChange, problems: attempts > 0 ? problems : [] };
  const schedule = save.error === null ? undefined : scheduleProblem(save.error, text);
  return (
    <form ref={form} noValidate onSubmit={(event) => void submit(event)} className="grid gap-4">
      <div className="divide-y divide-line border-y border-line">
        <TaskFields {...shown} projects={projects} />
        <ScheduleFields {...shown} />
        <LookField {...shown} />
        <RightFields {...shown} />
      </div>
      <ChangeError
        error={save.error}
        sentences={{
          exists: text.problems.exists,
          too_many: text.problems.too_many,
          ...(schedule === undefined ? {} : { bad_input: schedule }),
        }}
      />
      <div className="flex gap-2">
        <Button type="submit" look="primary" busy={save.isBusy}>
          {text.save}
        </Button>
        <Button onClick={onCancel}>{text.cancel}</Button>
      </div>
    </form>
  );
}

function TaskFields({
  draft,
  problems,
  onChange,
  projects,
}: AutomationFieldProps & Pick<AutomationFormProps, "projects">) {
  const { automations: text } = useFullMessages();
  const names = { name: text.problems.name, prompt: text.problems.prompt };
  const problem = (field: "name" | "prompt"): string | undefined =>
    problems.includes(field) ? names[field] : undefined;
  return (
    <>
      <FormRow label={text.form.name} note={text.form.nameNote} problem={problem("name")}>
        {(id, described) => (
          <TextField
            id={id}
            aria-describedby={described}
            value={draft.name}
            maxLength={80}
            invalid={problems.includes("name")}
            onChange={(event) => onChange({ name: event.target.value })}
          />
        )}
      </FormRow>
      <FormRow label={text.form.prompt} note={text.form.promptNote} problem={problem("prompt")}>
        {(id, described) => (
          <TextArea
            id={id}
            aria-describedby={described}
            aria-invalid={problems.includes("prompt") || undefined}
            rows={5}
            maxLength={20_000}
            value={draft.prompt}
            onChange={(event) => onChange({ prompt: event.target.value })}
          />
        )}
      </FormRow>
      <FormRow label={text.form.project} note={text.form.projectNote}>
        {(id, described) => (
          <Select
            id={id}
            aria-describedby={described}
            value={String(draft.projectId)}
            options={projects.map((project) => ({ value: String(project.id), label: project.name }))}
            onChange={(value) => {
              const project = projects.find((one) => one.id === value);
              if (project !== undefined) onChange({ projectId: project.id });
            }}
          />
        )}
      </FormRow>
      <ModelChoice draft={draft} onChange={onChange} />
    </>
  );
}

function ModelChoice({ draft, onChange }: Pick<AutomationFieldProps, "draft" | "onChange">) {
  const { automations: text } = useFullMessages();
  const connections = useServerState("connections") ?? [];
  const listed = listEvalModels(useServerState("models"), connections);
  const { model, connection } = draft;
  const own = model === undefined ? null : { name: model, ...(connection === undefined ? {} : { connection }) };
  const isListed = own === null || listed.some((one) => evalModelKey(one) === evalModelKey(own));
  const models = isListed || own === null ? listed : [own, ...listed];
  const label = (one: (typeof models)[number]): string => {
    const name = connections.find(({ id }) => id === one.connection)?.name;
    return name === undefined ? one.name : `${one.name} (${name})`;
  };
  return (
    <FormRow label={text.form.model} note={text.form.modelNote}>
      {(id, described) => (
        <Select
          id={id}
          aria-describedby={described}
          value={own === null ? "" : evalModelKey(own)}
          options={[
            { value: "", label: text.usualModel },
            ...models.map((one) => ({ value: evalModelKey(one), label: label(one) })),
          ]}
          onChange={(key) => {
            const chosen = models.find((one) => evalModelKey(one) === key);
            onChange({ model: chosen?.name, connection: chosen?.connection });
          }}
        />
      )}
    </FormRow>
  );
}

function LookField({ draft, onChange }: AutomationFieldProps) {
  const { automations: text } = useFullMessages();
  return (
    <FormRow label={text.form.looksFirst} note={text.form.looksFirstNote}>
      {(id, described) => (
        <Switch
          id={id}
          aria-describedby={described}
          on={draft.looksFirst}
          onChange={(looksFirst) => onChange({ looksFirst })}
        />
      )}
    </FormRow>
  );
}

function RightFields({ draft, problems, onChange }: AutomationFieldProps) {
  const { automations: text } = useFullMessages();
  const hasProblem = problems.includes("cards");
  return (
    <>
      <FormRow label={text.form.mode} note={text.form.modeNote}>
        {() => (
          <div>
            <Segmented
              name={text.form.mode}
              value={draft.mode}
              options={[
                { value: "ask", label: text.modes.ask },
                { value: "plan", label: text.modes.plan },
              ]}
              onChange={(mode) => onChange({ mode })}
            />
          </div>
        )}
      </FormRow>
      <FormRow
        label={text.form.cards}
        note={text.form.cardsNote}
        problem={hasProblem ? text.problems.cards : undefined}
      >
        {(id, described) => (
          <TextField
            id={id}
            aria-describedby={described}
            inputMode="numeric"
            value={draft.cardMinutes}
            maxLength={4}
            invalid={hasProblem}
            className="max-w-24"
            onChange={(event) => onChange({ cardMinutes: event.target.value })}
          />
        )}
      </FormRow>
    </>
  );
}
