"use client";
/** Keys 1 to 4 for the oldest card while no card has the focus: from the page, and from an empty message field. Used by approval-card.tsx. */
import { useEffect, useRef, useState } from "react";
import { limits } from "@/lib/settings";
import { isLayerOpen } from "../../ui/focus";
import { type Choice, type KeyPlace, pageKey } from "./approval-choices";

export interface PageKeys {
  /** null = keys are not for this card. */
  readonly card: HTMLElement | null;
  readonly choices: readonly Choice[];
  readonly choose: (choice: Choice) => void;
}

/** performance.now() when a letter was typed into a field last. */
const typing = { at: Number.NEGATIVE_INFINITY };
/** performance.now() when a key answered a card last. */
const answered = { at: Number.NEGATIVE_INFINITY };

const writers = "input:not([type=radio], [type=checkbox]), textarea, select, [contenteditable=true]";
const owners = "[data-editor], [data-terminal], dialog, [role=menu], [role=dialog], [role=tree]";

function focusOf(target: EventTarget | null): KeyPlace["focus"] {
  if (!(target instanceof Element)) return "page";
  if (target instanceof HTMLTextAreaElement && target.closest("[data-composer]") !== null)
    return target.value === "" ? "empty" : "field";
  return target.closest(`${writers}, ${owners}`) === null ? "page" : "field";
}

const answersOf = (card: HTMLElement): Element => card.querySelector("[data-answers]") ?? card;

/** The middle of the buttons is in sight, neither scrolled away nor covered: what is not seen is not answered. */
function isInSight(card: HTMLElement): boolean {
  const { left, right, top, bottom } = answersOf(card).getBoundingClientRect();
  return card.contains(document.elementFromPoint((left + right) / 2, (top + bottom) / 2));
}

/** `isOldest` = keys without a card's focus are for this one. */
export function usePageKeys(isOldest: boolean, keys: () => PageKeys): void {
  const latest = useRef(keys);
  const [shownAt] = useState(() => performance.now());
  useEffect(() => {
    latest.current = keys;
  });
  useEffect(() => {
    if (!isOldest) return;
    // A card that has just become the oldest rests as a new one does: the key may be the second press of the one before.
    const oldestAt = performance.now();
    const onKeyDown = (event: KeyboardEvent): void => {
      const { target } = event;
      if (event.defaultPrevented || (target instanceof Element && target.closest("[data-approval]") !== null)) return;
      const focus = focusOf(target);
      const { card, choices, choose } = latest.current();
      const now = performance.now();
      const outcome = pageKey(
        {
          key: event.key,
          modified: event.ctrlKey || event.metaKey || event.altKey,
          composing: event.isComposing,
          repeat: event.repeat,
          shownForMs: now - oldestAt,
          inField: false,
        },
        { focus, isLayerOpen: isLayerOpen(), typedForMs: now - typing.at },
        choices,
      );
      if (card === null) return;
      // A digit while this card rests is meant for the one before, if a key answered that one.
      const isResting = now - oldestAt < limits.approvalRestMs && answered.at > shownAt;
      const isSecondPress = isResting && focus !== "field" && /^[1-4]$/.test(event.key);
      if (outcome === "pass" && !isSecondPress) {
        if (focus !== "page") typing.at = now;
        return;
      }
      event.preventDefault();
      event.stopPropagation();
      if (outcome === "pass") return;
      if (!isInSight(card)) return answersOf(card).scrollIntoView({ block: "nearest" });
      answered.at = now;
      choose(outcome);
    };
    addEventListener("keydown", onKeyDown, { capture: true });
    return () => removeEventListener("keydown", onKeyDown, { capture: true });
  }, [isOldest, shownAt]);
}
