/** Placeholder of loading content; visible only after 200 ms. */
import { classes } from "../theme/classes";

export function Skeleton({ className, label }: { readonly className?: string; readonly label?: string }) {
  return (
    <div
      role={label === undefined ? "presentation" : "status"}
      aria-label={label}
      className={classes("animate-late", className)}
    >
      <div className="size-full animate-breathe rounded-control bg-pressed" />
    </div>
  );
}
