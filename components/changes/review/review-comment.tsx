"use client";
/** A comment on changed lines that is not sent yet, and the field for a new one. */
import { MessageSquare, Trash2 } from "lucide-react";
import { useId, useState } from "react";
import { quoteLines, type ReviewComment } from "@/lib/review/review-comments";
import type { Hunk } from "@/lib/text/diff";
import { useFullMessages } from "../../messages/full-messages";
import { createKeptDrafts } from "../../state/kept-drafts";
import { isForInputMethod } from "../../ui/browser/is-for-input-method";
import { Button } from "../../ui/controls/button";
import { IconButton } from "../../ui/controls/icon-button";
import { TextArea } from "../../ui/controls/text-area";
import { Icon } from "../../ui/indicators/icon";

interface CommentRowProps {
  readonly comment: ReviewComment;
  /** Shows its place and lines, which are elsewhere. */
  readonly hasPlace?: boolean;
  readonly onRemove: () => void;
}

export function CommentRow({ comment, hasPlace = false, onRemove }: CommentRowProps) {
  const { review } = useFullMessages();
  return (
    <div className="flex items-start gap-2 border-t border-line/60 bg-accent-soft/40 py-1.5 pr-1 pl-9">
      <Icon of={MessageSquare} size={14} className="mt-1 shrink-0 text-accent" />
      <div className="min-w-0 flex-1">
        {hasPlace && (
          <p className="cut font-mono text-small text-ink-muted">
            {comment.path}:{comment.line} {comment.quote[0]}
          </p>
        )}
        <p className="whitespace-pre-wrap [overflow-wrap:anywhere]">{comment.text}</p>
      </div>
      <IconButton icon={Trash2} name={review.removeComment} size="small" side="below" onClick={onRemove} />
    </div>
  );
}

const useCommentDraft = createKeptDrafts<string>();

/** A comment on a hunk that is being written, which stays when the hunk is shown elsewhere. */
export interface CommentDraft {
  readonly isWriting: boolean;
  readonly initial: string;
  readonly keep: (text: string) => void;
  readonly toggle: () => void;
  readonly end: () => void;
}

export function useWrittenComment(path: string, { lines }: Hunk): CommentDraft {
  const draft = useCommentDraft(`${path} ${quoteLines(lines.filter(({ kind }) => kind !== "same")).join("\n")}`);
  const [isWriting, setWriting] = useState(draft.initial !== null);
  return {
    isWriting,
    initial: draft.initial ?? "",
    keep: draft.keep,
    toggle: () => setWriting(!isWriting),
    end() {
      draft.keep(null);
      setWriting(false);
    },
  };
}

interface CommentFormProps {
  readonly draft: CommentDraft;
  readonly onAdd: (text: string) => void;
}

/** Enter adds the comment, Shift+Enter begins a line, Escape cancels. */
export function CommentForm({ draft, onAdd }: CommentFormProps) {
  const { review, common } = useFullMessages();
  const [text, setText] = useState(draft.initial);
  const field = useId();
  const add = (): void => {
    if (text.trim() === "") return;
    onAdd(text.trim());
    draft.end();
  };
  return (
    <form
      className="grid gap-2 border-t border-line/60 bg-surface py-2 pr-2 pl-9"
      onSubmit={(event) => {
        event.preventDefault();
        add();
      }}
    >
      <label htmlFor={field} className="sr-only">
        {review.commentField}
      </label>
      <TextArea
        id={field}
        autoFocus
        rows={2}
        value={text}
        placeholder={review.commentField}
        onChange={({ target }) => {
          setText(target.value);
          draft.keep(target.value);
        }}
        onKeyDown={(event) => {
          if (isForInputMethod(event.nativeEvent)) return;
          if (event.key === "Escape") draft.end();
          else if (event.key === "Enter" && !event.shiftKey) add();
          else return;
          event.preventDefault();
          event.stopPropagation();
        }}
      />
      <div className="flex justify-end gap-1">
        <Button size="small" look="quiet" onClick={draft.end}>
          {common.cancel}
        </Button>
        <Button type="submit" size="small" disabled={text.trim() === ""}>
          {review.addComment}
        </Button>
      </div>
    </form>
  );
}
