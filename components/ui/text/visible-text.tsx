/** Text with its hidden characters shown as visible marks. Copying yields the real characters. */
import { Fragment } from "react";
import { splitHidden, type TextPart } from "./hidden-characters";

/** Titles of the marks by kind. */
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
