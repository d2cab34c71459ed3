"use client";
/** One line of a banner below the header, with its buttons. */
import type { ReactNode } from "react";
import { classes } from "../../ui/theme/classes";

export function NoticeLine({
  tone,
  text,
  note,
  children,
}: {
  readonly tone: "plain" | "ask" | "danger";
  readonly text: string;
  readonly note?: string;
  readonly children?: ReactNode;
}) {
  return (
    <div
      className={classes(
        "flex flex-wrap items-center gap-x-2 gap-y-1 border-b border-line px-3 py-1.5",
        { plain: "bg-surface text-ink-muted", ask: "bg-ask-soft", danger: "bg-danger-soft" }[tone],
      )}
    >
      <p className="min-w-0 grow basis-36 py-1 [overflow-wrap:anywhere]">
        <span className={tone === "plain" ? "" : "font-medium"}>{text}</span>{" "}
        {note !== undefined && <span className="text-ink-muted">{note}</span>}
      </p>
      {children}
    </div>
  );
}
