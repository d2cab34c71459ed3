"use client";
/** One changed file: name, kind of change, and its diff. */
import { Check, SquareArrowOutUpRight } from "lucide-react";
import type { ReactNode } from "react";
import type { ChangedFile } from "@/lib/workspace/changes";
import { PlusMinus } from "../ui/text/plus-minus";
import { Chip } from "../ui/indicators/chip";
import { classes } from "../ui/theme/classes";
import { Icon } from "../ui/indicators/icon";
import { IconButton } from "../ui/controls/icon-button";
import { LazyDiffView } from "../ui/code/lazy-diff-view";
import { useFullMessages } from "../messages/full-messages";
import { kindIcons } from "./changed-file-list";
import type { DiffLayout } from "./diff-layout";
import { SectionFrame } from "./section-frame";

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
  return (
    <SectionFrame
      path={file.path}
      icon={kindIcons[file.kind]}
      chips={
        <>
          {file.kind !== "changed" && <Chip tone="plain">{messages.changes.kind[file.kind]}</Chip>}
          {file.changedSince === true && (
            <span title={messages.changes.changedSinceNote}>
              <Chip tone="ask">{messages.changes.changedSince}</Chip>
            </span>
          )}
        </>
      }
      amount={<ChangeAmount file={file} />}
      actions={
        <>
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
        </>
      }
      open={open}
      onToggle={onToggle}
    >
      <FileBody file={file} layout={layout} />
    </SectionFrame>
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
