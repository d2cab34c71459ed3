"use client";
/** Changes to review, those of the last run, an earlier run or the session, or those since the last commit. */
import { keepPreviousData, skipToken } from "@tanstack/react-query";
import { RefreshCw, Trash2, Undo2 } from "lucide-react";
import { type ReactNode, useEffect, useState } from "react";
import type { ChangedFile } from "@/lib/workspace/changes";
import type { ProjectId } from "@/lib/events/id";
import type { ReviewState } from "@/lib/review/review-files";
import { pendingApprovals, type SessionView } from "@/lib/view/view";
import { useClient } from "../state/client";
import { useCommandQuery } from "../state/use-command-query";
import { useStore } from "../state/store";
import type { RestoreTarget, Workbench } from "../state/workbench/workbench-store";
import { Button } from "../ui/controls/button";
import { IconButton } from "../ui/controls/icon-button";
import { PlusMinus } from "../ui/text/plus-minus";
import { Segmented } from "../ui/controls/segmented";
import { Skeleton } from "../ui/indicators/skeleton";
import { type FullMessages, useFullMessages } from "../messages/full-messages";
import { ChangeList } from "./change-list";
import { DiffLayoutMenu } from "./diff-layout-menu";
import { type DiffLayout, useDiffLayout } from "./diff-layout";
import { ReviewChanges } from "./review/review-changes";
import { useReviewState } from "./review/use-review";
import { SourceChanges } from "./source/source-changes";
import { RepositoryOffer } from "./source/repository-above";
import { countSourceEntries, type RepositoryStatus } from "./source/source-rows";
import type { SourceLinks } from "./worktrees/source-links";
import {
  chooseOpeningScope,
  findChangeRange,
  findNewestRestore,
  isRangeScope,
  isUndoneRun,
  type RangeScope,
  type Scope,
  buildChangesKey,
} from "./change-scopes";

interface ChangesPaneProps {
  readonly projectId: ProjectId;
  /** null = no session is open. */
  readonly view: SessionView | null;
  /** Opens the explanation of trusting the folder. */
  readonly onTrust: () => void;
  readonly links: SourceLinks;
}

export function ChangesPane({ projectId, view, onTrust, links }: ChangesPaneProps) {
  const messages = useFullMessages();
  const { workbench } = useClient();
  const earlier = useStore(workbench, (state) => state.earlierRun);
  const hasEarlier = earlier !== null && earlier.sessionId === view?.sessionId;
  const chosen = useStore(workbench, (state) => state.scope);
  const { scope, result, stopAutoScope } = useShownChanges(
    projectId,
    view,
    chosen === "earlier" && !hasEarlier ? "run" : chosen,
  );
  const target = view === null || !isRangeScope(scope) ? null : findRestoreTarget(view, scope, earlier);
  const { files } = result;
  const [layout, setLayout] = useDiffLayout();
  return (
    <section
      aria-label={messages.changes.title}
      className="@container/changes flex min-h-0 min-w-0 flex-1 flex-col bg-canvas"
    >
      <div className="flex min-h-9 shrink-0 flex-wrap items-center gap-x-3 gap-y-1 border-b border-line bg-surface px-2 py-0.5">
        <Segmented
          name={messages.changes.scope}
          value={scope}
          options={[
            { value: "undecided", label: messages.review.undecided },
            { value: "run", label: messages.changes.run },
            ...(hasEarlier ? [{ value: "earlier" as const, label: messages.changes.earlier }] : []),
            { value: "session", label: messages.changes.session },
            { value: "tree", label: messages.changes.tree },
          ]}
          onChange={(next) => {
            stopAutoScope();
            workbench.showScope(next);
          }}
        />
        {files !== null && files.length > 0 && <Totals files={files} more={result.more} />}
        <div className="ml-auto flex items-center gap-1">
          {target !== null && files !== null && files.length > 0 && view?.run === null && (
            <Button size="small" onClick={() => workbench.showRestore(target)}>
              <Undo2 aria-hidden size={14} strokeWidth={1.5} />
              {messages.chat.run.undo(files.length + result.more)}
            </Button>
          )}
          {(!isRangeScope(scope) || (files !== null && files.length > 0)) && (
            <DiffLayoutMenu layout={layout} onLayout={setLayout} />
          )}
          <IconButton
            icon={RefreshCw}
            name={messages.changes.refresh}
            side="below"
            onClick={() => void result.refetch()}
          />
          <IconButton
            icon={Trash2}
            name={messages.changes.trash}
            side="below"
            onClick={() => workbench.showOverlay("trash")}
          />
        </div>
      </div>
      {view !== null && isRangeScope(scope) && <RestoreNotice view={view} />}
      <PaneBody {...{ projectId, scope, view, layout, onTrust, links }} found={result} />
    </section>
  );
}

/** Returns the state before the changes of a scope; null = it has none, or they are undone already. */
function findRestoreTarget(
  view: SessionView,
  scope: RangeScope,
  earlier: Workbench["earlierRun"],
): RestoreTarget | null {
  const range = findChangeRange(view, scope, earlier);
  if (range !== null && scope === "earlier" && isUndoneRun(view, range.from)) return null;
  return range && { sessionId: view.sessionId, toSeq: range.from, before: scope };
}

interface ChangesResult {
  /** null = not loaded, or unavailable. */
  readonly files: readonly ChangedFile[] | null;
  readonly more: number;
  readonly state: "loading" | "failed" | "ready" | keyof FullMessages["changes"]["without"] | "untrusted" | "above";
  /** Status of the working tree, in place of `files`. */
  readonly status?: RepositoryStatus;
  /** Changes to review, in place of `files`. */
  readonly review?: ReviewState;
  readonly refetch: () => Promise<unknown>;
}

interface ShownChanges {
  readonly scope: Scope;
  readonly result: ChangesResult;
  /** Ends the automatic choice of scope after the user's choice. */
  readonly stopAutoScope: () => void;
}

/** Selects the newest scope with changes while the view opens. */
function useShownChanges(projectId: ProjectId, view: SessionView | null, chosen: Scope): ShownChanges {
  const { workbench } = useClient();
  const [isOpening, setOpening] = useState(true);
  const scopeProjectId = isOpening ? projectId : null;
  const changesByScope: Readonly<Record<Scope, ChangesResult>> = {
    undecided: useUndecided(chosen === "undecided" || isOpening ? view : null),
    run: useChanges(chosen === "run" ? projectId : scopeProjectId, view, "run"),
    earlier: useChanges(chosen === "earlier" ? projectId : null, view, "earlier"),
    session: useChanges(chosen === "session" ? projectId : scopeProjectId, view, "session"),
    tree: useChanges(chosen === "tree" ? projectId : scopeProjectId, view, "tree"),
  };
  // A chosen scope that shows a pending approval or an undo is not replaced although it has no changes.
  const keeps = view === null || pendingApprovals(view).length > 0 || findNewestRestore(view)?.kind === "undone";
  const next = chooseOpeningScope(chosen, (scope) =>
    keeps && scope === chosen ? false : isEmpty(changesByScope[scope]),
  );
  useEffect(() => {
    if (!isOpening || next === null) return;
    setOpening(false);
    if (next !== chosen) workbench.showScope(next);
  }, [isOpening, next, chosen, workbench]);
  const scope = isOpening ? (next ?? chosen) : chosen;
  const found = changesByScope[scope];
  const waits = isOpening && next === null && found.state === "ready";
  return {
    scope,
    result: waits ? { ...found, files: null, more: 0, state: "loading" } : found,
    stopAutoScope: () => setOpening(false),
  };
}

function isEmpty({ state, files, status, review }: ChangesResult): boolean | undefined {
  if (state === "loading") return undefined;
  if (status !== undefined) return countSourceEntries(status) === 0;
  return (review?.files ?? files ?? []).length === 0;
}

/** null = do not load. */
function useUndecided(view: SessionView | null): ChangesResult {
  const { data, isError, refetch } = useReviewState(view);
  const none = { files: null, more: 0, refetch } as const;
  if (view === null) return { ...none, files: [], state: "ready" };
  if (isError) return { ...none, state: "failed" };
  return data === undefined ? { ...none, state: "loading" } : { ...none, review: data, state: "ready" };
}

/** `projectId` null = do not load. */
function useChanges(
  projectId: ProjectId | null,
  view: SessionView | null,
  scope: Exclude<Scope, "undecided">,
): ChangesResult {
  const { workbench } = useClient();
  const earlier = useStore(workbench, (state) => state.earlierRun);
  const range = projectId === null || view === null || scope === "tree" ? null : findChangeRange(view, scope, earlier);
  const session = useCommandQuery(
    "session.changes",
    range === null || view === null ? skipToken : { sessionId: view.sessionId, ...range },
    { retry: false, stamp: view === null ? "" : buildChangesKey(view), placeholderData: keepPreviousData },
  );
  const tree = useCommandQuery("source.status", scope === "tree" && projectId !== null ? { projectId } : skipToken, {
    retry: false,
  });
  const none = { files: null, more: 0 } as const;
  if (scope === "tree") {
    const { refetch } = tree;
    if (tree.isError) return { ...none, state: "failed", refetch };
    if (tree.data === undefined) return { ...none, state: "loading", refetch };
    if (tree.data.kind === "status") return { ...none, status: tree.data, state: "ready", refetch };
    return { ...none, state: tree.data.kind === "none" ? tree.data.why : tree.data.kind, refetch };
  }
  const { refetch } = session;
  if (range === null) return { files: [], more: 0, state: "ready", refetch };
  if (session.isError) return { ...none, state: "failed", refetch };
  if (session.data === undefined) return { ...none, state: "loading", refetch };
  return { ...session.data, state: "ready", refetch };
}

function Totals({ files, more }: { readonly files: readonly ChangedFile[]; readonly more: number }) {
  const messages = useFullMessages();
  const sum = (key: "added" | "removed"): number => files.reduce((total, file) => total + file[key], 0);
  return (
    <span className="flex items-center gap-1.5 text-small text-ink-muted tabular-nums">
      {messages.changes.files(files.length + more)}
      <PlusMinus added={sum("added")} removed={sum("removed")} />
    </span>
  );
}

interface PaneBodyProps {
  readonly projectId: ProjectId;
  readonly layout: DiffLayout;
  readonly found: ChangesResult;
  readonly scope: Scope;
  readonly view: SessionView | null;
  readonly onTrust: () => void;
  readonly links: SourceLinks;
}

/** Reports that changes were undone or redone, with a button to reverse it. */
function RestoreNotice({ view }: { readonly view: SessionView }) {
  const { chat } = useFullMessages();
  const { workbench } = useClient();
  const restore = findNewestRestore(view);
  if (restore === null) return null;
  const text = chat.restore[restore.kind];
  return (
    <div role="status" className="flex flex-wrap items-center gap-x-3 gap-y-1 border-b border-line px-4 py-2">
      <p className="min-w-0 flex-1">{text.summary(restore.files)}</p>
      <Button
        size="small"
        disabled={view.run !== null}
        onClick={() =>
          workbench.showRestore({
            sessionId: view.sessionId,
            toSeq: restore.before,
            ...(restore.kind === "undone" ? { isRedo: true } : {}),
          })
        }
      >
        {text.reverse}
      </Button>
    </div>
  );
}

function PaneBody({ projectId, layout, found, scope, view, onTrust, links }: PaneBodyProps): ReactNode {
  const messages = useFullMessages();
  switch (found.state) {
    case "loading":
      return <Skeleton label={messages.changes.loading} className="m-4 h-24" />;
    case "failed":
      return (
        <PaneMessage text={messages.changes.failed}>
          <Button onClick={() => void found.refetch()}>{messages.common.retry}</Button>
        </PaneMessage>
      );
    case "above":
      return <RepositoryOffer projectId={projectId} />;
    case "no_repository":
    case "bare":
    case "no_git":
    case "old_git":
      return <PaneMessage text={messages.changes.without[found.state]} />;
    case "untrusted":
      return (
        <PaneMessage text={messages.changes.untrusted}>
          <Button onClick={onTrust}>{messages.changes.trust}</Button>
        </PaneMessage>
      );
    case "ready":
      break;
  }
  if (found.review !== undefined && view !== null) return <ReviewChanges {...{ view, layout }} state={found.review} />;
  if (found.status !== undefined) return <SourceChanges {...{ projectId, layout, links }} status={found.status} />;
  const files = found.files ?? [];
  if (files.length === 0 && view !== null && isRangeScope(scope)) {
    if (pendingApprovals(view).length > 0) return <PaneMessage text={messages.changes.nothingYet} />;
    // The line above already reports it.
    if (findNewestRestore(view)?.kind === "undone") return null;
  }
  if (files.length === 0)
    return (
      <PaneMessage
        text={messages.changes.empty[scope === "undecided" || (view === null && isRangeScope(scope)) ? "none" : scope]}
      />
    );
  return <ChangeList {...{ projectId, files, layout }} more={found.more} />;
}

function PaneMessage({ text, children }: { readonly text: string; readonly children?: ReactNode }) {
  return (
    <div className="mx-auto flex max-w-96 flex-col items-center gap-4 px-6 py-16 text-center text-ink-muted">
      <p className="text-balance">{text}</p>
      {children}
    </div>
  );
}
