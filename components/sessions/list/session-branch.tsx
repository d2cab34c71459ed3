"use client";
/** A row of a list with the subagents of its session below it, which the user opens. */
import { type ReactNode, useState } from "react";
import type { SessionId } from "@/lib/events/id";
import type { SessionRow } from "@/lib/protocol/session-row";
import { LazySubagentRows } from "./lazy-subagent-rows";

/** The state of the subagents below a row. */
export interface SubagentToggle {
  readonly isOpen: boolean;
  readonly onToggle: () => void;
}

interface SessionBranchProps {
  readonly row: SessionRow;
  readonly currentId: SessionId | null;
  readonly className?: string;
  /** Draws the row; the toggle is absent for a session without subagents. */
  readonly children: (toggle: SubagentToggle | undefined) => ReactNode;
}

export function SessionBranch({ row, currentId, className, children }: SessionBranchProps) {
  const [isOpen, setOpen] = useState(false);
  if (row.subagents === undefined) return children(undefined);
  return (
    <>
      {children({ isOpen, onToggle: () => setOpen(!isOpen) })}
      {isOpen && (
        <li className={className}>
          <LazySubagentRows parentId={row.id} currentId={currentId} />
        </li>
      )}
    </>
  );
}
