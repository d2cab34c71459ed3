/**
 * Ignores the second click of a double click when the first one replaced the list below the pointer: a file or session
 * chosen in a panel that closes would press what appears in its place.
 */

const listSelector = "[role=tree], [data-session]";
const clickEvents = ["mousedown", "mouseup", "click", "dblclick"] as const;

let list: Element | null = null;

function onClick(event: MouseEvent): void {
  // `detail` counts the clicks at this place within the double-click time of the system.
  if (event.detail === 1 && event.type === "mousedown")
    list = event.target instanceof Element ? event.target.closest(listSelector) : null;
  if (event.detail < 2 || list === null || list.isConnected) return;
  event.preventDefault();
  event.stopPropagation();
}

/** Starts ignoring such clicks, until the page is left: they follow when the list is gone. Further calls have no effect. */
export function ignoreSecondClicks(): void {
  for (const name of clickEvents) addEventListener(name, onClick, true);
}
