"use client";
/** A path as a link that opens the file at its line. Plain text without an editor. */
import type { ReactNode } from "react";
import { classes } from "../../ui/theme/classes";
import { useConversationActions } from "../actions";

interface PathLinkProps {
  readonly path: string;
  /** 1-based; absent = the whole file. */
  readonly line?: number;
  readonly className?: string;
  readonly children: ReactNode;
}

export function PathLink({ path, line, className, children }: PathLinkProps): ReactNode {
  const { openPath } = useConversationActions();
  if (openPath === null) return <code className={classes("text-ink", className)}>{children}</code>;
  return (
    <button
      type="button"
      title={line === undefined ? path : `${path}:${line}`}
      onClick={() => openPath(path, line)}
      className={classes(
        "rounded-mark text-left font-mono text-ink underline decoration-ink/25 underline-offset-3 hover:text-accent hover:decoration-current",
        className,
      )}
    >
      {children}
    </button>
  );
}
