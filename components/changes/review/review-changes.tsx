"use client";
/** The undecided changes of the agent in a session, to accept, reject or comment hunk by hunk. */
import { useRef, useState } from "react";
import { isAnchored, type ReviewComment } from "@/lib/review/review-comments";
import type { FileUnderReview, ReviewState } from "@/lib/review/review-files";
import type { SessionView } from "@/lib/view/view";
import { useFullMessages } from "../../messages/full-messages";
import { useClient } from "../../state/client";
import type { DiffLayout } from "../diff-layout";
import { CommentRow } from "./review-comment";
import { useReviewComments } from "./review-comments-store";
import { ReviewFile } from "./review-file";
import { ReviewHead } from "./review-head";
import { useCommentSending } from "./use-comment-sending";
import { type ReviewActions, useReviewActions, useReviewRefresh } from "./use-review";
import { useReviewKeys } from "./use-review-keys";

interface ReviewChangesProps {
  readonly view: SessionView;
  readonly state: ReviewState;
  readonly layout: DiffLayout;
}

/** Files with more changed lines are closed at first. */
const openUpToLines = 400;

export function ReviewChanges({ view, state, layout }: ReviewChangesProps) {
  const { review, changes } = useFullMessages();
  const { workbench } = useClient();
  useReviewRefresh(view);
  const pane = useRef<HTMLDivElement>(null);
  const keepPlace = useReviewKeys(pane, state);
  const own = useReviewActions(view);
  const actions: ReviewActions = {
    ...own,
    decide(decisions) {
      keepPlace();
      return own.decide(decisions);
    },
  };
  const comments = useReviewComments(view.sessionId);
  const { isSending, send } = useCommentSending(view, comments);
  const [toggled, setToggled] = useState<ReadonlySet<string>>(new Set());
  const toggle = (path: string): void => {
    const next = new Set(toggled);
    if (!next.delete(path)) next.add(path);
    setToggled(next);
  };
  const lost = comments.list.filter((comment) => !isShown(comment, state.files));
  return (
    <div ref={pane} className="flex min-h-0 flex-1 flex-col">
      <ReviewHead
        state={state}
        actions={actions}
        comments={comments.list.length}
        isSending={isSending}
        onSend={() => void send()}
      />
      <div className="min-h-0 min-w-0 flex-1 overflow-y-auto">
        {lost.length > 0 && (
          <section aria-label={review.otherComments} className="border-b border-line">
            <h3 className="px-4 pt-2 pb-1 text-small text-ink-muted">{review.otherComments}</h3>
            {lost.map((comment) => (
              <CommentRow key={comment.id} hasPlace comment={comment} onRemove={() => comments.remove(comment.id)} />
            ))}
          </section>
        )}
        {state.files.map((file) => (
          <ReviewFile
            key={file.path}
            {...{ file, layout, actions }}
            comments={comments.list.filter(({ path }) => path === file.path)}
            onComment={comments.add}
            onRemove={comments.remove}
            open={toggled.has(file.path) === file.added + file.removed > openUpToLines}
            onToggle={() => toggle(file.path)}
            onOpen={() => workbench.openFile(file.path)}
          />
        ))}
        {state.files.length === 0 && (
          <p className="mx-auto max-w-96 px-6 py-16 text-center text-balance text-ink-muted">
            {state.total > 0 ? review.allDecided : review.none}
          </p>
        )}
        {state.more > 0 && <p className="px-9 py-3 text-small text-ink-muted">{changes.more(state.more)}</p>}
      </div>
    </div>
  );
}

const isShown = (comment: ReviewComment, files: readonly FileUnderReview[]): boolean =>
  files.some(({ path, hunks }) => path === comment.path && hunks.some(({ lines }) => isAnchored(comment, lines)));
