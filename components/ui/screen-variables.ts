"use client";
/**
 * What CSS cannot know of the screen, as variables on the root: the width of a scrollbar, so that columns with and without one
 * align, and the height above a screen keyboard where the browser does not resize the page for it (iOS). Used by the workbench.
 */

/** A keyboard is higher than this; bars of the browser that come and go are not. px */
const keyboardMinPx = 120;

/** Height above the keyboard, px; null = nothing covers the page. */
export function heightAboveKeyboard(pagePx: number, visiblePx: number, scale: number): number | null {
  // Zooming in makes the visible part smaller, too.
  if (scale > 1.01 || pagePx - visiblePx < keyboardMinPx) return null;
  return Math.round(visiblePx);
}

/** Returns what ends the watch. */
export function watchScreen(): () => void {
  const root = document.documentElement;
  root.style.setProperty("--scrollbar-width", `${scrollbarWidth()}px`);
  const viewport = window.visualViewport;
  if (viewport === null) return () => undefined;
  const fit = (): void => {
    const height = heightAboveKeyboard(window.innerHeight, viewport.height, viewport.scale);
    if (height === null) return void root.style.removeProperty("--visible-height");
    root.style.setProperty("--visible-height", `${height}px`);
    // iOS scrolls the page to the field; the shell is as high as what is visible and begins at its top.
    if (viewport.offsetTop > 0) window.scrollTo(0, 0);
  };
  viewport.addEventListener("resize", fit);
  viewport.addEventListener("scroll", fit);
  return () => {
    viewport.removeEventListener("resize", fit);
    viewport.removeEventListener("scroll", fit);
  };
}

/** 0 where scrollbars lie over the content. */
function scrollbarWidth(): number {
  const probe = document.createElement("div");
  probe.style.cssText = "position:absolute;visibility:hidden;width:100px;height:100px;overflow-y:scroll";
  document.body.append(probe);
  const width = probe.offsetWidth - probe.clientWidth;
  probe.remove();
  return width;
}
