"use client";
/** The diff of a hunk in which the user can choose single changed lines. */
import { ListChecks, X } from "lucide-react";
import { useMemo, useState } from "react";
import type { Hunk, HunkLine } from "@/lib/text/diff";
import { useFullMessages } from "../messages/full-messages";
import { Button } from "../ui/controls/button";
import { Icon } from "../ui/indicators/icon";
import { LazyDiffView } from "../ui/code/lazy-diff-view";
import type { DiffLayout } from "./diff-layout";

export interface LineChoice {
  readonly hunk: Hunk;
  /** Indices of lines of the hunk; null = the whole hunk is meant, and lines have no checkboxes. */
  readonly checked: ReadonlySet<number> | null;
  /** The checked lines, or all changed ones. */
  readonly lines: readonly HunkLine[];
  /** Number of checked lines; null = the whole hunk. */
  readonly count: number | null;
  readonly set: (checked: ReadonlySet<number> | null) => void;
}

/** For a component whose key follows the content of the hunk. */
export function useLineChoice(hunk: Hunk): LineChoice {
  const [checked, set] = useState<ReadonlySet<number> | null>(null);
  const lines = hunk.lines.filter(({ kind }, index) => kind !== "same" && (checked?.has(index) ?? true));
  return { hunk, checked, lines, count: checked === null ? null : lines.length, set };
}

/** Shows the checkboxes or hides them. A hunk with one changed line has none. */
export function ChooseLinesButton({ choice: { hunk, checked, set } }: { readonly choice: LineChoice }) {
  const { source, common } = useFullMessages();
  if (hunk.lines.filter(({ kind }) => kind !== "same").length < 2) return null;
  const label = checked === null ? source.chooseLines : common.cancel;
  return (
    <Button
      look="quiet"
      size="small"
      className="max-tablet:min-w-11"
      aria-pressed={checked !== null}
      onClick={() => set(checked === null ? new Set() : null)}
    >
      <Icon of={checked === null ? ListChecks : X} size={14} />
      <span className="max-tablet:sr-only">{label}</span>
    </Button>
  );
}

interface ChoosableDiffProps {
  readonly path: string;
  readonly layout: DiffLayout;
  readonly choice: LineChoice;
}

export function ChoosableDiff({ path, layout, choice: { hunk, checked, set } }: ChoosableDiffProps) {
  const { common } = useFullMessages();
  const indices = useMemo(() => new Map(hunk.lines.map((line, index) => [line, index])), [hunk]);
  const toggle = (index: number): void => {
    const next = new Set(checked);
    if (!next.delete(index)) next.add(index);
    set(next);
  };
  return (
    <LazyDiffView
      {...layout}
      hunks={[hunk]}
      path={path}
      names={common.hidden}
      label={path}
      className={checked === null ? undefined : controlPlace}
      control={
        checked === null
          ? undefined
          : (line) => {
              const index = indices.get(line) ?? -1;
              return <LineCheck line={line} isChecked={checked.has(index)} onToggle={() => toggle(index)} />;
            }
      }
    />
  );
}

/** The checkbox is over its line, which is higher where it is touched. */
const controlPlace =
  "[&_[data-line]]:relative [&_[data-line]]:max-tablet:min-h-9 [&_[data-line]]:max-tablet:items-center";

interface LineCheckProps {
  readonly line: HunkLine;
  readonly isChecked: boolean;
  readonly onToggle: () => void;
}

/** Its label is the whole line. */
function LineCheck({ line, isChecked, onToggle }: LineCheckProps) {
  const { source } = useFullMessages();
  return (
    <label className="absolute inset-0 cursor-pointer hover:bg-hover has-checked:bg-accent-soft/60">
      <input
        type="checkbox"
        aria-label={source.chooseLine(line.text)}
        checked={isChecked}
        onChange={onToggle}
        className="absolute top-1 left-1 size-3 accent-accent max-tablet:top-2 max-tablet:size-5"
      />
    </label>
  );
}
