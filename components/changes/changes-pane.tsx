"use client";
/** Changes of the last run, an earlier run, the session, or since the last commit. */
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { RefreshCw, Trash2, Undo2 } from "lucide-react";
import { type ReactNode, useEffect, useState } from "react";
import type { ChangedFile } from "@/lib/changes";
import type { ProjectId } from "@/lib/id";
import { pendingApprovals, type SessionView } from "@/lib/view";
import { useClient } from "../state/client";
import { queries } from "../state/queries";
import { useStore } from "../state/store";
import { Button } from "../ui/button";
import { IconButton } from "../ui/icon-button";
import { PlusMinus } from "../ui/plus-minus";
import { Segmented } from "../ui/segmented";
import { Skeleton } from "../ui/skeleton";
import { useFullWords } from "../words/full-words";
import { ChangeList } from "./change-list";
import { openingScope, rangeOf, restoreOf, type Scope, stampOf } from "./scopes";

export interface ChangesPaneProps {
  readonly projectId: ProjectId;
  /** null = no session is open. */
  readonly view: SessionView | null;
  /** Opens the explanation of trusting the folder. */
  readonly onTrust: () => void;
}

export function ChangesPane({ projectId, view, onTrust }: ChangesPaneProps) {
  const words = useFullWords();
  const { workbench } = useClient();
  const earlier = useStore(workbench, (state) => state.earlier);
  const hasEarlier = earlier !== null && earlier.sessionId === view?.sessionId;
  const chosen = useStore(workbench, (state) => state.scope);
  const { scope, found, endOpening } = useShown(projectId, view, chosen === "earlier" && !hasEarlier ? "run" : chosen);
  const range = view === null || scope === "tree" ? null : rangeOf(view, scope, earlier);
  const { files } = found;
  return (
    <section aria-label={words.changes.title} className="flex min-h-0 min-w-0 flex-1 flex-col bg-canvas">
      <div className="flex min-h-9 shrink-0 flex-wrap items-center gap-x-3 gap-y-1 border-b border-line bg-surface px-2 py-0.5">
        <Segmented
          name={words.changes.scope}
          value={scope}
          options={[
            { value: "run", label: words.changes.run },
            ...(hasEarlier ? [{ value: "earlier" as const, label: words.changes.earlier }] : []),
            { value: "session", label: words.changes.session },
            { value: "tree", label: words.changes.tree },
          ]}
          onChange={(next) => {
            endOpening();
            workbench.showScope(next);
          }}
        />
        {files !== null && files.length > 0 && <Totals files={files} more={found.more} />}
        <div className="ml-auto flex items-center gap-1">
          {range !== null && files !== null && files.length > 0 && view?.run === null && (
            <Button
              size="small"
              onClick={() =>
                workbench.askRestore({
                  sessionId: view.sessionId,
                  toSeq: range.from,
                  ...(scope === "tree" ? {} : { before: scope }),
                })
              }
            >
              <Undo2 aria-hidden size={14} strokeWidth={1.5} />
              {words.changes.restoreToHere}
            </Button>
          )}
          <IconButton icon={RefreshCw} name={words.changes.refresh} side="below" onClick={() => void found.refetch()} />
          <IconButton
            icon={Trash2}
            name={words.changes.trash}
            side="below"
            onClick={() => workbench.showOverlay("trash")}
          />
        </div>
      </div>
      <div className="min-h-0 flex-1 overflow-y-auto">
        {view !== null && scope !== "tree" && <Restored view={view} />}
        <Body found={found} scope={scope} view={view} onTrust={onTrust} />
      </div>
    </section>
  );
}

interface Found {
  /** null = not loaded, or unavailable. */
  readonly files: readonly ChangedFile[] | null;
  readonly more: number;
  readonly state: "loading" | "failed" | "ready" | "no_repository" | "no_git" | "untrusted";
  readonly refetch: () => Promise<unknown>;
}

interface Shown {
  readonly scope: Scope;
  readonly found: Found;
  /** Ends the automatic choice of scope after the user's choice. */
  readonly endOpening: () => void;
}

/** Selects the newest scope with changes while the view opens. */
function useShown(projectId: ProjectId, view: SessionView | null, chosen: Scope): Shown {
  const { workbench } = useClient();
  const [isOpening, setOpening] = useState(true);
  const others = isOpening ? projectId : null;
  const known: Readonly<Record<Scope, Found>> = {
    run: useChanges(chosen === "run" ? projectId : others, view, "run"),
    earlier: useChanges(chosen === "earlier" ? projectId : null, view, "earlier"),
    session: useChanges(chosen === "session" ? projectId : others, view, "session"),
    tree: useChanges(chosen === "tree" ? projectId : others, view, "tree"),
  };
  // A chosen scope that shows a pending approval or an undo is not replaced although it has no changes.
  const keeps = view === null || pendingApprovals(view).length > 0 || restoreOf(view)?.kind === "undone";
  const next = openingScope(chosen, (scope) => (keeps && scope === chosen ? false : isEmpty(known[scope])));
  useEffect(() => {
    if (!isOpening || next === null) return;
    setOpening(false);
    if (next !== chosen) workbench.showScope(next);
  }, [isOpening, next, chosen, workbench]);
  const scope = isOpening ? (next ?? chosen) : chosen;
  const found = known[scope];
  const waits = isOpening && next === null && found.state === "ready";
  return {
    scope,
    found: waits ? { ...found, files: null, more: 0, state: "loading" } : found,
    endOpening: () => setOpening(false),
  };
}

const isEmpty = ({ state, files }: Found): boolean | undefined =>
  state === "loading" ? undefined : files === null || files.length === 0;

/** `projectId` null = do not load. */
function useChanges(projectId: ProjectId | null, view: SessionView | null, scope: Scope): Found {
  const { call, workbench } = useClient();
  const earlier = useStore(workbench, (state) => state.earlier);
  const range = projectId === null || view === null || scope === "tree" ? null : rangeOf(view, scope, earlier);
  const session = useQuery({
    ...queries.changes(
      call,
      range === null || view === null ? null : { sessionId: view.sessionId, ...range },
      view === null ? "" : stampOf(view),
    ),
    placeholderData: keepPreviousData,
  });
  const tree = useQuery(queries.workingTree(call, scope === "tree" ? projectId : null));
  const none = { files: null, more: 0 } as const;
  if (scope === "tree") {
    const { refetch } = tree;
    if (tree.isError) return { ...none, state: "failed", refetch };
    if (tree.data === undefined) return { ...none, state: "loading", refetch };
    if (tree.data.kind === "changes") return { ...tree.data, state: "ready", refetch };
    return { ...none, state: tree.data.kind === "none" ? tree.data.why : "untrusted", refetch };
  }
  const { refetch } = session;
  if (range === null) return { files: [], more: 0, state: "ready", refetch };
  if (session.isError) return { ...none, state: "failed", refetch };
  if (session.data === undefined) return { ...none, state: "loading", refetch };
  return { ...session.data, state: "ready", refetch };
}

function Totals({ files, more }: { readonly files: readonly ChangedFile[]; readonly more: number }) {
  const words = useFullWords();
  const sum = (key: "added" | "removed"): number => files.reduce((total, file) => total + file[key], 0);
  return (
    <span className="flex items-center gap-1.5 text-small text-ink-muted tabular-nums">
      {words.changes.files(files.length + more)}
      <PlusMinus added={sum("added")} removed={sum("removed")} />
    </span>
  );
}

interface BodyProps {
  readonly found: Found;
  readonly scope: Scope;
  readonly view: SessionView | null;
  readonly onTrust: () => void;
}

/** Reports that changes were undone or brought back, with a button to reverse it. */
function Restored({ view }: { readonly view: SessionView }) {
  const { changes } = useFullWords();
  const { workbench } = useClient();
  const restore = restoreOf(view);
  if (restore === null) return null;
  const text = changes[restore.kind];
  return (
    <div role="status" className="flex flex-wrap items-center gap-x-3 gap-y-1 border-b border-line px-4 py-2">
      <p className="min-w-0 flex-1">{text.told(restore.files)}</p>
      <Button
        size="small"
        disabled={view.run !== null}
        onClick={() => workbench.askRestore({ sessionId: view.sessionId, toSeq: restore.before })}
      >
        {text.reverse}
      </Button>
    </div>
  );
}

function Body({ found, scope, view, onTrust }: BodyProps): ReactNode {
  const words = useFullWords();
  const [folded, setFolded] = useState<ReadonlySet<string>>(new Set());
  switch (found.state) {
    case "loading":
      return <Skeleton label={words.changes.loading} className="m-4 h-24" />;
    case "failed":
      return (
        <Message text={words.changes.failed}>
          <Button onClick={() => void found.refetch()}>{words.common.retry}</Button>
        </Message>
      );
    case "no_repository":
      return <Message text={words.changes.noRepository} />;
    case "no_git":
      return <Message text={words.changes.noGit} />;
    case "untrusted":
      return (
        <Message text={words.changes.untrusted}>
          <Button onClick={onTrust}>{words.changes.trust}</Button>
        </Message>
      );
    case "ready":
      break;
  }
  const files = found.files ?? [];
  if (files.length === 0 && view !== null && scope !== "tree") {
    if (pendingApprovals(view).length > 0) return <Message text={words.changes.nothingYet} />;
    // The line above already reports it.
    if (restoreOf(view)?.kind === "undone") return null;
  }
  if (files.length === 0)
    return <Message text={words.changes.empty[view === null && scope !== "tree" ? "none" : scope]} />;
  return <ChangeList files={files} more={found.more} folded={folded} onFolded={setFolded} />;
}

function Message({ text, children }: { readonly text: string; readonly children?: ReactNode }) {
  return (
    <div className="mx-auto flex max-w-96 flex-col items-center gap-4 px-6 py-16 text-center text-ink-muted">
      <p className="text-balance">{text}</p>
      {children}
    </div>
  );
}
