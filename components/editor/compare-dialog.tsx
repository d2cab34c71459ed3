"use client";
/** Dialog that merges the editor's text with the file on disk; each change is taken from one side. */
import { useMemo, useState } from "react";
import { diffLines, type Hunk } from "@/lib/text/diff";
import { Button } from "../ui/button";
import { Dialog } from "../ui/dialog";
import { LazyDiffView } from "../ui/lazy-diff-view";
import { Segmented } from "../ui/segmented";
import { useWords } from "../words/words";
import { hunkKeys, mergedText, type Side } from "./merge";
import { separatorOf } from "./reconcile";

export interface CompareDialogProps {
  readonly path: string;
  readonly theirs: string;
  readonly mine: string;
  /** Receives the merged text. */
  readonly onMerge: (text: string) => void;
  readonly onClose: () => void;
}

export function CompareDialog({ path, theirs, mine, onMerge, onClose }: CompareDialogProps) {
  const words = useWords();
  const { editor } = words;
  const text = useMemo(() => readable(theirs, mine), [theirs, mine]);
  const hunks = useMemo(() => diffLines(text.theirs, text.mine).hunks ?? [], [text]);
  const keys = useMemo(() => hunkKeys(hunks), [hunks]);
  // Keyed by the hunk's text: the file may change on disk while the dialog is open.
  const [chosen, setChosen] = useState<ReadonlyMap<string, Side>>(new Map());
  const sides = keys.map((key) => chosen.get(key) ?? "mine");
  const takeAll = (side: Side): void => setChosen(new Map(keys.map((key) => [key, side])));
  const [first] = useState(theirs);
  return (
    <Dialog
      wide
      title={editor.compareTitle(path)}
      closeName={words.common.close}
      onClose={onClose}
      footer={
        <>
          <Button look="quiet" onClick={() => takeAll("theirs")}>
            {editor.allTheirs}
          </Button>
          <Button look="quiet" onClick={() => takeAll("mine")}>
            {editor.allMine}
          </Button>
          <Button look="primary" onClick={() => onMerge(text.back(mergedText(text.theirs, hunks, sides)))}>
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
          <Change
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

interface ChangeProps {
  readonly hunk: Hunk;
  readonly path: string;
  readonly title: string;
  readonly side: Side;
  readonly onSide: (side: Side) => void;
}

function Change({ hunk, path, title, side, onSide }: ChangeProps) {
  const { common, editor } = useWords();
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

interface Readable {
  readonly theirs: string;
  readonly mine: string;
  /** Restores the line ends of the file. */
  readonly back: (text: string) => string;
}

/** Normalises CRLF to LF if both sides use CRLF; otherwise line ends are part of the diff. */
function readable(theirs: string, mine: string): Readable {
  if (separatorOf(theirs) !== "\r\n" || separatorOf(mine) !== "\r\n") return { theirs, mine, back: (text) => text };
  return {
    theirs: theirs.replaceAll("\r\n", "\n"),
    mine: mine.replaceAll("\r\n", "\n"),
    back: (text) => text.replaceAll("\n", "\r\n"),
  };
}
