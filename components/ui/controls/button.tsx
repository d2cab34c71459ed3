/** Text button. `primary` is the screen's one filled button: its main action. */
import type { ComponentProps } from "react";
import { classes } from "../theme/classes";
import { Spinner } from "../indicators/spinner";

interface ButtonProps extends ComponentProps<"button"> {
  readonly look?: "primary" | "plain" | "quiet" | "danger";
  readonly size?: "normal" | "small";
  /** Shows a spinner and ignores clicks while a request is pending. The button keeps the focus, unlike a disabled one. */
  readonly busy?: boolean;
}

const lookClasses: Record<NonNullable<ButtonProps["look"]>, string> = {
  primary: "border-accent bg-accent text-accent-ink hover:brightness-105 active:brightness-95",
  plain: "border-line bg-raised text-ink hover:bg-hover active:bg-pressed",
  quiet: "border-transparent text-ink-muted hover:bg-hover hover:text-ink active:bg-pressed",
  danger: "border-danger/40 text-danger hover:bg-danger-soft active:bg-danger-soft",
};

const sizes = { normal: "h-8 px-3 max-tablet:h-11", small: "h-7 px-2 max-tablet:h-11" } as const;

/** Also stops the submission of a form by Enter, which clicks its submit button. */
const preventDefault = (event: { preventDefault(): void }): void => event.preventDefault();

export function Button({
  look = "plain",
  size = "normal",
  busy = false,
  className,
  children,
  disabled = false,
  onClick,
  ...rest
}: ButtonProps) {
  return (
    <button
      type="button"
      data-look={look}
      aria-busy={busy || undefined}
      aria-disabled={busy || undefined}
      disabled={disabled && !busy}
      onClick={busy ? preventDefault : onClick}
      className={classes(
        "inline-flex shrink-0 items-center justify-center gap-2 whitespace-nowrap rounded-control border font-medium transition-[background-color,filter,opacity] select-none disabled:opacity-50 aria-disabled:opacity-50",
        lookClasses[look],
        sizes[size],
        className,
      )}
      {...rest}
    >
      {busy && <Spinner />}
      {children}
    </button>
  );
}
