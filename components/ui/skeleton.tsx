/** The place of something that is on its way; seen only when it takes longer than 200 ms. */
import { classes } from "./classes";

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
