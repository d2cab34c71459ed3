/** Position of the toast stack: the first candidate that covers no control. Pure. */

export interface ScreenBox {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

export interface ToastLayout {
  /** Size of the toast stack. */
  readonly stack: Pick<ScreenBox, "width" | "height">;
  readonly view: Pick<ScreenBox, "width" | "height">;
  /** Heights of the bars at the bottom and at the top. */
  readonly foot: number;
  readonly head: number;
  /** Top edge of a fixed element above the bottom bar, such as the composer; null = none. */
  readonly floor: number | null;
  /** All interactive elements. */
  readonly controls: readonly ScreenBox[];
}

const edgePx = 8;
const sidePx = 16;

/**
 * Returns the left and top edge. Candidates: above the bottom bar, above the floor element, below the header; if all
 * cover controls, the one with the least overlap.
 */
export function toastPosition(places: ToastLayout): Pick<ScreenBox, "left" | "top"> {
  const { stack, view, foot, head, floor, controls } = places;
  const left = Math.max(edgePx, view.width - stack.width - sidePx);
  const tops = [
    view.height - foot - edgePx - stack.height,
    ...(floor === null ? [] : [floor - edgePx - stack.height]),
    head + edgePx,
  ].filter((top) => top >= head + edgePx);
  const candidates = tops.map((top) => ({ top, covered: coveredArea({ left, top, ...stack }, controls) }));
  const least = Math.min(...candidates.map((candidate) => candidate.covered));
  return { left, top: candidates.find((candidate) => candidate.covered === least)?.top ?? head + edgePx };
}

/** Returns the overlap of a box with the controls, square px. */
function coveredArea(box: ScreenBox, controls: readonly ScreenBox[]): number {
  return controls.reduce((sum, control) => {
    const wide = Math.min(box.left + box.width, control.left + control.width) - Math.max(box.left, control.left);
    const high = Math.min(box.top + box.height, control.top + control.height) - Math.max(box.top, control.top);
    return wide > 0 && high > 0 ? sum + wide * high : sum;
  }, 0);
}
