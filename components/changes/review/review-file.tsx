"use client";
/** A file with undecided changes: decided as a whole, or hunk by hunk. */
import { Check, SquareArrowOutUpRight, X } from "lucide-react";
import type { ReactNode } from "react";
import { isAnchored, type ReviewComment } from "@/lib/review/review-comments";
import type { FileUnderReview } from "@/lib/review/review-files";
import { keyHunks } from "@/lib/review/key-hunks";
import { useFullMessages } from "../../messages/full-messages";
import { IconButton } from "../../ui/controls/icon-button";
import { Chip } from "../../ui/indicators/chip";
import { PlusMinus } from "../../ui/text/plus-minus";
import { kindIcons } from "../changed-file-list";
import type { DiffLayout } from "../diff-layout";
import { SectionFrame } from "../section-frame";
import { ReviewHunk } from "./review-hunk";
import type { ReviewActions } from "./use-review";

export interface ReviewFileProps {
  readonly file: FileUnderReview;
  readonly layout: DiffLayout;
  readonly actions: ReviewActions;
  /** The comments on the file. */
  readonly comments: readonly ReviewComment[];
  readonly onComment: (comment: ReviewComment) => void;
  readonly onRemove: (id: string) => void;
  readonly open: boolean;
  readonly onToggle: () => void;
  readonly onOpen: () => void;
}

export function ReviewFile(props: ReviewFileProps) {
  const { file, actions, open, onToggle, onOpen } = props;
  const { changes, review } = useFullMessages();
  const { path, kind, hash } = file;
  const isDeleted = kind === "deleted";
  const isWhole = file.whole !== undefined;
  return (
    <SectionFrame
      path={path}
      icon={kindIcons[kind]}
      chips={
        <>
          {kind !== "changed" && <Chip tone="plain">{changes.kind[kind]}</Chip>}
          {file.collides === true && <Chip tone="ask">{review.collides}</Chip>}
        </>
      }
      amount={!isWhole && <PlusMinus added={file.added} removed={file.removed} />}
      open={open}
      onToggle={onToggle}
      actions={
        <>
          {!isDeleted && (
            <IconButton
              icon={SquareArrowOutUpRight}
              name={changes.open(path)}
              size="small"
              side="below"
              onClick={onOpen}
            />
          )}
          <IconButton
            icon={Check}
            name={review.acceptFile(path)}
            size="small"
            side="below"
            onClick={() => void actions.decide([{ path, hash, verdict: "accept" }])}
          />
          <IconButton
            icon={X}
            name={review.rejectFile(path)}
            size="small"
            side="below"
            disabled={isWhole ? file.collides === true : file.hunks.every(({ collides }) => collides === true)}
            onClick={() => void actions.decide([{ path, hash, verdict: "reject" }])}
          />
        </>
      }
    >
      <FileHunks {...props} />
    </SectionFrame>
  );
}

function FileHunks({ file, comments, ...rest }: ReviewFileProps): ReactNode {
  const { changes, review } = useFullMessages();
  const { hunks } = file;
  if (file.whole !== undefined)
    return (
      <p className="px-9 py-2.5 text-pretty text-ink-muted">
        {changes.why[file.whole]} {file.collides === true && review.collidesFile}
      </p>
    );
  if (hunks.length === 0) return <p className="px-9 py-2.5 text-ink-muted">{changes.state.empty}</p>;
  const keys = keyHunks(hunks);
  const places = comments.map((comment) => hunks.findIndex(({ lines }) => isAnchored(comment, lines)));
  return hunks.map((hunk, index) => (
    <ReviewHunk
      key={keys[index]}
      {...rest}
      {...{ file, hunk, index }}
      comments={comments.filter((_comment, at) => places[at] === index)}
    />
  ));
}
