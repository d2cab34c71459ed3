"use client";
/** The steps of a workflow as a column; one with a condition branches off, a workflow inside is a column in its step. */
import type { WorkflowStepView } from "@/lib/workflows/workflow-views";
import { useFullMessages } from "../../messages/full-messages";
import { VisibleText } from "../../ui/text/visible-text";
import { classes } from "../../ui/theme/classes";

interface WorkflowPictureProps {
  readonly steps: readonly WorkflowStepView[];
}

export function WorkflowPicture({ steps }: WorkflowPictureProps) {
  return (
    <ol className="grid max-w-[560px] *:min-w-0">
      {steps.map((step, index) => (
        <li key={step.id} className="grid *:min-w-0">
          {index > 0 && <Line />}
          {step.when === undefined ? <StepBox step={step} /> : <Branch step={step} />}
        </li>
      ))}
    </ol>
  );
}

const Line = () => <span aria-hidden className="ml-6 h-3.5 w-px bg-ink-faint" />;

/** The main line passes by a step that may be left out. */
function Branch({ step }: { readonly step: WorkflowStepView }) {
  const { workflows: text, common } = useFullMessages();
  return (
    <div className="relative pl-12">
      <span aria-hidden className="absolute inset-y-0 left-6 w-px bg-ink-faint" />
      <span aria-hidden className="absolute top-3 left-6 h-px w-4 bg-ink-faint" />
      <span
        aria-hidden
        className="absolute top-[9px] left-[21px] size-[7px] rotate-45 border border-ink-faint bg-canvas"
      />
      <p className="pt-[3px] pb-1 font-mono text-small text-ink-muted [overflow-wrap:anywhere]">
        <VisibleText text={text.when(step.when ?? "")} names={common.hidden} />
      </p>
      <StepBox step={step} />
      <span aria-hidden className="block h-1" />
    </div>
  );
}

function StepBox({ step }: { readonly step: WorkflowStepView }) {
  const { workflows: text, common } = useFullMessages();
  const { id, kind, title, repeats, retry, mayFail, steps } = step;
  const facts = [
    ...(repeats === true ? [text.repeats] : []),
    ...(retry === undefined ? [] : [text.retries(retry)]),
    ...(mayFail === true ? [text.mayFail] : []),
  ];
  const isCode = kind === "run" || kind === "tool";
  return (
    <div className="rounded-card border border-line bg-raised px-3 py-2">
      <p className="flex flex-wrap items-baseline gap-x-2">
        <span className="text-small text-ink-muted">{text.kinds[kind]}</span>
        <span className="font-mono text-small text-ink-faint">{id}</span>
        {facts.length > 0 && <span className="text-small text-ink-muted">{facts.join(" · ")}</span>}
      </p>
      <p className={classes("line-clamp-2 [overflow-wrap:anywhere]", isCode && "font-mono text-code")}>
        <VisibleText text={title} names={common.hidden} />
      </p>
      {steps !== undefined && steps.length > 0 && (
        <div className="mt-2">
          <WorkflowPicture steps={steps} />
        </div>
      )}
    </div>
  );
}
