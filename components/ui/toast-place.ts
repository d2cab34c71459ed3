/** Where short news stands: the first of several places where it covers no control. Pure; for toast.tsx. */

export interface Box {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

export interface ToastPlaces {
  /** Size of the news. */
  readonly news: Pick<Box, "width" | "height">;
  readonly view: Pick<Box, "width" | "height">;
  /** Height of the bar at the foot and of the one at the top. */
  readonly foot: number;
  readonly head: number;
  /** Top of what stands at the foot between the bars and keeps its place, such as the composer; null = nothing. */
  readonly floor: number | null;
  /** All that can be pressed or written into. */
  readonly controls: readonly Box[];
}

const edge = 8;
const side = 16;

/** The left and top edge. Above the foot, else above the floor, else under the head; where all cover something, the least. */
export function toastPlace(places: ToastPlaces): Pick<Box, "left" | "top"> {
  const { news, view, foot, head, floor, controls } = places;
  const left = Math.max(edge, view.width - news.width - side);
  const tops = [
    view.height - foot - edge - news.height,
    ...(floor === null ? [] : [floor - edge - news.height]),
    head + edge,
  ].filter((top) => top >= head + edge);
  const spots = tops.map((top) => ({ top, covered: coveredBy({ left, top, ...news }, controls) }));
  const least = Math.min(...spots.map((spot) => spot.covered));
  return { left, top: spots.find((spot) => spot.covered === least)?.top ?? head + edge };
}

/** Square pixels of controls under a box. */
function coveredBy(box: Box, controls: readonly Box[]): number {
  return controls.reduce((sum, control) => {
    const wide = Math.min(box.left + box.width, control.left + control.width) - Math.max(box.left, control.left);
    const high = Math.min(box.top + box.height, control.top + control.height) - Math.max(box.top, control.top);
    return wide > 0 && high > 0 ? sum + wide * high : sum;
  }, 0);
}
