"use client";
/** An undecided change below its lines in an editor: what was removed, the comments, and the buttons that decide. */
import { Check, MessageSquarePlus, X } from "lucide-react";
import { useMemo, useState } from "react";
import { findFileLine, isAnchored, quoteLines } from "@/lib/review/review-comments";
import type { ReviewedHunk } from "@/lib/review/review-hunks";
import type { Hunk } from "@/lib/text/diff";
import { useFullMessages } from "../../../messages/full-messages";
import { randomText } from "../../../state/new-id";
import { LazyDiffView } from "../../../ui/code/lazy-diff-view";
import { Button } from "../../../ui/controls/button";
import { IconButton } from "../../../ui/controls/icon-button";
import { Chip } from "../../../ui/indicators/chip";
import { Icon } from "../../../ui/indicators/icon";
import { KeyHint } from "../../../ui/indicators/key-hint";
import { PlusMinus } from "../../../ui/text/plus-minus";
import { CommentForm, CommentRow } from "../review-comment";
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
  const [isWriting, setWriting] = useState(false);
  const changed = hunk.lines.filter(({ kind }) => kind !== "same");
  const removed = useMemo(() => removedRuns(hunk), [hunk]);
  const here = comments.list.filter((comment) => comment.path === path && isAnchored(comment, hunk.lines));
  const collides = hunk.collides === true;
  return (
    <div
      role="group"
      tabIndex={-1}
      aria-label={review.hunk(index + 1, count)}
      data-review-peek=""
      className="border-y border-line bg-surface font-sans text-body whitespace-normal text-ink outline-offset-[-2px] focus:outline-2 focus:outline-accent"
    >
      <div className="flex min-h-8 flex-wrap items-center gap-1 px-2 py-0.5">
        <span className="mr-1 flex items-center gap-2 text-small text-ink-muted tabular-nums">
          {review.hunk(index + 1, count)}
          <PlusMinus
            added={changed.filter(({ kind }) => kind === "add").length}
            removed={changed.filter(({ kind }) => kind === "remove").length}
          />
          {collides && <Chip tone="ask">{review.collides}</Chip>}
        </span>
        <Button look="quiet" size="small" data-review-key="y" busy={isBusy} onClick={() => onDecide("accept")}>
          <Icon of={Check} size={14} className="text-added" />
          {review.accept(null)}
          <KeyHint keys="y" />
        </Button>
        <Button
          look="quiet"
          size="small"
          data-review-key="x"
          busy={isBusy}
          disabled={collides}
          title={collides ? review.collidesInEditor : undefined}
          onClick={() => onDecide("reject")}
        >
          <Icon of={X} size={14} className="text-removed" />
          {review.reject(null)}
          <KeyHint keys="x" />
        </Button>
        <Button
          look="quiet"
          size="small"
          data-review-key="c"
          aria-expanded={isWriting}
          onClick={() => setWriting(!isWriting)}
        >
          <Icon of={MessageSquarePlus} size={14} />
          {review.comment}
          <KeyHint keys="c" />
        </Button>
        <IconButton icon={X} name={common.close} shortcut="Escape" size="small" side="below" onClick={onClose} />
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
      {here.map((comment) => (
        <CommentRow key={comment.id} comment={comment} onRemove={() => comments.remove(comment.id)} />
      ))}
      {isWriting && (
        <CommentForm
          onAdd={(text) => {
            const place = { path, line: findFileLine(hunk, changed[0]), quote: quoteLines(changed) };
            comments.add({ id: randomText(), ...place, text });
            setWriting(false);
          }}
          onCancel={() => setWriting(false)}
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
