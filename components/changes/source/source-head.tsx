"use client";
/** Branch of a repository with its distance from the upstream, and work that is not finished. */
import { ArrowDown, ArrowUp, GitBranch } from "lucide-react";
import { useState } from "react";
import type { ProjectId } from "@/lib/events/id";
import type { SourceOperation } from "@/lib/workspace/source-control";
import { useFullMessages } from "../../messages/full-messages";
import { Button } from "../../ui/controls/button";
import { Icon } from "../../ui/indicators/icon";
import { BranchesDialog } from "../branches/branches-dialog";
import { SyncButtons } from "../branches/sync-buttons";
import { useGitTerminal } from "../branches/use-git-terminal";
import type { RepositoryStatus } from "./source-rows";
import { useSourceChange } from "./use-source-change";

interface SourceHeadProps {
  readonly projectId: ProjectId;
  readonly status: RepositoryStatus;
}

export function SourceHead({ projectId, status: { branch, operation } }: SourceHeadProps) {
  const { gitRefs } = useFullMessages();
  const [hasBranches, setBranches] = useState(false);
  return (
    <>
      <div className="mr-3 mb-2 ml-1.5 flex flex-wrap items-center gap-1">
        <button
          type="button"
          title={gitRefs.title}
          onClick={() => setBranches(true)}
          className="flex min-h-7 min-w-20 flex-1 items-center gap-1.5 rounded-control px-1.5 text-left text-small hover:bg-hover max-tablet:min-h-11"
        >
          <BranchLine branch={branch} />
        </button>
        <SyncButtons projectId={projectId} branch={branch} />
      </div>
      {hasBranches && <BranchesDialog projectId={projectId} onClose={() => setBranches(false)} />}
      {operation !== null && <Operation projectId={projectId} operation={operation} />}
    </>
  );
}

interface OperationProps {
  readonly projectId: ProjectId;
  readonly operation: SourceOperation;
}

const steps = ["continue", "skip", "abort"] as const;

/** A merge has no steps to skip; a bisection and patches are continued in a terminal. */
const stepsOf = ({ kind }: SourceOperation): readonly (typeof steps)[number][] =>
  kind === "bisect" || kind === "apply" ? [] : steps.filter((step) => kind !== "merge" || step !== "skip");

function Operation({ projectId, operation }: OperationProps) {
  const { source, gitRefs } = useFullMessages();
  const { isBusy, attempt, showError } = useSourceChange(projectId);
  const { begin, question } = useGitTerminal(projectId);
  const perform = async (step: (typeof steps)[number]): Promise<void> => {
    const answer = await attempt("source.step", { projectId, step });
    if (answer.ok) return;
    if (answer.error.code === "needs_terminal" && step !== "abort") begin({ kind: "step", step });
    else showError(answer.error);
  };
  return (
    <div role="status" className="mx-3 mb-2 grid gap-1.5 rounded-control bg-ask-soft px-2 py-1.5 text-small">
      <p>
        {source.operations[operation.kind]}
        {operation.step !== undefined && ` ${source.step(operation.step, operation.steps ?? 0)}`}
      </p>
      <div className="flex flex-wrap gap-1 empty:hidden">
        {stepsOf(operation).map((step) => (
          <Button
            key={step}
            size="small"
            look={step === "continue" ? "plain" : "quiet"}
            disabled={isBusy}
            onClick={() => void perform(step)}
          >
            {gitRefs.steps[step]}
          </Button>
        ))}
      </div>
      {question}
    </div>
  );
}

function BranchLine({ branch }: Pick<RepositoryStatus, "branch">) {
  const { source } = useFullMessages();
  const { name, commit, upstream, ahead = 0, behind = 0 } = branch;
  return (
    <>
      <Icon of={GitBranch} size={14} className="shrink-0 text-ink-muted" />
      <span className="min-w-0 cut">{name ?? source.detached(commit ?? "")}</span>
      {commit === null && <span className="shrink-0 text-ink-muted">{source.noCommits}</span>}
      {upstream !== undefined && ahead + behind > 0 && (
        <span
          className="flex shrink-0 items-center gap-1 text-ink-muted tabular-nums"
          title={source.distance(ahead, behind, upstream)}
        >
          <span className="sr-only">{source.distance(ahead, behind, upstream)}</span>
          {ahead > 0 && <Distance icon={ArrowUp} count={ahead} />}
          {behind > 0 && <Distance icon={ArrowDown} count={behind} />}
        </span>
      )}
    </>
  );
}

const Distance = ({ icon, count }: { readonly icon: typeof ArrowUp; readonly count: number }) => (
  <span aria-hidden className="flex items-center">
    <Icon of={icon} size={12} />
    {count}
  </span>
);
