"use client";
/** List of changed files with their diffs; long diffs are collapsed initially. */
import { type RefObject, useEffect, useRef } from "react";
import type { ChangedFile } from "@/lib/workspace/changes";
import { useClient } from "../state/client";
import { useFullMessages } from "../messages/full-messages";
import { FileSection } from "./file-section";

interface ChangeListProps {
  readonly files: readonly ChangedFile[];
  /** Number of changed files that are not listed. */
  readonly more: number;
  /** Paths toggled by the user: collapsed short diffs and expanded long ones. */
  readonly folded: ReadonlySet<string>;
  readonly onFolded: (folded: ReadonlySet<string>) => void;
}

/** Diffs with more changed lines are collapsed initially, to keep the list readable. */
const collapseFromLines = 400;
const isLong = (file: ChangedFile): boolean => file.added + file.removed > collapseFromLines;

export function ChangeList({ files, more, folded, onFolded }: ChangeListProps) {
  const messages = useFullMessages();
  const { workbench } = useClient();
  const list = useRef<HTMLDivElement>(null);
  useFileKeys(list);
  const toggle = (path: string): void => {
    const next = new Set(folded);
    if (!next.delete(path)) next.add(path);
    onFolded(next);
  };
  return (
    <div ref={list}>
      {files.map((file) => (
        <FileSection
          key={file.path}
          file={file}
          open={folded.has(file.path) === isLong(file)}
          onToggle={() => toggle(file.path)}
          onOpen={file.kind === "deleted" ? null : () => workbench.openFile(file.path)}
        />
      ))}
      {more > 0 && <p className="px-9 py-3 text-small text-ink-muted">{messages.changes.more(more)}</p>}
    </div>
  );
}

/** n and p move between files while the focus is in the list. */
function useFileKeys(list: RefObject<HTMLDivElement | null>): void {
  useEffect(() => {
    const element = list.current;
    if (element === null) return;
    const onKeyDown = (event: KeyboardEvent): void => {
      if (event.ctrlKey || event.metaKey || event.altKey || (event.key !== "n" && event.key !== "p")) return;
      const heads = [...element.querySelectorAll<HTMLElement>("[data-file] > div button[aria-expanded]")];
      const section = event.target instanceof Element ? event.target.closest("[data-file]") : null;
      const at = heads.findIndex((head) => section?.contains(head) === true);
      const next = heads[at + (event.key === "n" ? 1 : -1)];
      next?.focus();
      next?.scrollIntoView({ block: "nearest" });
    };
    element.addEventListener("keydown", onKeyDown);
    return () => element.removeEventListener("keydown", onKeyDown);
  }, [list]);
}
