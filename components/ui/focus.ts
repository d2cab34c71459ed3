/** Who may take the keyboard. Looks at the page as it is now; used where a part of the screen appears that one types into. */

/** Where somebody types or decides: nothing takes the focus away from here. */
const keepers = "input, textarea, select, [contenteditable=true], dialog, [data-approval], [role=menu], [role=dialog]";

/**
 * Whether a field that has just appeared may take the focus: nobody types elsewhere, nothing lies above the page, and no keyboard
 * would come up on the screen.
 */
export function mayTakeFocus(): boolean {
  const { activeElement } = document;
  const isTaken = activeElement !== null && activeElement.closest(keepers) !== null;
  return !isTaken && !isLayerOpen() && matchMedia("(pointer: fine)").matches;
}

/** A dialog, a menu or a panel lies above the page and has its own Esc. */
export const isLayerOpen = (): boolean =>
  document.querySelector("dialog[open], [role=menu]:popover-open, [role=dialog]:popover-open") !== null;

/** The editor and a terminal use Esc themselves. */
export const ownsEscape = (target: EventTarget | null): boolean =>
  target instanceof Element && target.closest("[data-editor], [data-terminal]") !== null;
