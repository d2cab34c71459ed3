"use client";
/** One undecided change with the buttons that decide about it, or about chosen lines, and the comments on it. */
import { Check, MessageSquarePlus, X } from "lucide-react";
import { useState } from "react";
import type { FileUnderReview } from "@/lib/review/review-files";
import type { ReviewedHunk } from "@/lib/review/review-hunks";
import { findFileLine, quoteLines, type ReviewComment } from "@/lib/review/review-comments";
import { useFullMessages } from "../../messages/full-messages";
import { createKeptDrafts } from "../../state/kept-drafts";
import { randomText } from "../../state/new-id";
import { Button } from "../../ui/controls/button";
import { Chip } from "../../ui/indicators/chip";
import { Icon } from "../../ui/indicators/icon";
import { KeyHint } from "../../ui/indicators/key-hint";
import { LazyDiffView } from "../../ui/code/lazy-diff-view";
import type { DiffLayout } from "../diff-layout";
import { ChoosableDiff, ChooseLinesButton, useLineChoice } from "../line-choice";
import { CommentForm, CommentRow } from "./review-comment";
import type { ReviewActions } from "./use-review";

interface ReviewHunkProps {
  readonly file: FileUnderReview;
  readonly hunk: ReviewedHunk;
  readonly index: number;
  /** Differs for each hunk of the session with another content. */
  readonly name: string;
  readonly layout: DiffLayout;
  readonly actions: ReviewActions;
  /** The comments on lines of this hunk. */
  readonly comments: readonly ReviewComment[];
  readonly onComment: (comment: ReviewComment) => void;
  readonly onRemove: (id: string) => void;
}

const useCommentDraft = createKeptDrafts<string>();

export function ReviewHunk({
  file,
  hunk,
  index,
  name,
  layout,
  actions,
  comments,
  onComment,
  onRemove,
}: ReviewHunkProps) {
  const { review, source, common } = useFullMessages();
  const choice = useLineChoice(hunk);
  const draft = useCommentDraft(name);
  const [isWriting, setWriting] = useState(draft.initial !== null);
  const endWriting = (): void => {
    draft.keep(null);
    setWriting(false);
  };
  const { checked, count, lines } = choice;
  const { path, hash } = file;
  const decide = (verdict: "accept" | "reject") => (): void => {
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
        <Button
          look="quiet"
          size="small"
          data-review-key="y"
          busy={actions.isBusy}
          disabled={count === 0}
          onClick={decide("accept")}
        >
          <Icon of={Check} size={14} className="text-added" />
          {review.accept(count)}
          <KeyHint keys="y" />
        </Button>
        <Button
          look="quiet"
          size="small"
          data-review-key="x"
          busy={actions.isBusy}
          disabled={count === 0 || (hunk.collides === true && count === null)}
          onClick={decide("reject")}
        >
          <Icon of={X} size={14} className="text-removed" />
          {review.reject(count)}
          <KeyHint keys="x" />
        </Button>
        <Button
          look="quiet"
          size="small"
          data-review-key="c"
          aria-expanded={isWriting}
          disabled={count === 0}
          onClick={() => setWriting(!isWriting)}
        >
          <Icon of={MessageSquarePlus} size={14} />
          {review.comment}
          <KeyHint keys="c" />
        </Button>
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
      {comments.map((comment) => (
        <CommentRow key={comment.id} comment={comment} onRemove={() => onRemove(comment.id)} />
      ))}
      {isWriting && (
        <CommentForm
          initial={draft.initial ?? ""}
          onType={draft.keep}
          onAdd={(text) => {
            onComment({ id: randomText(), path, line, quote: quoteLines(lines), text });
            endWriting();
            choice.set(null);
          }}
          onCancel={endWriting}
        />
      )}
    </div>
  );
}
