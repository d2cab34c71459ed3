"use client";
/** One row of the file tree. */
import { ChevronRight, Ellipsis, Link2 } from "lucide-react";
import type { CSSProperties, ReactNode } from "react";
import { isUnreadableName } from "@/lib/text/unreadable-name";
import type { GitMark } from "@/lib/workspace/changes";
import { classes } from "../ui/theme/classes";
import { useServerState } from "../state/use-server-state";
import { fileIconOf } from "../ui/indicators/file-icon";
import { Icon } from "../ui/indicators/icon";
import { Spinner } from "../ui/indicators/spinner";
import { VisibleText } from "../ui/text/visible-text";
import { useFullMessages } from "../messages/full-messages";
import type { FileTreeRow as Row } from "./file-tree-rows";

interface FileTreeRowViewProps {
  readonly id: string;
  readonly row: Row;
  /** Its mark, or the most important one in the folder; null = as in the last commit. */
  readonly mark: GitMark | null;
  readonly isFocused: boolean;
  /** The file is the active tab. */
  readonly isActive: boolean;
  readonly isSelected: boolean;
  readonly isCut: boolean;
  /** A drop moves the dragged entries into this folder, or into the folder of this row. */
  readonly isDropTarget: boolean;
  readonly isMenuOpen: boolean;
  readonly isDraggable: boolean;
  /** Replaces the name while it is edited. */
  readonly field?: ReactNode;
  /** `at` = where the menu opens, px of the viewport. */
  readonly onMenu: (at: { readonly x: number; readonly y: number }) => void;
}

const indentPx = 14;

export const indentStyle = (depth: number): CSSProperties => ({ paddingLeft: 6 + depth * indentPx });

export function FileTreeRowView(props: FileTreeRowViewProps) {
  const { id, row, mark, isFocused, isActive, isSelected, isCut, isDropTarget, isDraggable, field, ...menu } = props;
  const messages = useFullMessages();
  if (row.kind === "more" || row.kind === "failed")
    return (
      <div
        role="presentation"
        style={indentStyle(row.depth)}
        className="mx-1.5 flex h-7 items-center text-small text-ink-faint"
      >
        <span className="pl-5.5">
          {row.kind === "more"
            ? messages.files.more(messages.figures.number(row.unlistedCount))
            : messages.files.failed}
        </span>
      </div>
    );
  return (
    <div
      id={id}
      role="treeitem"
      tabIndex={-1}
      aria-level={row.depth + 1}
      aria-selected={isSelected}
      aria-current={isActive ? "true" : undefined}
      aria-expanded={row.kind === "folder" ? row.isOpen : undefined}
      data-path={row.path}
      style={indentStyle(row.depth)}
      draggable={isDraggable}
      className={classes(
        "group relative mx-1.5 flex h-7 items-center gap-1.5 rounded-control pr-1 select-none max-tablet:h-11",
        isSelected || isDropTarget ? "bg-accent-soft" : isActive ? "bg-pressed" : "hover:bg-hover",
        isCut && "opacity-60",
        isFocused && "in-focus-visible:outline-2 in-focus-visible:-outline-offset-2 in-focus-visible:outline-accent",
        row.isIgnored && "text-ink-faint",
      )}
    >
      <span className="grid size-4 shrink-0 place-items-center text-ink-faint">
        {row.isLoading ? (
          <Spinner />
        ) : row.kind === "folder" ? (
          <Icon of={ChevronRight} size={14} className={classes("transition-transform", row.isOpen && "rotate-90")} />
        ) : (
          <FileRowIcon row={row} />
        )}
      </span>
      {field ?? (
        <span className="min-w-0 flex-1 cut max-tablet:text-[15px]">
          <VisibleText text={row.name} names={messages.common.hidden} />
        </span>
      )}
      {isUnreadableName(row.name) && (
        <span className="shrink-0 text-tiny text-ask" title={messages.files.unreadableNote}>
          {messages.files.unreadable}
        </span>
      )}
      {field === undefined && mark !== null && <MarkOfRow mark={mark} isFolder={row.kind === "folder"} />}
      {field === undefined && <RowMenuButton row={row} {...menu} />}
    </div>
  );
}

/** A link is marked whether icons of files are shown or not. */
function FileRowIcon({ row }: Pick<FileTreeRowViewProps, "row">) {
  const { files } = useFullMessages();
  const hasIcons = useServerState("settings")?.editorFileIcons !== false;
  if (row.kind === "link") return <Icon of={Link2} size={12} label={files.link} />;
  return hasIcons && <Icon of={fileIconOf(row.name)} size={14} />;
}

const markLooks: Readonly<Record<GitMark, { readonly letter: string; readonly colour: string }>> = {
  modified: { letter: "M", colour: "text-ask" },
  added: { letter: "A", colour: "text-added" },
  untracked: { letter: "U", colour: "text-added" },
  deleted: { letter: "D", colour: "text-removed" },
  conflicted: { letter: "!", colour: "text-danger" },
};

/** Git's mark: a letter for a file, a dot for a folder with changes in it. */
function MarkOfRow({ mark, isFolder }: { readonly mark: GitMark; readonly isFolder: boolean }) {
  const { files } = useFullMessages();
  const { letter, colour } = markLooks[mark];
  const label = isFolder ? files.markedInside(files.marks[mark]) : files.marks[mark];
  return (
    <span
      role="img"
      aria-label={label}
      title={label}
      data-mark={mark}
      className={classes(
        "grid w-4 shrink-0 place-items-center text-tiny font-semibold pointer-fine:absolute pointer-fine:right-2 pointer-fine:group-hover:hidden",
        colour,
      )}
    >
      {isFolder ? <span className="size-1.5 rounded-full bg-current" /> : letter}
    </span>
  );
}

/** Opens the menu of the row, for a pointer without a second button. */
function RowMenuButton({ row, isMenuOpen, onMenu }: Pick<FileTreeRowViewProps, "row" | "isMenuOpen" | "onMenu">) {
  const { files } = useFullMessages();
  return (
    <button
      type="button"
      tabIndex={-1}
      aria-label={files.menu(row.name)}
      aria-haspopup="menu"
      aria-expanded={isMenuOpen}
      onClick={(event) => {
        event.stopPropagation();
        const { left, bottom } = event.currentTarget.getBoundingClientRect();
        onMenu({ x: left, y: bottom });
      }}
      className="grid size-6 shrink-0 place-items-center rounded-control text-ink-muted opacity-0 group-hover:opacity-100 hover:bg-pressed focus-visible:opacity-100 aria-expanded:opacity-100 pointer-coarse:opacity-100 max-tablet:size-11 max-tablet:opacity-100"
    >
      <Icon of={Ellipsis} />
    </button>
  );
}
