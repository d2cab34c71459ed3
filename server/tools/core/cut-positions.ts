/** Computes where the cuts of a text are after its lines were joined, or after it was shortened. Pure. */
import type { CutPositions, LineCut } from "@/lib/events/tool-kind";

/** A line of a result; positions within the line. */
export interface ResultLine {
  readonly text: string;
  readonly cuts: readonly LineCut[];
}

export function joinResultLines(lines: readonly ResultLine[]): { readonly text: string; readonly cuts: LineCut[] } {
  const cuts: LineCut[] = [];
  let offset = 0;
  for (const line of lines) {
    for (const { at, lost } of line.cuts) cuts.push({ at: offset + at, lost });
    offset += line.text.length + 1;
  }
  return { text: lines.map(({ text }) => text).join("\n"), cuts };
}

/**
 * Returns the positions in a text of which only the head up to `end` and the tail from `start` remain, with `note`
 * between them.
 */
export function shiftPositions(
  { lines = [], start: outputStart, ending }: CutPositions,
  end: number,
  start: number,
  note: NonNullable<CutPositions["note"]>,
): CutPositions {
  const shift = (at: number): readonly number[] => (at < end ? [at] : at >= start ? [at - start + note.to] : []);
  const [shiftedEnding] = ending === undefined ? [] : shift(ending);
  const shiftedLines = lines.flatMap(({ at, lost }) => shift(at).map((place) => ({ at: place, lost })));
  const shiftedStart = outputStart === undefined ? {} : { start: Math.min(outputStart, end) };
  return { lines: shiftedLines, note, ...shiftedStart, ending: shiftedEnding };
}

/** Returns the positions in a text that begins `from` units later. */
export function dropStart({ lines = [], note, ending }: CutPositions, from: number): CutPositions {
  return {
    lines: lines.flatMap(({ at, lost }) => (at < from ? [] : [{ at: at - from, lost }])),
    ...(note === undefined || note.from < from ? {} : { note: { from: note.from - from, to: note.to - from } }),
    ...(ending === undefined || ending < from ? {} : { ending: ending - from }),
  };
}
