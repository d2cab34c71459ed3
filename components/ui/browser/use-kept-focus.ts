"use client";
/**
 * Keeps the focus in a part of the page when the control that has it disappears or becomes disabled. The focus moves to
 * the control that replaced it, else to the nearest one; without this the browser would focus the page itself.
 */
import { type RefObject, useLayoutEffect } from "react";
import { opensKeyboard } from "./focus";

const controlSelector =
  "a[href], button:not(:disabled), input:not(:disabled), select:not(:disabled), textarea:not(:disabled), summary, [tabindex='0']";
const textSelector = "input:not([type=checkbox], [type=radio], [type=button]), textarea";
const dangerSelector = "[data-look=danger]";

/** A position between two nodes. */
interface GapInPage {
  readonly parent: Element;
  /** The node before it; null = it is at the start of the parent. */
  readonly after: Node | null;
}

const isAfter = (node: Node, gap: GapInPage): boolean =>
  gap.after === null ||
  (!gap.after.contains(node) && (gap.after.compareDocumentPosition(node) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0);

/**
 * Returns the controls of a part that the Tab key reaches. A text field would open the keyboard of a touch screen; a
 * control that deletes something must not get the focus without the user's doing.
 */
function listControls(part: Element): readonly HTMLElement[] {
  const isTouch = opensKeyboard();
  return [...part.querySelectorAll<HTMLElement>(controlSelector)].filter(
    (one) =>
      one.tabIndex >= 0 &&
      one.checkVisibility() &&
      !one.matches(dangerSelector) &&
      !(isTouch && one.matches(textSelector)),
  );
}

/**
 * Returns the control nearest to a gap within `root`: of the innermost element around it that has any, the first one
 * after the gap, else the last one before it. With `isBackward` the one before it is preferred.
 */
function findNearestControl(root: Element, gap: GapInPage, isBackward: boolean): HTMLElement | null {
  for (let part: Element | null = gap.parent; part !== null && root.contains(part); part = part.parentElement) {
    const controls = listControls(part);
    const next = controls.find((one) => isAfter(one, gap));
    const previous = controls.findLast((one) => !isAfter(one, gap));
    const found = isBackward ? (previous ?? next) : (next ?? previous);
    if (found !== undefined) return found;
  }
  return null;
}

/** Returns the gap that a removed element has left in a part; null = the part was removed too. */
function findGap(part: Element, records: readonly MutationRecord[], lost: Element): GapInPage | null {
  const record = records.find(({ removedNodes }) => [...removedNodes].some((node) => node.contains(lost)));
  if (record === undefined || !(record.target instanceof Element) || !part.contains(record.target)) return null;
  const { target, previousSibling } = record;
  return { parent: target, after: previousSibling?.parentNode === target ? previousSibling : null };
}

/** A control that has the focus, and the part of the page in which a lost focus stays. */
interface FocusedControl {
  readonly element: Element;
  readonly part: Element;
}

/** Starts keeping the focus in each part of `root`; returns the function that ends it. */
function keepFocus(root: Element, partSelector: string | null): () => void {
  let focused: FocusedControl | null = null;
  const onFocus = ({ target }: Event): void => {
    if (!(target instanceof Element)) return;
    const part = partSelector === null ? root : target.closest(partSelector);
    focused = part === null ? null : { element: target, part };
  };
  const onPress = ({ target }: Event): void => {
    // A press beside all controls moves the focus to the page.
    if (focused !== null && target instanceof Element && target.closest(controlSelector) === null) focused = null;
  };
  const observer = new MutationObserver((records) => {
    if (focused === null) return;
    const { element, part } = focused;
    const isInPage = part.contains(element);
    if (isInPage && !element.matches(":disabled")) return;
    focused = null;
    const { activeElement } = document;
    if (activeElement !== null && activeElement !== element && activeElement !== document.body) return;
    const gap = isInPage ? { parent: element.parentElement ?? part, after: element } : findGap(part, records, element);
    if (gap !== null) findNearestControl(part, gap, isInPage)?.focus({ preventScroll: true });
  });
  observer.observe(root, { childList: true, subtree: true, attributeFilter: ["disabled"] });
  root.addEventListener("focusin", onFocus);
  document.addEventListener("pointerdown", onPress);
  return () => {
    observer.disconnect();
    root.removeEventListener("focusin", onFocus);
    document.removeEventListener("pointerdown", onPress);
  };
}

/**
 * Keeps the focus in the element as long as the calling component is mounted; with a selector, in the part of it that
 * has the focus, and as long as that part is in the page.
 */
export function useKeptFocus(root: RefObject<Element | null>, partSelector: string | null = null): void {
  useLayoutEffect(
    () => (root.current === null ? undefined : keepFocus(root.current, partSelector)),
    [root, partSelector],
  );
}
