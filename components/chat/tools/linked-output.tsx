"use client";
/** Output of a call with its colours and with file references as links. */
import { Fragment, type ReactNode, useMemo } from "react";
import { useWords } from "@/components/words/words";
import { type StyleSpan, type StyledPiece, styledPieces, type TextColor, type TextStyle } from "@/lib/text/ansi-styles";
import { classes } from "../../ui/classes";
import { VisibleText } from "../../ui/visible-text";
import { useConversationActions } from "../actions";
import { LinkedText } from "../markdown/file-links";
import { MarkdownLinksContext } from "../markdown/links";

/** Maximum number of lines scanned for links. */
const linkedLines = 500;

const noStyles: readonly StyleSpan[] = [];

/** Each colour has at least AA contrast on the page in both themes. */
export const colorClasses = {
  red: "text-danger",
  green: "text-added",
  yellow: "text-ask",
  blue: "text-(--code-token-function)",
  magenta: "text-(--code-token-keyword)",
  cyan: "text-accent",
  muted: "text-ink-muted",
} as const satisfies Record<TextColor, string>;

const styleClasses = ({ color, bold, underline }: TextStyle): string =>
  classes(
    color !== undefined && colorClasses[color],
    bold === true && "font-semibold",
    underline === true && "underline",
  );

interface PiecesProps {
  readonly pieces: readonly StyledPiece[];
  readonly draw: (text: string) => ReactNode;
}

function Pieces({ pieces, draw }: PiecesProps): ReactNode {
  return pieces.map(({ text, style }, index) =>
    style === undefined ? (
      <Fragment key={index}>{draw(text)}</Fragment>
    ) : (
      <span key={index} className={styleClasses(style)}>
        {draw(text)}
      </span>
    ),
  );
}

export interface LinkedOutputProps {
  readonly text: string;
  readonly styles?: readonly StyleSpan[];
}

export function LinkedOutput({ text, styles = noStyles }: LinkedOutputProps): ReactNode {
  const { common } = useWords();
  const { openPath } = useConversationActions();
  const links = useMemo(() => ({ openPath }), [openPath]);
  const { lines, rest } = useMemo(() => {
    let from = 0;
    const linked = text.split("\n", linkedLines).map((line) => {
      const start = from;
      from += line.length + 1;
      return styledPieces(text, styles, start, start + line.length);
    });
    return { lines: linked, rest: from < text.length ? styledPieces(text, styles, from) : [] };
  }, [text, styles]);
  const plain = (part: string): ReactNode => <VisibleText text={part} names={common.hidden} />;
  if (openPath === null) return <Pieces pieces={styledPieces(text, styles)} draw={plain} />;
  return (
    <MarkdownLinksContext value={links}>
      {lines.map((pieces, index) => (
        <span key={index}>
          <Pieces pieces={pieces} draw={(part) => <LinkedText text={part} />} />
          {(index < lines.length - 1 || rest.length > 0) && "\n"}
        </span>
      ))}
      <Pieces pieces={rest} draw={plain} />
    </MarkdownLinksContext>
  );
}
