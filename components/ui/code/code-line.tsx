/** One line of code with highlighting, word marks and visible hidden characters. */
import type { ColouredLines } from "./highlighter";
import { toCodeSegments } from "./line-segments";
import { HiddenMark, type HiddenNames } from "../text/visible-text";

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
        style={colour === undefined ? undefined : { color: colour }}
      >
        {content}
      </Tag>
    );
  });
}
