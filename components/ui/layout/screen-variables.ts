"use client";
/**
 * Screen measurements that CSS cannot determine, as custom properties on the root: the scrollbar width, so that columns
 * with and without a scrollbar align, and the height above an on-screen keyboard where the browser does not resize the
 * page (iOS).
 */

/** px; keyboards are higher than this, browser toolbars are not. */
const keyboardMinPx = 120;

/** Returns the height above the on-screen keyboard, px; null = no keyboard. */
export function heightAboveKeyboard(pagePx: number, visiblePx: number, scale: number): number | null {
  // Pinch zoom also reduces the visible height.
  if (scale > 1.01 || pagePx - visiblePx < keyboardMinPx) return null;
  return Math.round(visiblePx);
}

/** Starts updating the custom properties; returns a function that stops it. */
export function watchScreen(): () => void {
  const root = document.documentElement;
  root.style.setProperty("--scrollbar-width", `${scrollbarWidth()}px`);
  const viewport = window.visualViewport;
  if (viewport === null) return () => undefined;
  const fit = (): void => {
    const height = heightAboveKeyboard(window.innerHeight, viewport.height, viewport.scale);
    if (height === null) return void root.style.removeProperty("--visible-height");
    root.style.setProperty("--visible-height", `${height}px`);
    // iOS scrolls the page to the focused field; the shell has the visible height and starts at the top.
    if (viewport.offsetTop > 0) window.scrollTo(0, 0);
  };
  viewport.addEventListener("resize", fit);
  viewport.addEventListener("scroll", fit);
  return () => {
    viewport.removeEventListener("resize", fit);
    viewport.removeEventListener("scroll", fit);
  };
}

/** Returns the scrollbar width, px; 0 for overlay scrollbars. */
function scrollbarWidth(): number {
  const probe = document.createElement("div");
  probe.style.cssText = "position:absolute;visibility:hidden;width:100px;height:100px;overflow-y:scroll";
  document.body.append(probe);
  const width = probe.offsetWidth - probe.clientWidth;
  probe.remove();
  return width;
}
