"use client";
/** A group or a path of the source control pane. */
import { ChevronRight, Minus, Plus, SquareArrowOutUpRight, Undo2 } from "lucide-react";
import type { SourceChange } from "@/lib/workspace/source-control";
import { useFullMessages } from "../../messages/full-messages";
import { IconButton } from "../../ui/controls/icon-button";
import { fileIconOf } from "../../ui/indicators/file-icon";
import { Icon } from "../../ui/indicators/icon";
import { VisibleText } from "../../ui/text/visible-text";
import { classes } from "../../ui/theme/classes";
import type { SourceEntryRow, SourceRow } from "./source-rows";

interface SourceRowViewProps {
  readonly id: string;
  readonly row: SourceRow;
  readonly isFocused: boolean;
  /** Its diff is shown. */
  readonly isShown: boolean;
  readonly onSelect: () => void;
  /** Stages, or of the staged group unstages. */
  readonly onMove: () => void;
  /** null = it cannot be discarded. */
  readonly onDiscard: (() => void) | null;
  readonly onOpen: () => void;
}

/** Space before a group, and of each level of folders, px. */
const firstPx = 6;
const depthPx = 14;

export function SourceRowView(props: SourceRowViewProps) {
  const { id, row, isFocused, isShown, onSelect } = props;
  return (
    <div
      id={id}
      role="treeitem"
      aria-level={row.depth + 1}
      aria-expanded={row.kind === "entry" ? undefined : row.isOpen}
      aria-selected={isShown}
      tabIndex={-1}
      onClick={onSelect}
      // The symbol of a file is below the name of its folder.
      style={{ paddingLeft: firstPx + (row.kind === "entry" ? row.depth - 1 : row.depth) * depthPx }}
      className={classes(
        "group mx-1.5 flex h-full cursor-default items-center gap-1.5 rounded-control pr-1 select-none",
        isShown ? "bg-pressed" : "hover:bg-hover",
        isFocused && "in-focus-visible:outline-2 in-focus-visible:-outline-offset-2 in-focus-visible:outline-accent",
      )}
    >
      <RowContent {...props} />
    </div>
  );
}

function RowContent({ row, onMove, onDiscard, onOpen }: SourceRowViewProps) {
  const { source, common } = useFullMessages();
  if (row.kind !== "entry") {
    const name = row.kind === "group" ? source.groups[row.group] : row.name;
    return (
      <>
        <Icon
          of={ChevronRight}
          size={14}
          className={classes("shrink-0 text-ink-faint transition-transform", row.isOpen && "rotate-90")}
        />
        <span className={classes("min-w-0 flex-1 cut", row.kind === "group" ? "text-small font-medium" : "")}>
          <VisibleText text={name} names={common.hidden} />{" "}
          <span className="font-normal text-ink-muted tabular-nums">{row.entries.length}</span>
        </span>
        {onDiscard !== null && (
          <RowButton
            icon={Undo2}
            name={row.kind === "group" ? source.discardAll(name) : source.discard(row.path)}
            onClick={onDiscard}
          />
        )}
        <MoveButton row={row} onMove={onMove} />
      </>
    );
  }
  const { path } = row.entry;
  return (
    <>
      <Icon of={fileIconOf(path)} size={14} className="ml-5 shrink-0 text-ink-muted" />
      <EntryName row={row} />
      {row.entry.change !== "deleted" && !path.endsWith("/") && (
        <RowButton icon={SquareArrowOutUpRight} name={source.open(path)} onClick={onOpen} />
      )}
      {onDiscard !== null && <RowButton icon={Undo2} name={source.discard(path)} onClick={onDiscard} />}
      <MoveButton row={row} onMove={onMove} />
      <ChangeLetter change={row.entry.change} />
    </>
  );
}

/** The name first; the folder is cut before it. */
function EntryName({ row: { entry, isInTree } }: { readonly row: SourceEntryRow }) {
  const { common } = useFullMessages();
  const { path, from } = entry;
  const inner = path.replace(/\/$/, "");
  const at = inner.lastIndexOf("/");
  const folder = from ?? (isInTree ? "" : inner.slice(0, Math.max(0, at)));
  return (
    <span
      title={from === undefined ? path : `${from} → ${path}`}
      className="flex min-w-0 flex-1 items-baseline gap-1.5"
    >
      <span className="shrink-[0.01] cut">
        <VisibleText text={path.slice(at + 1)} names={common.hidden} />
      </span>
      {folder !== "" && (
        <span className="min-w-0 text-small text-ink-faint cut">
          <VisibleText text={from === undefined ? folder : `← ${from}`} names={common.hidden} />
        </span>
      )}
    </span>
  );
}

function MoveButton({ row, onMove }: Pick<SourceRowViewProps, "row" | "onMove">) {
  const { source } = useFullMessages();
  const subject = row.kind === "entry" ? row.entry.path : row.kind === "group" ? source.groups[row.group] : row.path;
  const isStaged = row.group === "staged";
  const name =
    row.kind === "group"
      ? (isStaged ? source.unstageAll : source.stageAll)(subject)
      : (isStaged ? source.unstage : source.stage)(subject);
  return <RowButton icon={isStaged ? Minus : Plus} name={name} onClick={onMove} />;
}

/** Shown with the pointer on the row, or where there is no pointer. */
const RowButton = ({
  onClick,
  ...button
}: Pick<Parameters<typeof IconButton>[0], "icon" | "name"> & { readonly onClick: () => void }) => (
  <IconButton
    {...button}
    size="small"
    tabIndex={-1}
    onClick={(event) => {
      event.stopPropagation();
      onClick();
    }}
    className="pointer-fine:hidden pointer-fine:group-hover:grid"
  />
);

const letters: Readonly<Record<SourceChange, readonly [letter: string, colour: string]>> = {
  modified: ["M", "text-ask"],
  added: ["A", "text-added"],
  deleted: ["D", "text-removed"],
  renamed: ["R", "text-ask"],
  copied: ["C", "text-added"],
  type: ["T", "text-ask"],
  untracked: ["U", "text-added"],
  conflicted: ["!", "text-danger"],
};

function ChangeLetter({ change }: { readonly change: SourceChange }) {
  const { source } = useFullMessages();
  const [letter, colour] = letters[change];
  const label = source.changes[change];
  return (
    <span
      role="img"
      aria-label={label}
      title={label}
      className={classes("grid w-4 shrink-0 place-items-center text-tiny font-semibold", colour)}
    >
      {letter}
    </span>
  );
}
