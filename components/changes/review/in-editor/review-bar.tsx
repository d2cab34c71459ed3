"use client";
/** Above the text of an editor: how many changes of the file are undecided, the way to them, and all of them at once. */
import { ChevronDown, ChevronUp, Send, Undo2, X } from "lucide-react";
import type { ReactNode, Ref } from "react";
import type { FileUnderReview } from "@/lib/review/review-files";
import { useFullMessages } from "../../../messages/full-messages";
import { Button } from "../../../ui/controls/button";
import { IconButton } from "../../../ui/controls/icon-button";
import { Icon } from "../../../ui/indicators/icon";

interface BarFrameProps {
  readonly text: string;
  /** Number of decisions that wait for the end of the turn. */
  readonly waiting: number;
  readonly frame: Ref<HTMLDivElement>;
  readonly children: ReactNode;
}

function BarFrame({ text, waiting, frame, children }: BarFrameProps) {
  const { review } = useFullMessages();
  return (
    <div
      ref={frame}
      role="group"
      tabIndex={-1}
      aria-label={review.inEditor}
      className="flex shrink-0 flex-wrap items-center gap-x-1 border-b border-line bg-surface px-3 py-0.5 max-tablet:px-1"
    >
      <span role="status" className="text-small text-ink-muted tabular-nums max-tablet:pl-2">
        {waiting > 0 ? `${text} · ${review.waiting(waiting)}` : text}
      </span>
      {children}
    </div>
  );
}

interface ReviewBarProps extends Omit<BarFrameProps, "text" | "children"> {
  readonly file: FileUnderReview;
  /** Whether a change has a place in the text. */
  readonly canStep: boolean;
  readonly isBusy: boolean;
  /** Number of comments that are not sent. */
  readonly comments: number;
  readonly isSending: boolean;
  readonly onStep: (direction: "next" | "previous") => void;
  readonly onDecide: (verdict: "accept" | "reject") => void;
  readonly onSend: () => void;
}

export function ReviewBar(props: ReviewBarProps) {
  const { frame, waiting, file, canStep, isBusy, comments, isSending, onStep, onDecide, onSend } = props;
  const { review } = useFullMessages();
  const { path, hunks } = file;
  const cannotReject = hunks.length === 0 ? file.collides === true : hunks.every(({ collides }) => collides === true);
  return (
    <BarFrame {...{ frame, waiting }} text={review.toReview(Math.max(1, hunks.length))}>
      {hunks.length > 0 && (
        <>
          <IconButton
            icon={ChevronUp}
            name={review.previousChange}
            shortcut="Shift+F7"
            size="small"
            side="below"
            disabled={!canStep}
            className="ml-1"
            onClick={() => onStep("previous")}
          />
          <IconButton
            icon={ChevronDown}
            name={review.nextChange}
            shortcut="F7"
            size="small"
            side="below"
            disabled={!canStep}
            onClick={() => onStep("next")}
          />
        </>
      )}
      <span className="ml-auto flex flex-wrap items-center gap-1">
        {comments > 0 && (
          <Button size="small" busy={isSending} onClick={onSend}>
            <Icon of={Send} size={14} />
            {review.sendComments(comments)}
          </Button>
        )}
        <Button
          size="small"
          look="quiet"
          aria-label={review.acceptFile(path)}
          busy={isBusy}
          onClick={() => onDecide("accept")}
        >
          {review.acceptAll}
        </Button>
        <Button
          size="small"
          look="quiet"
          aria-label={review.rejectFile(path)}
          busy={isBusy}
          disabled={cannotReject}
          title={cannotReject ? review.collidesFile : undefined}
          onClick={() => onDecide("reject")}
        >
          {review.rejectAll}
        </Button>
      </span>
    </BarFrame>
  );
}

interface DecidedBarProps extends Omit<BarFrameProps, "text" | "children"> {
  readonly isBusy: boolean;
  /** Absent = there is nothing to undo. */
  readonly onUndo?: () => void;
  readonly onClose: () => void;
}

/** After the last change of the file was decided here. */
export function DecidedBar({ frame, waiting, isBusy, onUndo, onClose }: DecidedBarProps) {
  const { review, common } = useFullMessages();
  return (
    <BarFrame {...{ frame, waiting }} text={review.fileDecided}>
      <span className="ml-auto flex items-center gap-1">
        {onUndo !== undefined && (
          <Button size="small" look="quiet" busy={isBusy} onClick={onUndo}>
            <Icon of={Undo2} size={14} />
            {review.undo}
          </Button>
        )}
        <IconButton icon={X} name={common.close} size="small" side="below" onClick={onClose} />
      </span>
    </BarFrame>
  );
}
