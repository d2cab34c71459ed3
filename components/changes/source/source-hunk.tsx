"use client";
/** One hunk of a diff, with buttons for all of it or for the lines that the user checks. */
import { ListChecks, Minus, Plus, Undo2, X } from "lucide-react";
import { useState } from "react";
import type { Hash, ProjectId } from "@/lib/events/id";
import type { Hunk, HunkLine } from "@/lib/text/diff";
import type { SourceLines, SourceSide } from "@/lib/workspace/source-control";
import { useFullMessages } from "../../messages/full-messages";
import { Button } from "../../ui/controls/button";
import { Icon } from "../../ui/indicators/icon";
import { LazyDiffView } from "../../ui/code/lazy-diff-view";
import type { DiffLayout } from "../diff-layout";
import { useSourceActions } from "./use-source-actions";

interface SourceHunkProps {
  readonly target: {
    readonly projectId: ProjectId;
    readonly path: string;
    readonly side: SourceSide;
    readonly isUntracked: boolean;
    /** Only the whole file can be unstaged. */
    readonly isRename: boolean;
  };
  readonly hunk: Hunk;
  /** Hash of the diff that the hunk belongs to. */
  readonly hash: Hash;
  readonly layout: DiffLayout;
}

export function SourceHunk({ target, hunk, hash, layout }: SourceHunkProps) {
  const { source, common } = useFullMessages();
  const { projectId, path, side, isUntracked } = target;
  const actions = useSourceActions(projectId);
  const [checked, setChecked] = useState<ReadonlySet<HunkLine> | null>(null);
  const [isBusy, setBusy] = useState(false);
  const changed = hunk.lines.filter(({ kind }) => kind !== "same");
  const lines = toSourceLines(checked === null ? changed : changed.filter((line) => checked.has(line)));
  const count = checked === null ? null : lines.old.length + lines.new.length;
  const perform = async (work: Promise<void>): Promise<void> => {
    setBusy(true);
    await work;
    setBusy(false);
    setChecked(null);
  };
  const toggle = (line: HunkLine): void => {
    const next = new Set(checked);
    if (!next.delete(line)) next.add(line);
    setChecked(next);
  };
  const isStaged = side === "staged";
  const isOff = isBusy || count === 0;
  return (
    <div className="border-t border-line/60 first:border-t-0" data-hunk={hunk.newStart}>
      {!target.isRename && (
        <div className="flex min-h-8 flex-wrap items-center gap-1 pr-2 pl-9">
          <span className="mr-auto text-small text-ink-faint tabular-nums">
            {source.place(Math.max(hunk.newStart, 1))}
          </span>
          <Button
            look="quiet"
            size="small"
            disabled={isOff}
            onClick={() => void perform(actions.changeLines(side, isUntracked, { path, hash, lines }))}
          >
            <Icon of={isStaged ? Minus : Plus} size={14} />
            {(isStaged ? source.unstageLines : source.stageLines)(count)}
          </Button>
          {!isStaged && !isUntracked && (
            <Button
              look="quiet"
              size="small"
              disabled={isOff}
              onClick={() => void perform(actions.discardLines({ path, hash, lines }))}
            >
              <Icon of={Undo2} size={14} />
              {source.discardLines(count)}
            </Button>
          )}
          {changed.length > 1 && (
            <Button
              look="quiet"
              size="small"
              aria-pressed={checked !== null}
              onClick={() => setChecked(checked === null ? new Set() : null)}
            >
              <Icon of={checked === null ? ListChecks : X} size={14} />
              {checked === null ? source.chooseLines : common.cancel}
            </Button>
          )}
        </div>
      )}
      <LazyDiffView
        {...layout}
        hunks={[hunk]}
        path={path}
        names={common.hidden}
        label={path}
        className={checked === null ? undefined : controlPlace}
        control={
          checked === null
            ? undefined
            : (line) => <LineCheck line={line} isChecked={checked.has(line)} onToggle={() => toggle(line)} />
        }
      />
    </div>
  );
}

interface LineCheckProps {
  readonly line: HunkLine;
  readonly isChecked: boolean;
  readonly onToggle: () => void;
}

/** The checkbox is over its line, which is higher where it is touched. */
const controlPlace =
  "[&_[data-line]]:relative [&_[data-line]]:max-tablet:min-h-9 [&_[data-line]]:max-tablet:items-center";

/** Its label is the whole line. */
function LineCheck({ line, isChecked, onToggle }: LineCheckProps) {
  const { source } = useFullMessages();
  return (
    <label className="absolute inset-0 cursor-pointer hover:bg-hover has-checked:bg-accent-soft/60">
      <input
        type="checkbox"
        aria-label={source.chooseLine(line.text)}
        checked={isChecked}
        onChange={onToggle}
        className="absolute top-1 left-1 size-3 accent-accent max-tablet:top-2 max-tablet:size-5"
      />
    </label>
  );
}

const toSourceLines = (lines: readonly HunkLine[]): SourceLines => ({
  old: lines.flatMap(({ kind, oldLine }) => (kind === "remove" && oldLine !== undefined ? [oldLine] : [])),
  new: lines.flatMap(({ kind, newLine }) => (kind === "add" && newLine !== undefined ? [newLine] : [])),
});
