/** On/off switch that takes effect at once. The caller provides the label. */
import type { ComponentProps } from "react";
import { classes } from "../theme/classes";

interface SwitchProps extends Omit<ComponentProps<"button">, "onChange"> {
  readonly on: boolean;
  readonly onChange: (on: boolean) => void;
}

export function Switch({ on, onChange, className, ...rest }: SwitchProps) {
  return (
    <button
      type="button"
      role="switch"
      aria-checked={on}
      data-state={on ? "on" : "off"}
      onClick={() => onChange(!on)}
      className={classes(
        "relative h-5 w-9 shrink-0 rounded-full bg-ink/25 transition-colors before:absolute before:-inset-3 before:content-[''] data-[state=on]:bg-accent disabled:opacity-50",
        className,
      )}
      {...rest}
    >
      <span
        className={classes(
          "absolute top-0.5 left-0.5 size-4 rounded-full bg-raised shadow-rest transition-transform",
          on && "translate-x-4",
        )}
      />
    </button>
  );
}
