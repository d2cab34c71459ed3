"use client";
/** One hunk of a diff, with buttons for all of it or for the lines that the user checks. */
import { Minus, Plus, Undo2 } from "lucide-react";
import { useState } from "react";
import type { Hash, ProjectId } from "@/lib/events/id";
import type { Hunk, HunkLine } from "@/lib/text/diff";
import type { SourceLines, SourceSide } from "@/lib/workspace/source-control";
import { useFullMessages } from "../../messages/full-messages";
import { Button } from "../../ui/controls/button";
import { Icon } from "../../ui/indicators/icon";
import type { DiffLayout } from "../diff-layout";
import { ChoosableDiff, ChooseLinesButton, useLineChoice } from "../line-choice";
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
  const { source } = useFullMessages();
  const { projectId, path, side, isUntracked } = target;
  const actions = useSourceActions(projectId);
  const choice = useLineChoice(hunk);
  const [isBusy, setBusy] = useState(false);
  const { count } = choice;
  const lines = toSourceLines(choice.lines);
  const perform = async (work: Promise<void>): Promise<void> => {
    setBusy(true);
    await work;
    setBusy(false);
    choice.set(null);
  };
  const isStaged = side === "staged";
  const isOff = isBusy || count === 0;
  return (
    <div className="border-t border-line/60 first:border-t-0" data-hunk={hunk.newStart}>
      {!target.isRename && (
        <div className="flex min-h-8 flex-wrap items-center gap-1 pr-2 pl-9 max-tablet:pl-3">
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
          <ChooseLinesButton choice={choice} />
        </div>
      )}
      <ChoosableDiff path={path} layout={layout} choice={choice} />
    </div>
  );
}

const toSourceLines = (lines: readonly HunkLine[]): SourceLines => ({
  old: lines.flatMap(({ kind, oldLine }) => (kind === "remove" && oldLine !== undefined ? [oldLine] : [])),
  new: lines.flatMap(({ kind, newLine }) => (kind === "add" && newLine !== undefined ? [newLine] : [])),
});
