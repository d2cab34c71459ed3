"use client";
/** The files of a restore plan, each selectable, with its diff. */
import { ChevronRight } from "lucide-react";
import { useState } from "react";
import type { RestoreStep } from "@/lib/changes";
import { PlusMinus } from "../ui/plus-minus";
import { classes } from "../ui/classes";
import { IconButton } from "../ui/icon-button";
import { LazyDiffView } from "../ui/lazy-diff-view";
import { useFullWords } from "../words/full-words";
import { PathText } from "../ui/path-text";

export interface RestoreStepsProps {
  readonly steps: readonly RestoreStep[];
  /** Deselected paths. */
  readonly left: ReadonlySet<string>;
  readonly onLeft: (left: ReadonlySet<string>) => void;
}

export function RestoreSteps({ steps, left, onLeft }: RestoreStepsProps) {
  const choose = (path: string, isChosen: boolean): void => {
    const next = new Set(left);
    if (isChosen) next.delete(path);
    else next.add(path);
    onLeft(next);
  };
  return (
    <ul className="overflow-hidden rounded-card border border-line">
      {steps.map((step) => (
        <Step
          key={step.path}
          step={step}
          isChosen={step.lost === undefined && !left.has(step.path)}
          onChosen={(isChosen) => choose(step.path, isChosen)}
        />
      ))}
    </ul>
  );
}

interface StepProps {
  readonly step: RestoreStep;
  readonly isChosen: boolean;
  readonly onChosen: (isChosen: boolean) => void;
}

function Step({ step, isChosen, onChosen }: StepProps) {
  const words = useFullWords();
  const { restore } = words.changes;
  const [open, setOpen] = useState(false);
  const hasDiff = step.hunks !== undefined && step.hunks.length > 0;
  return (
    <li data-step={step.path} className="border-b border-line last:border-b-0">
      <div className="flex min-h-9 items-center gap-1 pr-3 pl-1">
        <IconButton
          icon={ChevronRight}
          name={restore.show(step.path)}
          size="small"
          disabled={!hasDiff}
          aria-expanded={open}
          className={classes("transition-transform", open && "rotate-90", !hasDiff && "invisible")}
          onClick={() => setOpen(!open)}
        />
        <label className="flex min-h-8 min-w-0 flex-1 items-center gap-2 max-tablet:min-h-11">
          <input
            type="checkbox"
            checked={isChosen}
            disabled={step.lost !== undefined}
            onChange={(event) => onChosen(event.target.checked)}
            className="size-4 shrink-0 accent-accent"
          />
          <PathText path={step.path} names={words.common.hidden} className="font-mono text-small" />
          <span className="ml-auto shrink-0 pl-2 text-small text-ink-muted">{restore.action[step.action]}</span>
        </label>
        <span className="min-w-16 text-right text-small">
          {step.hunks !== undefined && <PlusMinus added={step.added} removed={step.removed} />}
        </span>
      </div>
      {(step.conflict || step.lost !== undefined) && (
        <p className={classes("px-9 pb-2 text-small", step.lost === undefined ? "text-ask" : "text-ink-muted")}>
          {step.lost === undefined ? restore.conflict : restore.lost[step.lost]}
        </p>
      )}
      {open && hasDiff && (
        <LazyDiffView
          hunks={step.hunks}
          path={step.path}
          names={words.common.hidden}
          label={step.path}
          shape="unified"
          className="max-h-72 border-t border-line"
        />
      )}
    </li>
  );
}
