"use client";
/** A button that opens a form for a trial below it. */
import { ChevronRight } from "lucide-react";
import { type ReactNode, useId, useState } from "react";
import { Icon } from "../../ui/indicators/icon";
import { classes } from "../../ui/theme/classes";

export function OpenedTrial({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  const [isOpen, setIsOpen] = useState(false);
  const id = useId();
  return (
    <div className="grid gap-1.5 *:min-w-0">
      <button
        type="button"
        aria-expanded={isOpen}
        aria-controls={isOpen ? id : undefined}
        onClick={() => setIsOpen(!isOpen)}
        className="-mx-1 flex items-center gap-1 justify-self-start rounded-control px-1 py-0.5 text-left text-small text-ink-muted hover:text-ink max-tablet:min-h-11"
      >
        <Icon of={ChevronRight} size={14} className={classes("transition-transform", isOpen && "rotate-90")} />
        {title}
      </button>
      {isOpen && <div id={id}>{children}</div>}
    </div>
  );
}
