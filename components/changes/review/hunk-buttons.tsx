"use client";
/** Buttons that accept, reject or comment a change, with the keys that press them. */
import { Check, MessageSquarePlus, X } from "lucide-react";
import { useFullMessages } from "../../messages/full-messages";
import { Button } from "../../ui/controls/button";
import { Icon } from "../../ui/indicators/icon";
import { KeyHint } from "../../ui/indicators/key-hint";

interface HunkButtonsProps {
  /** Number of chosen lines; null = the whole change. */
  readonly count: number | null;
  readonly isBusy: boolean;
  /** Why it can't be rejected; absent = it can. */
  readonly refusal?: string;
  readonly isWriting: boolean;
  readonly onDecide: (verdict: "accept" | "reject") => void;
  readonly onComment: () => void;
}

export function HunkButtons({ count, isBusy, refusal, isWriting, onDecide, onComment }: HunkButtonsProps) {
  const { review } = useFullMessages();
  const look = { look: "quiet", size: "small" } as const;
  return (
    <>
      <Button {...look} data-review-key="y" busy={isBusy} disabled={count === 0} onClick={() => onDecide("accept")}>
        <Icon of={Check} size={14} className="text-added" />
        {review.accept(count)}
        <KeyHint keys="y" />
      </Button>
      <Button
        {...look}
        data-review-key="x"
        busy={isBusy}
        disabled={count === 0 || refusal !== undefined}
        title={refusal}
        onClick={() => onDecide("reject")}
      >
        <Icon of={X} size={14} className="text-removed" />
        {review.reject(count)}
        <KeyHint keys="x" />
      </Button>
      <Button
        {...look}
        className="max-tablet:min-w-11"
        data-review-key="c"
        aria-expanded={isWriting}
        disabled={count === 0}
        onClick={onComment}
      >
        <Icon of={MessageSquarePlus} size={14} />
        <span className="@max-lg:sr-only">{review.comment}</span>
        <KeyHint keys="c" />
      </Button>
    </>
  );
}
