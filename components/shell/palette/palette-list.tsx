"use client";
/** Rows of the palette: the choices that match the text. */
import { Braces, ChevronRight, FileText, type LucideIcon, MessageSquare, Settings } from "lucide-react";
import { Fragment, useCallback, useEffect, useRef } from "react";
import type { ActionContext } from "../../actions/action";
import { fileIconOf } from "../../ui/indicators/file-icon";
import { Icon } from "../../ui/indicators/icon";
import { KeyHint } from "../../ui/indicators/key-hint";
import { MarkedText } from "../../ui/text/marked-text";
import type { HiddenNames } from "../../ui/text/visible-text";
import { classes } from "../../ui/theme/classes";
import { useFullMessages } from "../../messages/full-messages";
import type { ChoiceKind, PaletteChoice } from "./palette-match";
import { addRecentCommand } from "./recent-commands";
import type { PaletteStart } from "./palette-query";
import { usePaletteChoices } from "./use-palette-choices";

interface PaletteListProps {
  readonly context: ActionContext;
  readonly id: string;
  readonly start: PaletteStart;
  readonly text: string;
  /** Index of the highlighted row, from 0. */
  readonly activeIndex: number;
  /** Enter was pressed: the highlighted row runs as soon as the choices of the text are complete. */
  readonly isSubmitted: boolean;
  readonly onActiveIndex: (at: number) => void;
  readonly onCount: (count: number) => void;
  /** undefined = nothing matches. */
  readonly onRun: (choice: PaletteChoice | undefined) => void;
}

export function PaletteList({
  context,
  id,
  start,
  text,
  activeIndex,
  isSubmitted,
  onActiveIndex,
  onCount,
  onRun,
}: PaletteListProps) {
  const messages = useFullMessages();
  const list = useRef<HTMLDivElement>(null);
  const { choices, isComplete, note } = usePaletteChoices(context, messages, start, text);
  const hasHeadings = text === "" || text === ">";
  const run = useCallback(
    (choice: PaletteChoice | undefined): void => {
      if (choice?.kind === "command") addRecentCommand(choice.id);
      onRun(choice);
    },
    [onRun],
  );
  useEffect(() => onCount(choices.length), [onCount, choices.length]);
  useEffect(() => {
    if (isSubmitted && isComplete) run(choices[activeIndex]);
  }, [isSubmitted, choices, activeIndex, isComplete, run]);
  useEffect(() => {
    list.current?.querySelector("[aria-selected=true]")?.scrollIntoView({ block: "nearest" });
  }, [activeIndex]);
  return (
    <div
      ref={list}
      id={id}
      role="listbox"
      aria-label={messages.actions.names.palette}
      className="max-h-[50vh] overflow-y-auto p-1"
    >
      {choices.length === 0 && isComplete && (
        <p className="px-3 py-4 text-center text-ink-muted">{note ?? messages.palette.none}</p>
      )}
      {choices.map((choice, index) => {
        const heading = hasHeadings ? headingOf(choice) : "";
        return (
          <Fragment key={choice.id}>
            {heading !== "" && (index === 0 || heading !== headingOf(choices[index - 1])) && (
              <p aria-hidden className="px-2 pt-2 pb-1 text-small text-ink-muted first:pt-1">
                {heading}
              </p>
            )}
            <div
              id={`${id}${index}`}
              role="option"
              tabIndex={-1}
              aria-selected={index === activeIndex}
              onPointerMove={() => onActiveIndex(index)}
              onClick={() => run(choice)}
              className={classes(
                "flex h-8 items-center gap-2 rounded-control px-2 max-tablet:h-11",
                index === activeIndex && "bg-hover",
              )}
            >
              <Icon
                of={choice.kind === "file" ? fileIconOf(choice.label) : icons[choice.kind]}
                size={14}
                className="text-ink-faint"
              />
              <ChoiceText choice={choice} names={messages.common.hidden} />
              {choice.group !== heading && <span className="cut text-small text-ink-faint">{choice.group}</span>}
              {choice.keys !== undefined && <KeyHint keys={choice.keys} />}
            </div>
          </Fragment>
        );
      })}
    </div>
  );
}

const headingOf = (choice: PaletteChoice | undefined): string => choice?.heading ?? choice?.group ?? "";

const icons: Readonly<Record<ChoiceKind, LucideIcon>> = {
  command: ChevronRight,
  setting: Settings,
  session: MessageSquare,
  file: FileText,
  symbol: Braces,
};

interface ChoiceTextProps {
  readonly choice: PaletteChoice;
  readonly names: HiddenNames;
}

function ChoiceText({ choice: { label, folder, marks = [] }, names }: ChoiceTextProps) {
  if (folder === undefined)
    return (
      <span className="min-w-0 flex-1 cut">
        <MarkedText text={label} positions={marks} names={names} />
      </span>
    );
  const nameStart = folder === "" ? 0 : folder.length + 1;
  return (
    <span className="flex min-w-0 flex-1 items-baseline gap-2">
      <span className="max-w-full shrink-0 cut">
        <MarkedText text={label.slice(nameStart)} positions={marks.map((at) => at - nameStart)} names={names} />
      </span>
      <span className="min-w-0 cut text-small text-ink-muted">
        <MarkedText text={folder} positions={marks} names={names} />
      </span>
    </span>
  );
}
