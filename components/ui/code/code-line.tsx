/** One line of code with highlighting, word marks and visible hidden characters. */
import type { ColouredLines } from "./highlighter";
import { HiddenMark, type HiddenNames } from "../text/visible-text";
import { splitHidden, type TextPart } from "../text/hidden-characters";

interface CodeSegment {
  readonly part: TextPart;
  /** CSS colour; absent = inherited. */
  readonly colour?: string;
  readonly marked: boolean;
}

type MarkRanges = readonly (readonly [start: number, end: number])[];

/**
 * Splits a line of code into segments of equal appearance: colour, word mark, hidden character. Returns the segments in
 * order; their texts joined equal the line.
 */
export function toCodeSegments(
  text: string,
  colours: ColouredLines[number] | undefined,
  marks: MarkRanges | undefined,
): readonly CodeSegment[] {
  const borders = new Set<number>([0, text.length]);
  let at = 0;
  for (const [length] of colours ?? []) borders.add((at += length));
  for (const [start, end] of marks ?? []) borders.add(start).add(end);
  const cuts = [...borders].filter((cut) => cut >= 0 && cut <= text.length).sort((a, b) => a - b);
  const colourAt = (index: number): string | undefined => {
    let end = 0;
    for (const [length, colour] of colours ?? [])
      if (index < (end += length)) return colour === "" ? undefined : colour;
    return undefined;
  };
  return cuts.slice(0, -1).flatMap((start, index) => {
    const colour = colourAt(start);
    const marked = (marks ?? []).some(([from, to]) => start >= from && start < to);
    const rest = { colour, marked };
    return splitHidden(text.slice(start, cuts[index + 1])).map((part): CodeSegment => ({ part, ...rest }));
  });
}

/** Returns the colour of highlighted text on the ground of a word mark, where the colour alone has too little contrast. */
export const markedColour = (colour: string): string => `color-mix(in srgb, ${colour} 50%, var(--ink))`;

interface CodeLineProps {
  readonly text: string;
  readonly colours?: ColouredLines[number];
  readonly marks?: readonly (readonly [start: number, end: number])[];
  /** Class name of marked words. */
  readonly markClass?: string;
  readonly names: HiddenNames;
}

export function CodeLine({ text, colours, marks, markClass = "", names }: CodeLineProps) {
  return toCodeSegments(text, colours, marks).map((segment, index) => {
    const { part, colour, marked } = segment;
    const content = part.kind === "text" ? part.text : <HiddenMark part={part} names={names} />;
    const Tag = marked ? "mark" : "span";
    return (
      <Tag
        key={index}
        className={marked ? `rounded-[2px] text-inherit ${markClass}` : undefined}
        style={colour === undefined ? undefined : { color: marked ? markedColour(colour) : colour }}
      >
        {content}
      </Tag>
    );
  });
}
