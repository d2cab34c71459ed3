/**
 * Icon of a disclosure row: replaced by an arrow while the pointer is over the row (class `group`) or the row is open.
 */
import { ChevronRight, type LucideIcon } from "lucide-react";
import { classes } from "../theme/classes";
import { Icon } from "./icon";

interface DisclosureIconProps {
  readonly of: LucideIcon;
  readonly open: boolean;
  /** The operation is running. */
  readonly live?: boolean;
  readonly className?: string;
}

export function DisclosureIcon({ of, open, live = false, className }: DisclosureIconProps) {
  return (
    <span className={classes("relative grid size-4 shrink-0 place-items-center text-ink-faint", className)}>
      <Icon
        of={of}
        className={classes(
          "transition-opacity group-hover:opacity-0",
          open && "opacity-0",
          live && "animate-breathe text-accent",
        )}
      />
      <Icon
        of={ChevronRight}
        className={classes(
          "absolute transition-[opacity,rotate] group-hover:opacity-100",
          open ? "rotate-90 opacity-100" : "opacity-0",
        )}
      />
    </span>
  );
}
