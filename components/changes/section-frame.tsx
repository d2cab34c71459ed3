"use client";
/** Section of one file with its name, which opens and closes it, and its buttons. */
import { ChevronRight } from "lucide-react";
import { type ReactNode, useId } from "react";
import { classes } from "../ui/theme/classes";
import { Icon } from "../ui/indicators/icon";
import { PathText } from "../ui/text/path-text";
import { useFullMessages } from "../messages/full-messages";

interface SectionFrameProps {
  readonly path: string;
  readonly icon: Parameters<typeof Icon>[0]["of"];
  /** After the name. */
  readonly chips?: ReactNode;
  /** At the right, inside the button. */
  readonly amount?: ReactNode;
  /** Buttons at the right. */
  readonly actions?: ReactNode;
  readonly open: boolean;
  readonly onToggle: () => void;
  readonly children: ReactNode;
}

export function SectionFrame({ path, icon, chips, amount, actions, open, onToggle, children }: SectionFrameProps) {
  const messages = useFullMessages();
  const body = useId();
  return (
    <section data-file={path} className="border-b border-line">
      <div className="sticky top-0 z-10 flex min-h-9 items-center gap-1 bg-surface pr-1 pl-1.5">
        <button
          type="button"
          aria-expanded={open}
          aria-controls={open ? body : undefined}
          onClick={onToggle}
          className="flex min-h-8 min-w-0 flex-1 items-center gap-2 rounded-control px-1 text-left outline-offset-[-2px] hover:bg-hover max-tablet:min-h-11"
        >
          <Icon
            of={ChevronRight}
            size={14}
            className={classes("shrink-0 text-ink-faint transition-transform", open && "rotate-90")}
          />
          <Icon of={icon} size={14} className="shrink-0 text-ink-muted" />
          <PathText path={path} names={messages.common.hidden} className="font-mono text-small" />
          {chips}
          <span className="ml-auto pl-2 text-small">{amount}</span>
        </button>
        {actions}
      </div>
      {open && <div id={body}>{children}</div>}
    </section>
  );
}
