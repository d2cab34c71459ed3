/** Menu of slash commands above the field. The field keeps the focus and the keys. */
import { FoldVertical, GitBranch, GitFork, type LucideIcon, Redo2, Undo2 } from "lucide-react";
import { useMessages } from "../../../messages/messages";
import { Icon } from "../../../ui/indicators/icon";
import type { SlashName } from "./slash-commands";

const icons: Readonly<Record<SlashName, LucideIcon>> = {
  compact: FoldVertical,
  tree: GitBranch,
  rewind: Undo2,
  fork: GitFork,
  redo: Redo2,
};

interface SlashMenuProps {
  readonly id: string;
  readonly names: readonly SlashName[];
  readonly chosen: SlashName | null;
  readonly onPick: (name: SlashName) => void;
}

export function SlashMenu({ id, names, chosen, onPick }: SlashMenuProps) {
  const { composer } = useMessages();
  return (
    <div
      id={id}
      role="listbox"
      aria-label={composer.slash.label}
      className="mb-1 animate-appear rounded-card border border-line bg-raised p-1 shadow-float"
    >
      {names.map((name) => (
        <button
          key={name}
          id={`${id}-${name}`}
          type="button"
          role="option"
          aria-selected={name === chosen}
          tabIndex={-1}
          // Keeps the focus in the field.
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => onPick(name)}
          className="flex min-h-8 w-full items-center gap-2 rounded-control px-2 text-left hover:bg-hover aria-selected:bg-hover text-base max-tablet:min-h-11"
        >
          <Icon of={icons[name]} size={14} className="text-ink-muted" />
          <span className="shrink-0 font-medium">/{name}</span>
          {name === "compact" && <span className="shrink-0 text-ink-faint">{composer.slash.argument.compact}</span>}
          <span className="min-w-0 flex-1 cut text-right text-small text-ink-muted">{composer.slash.notes[name]}</span>
        </button>
      ))}
    </div>
  );
}
