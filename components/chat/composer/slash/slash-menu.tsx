/** Menu of slash commands above the field. The field keeps the focus and the keys. */
import { useEffect, useRef } from "react";
import { useMessages } from "../../../messages/messages";
import { argumentHint } from "./argument-hint";
import { type SlashCommand, slashRowId, slashText } from "./slash-commands";

interface SlashMenuProps {
  readonly id: string;
  readonly commands: readonly SlashCommand[];
  readonly chosen: SlashCommand | null;
  readonly onPick: (command: SlashCommand) => void;
}

export function SlashMenu({ id, commands, chosen, onPick }: SlashMenuProps) {
  const { composer, actions } = useMessages();
  const list = useRef<HTMLDivElement>(null);
  const chosenName = chosen === null ? undefined : slashText(chosen);
  useEffect(() => {
    list.current?.querySelector("[aria-selected=true]")?.scrollIntoView({ block: "nearest" });
  }, [chosenName]);
  return (
    <div
      ref={list}
      id={id}
      role="listbox"
      aria-label={composer.slash.label}
      className="absolute inset-x-0 bottom-full z-20 mb-1 max-h-[min(24rem,45dvh)] animate-appear overflow-y-auto rounded-card border border-line bg-raised p-1 shadow-float"
    >
      {commands.map((command) => (
        <button
          key={slashText(command)}
          id={slashRowId(id, command)}
          type="button"
          role="option"
          aria-selected={slashText(command) === chosenName}
          tabIndex={-1}
          // Keeps the focus in the field.
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => onPick(command)}
          className="flex min-h-8 w-full items-center gap-2 rounded-control px-2 text-left hover:bg-hover aria-selected:bg-hover text-base max-tablet:min-h-11"
        >
          <span className="min-w-0 cut font-medium">/{slashText(command)}</span>
          <ArgumentHint command={command} />
          <span className="min-w-0 flex-1 cut text-right text-small text-ink-muted">
            {actions.names[command.action.id]}
          </span>
        </button>
      ))}
    </div>
  );
}

function ArgumentHint({ command }: { readonly command: SlashCommand }) {
  const { composer } = useMessages();
  const hint = argumentHint(command, composer.slash.arguments);
  return hint === undefined ? null : <span className="min-w-0 cut text-ink-faint">[{hint}]</span>;
}
