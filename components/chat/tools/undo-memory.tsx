"use client";
/** Takes back what a call added to the memory. */
import { useState } from "react";
import type { CallFacts } from "@/lib/events/tool-kind";
import type { MemoryFileState } from "@/lib/tools/memory";
import { useFullMessages } from "../../messages/full-messages";
import { useClient } from "../../state/client";
import { useCommandQuery } from "../../state/use-command-query";
import { Button } from "../../ui/controls/button";

interface UndoMemoryProps {
  readonly file: string;
  readonly line: string;
  readonly replaced?: string;
  readonly replacedAt?: readonly number[];
}

/** Returns what undoes a call; null = it changed nothing in the memory. */
export const memoryUndo = ({
  memoryFile: file,
  memoryLine: line,
  memoryReplaced: replaced,
  memoryReplacedAt: replacedAt,
}: CallFacts): UndoMemoryProps | null =>
  file === undefined || line === undefined
    ? null
    : {
        file,
        line,
        ...(replaced === undefined ? {} : { replaced }),
        ...(replacedAt === undefined ? {} : { replacedAt }),
      };

/** A file that could not be read whole may have the line. */
const mayHaveLine = ({ text, error }: MemoryFileState, line: string): boolean =>
  error !== undefined || text.split(/\r?\n/).includes(line);

export function UndoMemory(change: UndoMemoryProps) {
  const { memory: text } = useFullMessages();
  const { call } = useClient();
  const { data } = useCommandQuery("memory.read", { file: change.file });
  const [state, setState] = useState<"idle" | "busy" | "undone" | "failed">("idle");
  const undo = async (): Promise<void> => {
    setState("busy");
    const answer = await call("memory.undo", change);
    setState(answer.ok ? "undone" : "failed");
  };
  if (state === "idle" && data !== undefined && !mayHaveLine(data, change.line))
    return <p className="border-b border-line px-3 py-2 text-small text-ink-muted">{text.gone}</p>;
  return (
    <div className="flex min-h-9 flex-wrap items-center gap-2 border-b border-line px-3 py-1.5">
      {state !== "undone" && (
        <Button size="small" busy={state === "busy"} onClick={() => void undo()}>
          {text.undo}
        </Button>
      )}
      <span role="status" className="text-small text-ink-muted empty:hidden">
        {state === "undone" ? text.undone : state === "failed" ? text.undoFailed : null}
      </span>
    </div>
  );
}
