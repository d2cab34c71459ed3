/** Single-line text input. 16 px on phones, because iOS zooms the page for smaller fonts. */
import type { ComponentProps } from "react";
import { classes } from "../theme/classes";

interface TextFieldProps extends ComponentProps<"input"> {
  readonly mono?: boolean;
  /** Marks the content as invalid; the caller shows the message. */
  readonly invalid?: boolean;
}

export function TextField({ mono = false, invalid = false, className, ...rest }: TextFieldProps) {
  return (
    <input
      type="text"
      autoComplete="off"
      spellCheck={false}
      aria-invalid={invalid || undefined}
      className={classes(
        "h-8 w-full min-w-0 rounded-control border border-line bg-raised px-2.5 text-ink outline-none focus:border-accent focus:outline-1 focus:outline-accent aria-invalid:border-danger max-tablet:h-11 max-tablet:text-field",
        mono && "font-mono text-code",
        className,
      )}
      {...rest}
    />
  );
}
