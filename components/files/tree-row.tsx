"use client";
/** One row of the file tree. */
import { ChevronRight, Ellipsis, FilePlus, FolderPlus, Link2, Pencil, Copy } from "lucide-react";
import type { CSSProperties, ReactNode } from "react";
import { classes } from "../ui/classes";
import { Icon } from "../ui/icon";
import { Menu, type MenuItem } from "../ui/menu";
import { Spinner } from "../ui/spinner";
import { VisibleText } from "../ui/visible-text";
import { useWords } from "../words/words";
import type { TreeRow as Row } from "./tree-rows";

export interface TreeRowProps {
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

export const indent = (depth: number): CSSProperties => ({ paddingLeft: 6 + depth * indentPx });

export function TreeRow({ id, row, isFocused, isActive, field, onSelect, ...menu }: TreeRowProps) {
  const words = useWords();
  if (row.kind === "more" || row.kind === "failed")
    return (
      <div
        role="presentation"
        style={indent(row.depth)}
        className="mx-1.5 flex h-7 items-center text-small text-ink-faint"
      >
        <span className="pl-5.5">
          {row.kind === "more" ? words.files.more(words.figures.number(row.left)) : words.files.failed}
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
      style={indent(row.depth)}
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
          row.kind === "link" && <Icon of={Link2} size={12} label={words.files.link} />
        )}
      </span>
      {field ?? (
        <span className="min-w-0 flex-1 cut max-tablet:text-[15px]">
          <VisibleText text={row.name} names={words.common.hidden} />
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
}: Pick<TreeRowProps, "row" | "onCreate" | "onRename" | "onCopyPath">) {
  const words = useWords();
  const inFolder: readonly MenuItem[] =
    row.kind === "folder"
      ? [
          { id: "file", label: words.files.newFile, icon: FilePlus, onSelect: () => onCreate("file") },
          { id: "folder", label: words.files.newFolder, icon: FolderPlus, onSelect: () => onCreate("folder") },
        ]
      : [];
  return (
    <span onClick={(event) => event.stopPropagation()} className="flex">
      <Menu
        tabIndex={-1}
        name={words.files.menu(row.name)}
        aria-label={words.files.menu(row.name)}
        align="end"
        className="grid size-6 place-items-center rounded-control text-ink-muted opacity-0 group-hover:opacity-100 hover:bg-pressed focus-visible:opacity-100 data-[state=open]:opacity-100 pointer-coarse:opacity-100 max-tablet:size-11 max-tablet:opacity-100"
        items={[
          ...inFolder,
          { id: "rename", label: words.files.rename, icon: Pencil, shortcut: "F2", onSelect: onRename },
          { id: "copy", label: words.files.copyPath, icon: Copy, onSelect: onCopyPath },
        ]}
      >
        <Icon of={Ellipsis} />
      </Menu>
    </span>
  );
}
