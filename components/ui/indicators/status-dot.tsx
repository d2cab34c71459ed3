/** Coloured dot for a status named beside it or by its label. */
import { classes } from "../theme/classes";

type DotStatus = "idle" | "running" | "waiting" | "limit" | "aborted" | "error" | "interrupted" | "offline";

const statusClasses: Record<DotStatus, string> = {
  idle: "bg-transparent",
  running: "bg-accent animate-breathe",
  waiting: "bg-ask",
  limit: "bg-transparent ring-[1.5px] ring-inset ring-ask",
  aborted: "bg-transparent",
  error: "bg-danger",
  interrupted: "bg-transparent ring-[1.5px] ring-inset ring-ink-faint",
  offline: "bg-ink-faint",
};

export function StatusDot({ status, label }: { readonly status: DotStatus; readonly label?: string }) {
  const named = label === undefined ? { "aria-hidden": true } : { role: "img", "aria-label": label, title: label };
  return (
    <span {...named} data-state={status} className={classes("size-1.5 shrink-0 rounded-full", statusClasses[status])} />
  );
}
