/** Focus rules, evaluated against the current DOM. */

/** Elements that keep the focus: text input or a decision. */
const focusKeeperSelector =
  "input, textarea, select, [contenteditable=true], dialog, [data-approval], [role=menu], [role=dialog]";

/** Whether a field that gets the focus opens a keyboard on the screen. */
export const opensKeyboard = (): boolean => matchMedia("(pointer: coarse)").matches;

/**
 * Whether a newly mounted field may take the focus: no other input has it, no layer is open, and focusing would not
 * open an on-screen keyboard.
 */
export function mayTakeFocus(): boolean {
  const { activeElement } = document;
  const isTaken = activeElement !== null && activeElement.closest(focusKeeperSelector) !== null;
  return !isTaken && !isLayerOpen() && !opensKeyboard();
}

/** Whether a dialog, menu or popover is open, which handles Esc itself. */
export const isLayerOpen = (): boolean =>
  document.querySelector("dialog[open], [role=menu]:popover-open, [role=dialog]:popover-open") !== null;

/** Whether the target is in a terminal, to which every key belongs. */
export const isTerminalTarget = (target: EventTarget | null): boolean =>
  target instanceof Element && target.closest("[data-terminal]") !== null;

/** Whether Esc stops a run there: in the conversation, in the composer, and where nothing has the focus. */
export const isConversationTarget = (target: EventTarget | null): boolean =>
  target instanceof Element && (target === document.body || target.closest("[role=log], [data-composer]") !== null);
