"use client";
/** The one plain sentence of what would happen. */
import type { ReactNode } from "react";
import type { Words } from "@/components/words/words";
import type { CallView } from "@/lib/view";
import type { Preview } from "@/lib/tool-kind";
import { VisibleText } from "../../ui/visible-text";

/** Words and target apart, so that the target can stand in mono; also joined for screen readers. */
export function sentenceOf(
  call: CallView,
  preview: Preview | undefined,
  words: Words,
): { readonly lead: string; readonly target: string } {
  const { approval } = words;
  switch (preview?.kind) {
    case "command":
      return { lead: approval.run, target: "" };
    case "diff": {
      const lines = Math.max(preview.added, preview.removed);
      return {
        lead: preview.created ? approval.create : lines === 0 ? approval.changeFile : approval.change(lines),
        target: preview.path,
      };
    }
    case "delete":
      return { lead: preview.folder ? approval.removeFolder(preview.files) : approval.remove, target: preview.path };
    case undefined:
      return { lead: approval.use(call.name), target: call.target };
  }
}

export function Sentence({
  lead,
  target,
  words,
}: {
  readonly lead: string;
  readonly target: string;
  readonly words: Words;
}): ReactNode {
  return (
    <>
      {lead}{" "}
      {target !== "" && (
        <code className="text-code [overflow-wrap:anywhere]">
          <VisibleText text={target} names={words.common.hidden} />
        </code>
      )}
    </>
  );
}
