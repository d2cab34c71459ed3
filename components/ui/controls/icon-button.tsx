"use client";
/** Icon button with an accessible name and a tooltip that shows the shortcut. */
import type { LucideIcon } from "lucide-react";
import { type ComponentProps, useRef } from "react";
import { classes } from "../theme/classes";
import { Icon } from "../indicators/icon";
import { Tooltip } from "../overlays/tooltip";
import type { FloatingSide } from "../overlays/use-floating";

export interface IconButtonProps extends Omit<ComponentProps<"button">, "children" | "ref"> {
  readonly icon: LucideIcon;
  readonly name: string;
  readonly shortcut?: string;
  readonly size?: "normal" | "small";
  readonly side?: FloatingSide;
  /** Pressed state of a toggle button. */
  readonly on?: boolean;
}

export function IconButton({
  icon,
  name,
  shortcut,
  size = "normal",
  side = "above",
  on,
  className,
  ...rest
}: IconButtonProps) {
  const button = useRef<HTMLButtonElement>(null);
  return (
    <>
      <button
        ref={button}
        type="button"
        aria-label={name}
        aria-pressed={on}
        aria-keyshortcuts={shortcut}
        data-state={on === undefined ? undefined : on ? "on" : "off"}
        className={classes(
          "grid shrink-0 place-items-center rounded-control text-ink-muted transition-colors hover:bg-hover hover:text-ink active:bg-pressed disabled:opacity-40 data-[state=on]:bg-pressed data-[state=on]:text-ink max-tablet:size-11",
          size === "normal" ? "size-8" : "size-6",
          className,
        )}
        {...rest}
      >
        <Icon of={icon} size={size === "normal" ? 16 : 14} />
      </button>
      <Tooltip anchor={button} side={side} shortcut={shortcut}>
        {name}
      </Tooltip>
    </>
  );
}
