"use client";
/** Links to the sections of the settings. The list is one stop of the Tab key; the arrow keys move inside it. */
import { type KeyboardEvent, useState } from "react";
import { useFullMessages } from "../messages/full-messages";
import { ScrollRow } from "../ui/layout/scroll-row";
import { classes } from "../ui/theme/classes";
import type { SettingsSection } from "./settings-section";
import { withBasePath } from "../state/base-path";

interface SectionListProps {
  readonly sections: readonly SettingsSection[];
  /** Id of the shown section. */
  readonly current: string;
  readonly onOpen: (id: string) => void;
}

const steps: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 };

/** Returns the index of the link to focus; null = not a navigation key. */
function nextSectionIndex(key: string, index: number, count: number): number | null {
  if (key === "Home") return 0;
  if (key === "End") return count - 1;
  const step = steps[key];
  return step === undefined || count === 0 ? null : (index + step + count) % count;
}

export function SectionList({ sections, current, onOpen }: SectionListProps) {
  const { settings } = useFullMessages();
  const [focused, setFocused] = useState<string | null>(null);
  const wanted = focused ?? current;
  const stop = sections.some(({ id }) => id === wanted) ? wanted : sections[0]?.id;
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    const links = [...event.currentTarget.querySelectorAll("a")];
    const at = links.findIndex((link) => link === document.activeElement);
    const next = at < 0 ? null : nextSectionIndex(event.key, at, links.length);
    if (next === null) return;
    event.preventDefault();
    links[next]?.focus();
  };
  return (
    <ScrollRow
      current={current}
      onKeyDown={onKeyDown}
      onBlur={() => setFocused(null)}
      className="flex flex-col gap-0.5 max-tablet:-mx-4 max-tablet:flex-row max-tablet:overflow-x-auto max-tablet:px-4"
    >
      {sections.map(({ id }) => (
        <a
          key={id}
          href={withBasePath(`/settings/${id}`)}
          tabIndex={id === stop ? 0 : -1}
          aria-current={id === current ? "page" : undefined}
          onFocus={() => setFocused(id)}
          onClick={() => onOpen(id)}
          className={classes(
            "rounded-control px-2.5 py-1.5 whitespace-nowrap max-tablet:py-3",
            id === current ? "bg-pressed text-ink" : "text-ink-muted hover:bg-hover hover:text-ink",
          )}
        >
          {settings.tabs[id]}
        </a>
      ))}
    </ScrollRow>
  );
}
