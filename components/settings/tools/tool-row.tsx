"use client";
/** The row of a tool of another program: name, tokens, pin and switch, and its details on demand. */
import { ChevronRight, Pin } from "lucide-react";
import { type ReactNode, useId, useState } from "react";
import { useFullMessages } from "../../messages/full-messages";
import { IconButton } from "../../ui/controls/icon-button";
import { Switch } from "../../ui/controls/switch";
import { Chip } from "../../ui/indicators/chip";
import { Icon } from "../../ui/indicators/icon";
import { VisibleText } from "../../ui/text/visible-text";
import { classes } from "../../ui/theme/classes";

export interface ToolChange {
  readonly isOff?: boolean;
  readonly isPinned?: boolean;
}

interface ToolRowProps {
  readonly name: string;
  readonly isOn: boolean;
  readonly isPinned: boolean;
  readonly tokens: number;
  /** Why it cannot be used. */
  readonly problem?: string | undefined;
  /** The line below the name. */
  readonly about: (isOpen: boolean) => ReactNode;
  readonly details: () => ReactNode;
  readonly onSet: (change: ToolChange) => void;
}

export function ToolRow({ name, isOn, isPinned, tokens, problem, about, details, onSet }: ToolRowProps) {
  const { mcp: text, common, figures } = useFullMessages();
  const [isOpen, setIsOpen] = useState(false);
  const detailsId = useId();
  return (
    <li className="py-2 pr-3.5 pl-2">
      <div className="flex items-center gap-1">
        <button
          type="button"
          aria-expanded={isOpen}
          aria-controls={isOpen ? detailsId : undefined}
          onClick={() => setIsOpen(!isOpen)}
          className="flex min-w-0 flex-1 items-center gap-1.5 rounded-control py-0.5 text-left max-tablet:min-h-11"
        >
          <Icon
            of={ChevronRight}
            size={14}
            className={classes("text-ink-faint transition-transform", isOpen && "rotate-90")}
          />
          <span className="grid min-w-0 flex-1">
            <span className="flex min-w-0 flex-wrap items-baseline gap-x-2">
              <span
                className={classes(
                  "font-mono text-code font-medium [overflow-wrap:anywhere]",
                  !isOn && "text-ink-muted",
                )}
              >
                <VisibleText text={name} names={common.hidden} />
              </span>
              {problem === undefined ? (
                <span className="text-small text-ink-muted tabular-nums">{text.tokens(figures.tokens(tokens))}</span>
              ) : (
                <Chip tone="danger">{text.unusable}</Chip>
              )}
            </span>
            {about(isOpen)}
          </span>
        </button>
        {problem === undefined && (
          <>
            <IconButton
              icon={Pin}
              on={isPinned}
              name={isPinned ? text.unpinTool(name) : text.pinTool(name)}
              onClick={() => onSet({ isPinned: !isPinned })}
            />
            <Switch
              aria-label={text.useTool(name)}
              on={isOn}
              onChange={(on) => onSet({ isOff: !on })}
              className="ml-2"
            />
          </>
        )}
      </div>
      {problem !== undefined && problem !== "" && (
        <p className="pl-5 text-small text-danger [overflow-wrap:anywhere]">
          <VisibleText text={problem} names={common.hidden} />
        </p>
      )}
      {isOpen && (
        <div id={detailsId} className="grid gap-2 pt-1 pb-2 pl-5 *:min-w-0">
          {details()}
        </div>
      )}
    </li>
  );
}
