"use client";
/** The text of a workflow with completion; its problems are found while it is written, and it can be saved with them. */
import { lazy, Suspense, useEffect, useId, useMemo, useState } from "react";
import type { WorkflowProblem } from "@/lib/workflows/workflow";
import type { WorkflowFileView, WorkflowText } from "@/lib/workflows/workflow-views";
import type { Project } from "@/lib/workspace/project";
import { useFullMessages } from "../../messages/full-messages";
import { useClient } from "../../state/client";
import { invalidateCommands } from "../../state/command-query";
import { useCommandQuery } from "../../state/use-command-query";
import { Button } from "../../ui/controls/button";
import { Skeleton } from "../../ui/indicators/skeleton";
import { ChangeError } from "../item-section/change-error";
import { useChange } from "../../state/use-change";
import { workflowKeys } from "./workflow-keys";

const YamlField = lazy(async () => ({ default: (await import("../../ui/code-editor/yaml-field")).YamlField }));
/** From the last key to the check, ms. */
const checkDelayMs = 300;

interface WorkflowEditorProps {
  readonly workflow: WorkflowFileView;
  readonly project: Project;
}

export function WorkflowEditor(props: WorkflowEditorProps) {
  const { workflow, project } = props;
  const { workflows: text, common } = useFullMessages();
  const query = useCommandQuery(
    "workflows.read",
    {
      projectId: project.id,
      place: workflow.place,
      name: workflow.name,
    },
    { retry: false, gcTime: 0 },
  );
  if (query.isError) return <p role="alert">{text.failed}</p>;
  if (query.data === undefined) return <Skeleton label={common.loading} className="h-40" />;
  return <LoadedEditor {...props} file={query.data} />;
}

function LoadedEditor({ workflow, project, file }: WorkflowEditorProps & { readonly file: WorkflowText }) {
  const { workflows: text } = useFullMessages();
  const { cache } = useClient();
  const [base, setBase] = useState(file);
  const [draft, setDraft] = useState(file.text);
  const { place, name } = workflow;
  const problems = useProblems(project, name, draft, base);
  const lines = useMemo(() => problems.map(({ line }) => line), [problems]);
  const { isBusy, error, perform } = useChange("inline");
  const id = useId();
  const isDirty = draft !== base.text;
  const save = async (): Promise<void> => {
    const saved = await perform("workflows.write", {
      projectId: project.id,
      place,
      name,
      text: draft,
      before: base.hash,
    });
    if (saved === undefined) return;
    setBase(saved);
    void invalidateCommands(cache, ["workflows.list"], { projectId: project.id });
  };
  return (
    <div className="grid gap-2 *:min-w-0">
      <Suspense fallback={<Skeleton label={text.text} className="h-40" />}>
        <YamlField
          value={draft}
          label={text.text}
          describedBy={id}
          placeholder=""
          keys={workflowKeys}
          problemLines={lines}
          caretStays
          onChange={setDraft}
          onSave={() => {
            if (isDirty && !isBusy) void save();
          }}
        />
      </Suspense>
      <div id={id} role="status">
        <ProblemList problems={problems} />
      </div>
      <ChangeError error={error} sentences={{ changed_meanwhile: text.changedMeanwhile }} />
      {isDirty && (
        <div className="flex items-center gap-3">
          <Button look="primary" busy={isBusy} onClick={() => void save()}>
            {text.save}
          </Button>
          <span className="text-small text-ink-muted">{text.unsaved}</span>
        </div>
      )}
    </div>
  );
}

/** The problems of the text as it is written now; those of the file until it is changed. */
function useProblems(project: Project, name: string, draft: string, base: WorkflowText): readonly WorkflowProblem[] {
  const { call } = useClient();
  const [checked, setChecked] = useState<readonly WorkflowProblem[] | null>(null);
  useEffect(() => {
    if (draft === base.text) return setChecked(null);
    let isOld = false;
    const timer = setTimeout(
      () =>
        void call("workflows.check", { projectId: project.id, name, text: draft }).then((answer) => {
          if (!isOld && answer.ok) setChecked(answer.value.problems);
        }),
      checkDelayMs,
    );
    return () => {
      isOld = true;
      clearTimeout(timer);
    };
  }, [call, project.id, name, draft, base]);
  return checked ?? base.problems;
}

function ProblemList({ problems }: { readonly problems: readonly WorkflowProblem[] }) {
  const { workflows: text } = useFullMessages();
  return (
    <ul className="grid gap-0.5 text-danger">
      {problems.map(({ kind, line, detail }, index) => (
        <li key={index} className="[overflow-wrap:anywhere]">
          {text.lineProblem(line, text.problem[kind](detail))}
        </li>
      ))}
    </ul>
  );
}
