"use client";
/** What a call printed, with the places it names as links. Drawn by output-block.tsx. */
import { type ReactNode, useMemo } from "react";
import { useWords } from "@/components/words/words";
import { VisibleText } from "../../ui/visible-text";
import { useConversationActions } from "../actions";
import { LinkedText } from "../markdown/file-links";
import { MarkdownLinksContext } from "../markdown/links";

/** Lines that are looked at; an output that long is read elsewhere. */
const linkedLines = 500;

export function LinkedOutput({ text }: { readonly text: string }): ReactNode {
  const { common } = useWords();
  const { openPath } = useConversationActions();
  const links = useMemo(() => ({ openPath }), [openPath]);
  const lines = useMemo(() => text.split("\n"), [text]);
  if (openPath === null) return <VisibleText text={text} names={common.hidden} />;
  const rest = lines.slice(linkedLines).join("\n");
  return (
    <MarkdownLinksContext value={links}>
      {lines.slice(0, linkedLines).map((line, index) => (
        <span key={index}>
          <LinkedText text={line} />
          {index < lines.length - 1 && "\n"}
        </span>
      ))}
      {rest !== "" && <VisibleText text={rest} names={common.hidden} />}
    </MarkdownLinksContext>
  );
}
