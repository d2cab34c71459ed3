"use client";
/** Page of one workflow: what it needs, its steps as a picture, and its text with the problems of each line. */
import type { WorkflowFileView } from "@/lib/workflows/workflow-views";
import type { Project } from "@/lib/workspace/project";
import { useFullMessages } from "../../messages/full-messages";
import { useClient } from "../../state/client";
import { chosenWorkflow } from "../../state/workflow-choice";
import { Button } from "../../ui/controls/button";
import { Chip } from "../../ui/indicators/chip";
import { VisibleText } from "../../ui/text/visible-text";
import { Fact, FactTable, ItemPage, ItemPart } from "../item-section/item-page";
import { WorkflowEditor } from "./workflow-editor";
import { WorkflowPicture } from "./workflow-picture";

interface WorkflowPageProps {
  readonly workflow: WorkflowFileView;
  readonly project: Project;
}

export function WorkflowPage({ workflow, project }: WorkflowPageProps) {
  const { workflows: text, common } = useFullMessages();
  const { workbench } = useClient();
  const { name, description, path, steps, problems, isShadowed } = workflow;
  const run = (): void => {
    chosenWorkflow.set(name);
    workbench.showOverlay("run_workflow");
  };
  return (
    <ItemPage
      name={name}
      chips={
        problems.length > 0 ? (
          <Chip tone="danger">{text.problems(problems.length)}</Chip>
        ) : (
          isShadowed && <Chip>{text.shadowed}</Chip>
        )
      }
      about={
        description !== "" && (
          <p className="max-w-[68ch] text-ink-muted [overflow-wrap:anywhere]">
            <VisibleText text={description} names={common.hidden} />
          </p>
        )
      }
      actions={
        problems.length === 0 && !isShadowed ? (
          <Button look="primary" onClick={run}>
            {text.run}
          </Button>
        ) : undefined
      }
    >
      <FactTable>
        <Fact name={text.file}>
          <code className="font-mono text-code">
            <VisibleText text={path} names={common.hidden} />
          </code>
        </Fact>
        {workflow.inputs.length > 0 && (
          <Fact name={text.inputs}>
            <Inputs inputs={workflow.inputs} />
          </Fact>
        )}
      </FactTable>
      {steps.length > 0 && (
        <ItemPart title={text.picture}>
          <WorkflowPicture steps={steps} />
        </ItemPart>
      )}
      <ItemPart title={text.text} note={text.textNote}>
        <WorkflowEditor workflow={workflow} project={project} />
      </ItemPart>
    </ItemPage>
  );
}

function Inputs({ inputs }: Pick<WorkflowFileView, "inputs">) {
  const { workflows: text, common } = useFullMessages();
  return (
    <ul className="grid gap-0.5">
      {inputs.map(({ name, description, default: preset }) => (
        <li key={name}>
          <code className="font-mono text-code">{name}</code>
          <span className="text-ink-muted">
            {" "}
            {preset === undefined ? text.required : text.defaultValue(String(preset))}
            {description !== "" && " · "}
            <VisibleText text={description} names={common.hidden} />
          </span>
        </li>
      ))}
    </ul>
  );
}
