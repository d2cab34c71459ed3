"use client";
/** Row of a card that sets up a model: a way to one, and its buttons. */
import type { ReactNode } from "react";

export interface SetupRowProps {
  readonly title: string;
  readonly note?: string;
  /** At the right, or below where there is no room. */
  readonly children: ReactNode;
}

export function SetupRow({ title, note, children }: SetupRowProps) {
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-2 px-4 py-3">
      <div className="min-w-0 flex-1 basis-52">
        <p className="font-medium [overflow-wrap:anywhere]">{title}</p>
        {note !== undefined && <p className="text-ink-muted [overflow-wrap:anywhere]">{note}</p>}
      </div>
      <div className="flex flex-wrap items-center gap-2">{children}</div>
    </div>
  );
}
