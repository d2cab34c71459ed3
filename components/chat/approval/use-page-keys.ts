"use client";
/** Keys 1 to 5 for the oldest card while no card has the focus: on the page and in an empty message field. */
import { useEffect, useRef, useState } from "react";
import { limits } from "@/lib/settings/settings";
import { isLayerOpen } from "../../ui/browser/focus";
import { type ApprovalChoice, type PageKeyContext, interpretPageKey } from "./approval-choices";
import { isForInputMethod } from "../../ui/browser/is-for-input-method";

interface PageKeyTarget {
  /** null = the card takes no keys. */
  readonly card: HTMLElement | null;
  readonly choices: readonly ApprovalChoice[];
  readonly choose: (choice: ApprovalChoice) => void;
}

/** performance.now() of the last text typed into a field. */
const lastTyping = { at: Number.NEGATIVE_INFINITY };
/** performance.now() of the last answer by key. */
const lastAnswer = { at: Number.NEGATIVE_INFINITY };

const textFieldSelector = "input:not([type=radio], [type=checkbox]), textarea, select, [contenteditable=true]";
const keyOwnerSelector = "[data-editor], [data-terminal], dialog, [role=menu], [role=dialog], [role=tree]";

function classifyFocus(target: EventTarget | null): PageKeyContext["focus"] {
  if (!(target instanceof Element)) return "page";
  if (target instanceof HTMLTextAreaElement && target.closest("[data-composer]") !== null)
    return target.value === "" ? "empty" : "field";
  return target.closest(`${textFieldSelector}, ${keyOwnerSelector}`) === null ? "page" : "field";
}

const findAnswersElement = (card: HTMLElement): Element => card.querySelector("[data-answers]") ?? card;

/** Whether the centre of the buttons is visible, neither scrolled away nor covered: unseen cards are not answered. */
function isVisible(card: HTMLElement): boolean {
  const { left, right, top, bottom } = findAnswersElement(card).getBoundingClientRect();
  return card.contains(document.elementFromPoint((left + right) / 2, (top + bottom) / 2));
}

/** `isOldest` = keys without a focused card answer this card. */
export function usePageKeys(isOldest: boolean, keys: () => PageKeyTarget): void {
  const latest = useRef(keys);
  const [shownAt] = useState(() => performance.now());
  useEffect(() => {
    latest.current = keys;
  });
  useEffect(() => {
    if (!isOldest) return;
    // A card that becomes the oldest ignores keys at first, too: a key may be a second press for the previous card.
    const oldestAt = performance.now();
    const onKeyDown = (event: KeyboardEvent): void => {
      const { target } = event;
      if (event.defaultPrevented || (target instanceof Element && target.closest("[data-approval]") !== null)) return;
      const focus = classifyFocus(target);
      const { card, choices, choose } = latest.current();
      const now = performance.now();
      const outcome = interpretPageKey(
        {
          key: event.key,
          modified: event.ctrlKey || event.metaKey || event.altKey,
          composing: isForInputMethod(event),
          repeat: event.repeat,
          shownForMs: now - oldestAt,
          inField: false,
        },
        { focus, isLayerOpen: isLayerOpen(), sinceTypingMs: now - lastTyping.at },
        choices,
      );
      if (card === null) return;
      // A digit in this period belongs to the previous card, if that was answered by key.
      const isGuarded = now - oldestAt < limits.approvalRestMs && lastAnswer.at > shownAt;
      const isSecondPress = isGuarded && focus !== "field" && /^[1-5]$/.test(event.key);
      if (outcome === "pass" && !isSecondPress) {
        if (focus !== "page") lastTyping.at = now;
        return;
      }
      event.preventDefault();
      event.stopPropagation();
      if (outcome === "pass") return;
      if (!isVisible(card)) return findAnswersElement(card).scrollIntoView({ block: "nearest" });
      lastAnswer.at = now;
      choose(outcome);
    };
    addEventListener("keydown", onKeyDown, { capture: true });
    return () => removeEventListener("keydown", onKeyDown, { capture: true });
  }, [isOldest, shownAt]);
}
