"use client";
/** What differs between the text in the editor and the file on disk. */
import { useMemo } from "react";
import { diffLines } from "@/lib/text/diff";
import { Button } from "../ui/button";
import { Dialog } from "../ui/dialog";
import { LazyDiffView } from "../ui/lazy-diff-view";
import { useWords } from "../words/words";
import { separatorOf } from "./reconcile";

export interface CompareDialogProps {
  readonly path: string;
  readonly theirs: string;
  readonly mine: string;
  readonly onKeepMine: () => void;
  readonly onTakeTheirs: () => void;
  readonly onClose: () => void;
}

export function CompareDialog({ path, theirs, mine, onKeepMine, onTakeTheirs, onClose }: CompareDialogProps) {
  const words = useWords();
  const diff = useMemo(() => diffLines(...readable(theirs, mine)), [theirs, mine]);
  return (
    <Dialog
      wide
      title={words.editor.compareTitle(path)}
      closeName={words.common.close}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onTakeTheirs}>{words.editor.takeTheirs}</Button>
          <Button look="primary" onClick={onKeepMine}>
            {words.editor.keepMine}
          </Button>
        </>
      }
    >
      <p className="mb-2 text-ink-muted">{words.editor.compareNote}</p>
      <LazyDiffView
        hunks={diff.hunks ?? []}
        path={path}
        names={words.common.hidden}
        label={words.editor.compareTitle(path)}
        className="overflow-hidden rounded-card border border-line"
      />
    </Dialog>
  );
}

/** Line ends are told only where the two differ in them. */
function readable(theirs: string, mine: string): readonly [string, string] {
  if (separatorOf(theirs) !== "\r\n" || separatorOf(mine) !== "\r\n") return [theirs, mine];
  return [theirs.replaceAll("\r\n", "\n"), mine.replaceAll("\r\n", "\n")];
}
