/** Text with some characters emphasised, such as those that match a search. Hidden characters are made visible. */
import { type HiddenNames, VisibleText } from "./visible-text";

interface MarkedTextProps {
  readonly text: string;
  /** Indices in `text`, ascending; those outside it are ignored. */
  readonly positions: readonly number[];
  readonly names: HiddenNames;
}

export function MarkedText({ text, positions, names }: MarkedTextProps) {
  return splitAtMarks(text, positions).map(({ from, part, isMarked }) =>
    isMarked ? (
      <mark key={from} className="bg-transparent font-semibold text-accent">
        <VisibleText text={part} names={names} />
      </mark>
    ) : (
      <VisibleText key={from} text={part} names={names} />
    ),
  );
}

interface TextPart {
  readonly from: number;
  readonly part: string;
  readonly isMarked: boolean;
}

/** Splits a text into marked and plain parts; their sum is the text. */
function splitAtMarks(text: string, positions: readonly number[]): readonly TextPart[] {
  const marked = new Set(positions);
  const parts: TextPart[] = [];
  let from = 0;
  for (let at = 1; at <= text.length; at += 1) {
    const isMarked = marked.has(from);
    if (at < text.length && marked.has(at) === isMarked) continue;
    parts.push({ from, part: text.slice(from, at), isMarked });
    from = at;
  }
  return parts;
}
