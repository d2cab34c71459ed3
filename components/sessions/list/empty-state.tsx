/** Placeholder of an empty list: the reason and one action. */
import type { ReactNode } from "react";

interface EmptyStateProps {
  readonly text: string;
  readonly note?: string;
  /** One button, or none. */
  readonly children?: ReactNode;
}

export function EmptyState({ text, note, children }: EmptyStateProps) {
  return (
    <div className="grid justify-items-center gap-1 rounded-card border border-line px-6 py-12 text-center">
      <p className="font-medium [overflow-wrap:anywhere]">{text}</p>
      {note !== undefined && <p className="max-w-prose text-ink-muted">{note}</p>}
      {children !== undefined && children !== null && children !== false && <div className="mt-4">{children}</div>}
    </div>
  );
}
