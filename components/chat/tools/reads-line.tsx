"use client";
/** A run of reads in one line; it opens to a line for each. */
import { BookOpen, ChevronRight } from "lucide-react";
import { useState } from "react";
import { useWords } from "@/components/words/words";
import type { CallId } from "@/lib/id";
import type { CallView } from "@/lib/view";
import { classes } from "../../ui/classes";
import { Icon } from "../../ui/icon";
import { ToolLine } from "./tool-line";

export interface ReadsLineProps {
  readonly calls: readonly CallView[];
  readonly open: boolean;
  readonly onToggle: () => void;
}

const nameOf = (path: string): string => path.slice(path.lastIndexOf("/") + 1);

export function ReadsLine({ calls, open, onToggle }: ReadsLineProps) {
  const words = useWords();
  const [opened, setOpened] = useState<CallId | null>(null);
  const files = [...new Set(calls.map((call) => call.target))];
  return (
    <div className="text-base">
      <button
        type="button"
        aria-expanded={open}
        onClick={onToggle}
        className="group flex h-7 w-full items-center gap-2 rounded-control text-left text-ink-muted max-tablet:h-9"
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
        <span className="shrink-0 font-medium text-ink">{words.tools.reads(files.length)}</span>
        <span className="min-w-0 cut text-small">{files.map(nameOf).join(", ")}</span>
      </button>
      {open && (
        <div className="ml-6">
          {calls.map((call) => (
            <ToolLine
              key={call.callId}
              call={call}
              open={opened === call.callId}
              onToggle={() => setOpened(opened === call.callId ? null : call.callId)}
            />
          ))}
        </div>
      )}
    </div>
  );
}
