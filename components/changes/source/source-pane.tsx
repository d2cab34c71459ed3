"use client";
/** Source control of a project: branch, unfinished work, and the changed paths with what can be done to them. */
import { FolderGit2, List, ListTree, RefreshCw } from "lucide-react";
import { lazy, type ReactNode, Suspense, useState } from "react";
import type { ProjectId } from "@/lib/events/id";
import { useFullMessages } from "../../messages/full-messages";
import { useClient } from "../../state/client";
import { setPreset } from "../../state/workbench/layout";
import { Button } from "../../ui/controls/button";
import { IconButton } from "../../ui/controls/icon-button";
import { Skeleton } from "../../ui/indicators/skeleton";
import type { SourceLinks } from "../worktrees/source-links";
import { WorktreesDialog } from "../worktrees/worktrees-dialog";
import { CommitBox } from "./commit/commit-box";
import { RepositoryNote, RepositoryOffer } from "./repository-above";
import { SourceHead } from "./source-head";
import { countSourceEntries, type SourceListShape } from "./source-rows";
import { SourceList } from "./source-list";
import { getSourceSelection } from "./source-selection";
import { useListShape } from "./use-list-shape";
import { slowStatusMs, useSourceStatus } from "./use-source-status";

const GitLog = lazy(async () => ({ default: (await import("../history/git-log")).GitLog }));
import { type SourceView, SourceViews } from "./source-views";

interface SourcePaneProps {
  readonly projectId: ProjectId;
  /** Called after the user chose a file, if the pane covers other panes then. */
  readonly onChosen?: () => void;
  readonly links: SourceLinks;
}

export function SourcePane({ projectId, onChosen, links }: SourcePaneProps) {
  const [hasWorktrees, setWorktrees] = useState(false);
  const [view, setView] = useState<SourceView>("changes");
  const [shape, setShape] = useListShape();
  const { source, worktrees } = useFullMessages();
  const status = useSourceStatus(projectId, "source");
  const { data, isFetching, refetch } = status;
  return (
    <section aria-label={source.title} className="flex min-h-0 flex-1 flex-col">
      <div className="flex h-9 shrink-0 items-center justify-between gap-2 pt-1 pr-2 pl-3">
        <h2 className="text-small font-medium text-ink-muted">{source.title}</h2>
        <div className="flex">
          {data?.kind === "status" && data.above === undefined && (
            <IconButton
              icon={FolderGit2}
              name={worktrees.title}
              size="small"
              side="below"
              onClick={() => setWorktrees(true)}
            />
          )}
          {data?.kind === "status" && view === "changes" && (
            <IconButton
              icon={shape === "tree" ? List : ListTree}
              name={shape === "tree" ? source.asList : source.asTree}
              size="small"
              side="below"
              onClick={() => setShape(shape === "tree" ? "list" : "tree")}
            />
          )}
          <IconButton
            icon={RefreshCw}
            name={source.refresh}
            size="small"
            side="below"
            aria-busy={isFetching}
            onClick={() => void refetch()}
          />
        </div>
      </div>
      {hasWorktrees && <WorktreesDialog {...{ projectId, links }} onClose={() => setWorktrees(false)} />}
      {data?.kind === "status" && <SourceHead projectId={projectId} status={data} />}
      {data?.kind === "status" && data.above !== undefined && (
        <RepositoryNote projectId={projectId} above={data.above} />
      )}
      {data?.kind === "status" && (
        <div className="px-3 pb-2">
          <SourceViews view={view} onView={setView} />
        </div>
      )}
      {view === "history" && data?.kind === "status" ? (
        <Suspense>
          <GitLog projectId={projectId} />
        </Suspense>
      ) : (
        <>
          {data?.kind === "status" && <CommitBox projectId={projectId} status={data} />}
          <PaneContent {...{ projectId, onChosen, status, shape }} />
        </>
      )}
    </section>
  );
}

interface PaneContentProps extends Pick<SourcePaneProps, "projectId" | "onChosen"> {
  readonly status: ReturnType<typeof useSourceStatus>;
  readonly shape: SourceListShape;
}

function PaneContent({ projectId, onChosen, status, shape }: PaneContentProps): ReactNode {
  const { source, changes, common } = useFullMessages();
  const client = useClient();
  const { workbench } = client;
  const { data, isError, refetch } = status;
  if (isError)
    return (
      <Note text={changes.failed}>
        <Button onClick={() => void refetch()}>{common.retry}</Button>
      </Note>
    );
  if (data === undefined) return <Skeleton label={changes.loading} className="mx-3 h-16" />;
  if (data.kind === "untrusted")
    return (
      <Note text={changes.untrusted}>
        <Button onClick={() => workbench.showOverlay("trust")}>{changes.trust}</Button>
      </Note>
    );
  if (data.kind === "above") return <RepositoryOffer projectId={projectId} />;
  if (data.kind === "none") return <Note text={changes.without[data.why]} />;
  return (
    <>
      {data.tookMs >= slowStatusMs && (
        <p className="flex items-center gap-2 px-3 pb-2 text-small text-ink-muted">
          <span className="min-w-0 flex-1">{source.slow}</span>
          <Button size="small" onClick={() => void refetch()}>
            {source.checkNow}
          </Button>
        </p>
      )}
      {countSourceEntries(data) === 0 ? (
        <Note text={source.none} />
      ) : (
        <SourceList
          projectId={projectId}
          status={data}
          shape={shape}
          onShow={(group, path) => {
            getSourceSelection(client).set({ group, path });
            workbench.showScope("tree");
            workbench.changeLayout((layout) => setPreset(layout, "review"));
            onChosen?.();
            workbench.showPhoneTab("review");
          }}
        />
      )}
      {data.more > 0 && <p className="px-3 py-2 text-small text-ink-muted">{changes.more(data.more)}</p>}
      {data.unreadable > 0 && (
        <p className="px-3 py-2 text-small text-ink-muted">{source.unreadable(data.unreadable)}</p>
      )}
    </>
  );
}

const Note = ({ text, children }: { readonly text: string; readonly children?: ReactNode }) => (
  <div className="grid justify-items-start gap-3 px-3 py-2 text-small text-ink-muted">
    <p className="text-pretty">{text}</p>
    {children}
  </div>
);
