"use client";
/** The button that opens the subagents below a row of the session list. */
import { ChevronRight } from "lucide-react";
import { useMessages } from "../../messages/messages";
import { Icon } from "../../ui/indicators/icon";
import { classes } from "../../ui/theme/classes";
import type { SubagentToggle } from "./session-branch";

interface SubagentToggleButtonProps {
  readonly toggle: SubagentToggle;
  readonly title: string;
  readonly count: number;
}

export function SubagentToggleButton({ toggle, title, count }: SubagentToggleButtonProps) {
  const { sessions } = useMessages();
  return (
    <button
      type="button"
      aria-expanded={toggle.isOpen}
      aria-label={`${sessions.subagents(count)}: ${title}`}
      onClick={toggle.onToggle}
      className="absolute inset-y-0 left-0 grid w-5 place-items-center rounded-control text-ink-faint outline-offset-[-2px] hover:text-ink max-tablet:w-11"
    >
      <Icon of={ChevronRight} size={12} className={classes("transition-[rotate]", toggle.isOpen && "rotate-90")} />
    </button>
  );
}
