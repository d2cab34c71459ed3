"use client";
/** Renders file references as links to the editor, if there is one. */
import { Fragment, type ReactNode, useMemo } from "react";
import { useMessages } from "../../messages/messages";
import { VisibleText } from "../text/visible-text";
import { findFileReferences, type FileReference } from "../text/file-reference";
import { useMarkdownLinks } from "./links";

interface FileLinkProps extends FileReference {
  readonly children: ReactNode;
}

/** A link to a file; plain text without an editor. */
export function FileLink({ path, line, column, endLine, children }: FileLinkProps) {
  const { openPath } = useMarkdownLinks();
  if (openPath === null) return children;
  const span = {
    column,
    endLine,
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

/** Text with its file references linked and hidden characters marked. */
export function LinkedText({ text }: { readonly text: string }): ReactNode {
  const { common } = useMessages();
  const { openPath } = useMarkdownLinks();
  const found = useMemo(() => (openPath === null ? [] : findFileReferences(text)), [openPath, text]);
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
