/** A sentence in place of a text that cannot be shown. */
import type { ReactNode } from "react";

interface CenteredMessageProps {
  readonly text: string;
  readonly note: string;
  readonly children?: ReactNode;
}

export function CenteredMessage({ text, note, children }: CenteredMessageProps) {
  return (
    <div className="grid flex-1 place-content-center justify-items-center gap-1 p-6 text-center">
      <p className="font-medium">{text}</p>
      <p className="font-mono text-code break-all text-ink-muted">{note}</p>
      <div className="mt-3">{children}</div>
    </div>
  );
}
