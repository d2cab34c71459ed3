"use client";
/** A run of reads in one line; it opens to a line for each. */
import { BookOpen, ChevronRight } from "lucide-react";
import { useState } from "react";
import { useWords } from "@/components/words/words";
import type { CallId } from "@/lib/id";
import { classes } from "../../ui/classes";
import { Icon } from "../../ui/icon";
import type { WrittenCall } from "../items";
import { readsOf } from "./tool-facts";
import { ToolLine } from "./tool-line";

export interface ReadsLineProps {
  readonly calls: readonly WrittenCall[];
  readonly open: boolean;
  readonly onToggle: () => void;
}

const nameOf = (path: string): string => path.slice(path.lastIndexOf("/") + 1);

export function ReadsLine({ calls, open, onToggle }: ReadsLineProps) {
  const words = useWords();
  const [opened, setOpened] = useState<CallId | null>(null);
  const { files, times } = readsOf(calls.map(({ call }) => call));
  return (
    <div className="text-base">
      <button
        type="button"
        aria-expanded={open}
        onClick={onToggle}
        className="group flex h-7 w-full items-center gap-2 rounded-control text-left text-ink-muted max-tablet:h-11"
      >
        <span className="relative grid size-4 shrink-0 place-items-center text-ink-faint">
          <Icon of={BookOpen} className={classes("transition-opacity group-hover:opacity-0", open && "opacity-0")} />
          <Icon
            of={ChevronRight}
            className={classes(
              "absolute transition-[opacity,rotate] group-hover:opacity-100",
              open ? "rotate-90 opacity-100" : "opacity-0",
            )}
          />
        </span>
        <span className="shrink-0 font-medium text-ink">
          {times === null ? words.tools.reads(files.length) : words.tools.did.read}
        </span>
        {times === null ? (
          <span className="min-w-0 cut text-small">{files.map(nameOf).join(", ")}</span>
        ) : (
          <>
            <code className="min-w-0 cut text-code text-ink">{files[0]}</code>
            <span className="ml-auto shrink-0 pl-2 text-small tabular-nums">{words.tools.times(times)}</span>
          </>
        )}
      </button>
      {open && (
        <div className="ml-6">
          {calls.map(({ call, ...written }) => (
            <ToolLine
              key={call.callId}
              call={call}
              {...written}
              open={opened === call.callId}
              onToggle={() => setOpened(opened === call.callId ? null : call.callId)}
            />
          ))}
        </div>
      )}
    </div>
  );
}
