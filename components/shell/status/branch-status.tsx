"use client";
/** The checked-out branch of the project, a button whose menu is loaded when it is opened first. */
import { GitBranch } from "lucide-react";
import { lazy, Suspense, useRef } from "react";
import { useMessages } from "../../messages/messages";
import { Icon } from "../../ui/indicators/icon";
import { useFloatingButton } from "../../ui/overlays/use-floating-button";
import { classes } from "../../ui/theme/classes";
import type { StatusContext } from "./status-registry";

const BranchMenu = lazy(async () => ({ default: (await import("../../changes/branches/branch-menu")).BranchMenu }));

export function BranchStatus({ place: { projectId, project }, isCompact }: StatusContext) {
  const { shell } = useMessages();
  const { id, anchor, isOpen, close, attributes } = useFloatingButton("menu");
  /** The menu's dialogs stay when it closes. */
  const wasOpened = useRef(false);
  wasOpened.current ||= isOpen;
  const branch = project?.branch ?? null;
  if (projectId === null || branch === null) return null;
  return (
    <>
      <button
        {...attributes}
        ref={anchor}
        title={shell.branch(branch)}
        aria-label={shell.branch(branch)}
        className={classes(
          "flex items-center gap-1 rounded-control text-ink-muted transition-colors hover:bg-hover data-[state=open]:bg-hover",
          isCompact ? "size-11 justify-center" : "h-7 min-w-0 px-1.5",
        )}
      >
        <Icon of={GitBranch} size={isCompact ? 18 : 14} className="shrink-0" />
        {!isCompact && <span className="max-w-40 cut">{branch}</span>}
      </button>
      <Suspense>
        {wasOpened.current && <BranchMenu key={projectId} {...{ projectId, id, anchor, isOpen }} onClose={close} />}
      </Suspense>
    </>
  );
}
