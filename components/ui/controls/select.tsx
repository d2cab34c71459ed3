/** Native select with typed values. */
import { ChevronDown } from "lucide-react";
import type { ComponentProps } from "react";
import { classes } from "../theme/classes";
import { Icon } from "../indicators/icon";

interface SelectProps<V extends string> extends Omit<ComponentProps<"select">, "value" | "onChange"> {
  readonly value: V;
  readonly options: readonly { readonly value: V; readonly label: string }[];
  readonly onChange: (value: V) => void;
}

export function Select<V extends string>({ value, options, onChange, className, ...rest }: SelectProps<V>) {
  return (
    <span className={classes("relative inline-flex", className)}>
      <select
        value={value}
        onChange={(event) => {
          const chosen = options.find((option) => option.value === event.target.value);
          if (chosen !== undefined) onChange(chosen.value);
        }}
        className="h-8 w-full appearance-none rounded-control border border-line bg-raised pr-8 pl-2.5 text-ink hover:bg-hover max-tablet:h-11 max-tablet:text-field"
        {...rest}
      >
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
      <Icon
        of={ChevronDown}
        className="pointer-events-none absolute top-1/2 right-2.5 -translate-y-1/2 text-ink-muted"
      />
    </span>
  );
}
