"use client";
/** One row of the search results. */
import { ChevronRight, type LucideIcon, Replace, ReplaceAll, X } from "lucide-react";
import type { ReactNode } from "react";
import { baseName, parentFolder } from "@/lib/workspace/project-path";
import { useFullMessages } from "../messages/full-messages";
import { Icon } from "../ui/indicators/icon";
import { classes } from "../ui/theme/classes";
import { VisibleText } from "../ui/text/visible-text";
import type { ReplacementPreview } from "./replacer";
import {
  type LineGutter,
  lineParts,
  type LinePart,
  type SearchContextRow,
  type SearchFileRow,
  type SearchLineRow,
  type SearchRow,
} from "./search-rows";

interface SearchRowViewProps {
  readonly id: string;
  readonly row: SearchRow;
  readonly isFocused: boolean;
  readonly onSelect: () => void;
  /** Called on a double click. */
  readonly onKeep: () => void;
  readonly onDismiss: () => void;
  /** null = no replacement is shown. */
  readonly preview: ReplacementPreview | null;
  /** null = it cannot be replaced now. */
  readonly onReplace: (() => void) | null;
}

export function SearchRowView(props: SearchRowViewProps) {
  const { id, row, isFocused, preview, onSelect, onKeep, onDismiss, onReplace } = props;
  const { codeSearch, figures } = useFullMessages();
  if (row.kind === "context") return <ContextLineView row={row} onSelect={onSelect} onKeep={onKeep} />;
  return (
    <div
      id={id}
      role="treeitem"
      tabIndex={-1}
      aria-level={row.kind === "file" ? 1 : 2}
      aria-selected={isFocused}
      aria-expanded={row.kind === "file" ? row.isOpen : undefined}
      data-path={row.path}
      data-line={row.kind === "line" ? row.line.line : undefined}
      onClick={onSelect}
      onDoubleClick={onKeep}
      className={classes(
        rowLook,
        row.kind === "file" ? "pl-1" : row.gutter === null ? "pl-6" : "pl-2",
        row.kind === "line" && row.gutter?.isAfterGap === true && gapLook,
        isFocused && "in-focus-visible:outline-2 in-focus-visible:-outline-offset-2 in-focus-visible:outline-accent",
      )}
    >
      {row.kind === "file" ? <FileName row={row} /> : <LineText row={row} preview={preview} />}
      {onReplace !== null && (
        <RowButton
          icon={row.kind === "file" ? ReplaceAll : Replace}
          name={
            row.kind === "file"
              ? codeSearch.replaceInFile(baseName(row.path))
              : codeSearch.replaceInLine(figures.number(row.line.line))
          }
          onPress={onReplace}
        />
      )}
      <RowButton
        icon={X}
        name={
          row.kind === "file"
            ? codeSearch.dismissFile(baseName(row.path))
            : codeSearch.dismissLine(figures.number(row.line.line))
        }
        onPress={onDismiss}
      />
    </div>
  );
}

const rowLook =
  "group relative mx-1.5 flex h-full cursor-default items-center gap-1 rounded-control pr-1 select-none hover:bg-hover";
/** A line above the first row of a block of adjacent lines. */
const gapLook = "before:absolute before:inset-x-2 before:top-0 before:border-t before:border-line before:border-dashed";

interface ContextLineViewProps {
  readonly row: SearchContextRow;
  readonly onSelect: () => void;
  readonly onKeep: () => void;
}

/** A line near a match: not an item of the tree, so that its keys move from match to match. */
function ContextLineView({ row: { path, line, gutter }, onSelect, onKeep }: ContextLineViewProps) {
  const { common } = useFullMessages();
  return (
    <div
      role="none"
      data-path={path}
      data-context={line.line}
      title={`${line.line}: ${line.text.trim()}`}
      onClick={onSelect}
      onDoubleClick={onKeep}
      className={classes(rowLook, "pl-2", gutter.isAfterGap && gapLook)}
    >
      <LineNumber line={line.line} gutter={gutter} />
      <span className="min-w-0 flex-1 cut font-mono text-code whitespace-pre! text-ink-faint">
        <VisibleText text={line.text.slice(gutter.indent)} names={common.hidden} />
        {line.isCut && "…"}
      </span>
    </div>
  );
}

function LineNumber({ line, gutter: { digits } }: { readonly line: number; readonly gutter: LineGutter }) {
  return (
    <span
      style={{ minWidth: `${digits}ch` }}
      className="mr-1 shrink-0 text-right font-mono text-code text-ink-faint tabular-nums"
    >
      {line}
    </span>
  );
}

function FileName({ row }: { readonly row: SearchFileRow }) {
  const { common, codeSearch, figures } = useFullMessages();
  const folder = parentFolder(row.path);
  return (
    <>
      <Icon
        of={ChevronRight}
        size={14}
        className={classes("shrink-0 text-ink-faint transition-transform", row.isOpen && "rotate-90")}
      />
      <span title={row.path} className="flex min-w-0 flex-1 items-baseline gap-1.5">
        <span className="cut max-w-full shrink-0 font-medium">
          <VisibleText text={baseName(row.path)} names={common.hidden} />
        </span>
        <span className="min-w-0 cut text-small text-ink-faint">
          <VisibleText text={folder} names={common.hidden} />
        </span>
      </span>
      <span
        aria-label={codeSearch.matches(row.matches)}
        className="shrink-0 rounded-full bg-pressed px-1.5 text-tiny text-ink-muted tabular-nums group-hover:pointer-fine:hidden"
      >
        {figures.number(row.matches)}
      </span>
    </>
  );
}

/** Colours are not the only difference: the old text is struck out, the new one is underlined. */
const partLooks: Readonly<Record<Exclude<LinePart["kind"], "text">, string>> = {
  match: "bg-ask-edge/30 text-ink",
  replaced: "bg-removed-word text-ink line-through decoration-danger",
  replacement: "bg-added-word text-ink underline decoration-dotted underline-offset-2",
};

interface LineTextProps {
  readonly row: SearchLineRow;
  readonly preview: ReplacementPreview | null;
}

function LineText({ row: { line, gutter }, preview }: LineTextProps): ReactNode {
  const { common } = useFullMessages();
  const parts = lineParts(
    line,
    preview === null ? null : (index) => preview(line, index),
    gutter === null ? null : gutter.indent,
  );
  return (
    <>
      {gutter !== null && <LineNumber line={line.line} gutter={gutter} />}
      <span
        title={`${line.line}: ${line.text.trim()}`}
        className={classes(
          "min-w-0 flex-1 cut font-mono text-code",
          gutter === null ? "text-ink-muted" : "whitespace-pre! text-ink",
        )}
      >
        {parts.map(({ from, text, kind }) => {
          const shown = <VisibleText key={from} text={text} names={common.hidden} />;
          if (kind === "text") return shown;
          const Element = kind === "match" ? "mark" : kind === "replaced" ? "del" : "ins";
          return (
            <Element key={from} className={classes("rounded-[2px]", partLooks[kind])}>
              {shown}
            </Element>
          );
        })}
      </span>
    </>
  );
}

interface RowButtonProps {
  readonly icon: LucideIcon;
  readonly name: string;
  readonly onPress: () => void;
}

function RowButton({ icon, name, onPress }: RowButtonProps) {
  return (
    <button
      type="button"
      tabIndex={-1}
      aria-label={name}
      title={name}
      onClick={(event) => {
        event.stopPropagation();
        onPress();
      }}
      className="hidden size-5 shrink-0 place-items-center rounded-control text-ink-muted group-hover:grid hover:bg-pressed hover:text-ink pointer-coarse:grid max-tablet:size-11"
    >
      <Icon of={icon} size={14} />
    </button>
  );
}
