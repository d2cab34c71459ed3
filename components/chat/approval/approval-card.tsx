"use client";
/**
 * Card of a waiting approval: one sentence, the full preview, the answers. It never takes the focus by itself. Keys 1
 * to 4 answer the focused card, else the oldest one while the user is not typing; keys in its first moments are
 * ignored.
 */
import { type KeyboardEvent, useId, useRef, useState } from "react";
import { useConversationMessages } from "../../messages/conversation-messages";
import type { ApprovalView, CallView } from "@/lib/view/view";
import { classes } from "../../ui/theme/classes";
import { Icon } from "../../ui/indicators/icon";
import { type ApprovalAnswer, useConversationActions } from "../actions";
import { PlusMinus } from "../../ui/text/plus-minus";
import { toolIcon } from "../tools/tool-facts";
import { alwaysAnswer, ApprovalActions, type ApprovalEditing } from "./approval-actions";
import { type ApprovalChoice, interpretCardKey, listApprovalChoices } from "./approval-choices";
import { focusNextApproval, storeFocus } from "./approval-focus";
import { ApprovalPreview } from "./approval-preview";
import { ApprovalSentence, describeApproval } from "./approval-sentence";
import { GateLine } from "./gate-line";
import { usePageKeys } from "./use-page-keys";
import { useClickGuard } from "./use-click-guard";
import { isForInputMethod } from "../../ui/browser/is-for-input-method";

interface ApprovalCardProps {
  readonly call: CallView;
  readonly approval: ApprovalView;
  /** 1-based position among the waiting approvals, and their number. */
  readonly position?: { readonly index: number; readonly of: number };
  /** sheet = borderless, for phones. */
  readonly shape?: "card" | "sheet";
}

export function ApprovalCard({ call, approval, position: place, shape = "card" }: ApprovalCardProps) {
  const messages = useConversationMessages();
  const actions = useConversationActions();
  const card = useRef<HTMLElement>(null);
  const [shownAt] = useState(() => performance.now());
  const [editing, setEditing] = useState<ApprovalEditing>(null);
  const [busy, setBusy] = useState(false);
  const titleId = useId();
  const choices = listApprovalChoices(approval);
  const { preview } = approval;
  const sentence = describeApproval(call, preview, messages);
  const answer = (value: ApprovalAnswer): void => {
    setBusy(true);
    if (card.current !== null) focusNextApproval(card.current);
    void actions.answerApproval(approval.approvalId, value).then((counted) => {
      if (!counted) setBusy(false);
    });
  };
  const choose = (choice: ApprovalChoice): void => {
    if (choice === "deny_why") setEditing("reason");
    else answer(choice === "always" ? alwaysAnswer(approval) : { option: choice });
  };
  const isNext = place === undefined || place.index === 1;
  // Also while the answer is being sent, so that a second key press does not become text.
  usePageKeys(isNext && editing === null && actions.runControls !== null, () => ({
    card: card.current,
    choices,
    choose: (choice) => {
      if (!busy) choose(choice);
    },
  }));
  const guard = useClickGuard();
  const onKey = (event: KeyboardEvent): void => {
    const outcome = interpretCardKey(
      {
        key: event.key,
        modified: event.ctrlKey || event.metaKey || event.altKey,
        composing: isForInputMethod(event.nativeEvent),
        repeat: event.repeat,
        shownForMs: performance.now() - shownAt,
        inField: event.target instanceof HTMLInputElement,
      },
      choices,
    );
    if (outcome === "pass") return;
    event.preventDefault();
    event.stopPropagation();
    if (event.type === "keydown" && outcome !== "swallow" && !busy) choose(outcome);
  };
  return (
    <section
      ref={card}
      data-approval={approval.approvalId}
      data-state={busy ? "sending" : "waiting"}
      data-next={isNext || undefined}
      tabIndex={-1}
      aria-labelledby={titleId}
      onKeyDownCapture={onKey}
      onKeyUpCapture={onKey}
      onFocus={(event) => storeFocus(event.relatedTarget)}
      className={classes(
        "bg-raised text-base outline-offset-2",
        shape === "card" &&
          "my-1 animate-rise overflow-hidden rounded-card border border-[color-mix(in_srgb,var(--ask-edge)_55%,var(--line))] shadow-float",
      )}
    >
      <header id={titleId} className="flex min-h-10 items-center gap-2 bg-ask-soft px-3 py-2.5">
        <Icon of={toolIcon(call.kind)} className="text-ask" />
        <span className="min-w-0 flex-1">
          <ApprovalSentence {...sentence} messages={messages} />
        </span>
        {place !== undefined && place.of > 1 && (
          <span className="shrink-0 text-small text-ink-muted tabular-nums">
            {messages.approval.count(place.index, place.of)}
          </span>
        )}
        {preview?.kind === "diff" && <PlusMinus added={preview.added} removed={preview.removed} />}
      </header>
      {approval.gate !== undefined && <GateLine note={approval.gate} />}
      <ApprovalPreview preview={preview} needsNetwork={approval.options.includes("network")} />
      <div
        ref={guard.ref}
        data-answers
        onPointerOver={guard.onPointerOver}
        className={classes("border-t border-line", guard.isActive && "pointer-events-none")}
      >
        <ApprovalActions {...{ approval, choices, editing, busy, isNext }} onEdit={setEditing} onAnswer={answer} />
      </div>
    </section>
  );
}
