"use client";
/** One row of the file tree. */
import { ChevronRight, Ellipsis, FilePlus, FolderPlus, Link2, Pencil, Copy } from "lucide-react";
import type { CSSProperties, ReactNode } from "react";
import { classes } from "../ui/theme/classes";
import { Icon } from "../ui/indicators/icon";
import { Menu, type MenuItem } from "../ui/controls/menu";
import { Spinner } from "../ui/indicators/spinner";
import { VisibleText } from "../ui/text/visible-text";
import { useMessages } from "../messages/messages";
import type { FileTreeRow as Row } from "./file-tree-rows";

interface FileTreeRowViewProps {
  readonly id: string;
  readonly row: Row;
  readonly isFocused: boolean;
  readonly isActive: boolean;
  /** Replaces the name while it is edited. */
  readonly field?: ReactNode;
  readonly onSelect: () => void;
  readonly onCreate: (kind: "file" | "folder") => void;
  readonly onRename: () => void;
  readonly onCopyPath: () => void;
}

const indentPx = 14;

export const indentStyle = (depth: number): CSSProperties => ({ paddingLeft: 6 + depth * indentPx });

export function FileTreeRowView({ id, row, isFocused, isActive, field, onSelect, ...menu }: FileTreeRowViewProps) {
  const messages = useMessages();
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
      aria-selected={isActive}
      aria-expanded={row.kind === "folder" ? row.isOpen : undefined}
      data-path={row.path}
      style={indentStyle(row.depth)}
      onClick={onSelect}
      className={classes(
        "group relative mx-1.5 flex h-7 items-center gap-1.5 rounded-control pr-1 select-none max-tablet:h-11",
        isActive ? "bg-pressed" : "hover:bg-hover",
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
          row.kind === "link" && <Icon of={Link2} size={12} label={messages.files.link} />
        )}
      </span>
      {field ?? (
        <span className="min-w-0 flex-1 cut max-tablet:text-[15px]">
          <VisibleText text={row.name} names={messages.common.hidden} />
        </span>
      )}
      {field === undefined && <RowMenu row={row} {...menu} />}
    </div>
  );
}

function RowMenu({
  row,
  onCreate,
  onRename,
  onCopyPath,
}: Pick<FileTreeRowViewProps, "row" | "onCreate" | "onRename" | "onCopyPath">) {
  const messages = useMessages();
  const inFolder: readonly MenuItem[] =
    row.kind === "folder"
      ? [
          { id: "file", label: messages.files.newFile, icon: FilePlus, onSelect: () => onCreate("file") },
          { id: "folder", label: messages.files.newFolder, icon: FolderPlus, onSelect: () => onCreate("folder") },
        ]
      : [];
  return (
    <span onClick={(event) => event.stopPropagation()} className="flex">
      <Menu
        tabIndex={-1}
        name={messages.files.menu(row.name)}
        aria-label={messages.files.menu(row.name)}
        align="end"
        className="grid size-6 place-items-center rounded-control text-ink-muted opacity-0 group-hover:opacity-100 hover:bg-pressed focus-visible:opacity-100 data-[state=open]:opacity-100 pointer-coarse:opacity-100 max-tablet:size-11 max-tablet:opacity-100"
        items={[
          ...inFolder,
          { id: "rename", label: messages.files.rename, icon: Pencil, shortcut: "F2", onSelect: onRename },
          { id: "copy", label: messages.files.copyPath, icon: Copy, onSelect: onCopyPath },
        ]}
      >
        <Icon of={Ellipsis} />
      </Menu>
    </span>
  );
}
