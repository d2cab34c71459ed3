"use client";
/** Places in files as links to the editor, where there is one. Used by answers, tool cards and outputs. */
import { Fragment, type ReactNode, useMemo } from "react";
import { useWords } from "@/components/words/words";
import { VisibleText } from "../../ui/visible-text";
import { findReferences, type FileReference } from "./file-reference";
import { useMarkdownLinks } from "./links";

export interface FileLinkProps extends FileReference {
  readonly children: ReactNode;
}

/** Plain where there is no editor. */
export function FileLink({ path, line, column, endLine, children }: FileLinkProps) {
  const { openPath } = useMarkdownLinks();
  if (openPath === null) return children;
  const span = {
    ...(column === undefined ? {} : { column }),
    ...(endLine === undefined ? {} : { endLine }),
  };
  return (
    <button
      type="button"
      data-link
      title={line === undefined ? path : `${path}:${line}`}
      onClick={() => openPath(path, line, span)}
    >
      {children}
    </button>
  );
}

/** A running text with its places linked; hidden characters are marked. */
export function LinkedText({ text }: { readonly text: string }): ReactNode {
  const { common } = useWords();
  const { openPath } = useMarkdownLinks();
  const found = useMemo(() => (openPath === null ? [] : findReferences(text)), [openPath, text]);
  if (found.length === 0) return <VisibleText text={text} names={common.hidden} />;
  return found.map(({ from, to, ...reference }, index) => (
    <Fragment key={from}>
      <VisibleText text={text.slice(found[index - 1]?.to ?? 0, from)} names={common.hidden} />
      <FileLink {...reference}>
        <VisibleText text={text.slice(from, to)} names={common.hidden} />
      </FileLink>
      {index === found.length - 1 && <VisibleText text={text.slice(to)} names={common.hidden} />}
    </Fragment>
  ));
}
