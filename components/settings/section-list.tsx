"use client";
/** Links to the sections of the settings. The list is one stop of the Tab key; the arrow keys move inside it. */
import { ChevronRight } from "lucide-react";
import { type KeyboardEvent, useEffect, useRef, useState } from "react";
import { useFullMessages } from "../messages/full-messages";
import { Icon } from "../ui/indicators/icon";
import { classes } from "../ui/theme/classes";
import { sectionTexts } from "./fields/setting-list";
import { sectionGroups, type SettingsSection } from "./item-section/settings-section";
import { withBasePath } from "../state/base-path";

interface SectionListProps {
  readonly sections: readonly SettingsSection[];
  /** Id of the shown section. */
  readonly current: string | null;
  readonly onOpen: (id: string) => void;
  readonly className?: string;
}

const steps: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 };

/** Returns the index of the link to focus; null = not a navigation key. */
function nextSectionIndex(key: string, index: number, count: number): number | null {
  if (key === "Home") return 0;
  if (key === "End") return count - 1;
  const step = steps[key];
  return step === undefined || count === 0 ? null : (index + step + count) % count;
}

export function SectionList({ sections, current, onOpen, className }: SectionListProps) {
  const messages = useFullMessages();
  const [focused, setFocused] = useState<string | null>(null);
  const wanted = focused ?? current;
  const list = useRef<HTMLDivElement>(null);
  // Of a long list on a low screen the shown section is in view.
  useEffect(() => {
    list.current?.querySelector("[aria-current]")?.scrollIntoView({ block: "nearest" });
  }, [current]);
  const groups = sectionGroups
    .map((group) => ({ group, members: sections.filter((section) => section.group === group) }))
    .filter(({ members }) => members.length > 0);
  const stop = sections.some(({ id }) => id === wanted) ? wanted : groups[0]?.members[0]?.id;
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
    <div
      onKeyDown={onKeyDown}
      onBlur={() => setFocused(null)}
      className={classes("grid gap-3 max-tablet:gap-5", className)}
    >
      {groups.map(({ group, members }) => (
        <div key={group} role="group" aria-label={messages.settings.groups[group]} className="grid">
          <p aria-hidden className="px-2 pb-1 text-small text-ink-faint">
            {messages.settings.groups[group]}
          </p>
          {members.map(({ id, icon }) => (
            <a
              key={id}
              href={withBasePath(`/settings/${id}`)}
              tabIndex={id === stop ? 0 : -1}
              aria-current={id === current ? "page" : undefined}
              onFocus={() => setFocused(id)}
              onClick={() => onOpen(id)}
              className={classes(
                "flex h-7 items-center gap-2 rounded-control px-2 max-tablet:h-11 max-tablet:gap-3",
                id === current
                  ? "bg-pressed text-ink max-tablet:bg-transparent"
                  : "text-ink-muted hover:bg-hover hover:text-ink max-tablet:text-ink",
              )}
            >
              <Icon of={icon} className="max-tablet:text-ink-muted" />
              <span className="min-w-0 flex-1">{sectionTexts(messages)[id].title}</span>
              <Icon of={ChevronRight} className="hidden text-ink-faint max-tablet:block" />
            </a>
          ))}
        </div>
      ))}
    </div>
  );
}
