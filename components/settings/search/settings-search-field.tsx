"use client";
/** Field above the sections that searches all settings, with a switch for the changed ones. */
import { ListFilter, Search } from "lucide-react";
import { useFullMessages } from "../../messages/full-messages";
import { IconButton } from "../../ui/controls/icon-button";
import { TextField } from "../../ui/controls/text-field";
import { Icon } from "../../ui/indicators/icon";
import { parseSettingsQuery, toggleModified } from "./find-settings";
import type { SettingsSearch } from "./use-settings-search";

export function SettingsSearchField({ search }: { readonly search: SettingsSearch }) {
  const text = useFullMessages().settings.search;
  const { query, onQuery, found, activeIndex, listId, field } = search;
  return (
    <search className="mb-3 flex items-center gap-0.5 max-tablet:mb-4">
      <div className="relative min-w-0 flex-1">
        <Icon of={Search} className="absolute top-1/2 left-2.5 -translate-y-1/2 text-ink-faint" />
        <TextField
          ref={field}
          type="search"
          role="combobox"
          aria-expanded={found !== null}
          aria-controls={listId}
          aria-activedescendant={found === null || found.length === 0 ? undefined : `${listId}${activeIndex}`}
          aria-label={text.label}
          placeholder={text.label}
          value={query}
          onChange={(event) => onQuery(event.target.value)}
          onKeyDown={search.onKeyDown}
          className="pl-8 [&::-webkit-search-cancel-button]:hidden"
        />
      </div>
      <IconButton
        icon={ListFilter}
        name={text.changedOnly}
        side="below"
        on={parseSettingsQuery(query).isModifiedOnly}
        onClick={() => {
          onQuery(toggleModified(query));
          field.current?.focus();
        }}
      />
    </search>
  );
}
