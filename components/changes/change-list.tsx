"use client";
/** Changed files with their diffs, beside a list of their names; long diffs and seen files are collapsed. */
import { type RefObject, useEffect, useRef, useState } from "react";
import type { ProjectId } from "@/lib/events/id";
import type { ChangedFile } from "@/lib/workspace/changes";
import { useClient } from "../state/client";
import { useFullMessages } from "../messages/full-messages";
import { ChangedFileList } from "./changed-file-list";
import type { DiffLayout } from "./diff-layout";
import { FileSection } from "./file-section";
import { moveToFile } from "./move-to-file";
import { findSeenFiles, markSeenFile, readSeenMarks } from "./seen-files";

interface ChangeListProps {
  readonly projectId: ProjectId;
  readonly files: readonly ChangedFile[];
  /** Number of changed files that are not listed. */
  readonly more: number;
  readonly layout: DiffLayout;
}

/** Diffs with more changed lines are collapsed initially, to keep the list readable. */
const collapseFromLines = 400;
const isLong = (file: ChangedFile): boolean => file.added + file.removed > collapseFromLines;
/** Fewer files need no list of their names. */
const listFromFiles = 3;

export function ChangeList({ projectId, files, more, layout }: ChangeListProps) {
  const messages = useFullMessages();
  const { workbench } = useClient();
  const list = useRef<HTMLDivElement>(null);
  const [marks, setMarks] = useState(readSeenMarks);
  /** Paths toggled by the user: collapsed diffs that are open initially, and expanded others. */
  const [toggled, setToggled] = useState<ReadonlySet<string>>(new Set());
  const seen = findSeenFiles(marks, projectId, files);
  useFileKeys(list);
  const toggle = (path: string): void => {
    const next = new Set(toggled);
    if (!next.delete(path)) next.add(path);
    setToggled(next);
  };
  const mark = (file: ChangedFile, isSeen: boolean): void => {
    setMarks(markSeenFile(marks, projectId, file, isSeen));
    setToggled(new Set([...toggled].filter((path) => path !== file.path)));
  };
  const choose = (path: string): void => {
    const section = [...(list.current?.querySelectorAll<HTMLElement>("[data-file]") ?? [])].find(
      ({ dataset }) => dataset.file === path,
    );
    section?.scrollIntoView({ block: "start" });
    section?.querySelector<HTMLElement>("button[aria-expanded]")?.focus({ preventScroll: true });
  };
  return (
    <div className="flex min-h-0 flex-1">
      {files.length >= listFromFiles && <ChangedFileList files={files} seen={seen} onChoose={choose} />}
      <div ref={list} className="min-h-0 min-w-0 flex-1 overflow-y-auto">
        {files.map((file) => (
          <FileSection
            key={file.path}
            file={file}
            layout={layout}
            isSeen={seen.has(file.path)}
            onSeen={(isSeen) => mark(file, isSeen)}
            open={toggled.has(file.path) === (isLong(file) || seen.has(file.path))}
            onToggle={() => toggle(file.path)}
            onOpen={file.kind === "deleted" ? null : () => workbench.openFile(file.path)}
          />
        ))}
        {more > 0 && <p className="px-9 py-3 text-small text-ink-muted">{messages.changes.more(more)}</p>}
      </div>
    </div>
  );
}

/** n and p move between files while the focus is in the list, ] and [ between changes. */
function useFileKeys(list: RefObject<HTMLDivElement | null>): void {
  useEffect(() => {
    const element = list.current;
    if (element === null) return;
    const onKeyDown = (event: KeyboardEvent): void => {
      const isShortcut = event.ctrlKey || event.metaKey || event.altKey;
      if (isShortcut && !event.getModifierState("AltGraph")) return;
      if (event.key === "]" || event.key === "[") {
        event.preventDefault();
        return goToChange(element, event.key === "]" ? 1 : -1);
      }
      if (event.key !== "n" && event.key !== "p") return;
      moveToFile(element, event.target, event.key === "n" ? 1 : -1);
    };
    element.addEventListener("keydown", onKeyDown);
    return () => element.removeEventListener("keydown", onKeyDown);
  }, [list]);
}

/** Room above a change that is gone to, for the name of its file, px. */
const headPx = 60;

/** Scrolls to the next changed lines below those at the top, or above them. */
function goToChange(list: HTMLElement, step: 1 | -1): void {
  const top = list.getBoundingClientRect().top + headPx;
  const lines = [...list.querySelectorAll<HTMLElement>("[data-line]")];
  // The lines of a file are the children of one element, each in one of its own.
  const isJoined = (line: HTMLElement, before: HTMLElement | undefined): boolean =>
    before !== undefined &&
    before.dataset.line !== "same" &&
    before.parentElement === line.parentElement?.previousElementSibling;
  const tops = lines
    .filter((line, index) => line.dataset.line !== "same" && !isJoined(line, lines[index - 1]))
    .map((line) => line.getBoundingClientRect().top - top);
  const distance = step > 0 ? tops.find((at) => at > 1) : tops.findLast((at) => at < -1);
  if (distance !== undefined) list.scrollBy({ top: distance });
}
