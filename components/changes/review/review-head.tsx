"use client";
/** Progress of the review, and what concerns all of it: accept or reject everything, undo, send the comments. */
import { Send, Undo2 } from "lucide-react";
import type { ReviewState } from "@/lib/review/review-files";
import { useFullMessages } from "../../messages/full-messages";
import { Button } from "../../ui/controls/button";
import { IconButton } from "../../ui/controls/icon-button";
import { Icon } from "../../ui/indicators/icon";
import { Progress } from "../../ui/indicators/meter";
import type { ReviewActions } from "./use-review";

interface ReviewHeadProps {
  readonly state: ReviewState;
  readonly actions: ReviewActions;
  readonly comments: number;
  readonly isSending: boolean;
  readonly onSend: () => void;
}

export function ReviewHead({ state, actions, comments, isSending, onSend }: ReviewHeadProps) {
  const { review } = useFullMessages();
  const { files, decided, total, waiting, newest } = state;
  const decideAll = (verdict: "accept" | "reject") => (): void =>
    void actions.decide(files.map(({ path, hash }) => ({ path, hash, verdict })));
  return (
    <div className="flex min-h-9 shrink-0 flex-wrap items-center gap-x-3 gap-y-1 border-b border-line px-4 py-1">
      <span className="grid gap-1" role="status">
        <span className="text-small text-ink-muted tabular-nums">{review.progress(decided, total)}</span>
        <Progress
          share={total === 0 ? 0 : decided / total}
          label={review.progress(decided, total)}
          className="h-1 w-28"
        />
      </span>
      {waiting > 0 && <span className="text-small text-ink-muted">{review.waiting(waiting)}</span>}
      <div className="ml-auto flex flex-wrap items-center gap-1">
        {comments > 0 && (
          <Button size="small" look="primary" busy={isSending} onClick={onSend}>
            <Icon of={Send} size={14} />
            {review.sendComments(comments)}
          </Button>
        )}
        {(newest !== null || waiting > 0) && (
          <IconButton
            icon={Undo2}
            name={review.undo}
            shortcut="u"
            size="small"
            side="below"
            data-review-undo=""
            onClick={() => void actions.undo()}
          />
        )}
        {files.length > 0 && (
          <>
            <Button size="small" busy={actions.isBusy} onClick={decideAll("accept")}>
              {review.acceptAll}
            </Button>
            <Button size="small" look="quiet" busy={actions.isBusy} onClick={decideAll("reject")}>
              {review.rejectAll}
            </Button>
          </>
        )}
      </div>
    </div>
  );
}
