"use client";
/** The steps of a plan with their ticks, to be read. */
import { Square, SquareCheck } from "lucide-react";
import type { ChecklistItem } from "@/lib/view/checklist";
import { useConversationMessages } from "../../messages/conversation-messages";
import { Icon } from "../../ui/indicators/icon";
import { PlainText } from "../../ui/markdown/inline";
import { classes } from "../../ui/theme/classes";

interface PlanStepsProps {
  readonly items: readonly ChecklistItem[];
  /** The first open step is marked as the current one. */
  readonly isRunning: boolean;
  readonly className?: string;
}

export function PlanSteps({ items, isRunning, className }: PlanStepsProps) {
  const { plan: text } = useConversationMessages();
  const current = isRunning ? items.findIndex(({ isDone }) => !isDone) : -1;
  return (
    <ol aria-label={text.title} className={className}>
      {items.map(({ text: step, isDone, depth }, index) => (
        <li
          key={index}
          aria-current={index === current ? "step" : undefined}
          style={{ paddingLeft: `${18 * depth}px` }}
          className={classes(
            "flex items-start gap-2 py-0.5 pr-3 [overflow-wrap:anywhere]",
            index === current ? "font-medium" : isDone && "text-ink-muted",
          )}
        >
          <Icon
            of={isDone ? SquareCheck : Square}
            size={14}
            label={isDone ? text.done : text.open}
            // In the middle of the first line, in the panel as in a message.
            className={classes("mt-[calc(0.5lh-7px)]", isDone ? "text-accent" : "text-ink-faint")}
          />
          <span dir="auto" className="min-w-0 flex-1">
            <PlainText text={plainStep(step)} />
          </span>
        </li>
      ))}
    </ol>
  );
}

/** Text of a step without the marks of emphasis and code. */
export const plainStep = (step: string): string => step.replace(/\*\*|__|`/g, "");
