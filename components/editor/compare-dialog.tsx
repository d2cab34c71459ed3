"use client";
/** Dialog that merges the editor's text with the file on disk; each run of lines that both changed is taken from one side. */
import { useMemo, useState } from "react";
import type { Hunk } from "@/lib/text/diff";
import { joinMergeParts, mergeTexts, type MergeSide } from "@/lib/text/merge-texts";
import { Button } from "../ui/controls/button";
import { Dialog } from "../ui/overlays/dialog";
import { LazyDiffView } from "../ui/code/lazy-diff-view";
import { Segmented } from "../ui/controls/segmented";
import { useFullMessages } from "../messages/full-messages";
import { listMergeConflicts } from "./documents/merge-choices";
import { detectLineSeparator } from "./documents/reconcile";

interface CompareDialogProps {
  readonly path: string;
  /** The version on which the editor's text is based; null = unknown. */
  readonly base: string | null;
  readonly theirs: string;
  readonly mine: string;
  /** Receives the merged text. */
  readonly onMerge: (text: string) => void;
  readonly onClose: () => void;
}

export function CompareDialog({ path, base, theirs, mine, onMerge, onClose }: CompareDialogProps) {
  const messages = useFullMessages();
  const { editor } = messages;
  const text = useMemo(() => toComparableTexts(base, theirs, mine), [base, theirs, mine]);
  const parts = useMemo(() => mergeTexts(text.base, text.mine, text.theirs), [text]);
  const conflicts = useMemo(() => listMergeConflicts(parts), [parts]);
  // Keyed by the text of the conflict: the file may change on disk while the dialog is open.
  const [chosen, setChosen] = useState<ReadonlyMap<string, MergeSide>>(new Map());
  const sides = conflicts.map(({ key }) => chosen.get(key));
  const merged = joinMergeParts(parts, sides);
  const takeAll = (side: MergeSide): void => setChosen(new Map(conflicts.map(({ key }) => [key, side])));
  const [first] = useState(theirs);
  const left = sides.filter((side) => side === undefined).length;
  return (
    <Dialog
      wide
      title={editor.compareTitle(path)}
      closeName={messages.common.close}
      onClose={onClose}
      footer={
        <>
          <span role="status" className="mr-auto self-center text-ink-muted">
            {left > 0 && editor.choicesLeft(left)}
          </span>
          <Button look="quiet" onClick={() => takeAll("theirs")}>
            {editor.allTheirs}
          </Button>
          <Button look="quiet" onClick={() => takeAll("mine")}>
            {editor.allMine}
          </Button>
          <Button
            look="primary"
            disabled={merged === null}
            onClick={() => merged !== null && onMerge(text.restoreLineEnds(merged))}
          >
            {editor.merge}
          </Button>
        </>
      }
    >
      <p className="text-ink-muted">{base === null ? editor.compareAllNote : editor.compareNote}</p>
      <p role="status" className="mb-3 text-ask">
        {theirs !== first && editor.compareChanged}
      </p>
      <ol className="grid gap-3">
        {conflicts.map(({ key, hunks }, index) => (
          <ConflictChoice
            key={key}
            hunks={hunks}
            path={path}
            title={editor.changeOf(index + 1, conflicts.length)}
            side={sides[index] ?? null}
            onSide={(side) => setChosen(new Map([...chosen, [key, side]]))}
          />
        ))}
      </ol>
    </Dialog>
  );
}

interface ConflictChoiceProps {
  readonly hunks: readonly Hunk[];
  readonly path: string;
  readonly title: string;
  /** null = not chosen yet. */
  readonly side: MergeSide | null;
  readonly onSide: (side: MergeSide) => void;
}

function ConflictChoice({ hunks, path, title, side, onSide }: ConflictChoiceProps) {
  const { common, editor } = useFullMessages();
  return (
    <li data-change className="overflow-hidden rounded-card border border-line">
      <div className="flex items-center justify-between gap-2 border-b border-line bg-surface py-1 pr-1 pl-3">
        <span className="text-ink-muted tabular-nums">{title}</span>
        <Segmented
          name={title}
          value={side}
          options={[
            { value: "mine", label: editor.mine },
            { value: "theirs", label: editor.theirs },
          ]}
          onChange={onSide}
        />
      </div>
      <LazyDiffView hunks={hunks} path={path} names={common.hidden} label={title} />
    </li>
  );
}

interface ComparableTexts {
  readonly base: string | null;
  readonly theirs: string;
  readonly mine: string;
  /** Restores the line ends of the file. */
  readonly restoreLineEnds: (text: string) => string;
}

/** Normalises CRLF to LF if all versions use CRLF; otherwise line ends are part of the comparison. */
function toComparableTexts(base: string | null, theirs: string, mine: string): ComparableTexts {
  if ([base ?? theirs, theirs, mine].some((text) => detectLineSeparator(text) !== "\r\n"))
    return { base, theirs, mine, restoreLineEnds: (text) => text };
  const toLf = (text: string): string => text.replaceAll("\r\n", "\n");
  return {
    base: base === null ? null : toLf(base),
    theirs: toLf(theirs),
    mine: toLf(mine),
    restoreLineEnds: (text) => text.replaceAll("\n", "\r\n"),
  };
}
