/** Quick open or the palette, requested before the page handled keys; first-field.ts stores what is typed meanwhile. */

type EarlyOverlay = "quick_open" | "palette";

const earlyField = (): HTMLTextAreaElement | null =>
  typeof document === "undefined" ? null : document.querySelector("textarea[data-early-overlay]");

/** Returns the requested overlay; null = none. */
export function findEarlyOverlay(): EarlyOverlay | null {
  const id = earlyField()?.dataset.earlyOverlay;
  return id === "quick_open" || id === "palette" ? id : null;
}

/** Removes the request and returns the typed text, and whether Enter followed it. */
export function takeEarlyOverlayText(): { readonly text: string; readonly isEntered: boolean } {
  const field = earlyField();
  field?.remove();
  const [text = "", ...rest] = (field?.value ?? "").split("\n");
  return { text, isEntered: rest.length > 0 };
}
