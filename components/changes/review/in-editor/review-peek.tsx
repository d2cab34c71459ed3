"use client";
/** An undecided change below its lines in an editor: what was removed, the comments, and the buttons that decide. */
import { X } from "lucide-react";
import { useMemo } from "react";
import { findFileLine, isAnchored, quoteLines } from "@/lib/review/review-comments";
import type { ReviewedHunk } from "@/lib/review/review-hunks";
import type { Hunk } from "@/lib/text/diff";
import { useFullMessages } from "../../../messages/full-messages";
import { randomText } from "../../../state/new-id";
import { LazyDiffView } from "../../../ui/code/lazy-diff-view";
import { IconButton } from "../../../ui/controls/icon-button";
import { Chip } from "../../../ui/indicators/chip";
import { PlusMinus } from "../../../ui/text/plus-minus";
import { HunkButtons } from "../hunk-buttons";
import { CommentForm, CommentRow, useWrittenComment } from "../review-comment";
import type { ReviewComments } from "../review-comments-store";

interface ReviewPeekProps {
  readonly path: string;
  readonly hunk: ReviewedHunk;
  readonly index: number;
  readonly count: number;
  readonly isBusy: boolean;
  readonly comments: ReviewComments;
  readonly onDecide: (verdict: "accept" | "reject") => void;
  readonly onClose: () => void;
}

/** For a component whose key follows the content of the hunk. */
export function ReviewPeek({ path, hunk, index, count, isBusy, comments, onDecide, onClose }: ReviewPeekProps) {
  const { review, common } = useFullMessages();
  const comment = useWrittenComment(path, hunk);
  const changed = hunk.lines.filter(({ kind }) => kind !== "same");
  const removed = useMemo(() => removedRuns(hunk), [hunk]);
  const here = comments.list.filter((one) => one.path === path && isAnchored(one, hunk.lines));
  const collides = hunk.collides === true;
  return (
    <div
      role="group"
      tabIndex={-1}
      aria-label={review.hunk(index + 1, count)}
      data-review-peek=""
      className="@container border-y border-line bg-surface font-sans text-body whitespace-normal text-ink outline-offset-[-2px] focus:outline-2 focus:outline-accent"
    >
      <div className="flex min-h-8 items-start py-0.5 pr-1 pl-2">
        <div className="flex min-w-0 flex-1 flex-wrap items-center gap-x-1">
          <span className="mr-1 flex min-h-7 items-center gap-2 text-small text-ink-muted tabular-nums @max-sm/peek:basis-full max-tablet:min-h-11">
            {review.hunk(index + 1, count)}
            <PlusMinus
              added={changed.filter(({ kind }) => kind === "add").length}
              removed={changed.filter(({ kind }) => kind === "remove").length}
            />
            {collides && <Chip tone="ask">{review.collides}</Chip>}
          </span>
          <HunkButtons
            count={null}
            isBusy={isBusy}
            refusal={collides ? review.collidesInEditor : undefined}
            isWriting={comment.isWriting}
            onDecide={onDecide}
            onComment={comment.toggle}
          />
        </div>
        <IconButton
          icon={X}
          name={common.close}
          shortcut="Escape"
          size="small"
          side="below"
          className="mt-0.5"
          onClick={onClose}
        />
      </div>
      {removed.length > 0 && (
        <LazyDiffView
          shape="unified"
          hunks={removed}
          path={path}
          names={common.hidden}
          label={review.removedLines}
          className="max-h-60 border-t border-line/60"
        />
      )}
      {here.map((one) => (
        <CommentRow key={one.id} comment={one} onRemove={() => comments.remove(one.id)} />
      ))}
      {comment.isWriting && (
        <CommentForm
          draft={comment}
          onAdd={(text) => {
            const place = { path, line: findFileLine(hunk, changed[0]), quote: quoteLines(changed) };
            comments.add({ id: randomText(), ...place, text });
          }}
        />
      )}
    </div>
  );
}

/** Returns the removed lines, those that follow each other as one hunk. */
function removedRuns({ lines, ...rest }: Hunk): readonly Hunk[] {
  const runs: Hunk["lines"][number][][] = [];
  for (const [index, line] of lines.entries()) {
    if (line.kind !== "remove") continue;
    const last = runs.at(-1);
    if (last !== undefined && lines[index - 1]?.kind === "remove") last.push(line);
    else runs.push([line]);
  }
  return runs.map((run) => ({ ...rest, lines: run }));
}
