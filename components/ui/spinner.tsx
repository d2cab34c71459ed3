/** A quiet turning ring. Beside words that say what is awaited. */
import { classes } from "./classes";

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
