"use client";
/** One undecided change with the buttons that decide about it, or about chosen lines, and the comments on it. */
import type { FileUnderReview } from "@/lib/review/review-files";
import type { ReviewedHunk } from "@/lib/review/review-hunks";
import { findFileLine, quoteLines, type ReviewComment } from "@/lib/review/review-comments";
import { useFullMessages } from "../../messages/full-messages";
import { randomText } from "../../state/new-id";
import { LazyDiffView } from "../../ui/code/lazy-diff-view";
import { Chip } from "../../ui/indicators/chip";
import type { DiffLayout } from "../diff-layout";
import { ChoosableDiff, ChooseLinesButton, useLineChoice } from "../line-choice";
import { HunkButtons } from "./hunk-buttons";
import { CommentForm, CommentRow, useWrittenComment } from "./review-comment";
import type { ReviewActions } from "./use-review";

interface ReviewHunkProps {
  readonly file: FileUnderReview;
  readonly hunk: ReviewedHunk;
  readonly index: number;
  readonly layout: DiffLayout;
  readonly actions: ReviewActions;
  /** The comments on lines of this hunk. */
  readonly comments: readonly ReviewComment[];
  readonly onComment: (comment: ReviewComment) => void;
  readonly onRemove: (id: string) => void;
}

export function ReviewHunk({ file, hunk, index, layout, actions, comments, onComment, onRemove }: ReviewHunkProps) {
  const { review, source, common } = useFullMessages();
  const { path, hash } = file;
  const choice = useLineChoice(hunk);
  const comment = useWrittenComment(path, hunk);
  const { checked, count, lines } = choice;
  const decide = (verdict: "accept" | "reject"): void => {
    const chosen = checked === null ? {} : { lines: [...checked] };
    void actions.decide([{ path, hash, verdict, hunks: [{ hunk: index, ...chosen }] }]);
  };
  const line = findFileLine(hunk, lines[0]);
  return (
    <div
      role="group"
      tabIndex={-1}
      aria-label={review.hunk(index + 1, file.hunks.length)}
      data-review-hunk=""
      className="scroll-mt-10 border-t border-line/60 outline-offset-[-2px] first:border-t-0 focus:outline-2 focus:outline-accent"
    >
      <div className="flex min-h-8 flex-wrap items-center gap-1 pr-2 pl-9 max-tablet:pl-3">
        <span className="mr-auto flex items-center gap-2 text-small text-ink-faint tabular-nums">
          {source.place(line)}
          {hunk.collides === true && <Chip tone="ask">{review.collides}</Chip>}
        </span>
        <HunkButtons
          count={count}
          isBusy={actions.isBusy}
          refusal={hunk.collides === true && count === null ? review.collidesNote : undefined}
          isWriting={comment.isWriting}
          onDecide={decide}
          onComment={comment.toggle}
        />
        <ChooseLinesButton choice={choice} />
      </div>
      {hunk.collides === true && (
        <p className="pr-3 pb-1.5 pl-9 text-small text-pretty text-ink-muted max-tablet:pl-3">{review.collidesNote}</p>
      )}
      {hunk.later !== undefined && (
        <div className="border-t border-line/60">
          <p className="px-9 pt-1.5 text-small text-ink-muted max-tablet:px-3">{review.later}</p>
          <LazyDiffView {...layout} hunks={hunk.later} path={path} names={common.hidden} label={review.later} />
          <p className="px-9 text-small text-ink-muted max-tablet:px-3">{review.inAll}</p>
        </div>
      )}
      <ChoosableDiff path={path} layout={layout} choice={choice} />
      {comments.map((one) => (
        <CommentRow key={one.id} comment={one} onRemove={() => onRemove(one.id)} />
      ))}
      {comment.isWriting && (
        <CommentForm
          draft={comment}
          onAdd={(text) => {
            onComment({ id: randomText(), path, line, quote: quoteLines(lines), text });
            choice.set(null);
          }}
        />
      )}
    </div>
  );
}
