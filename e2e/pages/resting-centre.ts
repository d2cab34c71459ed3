/** Finds where to press an element that a list may still move. */
import type { Locator } from "@playwright/test";

/** Returns the centre of an element once it does not move any more. */
export async function restingCentre(element: Locator): Promise<{ readonly x: number; readonly y: number }> {
  // Playwright waits until the place is the same in two frames.
  await element.scrollIntoViewIfNeeded();
  const box = await element.boundingBox();
  if (box === null) throw new Error("the element is not drawn");
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}
