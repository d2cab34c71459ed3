"use client";
/** A repository whose top is above the project's folder: the offer to use it, and what it means once it is used. */
import type { ProjectId } from "@/lib/events/id";
import type { RepositoryAbove } from "@/lib/workspace/source-control";
import { useFullMessages } from "../../messages/full-messages";
import { useCommandQuery } from "../../state/use-command-query";
import { Button } from "../../ui/controls/button";
import { useSourceChange } from "./use-source-change";

interface RepositoryOfferProps {
  readonly projectId: ProjectId;
}

/** Draws nothing unless the user has to agree to the use of such a repository. */
export function RepositoryOffer({ projectId }: RepositoryOfferProps) {
  const { above } = useFullMessages().source;
  const { data } = useCommandQuery("source.status", { projectId }, { retry: false });
  const { isBusy, perform } = useSourceChange(projectId);
  if (data?.kind !== "above") return null;
  const { top } = data;
  return (
    <div className="grid max-w-96 justify-items-start gap-3 px-3 py-2 text-small text-ink-muted">
      <p className="break-words">{above.offer(top)}</p>
      <Button disabled={isBusy} onClick={() => void perform("source.use_repository", { projectId, top })}>
        {above.use}
      </Button>
    </div>
  );
}

interface RepositoryNoteProps extends RepositoryOfferProps {
  readonly above: RepositoryAbove;
}

/** Says what concerns the whole repository, and ends its use. */
export function RepositoryNote({ projectId, above: { top, staged } }: RepositoryNoteProps) {
  const { above } = useFullMessages().source;
  const { isBusy, perform } = useSourceChange(projectId);
  return (
    <div className="mx-3 mb-2 grid justify-items-start gap-1 text-small text-ink-muted">
      <p className="break-words">{above.note(top)}</p>
      {staged > 0 && <p role="status">{above.staged(staged)}</p>}
      <Button
        size="small"
        look="quiet"
        disabled={isBusy}
        onClick={() => void perform("source.use_repository", { projectId, top: null })}
      >
        {above.stop}
      </Button>
    </div>
  );
}
