"use client";
/** The files of a restore plan, each selectable, with its diff. */
import { ChevronRight } from "lucide-react";
import { useState } from "react";
import type { RestoreStep } from "@/lib/workspace/changes";
import { PlusMinus } from "../ui/text/plus-minus";
import { classes } from "../ui/theme/classes";
import { IconButton } from "../ui/controls/icon-button";
import { LazyDiffView } from "../ui/code/lazy-diff-view";
import { useFullMessages } from "../messages/full-messages";
import { PathText } from "../ui/text/path-text";

interface RestoreStepsProps {
  readonly steps: readonly RestoreStep[];
  /** Deselected paths. */
  readonly deselected: ReadonlySet<string>;
  readonly onDeselected: (left: ReadonlySet<string>) => void;
}

export function RestoreSteps({ steps, deselected, onDeselected }: RestoreStepsProps) {
  const choose = (path: string, isChosen: boolean): void => {
    const next = new Set(deselected);
    if (isChosen) next.delete(path);
    else next.add(path);
    onDeselected(next);
  };
  return (
    <ul className="overflow-hidden rounded-card border border-line">
      {steps.map((step) => (
        <StepRow
          key={step.path}
          step={step}
          isChosen={step.lost === undefined && !deselected.has(step.path)}
          onChosen={(isChosen) => choose(step.path, isChosen)}
        />
      ))}
    </ul>
  );
}

interface StepRowProps {
  readonly step: RestoreStep;
  readonly isChosen: boolean;
  readonly onChosen: (isChosen: boolean) => void;
}

function StepRow({ step, isChosen, onChosen }: StepRowProps) {
  const messages = useFullMessages();
  const { restore } = messages.changes;
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
          <PathText path={step.path} names={messages.common.hidden} className="font-mono text-small" />
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
          names={messages.common.hidden}
          label={step.path}
          shape="unified"
          className="max-h-72 border-t border-line"
        />
      )}
    </li>
  );
}
