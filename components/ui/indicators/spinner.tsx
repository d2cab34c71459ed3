/** Decorative spinner. Use it beside a text that states what is loading. */
import { classes } from "../theme/classes";

export function Spinner({ className }: { readonly className?: string }) {
  return (
    <span
      aria-hidden
      className={classes(
        "inline-block size-3 shrink-0 animate-turn rounded-full border-[1.5px] border-current/25 border-t-current",
        className,
      )}
    />
  );
}
