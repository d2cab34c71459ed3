/** Pill with a short text: phase, risk or state. The text carries the meaning; the colour only repeats it. */
import type { ComponentProps } from "react";
import { classes } from "../theme/classes";

export type Tone = "plain" | "accent" | "ask" | "danger";

const toneClass: Record<Tone, string> = {
  plain: "bg-ink/6 text-ink-muted",
  accent: "bg-accent-soft text-accent",
  ask: "bg-ask-soft text-ask",
  danger: "bg-danger-soft text-danger",
};

interface ChipProps extends ComponentProps<"span"> {
  readonly tone?: Tone;
}

export function Chip({ tone = "plain", className, ...rest }: ChipProps) {
  return (
    <span
      data-tone={tone}
      className={classes(
        "inline-flex h-[18px] items-center gap-1 whitespace-nowrap rounded-full px-[7px] text-small tabular-nums",
        toneClass[tone],
        className,
      )}
      {...rest}
    />
  );
}
