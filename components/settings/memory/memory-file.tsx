"use client";
/** A file of the memory: name, purpose and size; opened, its text in a field. */
import { useId, useState } from "react";
import { diaryDay, isOwnerFile, type MemoryFileState, type MemoryStart } from "@/lib/tools/memory";
import { type FullMessages, useFullMessages } from "../../messages/full-messages";
import { ChevronRight } from "lucide-react";
import { Icon } from "../../ui/indicators/icon";
import { useServerState } from "../../state/use-server-state";
import { classes } from "../../ui/theme/classes";
import { MemoryEditor } from "./memory-editor";

interface MemoryFileProps {
  readonly file: MemoryFileState;
  /** Absolute path of the memory's folder. */
  readonly folder: string;
  /** Memory that a new session gets. */
  readonly start: MemoryStart;
}

/** Returns what a file is called on the page, and what it is for. */
function describeFile(name: string, { memory }: FullMessages): { readonly title: string; readonly purpose: string } {
  if (isOwnerFile(name) || name === "MEMORY.md") return { title: name, purpose: memory.purposes[name] };
  return { title: diaryDay(name) ?? memory.projectFile, purpose: memory.purposes.project };
}

/** Returns what is said of a file that is not sent whole; null = it is. */
function cutText(name: string, { cuts, window }: MemoryStart, { memory, figures }: FullMessages): string | null {
  const cut = cuts.find((one) => one.name === name);
  if (cut === undefined) return null;
  const size = figures.tokens(window);
  if (cut.sent === 0) return memory.cutWithinLine(size);
  const say = isOwnerFile(name) ? memory.cut : memory.cutNotes;
  return say(figures.number(cut.sent), figures.number(cut.lines), size);
}

export function MemoryFile({ file, folder, start }: MemoryFileProps) {
  const messages = useFullMessages();
  const { memory: text, figures } = messages;
  const [isOpen, setOpen] = useState(false);
  /** It stays when it is closed: its text may not be saved. */
  const [hasEditor, setHasEditor] = useState(false);
  const bodyId = useId();
  const { title, purpose } = describeFile(file.name, messages);
  const isSent = useServerState("settings")?.memory !== false && file.error === undefined;
  const cut = isSent ? cutText(file.name, start, messages) : null;
  return (
    <div className="py-1">
      <button
        type="button"
        aria-expanded={isOpen}
        aria-controls={bodyId}
        onClick={() => {
          setOpen(!isOpen);
          setHasEditor(true);
        }}
        className="-mx-2 flex w-[calc(100%+1rem)] items-center gap-2 rounded-control px-2 py-2 text-left hover:bg-hover max-tablet:min-h-11"
      >
        <Icon
          of={ChevronRight}
          size={14}
          className={classes("shrink-0 text-ink-faint transition-transform", isOpen && "rotate-90")}
        />
        <span className="min-w-0 flex-1">
          <span className="block font-medium">{title}</span>
          <span className="block text-small text-ink-muted">{purpose}</span>
          {cut !== null && <span className="block text-small text-ask">{cut}</span>}
        </span>
        <span className="shrink-0 text-small text-ink-muted tabular-nums">
          {file.error === undefined && file.hash === null ? text.empty : text.tokens(figures.tokens(file.tokens))}
        </span>
      </button>
      <div id={bodyId} hidden={!isOpen} className="pt-1 pb-3">
        {hasEditor && <MemoryEditor file={file} title={title} folder={folder} />}
      </div>
    </div>
  );
}
