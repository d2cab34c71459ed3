"use client";
/** One session on the history page. */
import { Pencil, Trash2 } from "lucide-react";
import { useState } from "react";
import type { SessionRow } from "@/lib/session-row";
import { IconButton } from "../ui/icon-button";
import { StatusDot } from "../ui/status-dot";
import { Time } from "../ui/time";
import { useWords } from "../words/words";
import type { SessionCommands } from "./session-commands";
import { TitleField } from "./title-field";

export interface HistoryRowProps {
  readonly row: SessionRow;
  readonly project: string;
  readonly commands: SessionCommands;
}

export function HistoryRow({ row, project, commands }: HistoryRowProps) {
  const words = useWords();
  const [isRenaming, setRenaming] = useState(false);
  return (
    <li className="group flex min-h-13 items-center gap-1 pr-2 transition-colors hover:bg-hover">
      {isRenaming ? (
        <div className="flex-1 py-2 pl-3">
          <TitleField
            title={row.title}
            onDone={(text) => {
              setRenaming(false);
              if (text !== null) commands.rename(row, text);
            }}
          />
        </div>
      ) : (
        <a
          href={`/s/${row.id}`}
          data-session={row.id}
          className="flex min-w-0 flex-1 items-center gap-3 self-stretch py-2 pl-3 outline-offset-[-2px]"
        >
          <span className="min-w-0 flex-1">
            <span className="block cut font-medium">{row.title === "" ? words.sessions.untitled : row.title}</span>
            <span className="flex items-center gap-1.5 text-small text-ink-muted">
              {row.status !== "idle" && <StatusDot status={row.status} />}
              <span className="min-w-0 cut">
                {[row.status === "idle" ? "" : words.sessions.status[row.status], project, row.model]
                  .filter((part) => part !== "")
                  .join(" · ")}
              </span>
            </span>
          </span>
          <Changes added={row.added} removed={row.removed} />
          <Time
            at={row.updatedAt}
            figures={words.figures}
            className="w-16 shrink-0 text-right text-small text-ink-faint"
          />
        </a>
      )}
      <IconButton icon={Pencil} name={words.sessions.rename} onClick={() => setRenaming(true)} />
      <IconButton icon={Trash2} name={words.sessions.remove} onClick={() => commands.remove(row)} />
    </li>
  );
}

function Changes({ added, removed }: Pick<SessionRow, "added" | "removed">) {
  const words = useWords();
  if (added === 0 && removed === 0) return null;
  return (
    <span
      className="flex shrink-0 gap-1.5 text-small tabular-nums max-tablet:hidden"
      role="img"
      aria-label={words.sessions.changed(words.figures.number(added), words.figures.number(removed))}
    >
      {added > 0 && <span className="text-added">{`+${words.figures.number(added)}`}</span>}
      {removed > 0 && <span className="text-removed">{`−${words.figures.number(removed)}`}</span>}
    </span>
  );
}
