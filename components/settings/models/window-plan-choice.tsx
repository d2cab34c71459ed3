"use client";
/** Window choice of a model: memory use and fit of each size, and the size new sessions use. */
import { useId } from "react";
import type { WindowPlan } from "@/lib/models/models";
import { classes } from "../../ui/theme/classes";
import { useFullMessages } from "../../messages/full-messages";
import { joinSentences } from "../../messages/join-sentences";
import { SettingGroup } from "../fields/setting-row";
import { type PlanRow, planRows } from "./plan-rows";

interface WindowPlanChoiceProps {
  readonly plan: WindowPlan;
  /** The user chose the window for this model; a limit set for all models counts as automatic. */
  readonly isUsers: boolean;
  /** Pending selection; tokens, 0 = automatic. */
  readonly pending: number | undefined;
  /** tokens, 0 = automatic */
  readonly onChoose: (tokens: number) => void;
}

export function WindowPlanChoice({ plan, isUsers, pending, onChoose }: WindowPlanChoiceProps) {
  const messages = useFullMessages();
  const text = messages.settings.models;
  const group = useId();
  const { tokens } = messages.figures;
  // Memory is not mentioned for a model on another machine or with unknown dimensions.
  const isMeasured = plan.steps.some((step) => step.bytes !== undefined || step.fits !== null);
  return (
    <SettingGroup title={text.windowTitle}>
      <div className="py-3">
        <p className="mb-2 text-ink-muted">
          {joinSentences(messages, [
            isMeasured ? text.windowNote : text.windowNotePlain,
            text.windowBy[plan.by === "user" && !isUsers ? "largest" : plan.by](tokens(plan.chosen)),
            plan.allocated === undefined || plan.allocated === plan.chosen
              ? ""
              : text.allocated(tokens(plan.allocated)),
            plan.memoryBytes === undefined || !isMeasured ? "" : text.memory(messages.figures.bytes(plan.memoryBytes)),
          ])}
        </p>
        <div
          role="radiogroup"
          aria-label={text.windowTitle}
          className="divide-y divide-line overflow-hidden rounded-card border border-line bg-raised"
        >
          {planRows(plan, isUsers).map((row) => (
            <PlanLine
              key={row.value}
              row={pending === undefined ? row : { ...row, isChosen: row.value === pending }}
              isMeasured={isMeasured}
              group={group}
              onChoose={() => onChoose(row.value)}
            />
          ))}
        </div>
      </div>
    </SettingGroup>
  );
}

interface PlanLineProps {
  readonly row: PlanRow;
  readonly isMeasured: boolean;
  readonly group: string;
  readonly onChoose: () => void;
}

function PlanLine({ row, isMeasured, group, onChoose }: PlanLineProps) {
  const messages = useFullMessages();
  const text = messages.settings.models;
  const { bytes, tokens } = messages.figures;
  const size = row.tokens === null ? "" : tokens(row.tokens);
  return (
    <label className="flex min-h-9 items-center gap-3 px-3.5 py-1.5 transition-colors hover:bg-hover max-tablet:min-h-11">
      <input
        type="radio"
        name={group}
        checked={row.isChosen}
        onChange={onChoose}
        className="size-3.5 shrink-0 accent-accent"
      />
      <span className={classes("w-32 shrink-0 tabular-nums", row.isChosen && "font-medium")}>
        {row.value === 0 ? text.automaticWindow : messages.settings.model.tokens(size)}
        {row.value === 0 && size !== "" && <span className="text-ink-muted"> · {size}</span>}
      </span>
      <MemoryBar row={row} />
      <span className="w-16 shrink-0 text-right text-small text-ink-muted tabular-nums">
        {row.bytes !== undefined && bytes(row.bytes)}
      </span>
      <span className={classes("w-24 shrink-0 text-small", row.fits === false ? "text-ask" : "text-ink-muted")}>
        {isMeasured &&
          row.tokens !== null &&
          (row.fits === null ? text.fitsUnknown : row.fits ? text.fits : text.fitsNot)}
      </span>
    </label>
  );
}

/** Bar: memory use as a fraction of the machine's memory. */
function MemoryBar({ row }: { readonly row: PlanRow }) {
  if (row.share === null) return <span className="flex-1" />;
  return (
    <span aria-hidden className="h-1 min-w-0 flex-1 overflow-hidden rounded-full bg-ink/10 max-tablet:invisible">
      <span
        className={classes("block h-full rounded-full", row.fits === false ? "bg-ask" : "bg-accent")}
        style={{ width: `${Math.min(1, row.share) * 100}%` }}
      />
    </span>
  );
}
