"use client";
/** The diffs of the changed paths, staged or not, each loaded when its section is open. */
import { FolderGit2 } from "lucide-react";
import { lazy, Suspense, useEffect, useRef, useState } from "react";
import type { ProjectId } from "@/lib/events/id";
import { useFullMessages } from "../../messages/full-messages";
import { useClient } from "../../state/client";
import { useStore } from "../../state/store";
import { IconButton } from "../../ui/controls/icon-button";
import { phoneQuery, useMedia } from "../../ui/layout/use-media";
import type { DiffLayout } from "../diff-layout";
import type { SourceLinks } from "../worktrees/source-links";
import { WorktreesDialog } from "../worktrees/worktrees-dialog";
import { CommitBox } from "./commit/commit-box";
import { SourceFile } from "./source-file";
import { SourceHead } from "./source-head";
import { type RepositoryStatus, type SourceEntryRow, sourceGroups, toEntryRow } from "./source-rows";
import { getSourceSelection } from "./source-selection";
import { useSourceStatus } from "./use-source-status";

const GitLog = lazy(async () => ({ default: (await import("../history/git-log")).GitLog }));
import { type SourceView, SourceViews } from "./source-views";

interface SourceChangesProps {
  readonly projectId: ProjectId;
  readonly status: RepositoryStatus;
  readonly layout: DiffLayout;
  readonly links: SourceLinks;
}

/** Paths whose sections are open at first while none is chosen; otherwise that one is. */
const openUpTo = 20;
/** Sections; the pane lists all paths. */
const maxSections = 300;

export function SourceChanges({ projectId, status, layout, links }: SourceChangesProps) {
  const { source, changes } = useFullMessages();
  const client = useClient();
  useSourceStatus(projectId, "review");
  // A phone has no pane for it.
  const isPhone = useMedia(phoneQuery);
  const selection = useStore(getSourceSelection(client), (now) => now);
  const chosen = selection === null ? null : `${selection.group} ${selection.path}`;
  const [view, setView] = useState<SourceView>("changes");
  const list = useRef<HTMLDivElement>(null);
  /** Sections that the user opened or closed since a path was chosen. */
  const [toggled, setToggled] = useState<ReadonlySet<string>>(new Set());
  const all = sourceGroups.flatMap((group) => status[group].map((entry) => toEntryRow(group, entry)));
  const shown = limitRows(all, chosen);
  const isOpen = ({ key }: SourceEntryRow): boolean =>
    toggled.has(key) !== (chosen === null ? all.length <= openUpTo : key === chosen);
  useEffect(() => {
    if (chosen === null) return;
    setToggled(new Set());
    const section = [...(list.current?.querySelectorAll<HTMLElement>("[data-source]") ?? [])].find(
      ({ dataset }) => dataset.source === chosen,
    );
    section?.scrollIntoView({ block: "start" });
  }, [chosen]);
  if (isPhone && view === "history")
    return (
      <div className="flex min-h-0 min-w-0 flex-1 flex-col pt-3">
        <PhoneViews {...{ projectId, links, view }} onView={setView} />
        <Suspense>
          <GitLog projectId={projectId} />
        </Suspense>
      </div>
    );
  return (
    <div ref={list} className="min-h-0 min-w-0 flex-1 overflow-y-auto">
      {isPhone && (
        <div className="pt-3">
          <SourceHead projectId={projectId} status={status} />
          <PhoneViews {...{ projectId, links, view }} onView={setView} />
          <CommitBox projectId={projectId} status={status} />
        </div>
      )}
      {all.length === 0 && <p className="px-6 py-12 text-center text-balance text-ink-muted">{source.none}</p>}
      {shown.map((row, index) => (
        <div key={row.key} data-source={row.key}>
          {row.group !== shown[index - 1]?.group && (
            <h3 className="border-b border-line px-4 pt-4 pb-1.5 text-small font-medium text-ink-muted">
              {source.groups[row.group]}
            </h3>
          )}
          <SourceFile
            projectId={projectId}
            row={row}
            layout={layout}
            open={isOpen(row)}
            onToggle={() => {
              const next = new Set(toggled);
              if (!next.delete(row.key)) next.add(row.key);
              setToggled(next);
            }}
          />
        </div>
      ))}
      {all.length > shown.length && (
        <p className="px-9 py-3 text-small text-ink-muted">{changes.more(all.length - shown.length)}</p>
      )}
    </div>
  );
}

interface PhoneViewsProps extends Pick<SourceChangesProps, "projectId" | "links"> {
  readonly view: SourceView;
  readonly onView: (view: SourceView) => void;
}

/** The choice between changes and history, and the work trees, where there is no pane with them. */
function PhoneViews({ projectId, links, view, onView }: PhoneViewsProps) {
  const { worktrees } = useFullMessages();
  const [hasWorktrees, setWorktrees] = useState(false);
  return (
    <div className="flex items-center justify-between gap-2 px-3 pb-2">
      <SourceViews view={view} onView={onView} />
      <IconButton icon={FolderGit2} name={worktrees.title} side="below" onClick={() => setWorktrees(true)} />
      {hasWorktrees && <WorktreesDialog {...{ projectId, links }} onClose={() => setWorktrees(false)} />}
    </div>
  );
}

/** Returns the first rows, and the chosen one in any case. */
function limitRows(rows: readonly SourceEntryRow[], chosen: string | null): readonly SourceEntryRow[] {
  const first = rows.slice(0, maxSections);
  const beyond = rows.slice(maxSections).find(({ key }) => key === chosen);
  return beyond === undefined ? first : [...first, beyond];
}
