"use client";
/** The text of a file drawn by its kind; a request for a line of the file returns to the text. */
import { useDeferredValue, useEffect, useState } from "react";
import type { ProjectId } from "@/lib/events/id";
import type { PreviewKind } from "@/lib/workspace/preview-kind";
import { useClient } from "../../state/client";
import { useStore } from "../../state/store";
import type { OpenFiles } from "../open-files";
import { MarkdownPreview } from "./markdown-preview";
import { TablePreview } from "./table-preview";
import { setPreviewed } from "./use-preview";
import { ImageView } from "./image-view";

/** An SVG text as an image: it runs no scripts and loads nothing. */
function SvgPreview({ path, text }: { readonly path: string; readonly text: string }) {
  const [address, setAddress] = useState<string | null>(null);
  useEffect(() => {
    const created = URL.createObjectURL(new Blob([text], { type: "image/svg+xml" }));
    setAddress(created);
    return () => URL.revokeObjectURL(created);
  }, [text]);
  return <ImageView address={address} path={path} />;
}

interface FilePreviewProps {
  readonly projectId: ProjectId;
  readonly files: OpenFiles;
  readonly group: number;
  readonly isFocused: boolean;
  readonly path: string;
  readonly kind: PreviewKind;
}

export function FilePreview({ projectId, files, group, isFocused, path, kind }: FilePreviewProps) {
  const { workbench } = useClient();
  const target = useStore(workbench, (state) => state.revealTarget);
  useEffect(() => {
    if (!isFocused || target?.path !== path) return;
    if (target.line === null) workbench.clearReveal();
    else setPreviewed(files, group, path, false);
  }, [files, group, isFocused, path, target, workbench]);
  // The other group may show the text, which is typed there.
  useStore(files.edits, (count) => count);
  const text = useDeferredValue(files.documents.textOf(path));
  switch (kind) {
    case "markdown":
      return <MarkdownPreview key={path} projectId={projectId} path={path} text={text} />;
    case "table":
      return <TablePreview key={path} path={path} text={text} />;
    case "svg":
      return <SvgPreview key={path} path={path} text={text} />;
  }
}
