"use client";
/** The diff of one path with buttons that stage, unstage or discard it, its hunks, or lines of them. */
import { Minus, Plus, SquareArrowOutUpRight, Undo2 } from "lucide-react";
import type { ReactNode } from "react";
import { keepPreviousData, skipToken } from "@tanstack/react-query";
import type { ProjectId } from "@/lib/events/id";
import type { SourceDiff, SourceSide } from "@/lib/workspace/source-control";
import { useFullMessages } from "../../messages/full-messages";
import { useClient } from "../../state/client";
import { useCommandQuery } from "../../state/use-command-query";
import { IconButton } from "../../ui/controls/icon-button";
import { Chip } from "../../ui/indicators/chip";
import { fileIconOf } from "../../ui/indicators/file-icon";
import { Skeleton } from "../../ui/indicators/skeleton";
import { PlusMinus } from "../../ui/text/plus-minus";
import type { DiffLayout } from "../diff-layout";
import { SectionFrame } from "../section-frame";
import { ConflictView } from "./conflict/conflict-view";
import { SourceHunk } from "./source-hunk";
import type { SourceEntryRow } from "./source-rows";
import { useSourceActions } from "./use-source-actions";

interface SourceFileProps {
  readonly projectId: ProjectId;
  readonly row: SourceEntryRow;
  readonly layout: DiffLayout;
  readonly open: boolean;
  readonly onToggle: () => void;
}

export function SourceFile({ projectId, row, layout, open, onToggle }: SourceFileProps) {
  const { source, changes } = useFullMessages();
  const { workbench } = useClient();
  const actions = useSourceActions(projectId);
  const { entry, group } = row;
  const { path, change } = entry;
  const isStaged = group === "staged";
  const isFolder = path.endsWith("/");
  const diff = useCommandQuery(
    "source.diff",
    open && !isFolder && group !== "conflicts"
      ? { projectId, path, side: isStaged ? "staged" : "changed", isUntracked: group === "untracked", from: entry.from }
      : skipToken,
    { retry: false, placeholderData: keepPreviousData },
  );
  const canDiscard = !isStaged && group !== "conflicts" && entry.isSubmodule !== true;
  return (
    <SectionFrame
      path={path}
      icon={fileIconOf(path)}
      chips={change !== "modified" && <Chip tone="plain">{source.changes[change]}</Chip>}
      amount={diff.data?.hunks?.[0] !== undefined && <PlusMinus added={diff.data.added} removed={diff.data.removed} />}
      open={open}
      onToggle={onToggle}
      actions={
        <>
          {change !== "deleted" && !isFolder && (
            <IconButton
              icon={SquareArrowOutUpRight}
              name={changes.open(path)}
              size="small"
              side="below"
              onClick={() => workbench.openFile(path)}
            />
          )}
          <IconButton
            icon={isStaged ? Minus : Plus}
            name={(isStaged ? source.unstage : source.stage)(path)}
            size="small"
            side="below"
            onClick={() => void (isStaged ? actions.unstage([entry]) : actions.stage([entry]))}
          />
          {canDiscard && (
            <IconButton
              icon={Undo2}
              name={source.discard(path)}
              size="small"
              side="below"
              onClick={() => void actions.discard([entry])}
            />
          )}
        </>
      }
    >
      {isFolder ? (
        <Note text={source.folder} />
      ) : group === "conflicts" ? (
        <ConflictView {...{ projectId, path, layout }} />
      ) : (
        <FileDiff {...{ projectId, row, layout }} found={diff} />
      )}
    </SectionFrame>
  );
}

interface FileDiffProps extends Pick<SourceFileProps, "projectId" | "row" | "layout"> {
  readonly found: { readonly data?: SourceDiff; readonly isError: boolean };
}

function FileDiff({ projectId, row, layout, found: { data, isError } }: FileDiffProps): ReactNode {
  const { changes, source } = useFullMessages();
  const { entry, group } = row;
  if (isError) return <Note text={changes.failed} />;
  if (data === undefined) return <Skeleton label={changes.loading} className="mx-9 my-2 h-16" />;
  if (entry.isSubmodule === true) return <Note text={source.submodule} />;
  if (data.hunks === undefined) return <Note text={changes.why[data.why ?? "too_large"]} />;
  const side: SourceSide = group === "staged" ? "staged" : "changed";
  const isRename = entry.from !== undefined;
  const target = { projectId, path: entry.path, side, isUntracked: group === "untracked", isRename };
  return (
    <>
      {data.mode !== undefined && <Note text={source.mode(data.mode.old, data.mode.new)} />}
      {data.hunks.length === 0 && data.mode === undefined && (
        <Note text={isRename ? source.sameContent : changes.state.empty} />
      )}
      {data.hunks.map((hunk) => (
        <SourceHunk
          key={`${hunk.oldStart} ${hunk.newStart} ${hunk.oldLines} ${hunk.newLines}`}
          {...{ target, hunk, layout }}
          hash={data.hash}
        />
      ))}
    </>
  );
}

const Note = ({ text }: { readonly text: string }) => <p className="px-9 py-2.5 text-ink-muted">{text}</p>;
