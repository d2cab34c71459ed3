"use client";
/** A comment on changed lines that is not sent yet, and the field for a new one. */
import { MessageSquare, Trash2 } from "lucide-react";
import { useId, useState } from "react";
import type { ReviewComment } from "@/lib/review/review-comments";
import { useFullMessages } from "../../messages/full-messages";
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

interface CommentFormProps {
  readonly initial: string;
  readonly onType: (text: string) => void;
  readonly onAdd: (text: string) => void;
  readonly onCancel: () => void;
}

/** Enter adds the comment, Shift+Enter begins a line, Escape cancels. */
export function CommentForm({ initial, onType, onAdd, onCancel }: CommentFormProps) {
  const { review, common } = useFullMessages();
  const [text, setText] = useState(initial);
  const field = useId();
  const add = (): void => {
    if (text.trim() !== "") onAdd(text.trim());
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
          onType(target.value);
        }}
        onKeyDown={(event) => {
          if (isForInputMethod(event.nativeEvent)) return;
          if (event.key === "Escape") onCancel();
          else if (event.key === "Enter" && !event.shiftKey) add();
          else return;
          event.preventDefault();
          event.stopPropagation();
        }}
      />
      <div className="flex justify-end gap-1">
        <Button size="small" look="quiet" onClick={onCancel}>
          {common.cancel}
        </Button>
        <Button type="submit" size="small" disabled={text.trim() === ""}>
          {review.addComment}
        </Button>
      </div>
    </form>
  );
}
