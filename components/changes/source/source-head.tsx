"use client";
/** Branch of a repository with its distance from the upstream, and work that is not finished. */
import { ArrowDown, ArrowUp, GitBranch } from "lucide-react";
import { useFullMessages } from "../../messages/full-messages";
import { Icon } from "../../ui/indicators/icon";
import type { RepositoryStatus } from "./source-rows";

interface SourceHeadProps {
  readonly status: RepositoryStatus;
}

export function SourceHead({ status: { branch, operation } }: SourceHeadProps) {
  const { source } = useFullMessages();
  return (
    <>
      <BranchLine branch={branch} />
      {operation !== null && (
        <p role="status" className="mx-3 mb-2 rounded-control bg-ask-soft px-2 py-1.5 text-small">
          {source.operations[operation.kind]}
          {operation.step !== undefined && ` ${source.step(operation.step, operation.steps ?? 0)}`}
        </p>
      )}
    </>
  );
}

function BranchLine({ branch }: Pick<RepositoryStatus, "branch">) {
  const { source } = useFullMessages();
  const { name, commit, upstream, ahead = 0, behind = 0 } = branch;
  return (
    <p className="flex min-w-0 items-center gap-1.5 px-3 pb-2 text-small">
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
    </p>
  );
}

const Distance = ({ icon, count }: { readonly icon: typeof ArrowUp; readonly count: number }) => (
  <span aria-hidden className="flex items-center">
    <Icon of={icon} size={12} />
    {count}
  </span>
);
