"use client";
/** One changed file: name, kind of change, and its diff. */
import { Check, ChevronRight, SquareArrowOutUpRight } from "lucide-react";
import { type ReactNode, useId } from "react";
import type { ChangedFile } from "@/lib/workspace/changes";
import { PlusMinus } from "../ui/text/plus-minus";
import { Chip } from "../ui/indicators/chip";
import { classes } from "../ui/theme/classes";
import { Icon } from "../ui/indicators/icon";
import { IconButton } from "../ui/controls/icon-button";
import { LazyDiffView } from "../ui/code/lazy-diff-view";
import { PathText } from "../ui/text/path-text";
import { useFullMessages } from "../messages/full-messages";
import { kindIcons } from "./changed-file-list";
import type { DiffLayout } from "./diff-layout";

interface FileSectionProps {
  readonly file: ChangedFile;
  readonly layout: DiffLayout;
  readonly isSeen: boolean;
  readonly onSeen: (isSeen: boolean) => void;
  readonly open: boolean;
  readonly onToggle: () => void;
  /** null = the file was deleted. */
  readonly onOpen: (() => void) | null;
}

export function FileSection({ file, layout, isSeen, onSeen, open, onToggle, onOpen }: FileSectionProps) {
  const messages = useFullMessages();
  const body = useId();
  return (
    <section aria-label={file.path} data-file={file.path} className="border-b border-line">
      <div className="sticky top-0 z-10 flex min-h-9 items-center gap-1 bg-surface pr-1 pl-1.5">
        <button
          type="button"
          aria-expanded={open}
          aria-controls={open ? body : undefined}
          aria-label={messages.changes.fold(file.path)}
          onClick={onToggle}
          className="flex min-h-8 min-w-0 flex-1 items-center gap-2 rounded-control px-1 text-left hover:bg-hover max-tablet:min-h-11"
        >
          <Icon
            of={ChevronRight}
            size={14}
            className={classes("shrink-0 text-ink-faint transition-transform", open && "rotate-90")}
          />
          <Icon of={kindIcons[file.kind]} size={14} className="shrink-0 text-ink-muted" />
          <PathText path={file.path} names={messages.common.hidden} className="font-mono text-small" />
          {file.kind !== "changed" && <Chip tone="plain">{messages.changes.kind[file.kind]}</Chip>}
          {file.changedSince === true && (
            <span title={messages.changes.changedSinceNote}>
              <Chip tone="ask">{messages.changes.changedSince}</Chip>
            </span>
          )}
          <span className="ml-auto pl-2 text-small">
            <ChangeAmount file={file} />
          </span>
        </button>
        <button
          type="button"
          aria-pressed={isSeen}
          aria-label={messages.review.seen(file.path)}
          onClick={() => onSeen(!isSeen)}
          className={classes(
            "flex h-6 shrink-0 items-center gap-1 rounded-control px-1.5 text-small hover:bg-hover max-tablet:h-11",
            isSeen ? "text-accent" : "text-ink-muted hover:text-ink",
          )}
        >
          <Icon of={Check} size={14} className={isSeen ? undefined : "opacity-40"} />
          {messages.review.seenLabel}
        </button>
        {onOpen !== null && (
          <IconButton
            icon={SquareArrowOutUpRight}
            name={messages.changes.open(file.path)}
            size="small"
            side="below"
            onClick={onOpen}
          />
        )}
      </div>
      {open && (
        <div id={body}>
          <FileBody file={file} layout={layout} />
        </div>
      )}
    </section>
  );
}

/** Lines added and removed, or why there is no count. */
function ChangeAmount({ file }: { readonly file: ChangedFile }): ReactNode {
  const { state } = useFullMessages().changes;
  if (file.why !== undefined) return file.why === "binary" ? <Chip tone="plain">{state.binary}</Chip> : null;
  if (file.kind !== "changed" && file.added + file.removed === 0) return <Chip tone="plain">{state.empty}</Chip>;
  return <PlusMinus added={file.added} removed={file.removed} />;
}

function FileBody({ file, layout }: Pick<FileSectionProps, "file" | "layout">): ReactNode {
  const messages = useFullMessages();
  if (file.why !== undefined) return <p className="px-9 py-2.5 text-ink-muted">{messages.changes.why[file.why]}</p>;
  if (file.hunks === undefined || file.hunks.length === 0) return null;
  return (
    <LazyDiffView {...layout} hunks={file.hunks} path={file.path} names={messages.common.hidden} label={file.path} />
  );
}
