"use client";
/** One-sentence description of a call. */
import type { ReactNode } from "react";
import type { Words } from "@/components/words/words";
import type { CallView } from "@/lib/view";
import type { Preview } from "@/lib/tool-kind";
import { VisibleText } from "../../ui/visible-text";
import { PathLink } from "../tools/path-link";

export interface SentenceParts {
  readonly lead: string;
  readonly target: string;
  /** The target if it is an existing file, with the line to open. */
  readonly file?: { readonly path: string; readonly line?: number };
}

/** Returns text and target separately, so that the target can be monospaced; adjacent, for screen readers. */
export function sentenceOf(call: CallView, preview: Preview | undefined, words: Words): SentenceParts {
  const { approval } = words;
  switch (preview?.kind) {
    case "command":
      return { lead: approval.run, target: "" };
    case "diff": {
      const lines = Math.max(preview.added, preview.removed);
      return {
        lead: preview.created ? approval.create : lines === 0 ? approval.changeFile : approval.change(lines),
        target: preview.path,
        ...(preview.created ? {} : { file: fileOf(preview.path, preview.hunks[0]?.oldStart) }),
      };
    }
    case "delete":
      return preview.folder
        ? { lead: approval.removeFolder(preview.files), target: preview.path }
        : { lead: approval.remove, target: preview.path, file: fileOf(preview.path) };
    case undefined:
      return { lead: approval.use(call.name), target: call.target };
  }
}

const fileOf = (path: string, line?: number): NonNullable<SentenceParts["file"]> =>
  line === undefined || line < 1 ? { path } : { path, line };

export function Sentence({ lead, target, file, words }: SentenceParts & { readonly words: Words }): ReactNode {
  const text = <VisibleText text={target} names={words.common.hidden} />;
  const style = "text-code [overflow-wrap:anywhere]";
  if (target === "") return lead;
  return (
    <>
      {lead}{" "}
      {file === undefined ? (
        <code className={style}>{text}</code>
      ) : (
        <PathLink {...file} className={style}>
          {text}
        </PathLink>
      )}
    </>
  );
}
