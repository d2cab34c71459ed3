"use client";
/** Branches, tags and stashes of the repository. */
import { useState } from "react";
import type { ProjectId } from "@/lib/events/id";
import { useFullMessages } from "../../messages/full-messages";
import { useCommandQuery } from "../../state/use-command-query";
import { Segmented } from "../../ui/controls/segmented";
import { Skeleton } from "../../ui/indicators/skeleton";
import { Dialog } from "../../ui/overlays/dialog";
import { CommitDialog } from "../history/commit-dialog";
import { useSourceChange } from "../source/use-source-change";
import { BranchRow } from "./branch-row";
import { StashesView } from "./stashes-view";
import { TagsView } from "./tags-view";
import { useGitTerminal } from "./use-git-terminal";
import { NameForm } from "./name-form";

interface BranchesDialogProps {
  readonly projectId: ProjectId;
  readonly onClose: () => void;
}

export function BranchesDialog({ projectId, onClose }: BranchesDialogProps) {
  const { gitRefs: text, common } = useFullMessages();
  const [view, setView] = useState<"branches" | "tags" | "stashes">("branches");
  return (
    <Dialog wide title={text.title} closeName={common.close} onClose={onClose}>
      <div className="mb-3">
        <Segmented
          name={text.title}
          value={view}
          options={[
            { value: "branches", label: text.branches },
            { value: "tags", label: text.tags },
            { value: "stashes", label: text.stashes },
          ]}
          onChange={setView}
        />
      </div>
      {view === "branches" && <BranchesView projectId={projectId} onClose={onClose} />}
      {view === "tags" && <TagsView projectId={projectId} />}
      {view === "stashes" && <StashesView projectId={projectId} />}
    </Dialog>
  );
}

/** Commits that are compared. */
interface ComparedCommits {
  readonly base: string;
  readonly commit: string;
}

function BranchesView({ projectId, onClose }: BranchesDialogProps) {
  const { gitRefs: text, common, changes } = useFullMessages();
  const { data, error } = useCommandQuery("source.branches", { projectId }, { retry: false });
  const [typed, setTyped] = useState("");
  const [compared, setCompared] = useState<ComparedCommits | null>(null);
  const { isBusy, perform } = useSourceChange(projectId);
  const { begin, question } = useGitTerminal(projectId);
  const wanted = typed.trim();
  const shown = data?.branches.filter(({ name }) => name.toLowerCase().includes(wanted.toLowerCase())) ?? [];
  const isNew = wanted !== "" && data?.branches.every(({ name }) => name !== wanted) === true;
  const head = data?.branches.find(({ isCurrent }) => isCurrent)?.commit;
  const create = async (): Promise<void> => {
    const created = await perform("source.switch", { projectId, branch: wanted, from: "HEAD" });
    if (created !== undefined) onClose();
  };
  return (
    <>
      <NameForm
        {...{ typed, isBusy, isNew }}
        label={text.field}
        submit={text.create}
        onType={setTyped}
        onCreate={() => void create()}
      />
      {error !== null && <p role="alert">{changes.failed}</p>}
      {data === undefined && error === null && <Skeleton label={common.loading} className="h-24" />}
      <ul className="divide-y divide-line rounded-card border border-line empty:hidden">
        {shown.map((branch) => (
          <BranchRow
            key={`${branch.isRemote} ${branch.name}`}
            {...{ projectId, branch, onClose }}
            onTerminal={begin}
            onCompare={head === undefined ? null : () => setCompared({ base: head, commit: branch.commit })}
          />
        ))}
      </ul>
      {compared !== null && (
        <CommitDialog
          projectId={projectId}
          shown={compared}
          onShow={() => undefined}
          onClose={() => setCompared(null)}
        />
      )}
      {question}
    </>
  );
}
