/** A text with its hidden characters drawn as marks. Copying it gives the real characters. */
import { Fragment } from "react";
import { splitHidden, type TextPart } from "./hidden-characters";

/** The title of a mark, by kind; from the catalogue. */
export type HiddenNames = Record<Exclude<TextPart["kind"], "text">, (name: string) => string>;

export function HiddenMark({
  part,
  names,
}: {
  readonly part: Exclude<TextPart, { kind: "text" }>;
  readonly names: HiddenNames;
}) {
  const title = names[part.kind](part.name);
  return (
    <span className="hidden-mark" title={title} role="img" aria-label={title} data-kind={part.kind}>
      {part.name}
    </span>
  );
}

export function VisibleText({ text, names }: { readonly text: string; readonly names: HiddenNames }) {
  return splitHidden(text).map((part, index) =>
    part.kind === "text" ? (
      <Fragment key={index}>{part.text}</Fragment>
    ) : (
      <HiddenMark key={index} part={part} names={names} />
    ),
  );
}
