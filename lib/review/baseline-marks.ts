/** Places of a baseline where others changed lines that the agent had changed. Pure. */

/** Lines of the baseline from the first to before the second, counted from 0; equal = between two lines. */
export type BaselineMark = readonly [start: number, end: number];

/** Lines that were replaced, in the old list and in the new one. */
export interface MovedLines {
  readonly from: BaselineMark;
  readonly to: BaselineMark;
}

const touches = ([start, end]: BaselineMark, [otherStart, otherEnd]: BaselineMark): boolean =>
  start <= otherEnd && otherStart <= end;

/** Whether a place touches a mark. */
export const isMarked = (marks: readonly BaselineMark[], place: BaselineMark): boolean =>
  marks.some((mark) => touches(mark, place));

/** Returns the marks at their new places. `moved` is in order; a mark in replaced lines covers all of the new ones. */
export const moveMarks = (marks: readonly BaselineMark[], moved: readonly MovedLines[]): readonly BaselineMark[] =>
  marks.map(([start, end]) => [moveLine(start, moved, 0), moveLine(end, moved, 1)] as const);

/** Returns the marks that touch no replaced lines, at their new places. */
export const keepMarks = (marks: readonly BaselineMark[], moved: readonly MovedLines[]): readonly BaselineMark[] =>
  moveMarks(
    marks.filter((mark) => !moved.some(({ from }) => touches(mark, from))),
    moved,
  );

function moveLine(line: number, moved: readonly MovedLines[], side: 0 | 1): number {
  let shift = 0;
  for (const { from, to } of moved) {
    if (line < from[0]) break;
    if (line <= from[1] && from[0] < from[1]) return to[side];
    shift = to[1] - from[1];
  }
  return line + shift;
}
