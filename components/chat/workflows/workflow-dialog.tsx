"use client";
/** Dialog that starts a workflow: which one, and the values of its inputs. */
import { type FormEvent, type ReactNode, useId, useState } from "react";
import type { ProjectId, SessionId } from "@/lib/events/id";
import type { WorkflowFileView } from "@/lib/workflows/workflow-views";
import { useFullMessages } from "../../messages/full-messages";
import { useClient } from "../../state/client";
import { useCommandQuery } from "../../state/use-command-query";
import { chosenWorkflow, usableWorkflows } from "../../state/workflow-choice";
import { newCommandId } from "../../state/new-id";
import { useStore } from "../../state/store";
import { Button } from "../../ui/controls/button";
import { Select } from "../../ui/controls/select";
import { Skeleton } from "../../ui/indicators/skeleton";
import { Dialog } from "../../ui/overlays/dialog";
import { VisibleText } from "../../ui/text/visible-text";
import { checkForm, initialValues } from "../questions/form-values";
import { QuestionField } from "../questions/question-field";
import { inputField } from "./input-fields";
import { workflowErrorText } from "./use-workflow-command";

interface WorkflowDialogProps {
  readonly projectId: ProjectId;
  readonly onStarted: (id: SessionId) => void;
  readonly onSettings: () => void;
  readonly onClose: () => void;
}

export function WorkflowDialog(props: WorkflowDialogProps) {
  const { projectId, onSettings, onClose } = props;
  const { workflows: text, common } = useFullMessages();
  const { data, isError } = useCommandQuery("workflows.list", { projectId });
  const usable = usableWorkflows(data);
  const wanted = useStore(chosenWorkflow, (name) => name);
  const chosen = usable.find(({ name }) => name === wanted) ?? usable[0];
  if (data !== undefined && chosen !== undefined)
    return <StartForm key={chosen.path} {...props} workflow={chosen} workflows={usable} />;
  return (
    <WorkflowFrame
      onClose={onClose}
      action={
        <Button look="primary" onClick={onSettings}>
          {text.settings}
        </Button>
      }
    >
      {isError ? (
        <p role="alert">{text.failed}</p>
      ) : data === undefined ? (
        <Skeleton label={common.loading} className="h-10" />
      ) : (
        <p>{data.isTrusted || data.untrusted.length === 0 ? text.none : text.untrustedProject}</p>
      )}
    </WorkflowFrame>
  );
}

interface WorkflowFrameProps extends Pick<WorkflowDialogProps, "onClose"> {
  /** The button beside Cancel. */
  readonly action: ReactNode;
  readonly children: ReactNode;
}

function WorkflowFrame({ onClose, action, children }: WorkflowFrameProps) {
  const { workflows: text, common } = useFullMessages();
  return (
    <Dialog
      title={text.runTitle}
      closeName={common.close}
      onClose={onClose}
      footer={
        <>
          <Button look="quiet" onClick={onClose}>
            {common.cancel}
          </Button>
          {action}
        </>
      }
    >
      {children}
    </Dialog>
  );
}

interface StartFormProps extends WorkflowDialogProps {
  readonly workflow: WorkflowFileView;
  readonly workflows: readonly WorkflowFileView[];
}

function StartForm({ projectId, onStarted, onClose, workflow, workflows }: StartFormProps) {
  const messages = useFullMessages();
  const { workflows: text, common } = messages;
  const { call } = useClient();
  const { name, description, inputs } = workflow;
  const fields = inputs.map((input) => inputField(input, text.fileNote));
  const [values, setValues] = useState(() => initialValues(fields));
  const [wasSent, setWasSent] = useState(false);
  const [state, setState] = useState({ isBusy: false, error: "" });
  const id = useId();
  const { problems, content } = checkForm(fields, values);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    setWasSent(true);
    if (problems.size > 0 || state.isBusy) return;
    setState({ isBusy: true, error: "" });
    void call("workflows.start", { projectId, commandId: newCommandId(), name, inputs: content }).then((answer) => {
      if (answer.ok) return onStarted(answer.value.row.id);
      setState({ isBusy: false, error: workflowErrorText(answer.error, messages) });
    });
  };
  return (
    <WorkflowFrame
      onClose={onClose}
      action={
        <Button type="submit" form={id} look="primary" busy={state.isBusy}>
          {text.run}
        </Button>
      }
    >
      <form id={id} noValidate autoComplete="off" onSubmit={submit} className="grid gap-3.5 pt-1 *:min-w-0">
        <Select
          autoFocus
          aria-label={text.choose}
          value={name}
          options={workflows.map((one) => ({ value: one.name, label: one.name }))}
          onChange={(next) => chosenWorkflow.set(next)}
          className="w-full"
        />
        {description !== "" && (
          <p className="[overflow-wrap:anywhere]">
            <VisibleText text={description} names={common.hidden} />
          </p>
        )}
        {fields.map((field) => (
          <QuestionField
            key={field.name}
            field={field}
            value={values[field.name]}
            problem={wasSent ? (problems.get(field.name) ?? null) : null}
            onChange={(value) => setValues((before) => ({ ...before, [field.name]: value }))}
          />
        ))}
        {fields.length === 0 && <p className="text-ink-muted">{text.noInputs}</p>}
        <p className="text-small text-ink-muted">{text.started}</p>
        {state.error !== "" && (
          <p role="alert" className="text-danger">
            {state.error}
          </p>
        )}
      </form>
    </WorkflowFrame>
  );
}
