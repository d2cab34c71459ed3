"use client";
/** Settings and sections that the search found, each a link to its place. */
import { useEffect, useRef } from "react";
import { useFullMessages } from "../../messages/full-messages";
import { useServerState } from "../../state/use-server-state";
import { Chip } from "../../ui/indicators/chip";
import { MarkedText } from "../../ui/text/marked-text";
import { classes } from "../../ui/theme/classes";
import { isChanged, settingPath } from "../fields/setting-list";
import { type FoundSetting, parseSettingsQuery } from "./find-settings";
import type { SettingsSearch } from "./use-settings-search";
import { withBasePath } from "../../state/base-path";

interface SettingsSearchResultsProps {
  readonly search: SettingsSearch;
  readonly found: readonly FoundSetting[];
}

export function SettingsSearchResults({ search, found }: SettingsSearchResultsProps) {
  const text = useFullMessages().settings.search;
  const list = useRef<HTMLDivElement>(null);
  const { activeIndex, onActiveIndex, onQuery, listId } = search;
  const { isModifiedOnly, typed } = parseSettingsQuery(search.query);
  useEffect(() => {
    list.current?.querySelector("[aria-selected=true]")?.scrollIntoView({ block: "nearest" });
  }, [activeIndex]);
  return (
    <section aria-label={text.results}>
      <p role="status" className={found.length === 0 ? "max-w-[56ch] py-2" : "mb-2 text-small text-ink-muted"}>
        {found.length > 0 && text.count(found.length)}
        {found.length === 0 && (isModifiedOnly ? text.noneChanged(typed) : text.none(typed))}
      </p>
      <div ref={list} id={listId} role="listbox" aria-label={text.results} className="-mx-2 grid">
        {found.map((one, index) => (
          <a
            key={one.document.key ?? one.document.section}
            id={`${listId}${index}`}
            href={withBasePath(settingPath(one.document))}
            role="option"
            tabIndex={-1}
            aria-selected={index === activeIndex}
            onPointerMove={() => onActiveIndex(index)}
            // After the link was followed.
            onClick={() => queueMicrotask(() => onQuery(""))}
            className={classes("rounded-control px-2 py-2 max-tablet:py-2.5", index === activeIndex && "bg-hover")}
          >
            <FoundText found={one} />
          </a>
        ))}
      </div>
    </section>
  );
}

function FoundText({ found: { document, marks } }: { readonly found: FoundSetting }) {
  const messages = useFullMessages();
  const text = messages.settings.search;
  const settings = useServerState("settings");
  const { name, label, note, key, sectionTitle } = document;
  const names = messages.common.hidden;
  return (
    <>
      <span className="flex flex-wrap items-baseline gap-x-2">
        <span className="font-medium">
          <MarkedText text={label} positions={marks.label} names={names} />
        </span>
        {name !== undefined && settings !== undefined && isChanged(settings, name) && <Chip>{text.changed}</Chip>}
        <span className="ml-auto text-small text-ink-muted">{key === undefined ? text.section : sectionTitle}</span>
      </span>
      {key !== undefined && (
        <code className="block font-mono text-small text-ink-muted">
          <MarkedText text={key} positions={marks.key} names={names} />
        </code>
      )}
      {note !== undefined && (
        <span className="cut block text-small text-ink-muted">
          <MarkedText text={note} positions={marks.note} names={names} />
        </span>
      )}
    </>
  );
}
