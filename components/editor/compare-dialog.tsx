"use client";
/** Dialog that merges the editor's text with the file on disk; each change is taken from one side. */
import { useMemo, useState } from "react";
import { diffLines, type Hunk } from "@/lib/text/diff";
import { Button } from "../ui/controls/button";
import { Dialog } from "../ui/overlays/dialog";
import { LazyDiffView } from "../ui/code/lazy-diff-view";
import { Segmented } from "../ui/controls/segmented";
import { useFullMessages } from "../messages/full-messages";
import { hunkKeys, mergeHunks, type MergeSide } from "./documents/merge-hunks";
import { detectLineSeparator } from "./documents/reconcile";

interface CompareDialogProps {
  readonly path: string;
  readonly theirs: string;
  readonly mine: string;
  /** Receives the merged text. */
  readonly onMerge: (text: string) => void;
  readonly onClose: () => void;
}

export function CompareDialog({ path, theirs, mine, onMerge, onClose }: CompareDialogProps) {
  const messages = useFullMessages();
  const { editor } = messages;
  const text = useMemo(() => toComparableTexts(theirs, mine), [theirs, mine]);
  const hunks = useMemo(() => diffLines(text.theirs, text.mine).hunks ?? [], [text]);
  const keys = useMemo(() => hunkKeys(hunks), [hunks]);
  // Keyed by the hunk's text: the file may change on disk while the dialog is open.
  const [chosen, setChosen] = useState<ReadonlyMap<string, MergeSide>>(new Map());
  const sides = keys.map((key) => chosen.get(key) ?? "mine");
  const takeAll = (side: MergeSide): void => setChosen(new Map(keys.map((key) => [key, side])));
  const [first] = useState(theirs);
  return (
    <Dialog
      wide
      title={editor.compareTitle(path)}
      closeName={messages.common.close}
      onClose={onClose}
      footer={
        <>
          <Button look="quiet" onClick={() => takeAll("theirs")}>
            {editor.allTheirs}
          </Button>
          <Button look="quiet" onClick={() => takeAll("mine")}>
            {editor.allMine}
          </Button>
          <Button look="primary" onClick={() => onMerge(text.restoreLineEnds(mergeHunks(text.theirs, hunks, sides)))}>
            {editor.merge}
          </Button>
        </>
      }
    >
      <p className="text-ink-muted">{editor.compareNote}</p>
      <p role="status" className="mb-3 text-ask">
        {theirs !== first && editor.compareChanged}
      </p>
      <ol className="grid gap-3">
        {hunks.map((hunk, index) => (
          <HunkChoice
            key={keys[index] ?? index}
            hunk={hunk}
            path={path}
            title={editor.changeOf(index + 1, hunks.length)}
            side={sides[index] ?? "mine"}
            onSide={(side) => setChosen(new Map([...chosen, [keys[index] ?? "", side]]))}
          />
        ))}
      </ol>
    </Dialog>
  );
}

interface HunkChoiceProps {
  readonly hunk: Hunk;
  readonly path: string;
  readonly title: string;
  readonly side: MergeSide;
  readonly onSide: (side: MergeSide) => void;
}

function HunkChoice({ hunk, path, title, side, onSide }: HunkChoiceProps) {
  const { common, editor } = useFullMessages();
  const hunks = useMemo(() => [hunk], [hunk]);
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
  readonly theirs: string;
  readonly mine: string;
  /** Restores the line ends of the file. */
  readonly restoreLineEnds: (text: string) => string;
}

/** Normalises CRLF to LF if both sides use CRLF; otherwise line ends are part of the diff. */
function toComparableTexts(theirs: string, mine: string): ComparableTexts {
  if (detectLineSeparator(theirs) !== "\r\n" || detectLineSeparator(mine) !== "\r\n")
    return { theirs, mine, restoreLineEnds: (text) => text };
  return {
    theirs: theirs.replaceAll("\r\n", "\n"),
    mine: mine.replaceAll("\r\n", "\n"),
    restoreLineEnds: (text) => text.replaceAll("\n", "\r\n"),
  };
}
