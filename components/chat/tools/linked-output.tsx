"use client";
/** Output of a call with its colours and with file references as links. */
import { Fragment, type ReactNode, useMemo } from "react";
import { useMessages } from "../../messages/messages";
import {
  type StyleSpan,
  type StyledSegment,
  splitStyledText,
  type TextColor,
  type TextStyle,
} from "@/lib/text/ansi-styles";
import { classes } from "../../ui/theme/classes";
import { VisibleText } from "../../ui/text/visible-text";
import { useConversationActions } from "../actions";
import { LinkedText } from "../../ui/markdown/file-links";
import { MarkdownLinksContext } from "../../ui/markdown/links";

/** Maximum number of lines scanned for links. */
const linkedLinesMax = 500;

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

interface StyledTextProps {
  readonly pieces: readonly StyledSegment[];
  readonly draw: (text: string) => ReactNode;
}

function StyledText({ pieces, draw }: StyledTextProps): ReactNode {
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

interface LinkedOutputProps {
  readonly text: string;
  readonly styles?: readonly StyleSpan[];
}

export function LinkedOutput({ text, styles = noStyles }: LinkedOutputProps): ReactNode {
  const { common } = useMessages();
  const { openPath } = useConversationActions();
  const links = useMemo(() => ({ openPath }), [openPath]);
  const { lines, rest } = useMemo(() => {
    let from = 0;
    const linked = text.split("\n", linkedLinesMax).map((line) => {
      const start = from;
      from += line.length + 1;
      return splitStyledText(text, styles, start, start + line.length);
    });
    return { lines: linked, rest: from < text.length ? splitStyledText(text, styles, from) : [] };
  }, [text, styles]);
  const plain = (part: string): ReactNode => <VisibleText text={part} names={common.hidden} />;
  if (openPath === null) return <StyledText pieces={splitStyledText(text, styles)} draw={plain} />;
  return (
    <MarkdownLinksContext value={links}>
      {lines.map((pieces, index) => (
        <span key={index}>
          <StyledText pieces={pieces} draw={(part) => <LinkedText text={part} />} />
          {(index < lines.length - 1 || rest.length > 0) && "\n"}
        </span>
      ))}
      <StyledText pieces={rest} draw={plain} />
    </MarkdownLinksContext>
  );
}
