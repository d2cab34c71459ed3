"use client";
/** The pinned files of a session as chips, the last used first: size, what the model has of each, open and unpin. */
import { Pin, X } from "lucide-react";
import type { PinnedFileState, PinReport } from "@/lib/protocol/answers";
import { type FullMessages, useFullMessages } from "../../messages/full-messages";
import { IconButton } from "../../ui/controls/icon-button";
import { Icon } from "../../ui/indicators/icon";
import { VisibleText } from "../../ui/text/visible-text";
import { classes } from "../../ui/theme/classes";

interface PinnedFilesProps {
  readonly report: PinReport;
  readonly onOpen: (path: string) => void;
  readonly onUnpin: (path: string) => void;
}

export function PinnedFiles({ report: { files, maxTokens }, onOpen, onUnpin }: PinnedFilesProps) {
  const { pins, figures } = useFullMessages();
  const tokens = files.reduce((sum, file) => sum + (isSent(file) ? file.tokens : 0), 0);
  return (
    <div className="mx-auto flex w-full max-w-[760px] items-center gap-2 pb-1.5 text-small">
      <span
        title={`${pins.title}: ${pins.budget(figures.tokens(tokens), figures.tokens(maxTokens))}`}
        className="flex shrink-0 items-center gap-1 text-ink-muted tabular-nums"
      >
        <Icon of={Pin} size={14} />
        <span className="max-tablet:sr-only">{pins.budget(figures.tokens(tokens), figures.tokens(maxTokens))}</span>
      </span>
      <ul aria-label={pins.title} className="flex min-w-0 flex-1 gap-1.5 overflow-x-auto py-0.5 [scrollbar-width:none]">
        {files.map((file) => (
          <PinnedFileChip
            key={file.path}
            file={file}
            onOpen={() => onOpen(file.path)}
            onUnpin={() => onUnpin(file.path)}
          />
        ))}
      </ul>
    </div>
  );
}

type ReadableState = Exclude<PinnedFileState, { readonly state: "unreadable" }>;

const isSent = (file: PinnedFileState): file is ReadableState =>
  file.state !== "unreadable" && file.state !== "evicted";

interface ChipProps {
  readonly file: PinnedFileState;
  readonly onOpen: () => void;
  readonly onUnpin: () => void;
}

function PinnedFileChip({ file, onOpen, onUnpin }: ChipProps) {
  const messages = useFullMessages();
  const { pins, common } = messages;
  const { path } = file;
  const note = chipNote(file, messages);
  return (
    <li
      title={[path, explanation(file, messages)].join(" · ")}
      className={classes(
        "flex shrink-0 items-center rounded-control border pl-2",
        isSent(file) ? "border-line bg-surface" : "border-ask bg-ask-soft",
      )}
    >
      <button
        type="button"
        aria-label={`${pins.open(path)}. ${explanation(file, messages)}`}
        onClick={onOpen}
        className="flex items-center gap-1.5 rounded-control underline-offset-2 hover:underline max-tablet:min-h-11"
      >
        <span className="max-w-44 cut">
          <VisibleText text={path.slice(path.lastIndexOf("/") + 1)} names={common.hidden} />
        </span>
        <span className="text-ink-muted tabular-nums">{note}</span>
      </button>
      <IconButton icon={X} size="small" name={pins.unpin(path)} onClick={onUnpin} />
    </li>
  );
}

/** Size and state; of a file that cannot be read the reason. */
function chipNote(file: PinnedFileState, { pins, figures }: FullMessages): string {
  if (file.state === "unreadable") {
    const { code } = file.error;
    return code === "not_found" || code === "too_large" || code === "binary"
      ? pins.unreadable[code]
      : pins.unreadable.other;
  }
  const tokens = figures.tokens(file.tokens);
  return file.state === "sent" ? tokens : `${tokens} · ${pins.states[file.state]}`;
}

const explanation = (file: PinnedFileState, { pins, errors }: FullMessages): string =>
  file.state === "unreadable" ? errors.sentences[file.error.code] : pins.explained[file.state];
