"use client";
/** Names of the changed files beside their diffs: filter, go to one, see which are done. */
import { Check, FilePen, FilePlus2, FileX2 } from "lucide-react";
import { useState } from "react";
import type { ChangedFile } from "@/lib/workspace/changes";
import { useFullMessages } from "../messages/full-messages";
import { TextField } from "../ui/controls/text-field";
import { Icon } from "../ui/indicators/icon";
import { PathText } from "../ui/text/path-text";
import { PlusMinus } from "../ui/text/plus-minus";

export const kindIcons = { created: FilePlus2, changed: FilePen, deleted: FileX2 } as const;

interface ChangedFileListProps {
  readonly files: readonly ChangedFile[];
  /** Paths of files that are marked as seen. */
  readonly seen: ReadonlySet<string>;
  readonly onChoose: (path: string) => void;
}

export function ChangedFileList({ files, seen, onChoose }: ChangedFileListProps) {
  const { review, common } = useFullMessages();
  const [filter, setFilter] = useState("");
  const wanted = filter.trim().toLowerCase();
  const shown = files.filter(({ path }) => path.toLowerCase().includes(wanted));
  return (
    <nav
      aria-label={review.files}
      className="hidden max-h-full w-64 shrink-0 flex-col border-r border-line bg-surface @4xl/changes:flex"
    >
      <div className="p-2">
        <TextField
          type="search"
          value={filter}
          placeholder={review.filter}
          aria-label={review.filter}
          onChange={({ target }) => setFilter(target.value)}
        />
      </div>
      {shown.length === 0 && <p className="px-3 py-1 text-small text-ink-muted">{review.noMatch}</p>}
      <ul className="min-h-0 flex-1 overflow-y-auto px-1 pb-2">
        {shown.map((file) => (
          <li key={file.path}>
            <button
              type="button"
              onClick={() => onChoose(file.path)}
              className="flex min-h-7 w-full min-w-0 items-center gap-2 rounded-control px-2 text-left text-small hover:bg-hover"
            >
              <Icon
                of={seen.has(file.path) ? Check : kindIcons[file.kind]}
                size={14}
                className={seen.has(file.path) ? "shrink-0 text-accent" : "shrink-0 text-ink-muted"}
              />
              <span className="min-w-0 flex-1">
                <PathText path={file.path} names={common.hidden} className="text-small" />
              </span>
              <PlusMinus added={file.added} removed={file.removed} />
            </button>
          </li>
        ))}
      </ul>
    </nav>
  );
}
