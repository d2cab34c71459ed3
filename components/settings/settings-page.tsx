"use client";
/** Settings page with one URL per section. Loaded with its sections when it is opened. */
import { Suspense, useMemo, useRef } from "react";
import { useKeptFocus } from "../ui/browser/use-kept-focus";
import { useFullMessages } from "../messages/full-messages";
import { createLazyComponents } from "../ui/lazy-components";
import { openItem, useReturnToRow } from "./open-item";
import { SectionList } from "./section-list";
import { SettingsSearchField } from "./search/settings-search-field";
import { SettingsSearchResults } from "./search/settings-search-results";
import { useSettingsSearch } from "./search/use-settings-search";
import type { SettingsSection, SettingsSectionContext, SettingsSectionProps } from "./settings-section";
import { settingsSections } from "./settings-sections";

interface SettingsPageProps extends SettingsSectionProps {
  /** Id of the shown section. */
  readonly tab: string;
  readonly sections?: readonly SettingsSection[];
}

const sectionComponent = createLazyComponents<SettingsSectionProps>();

export function SettingsPage({ tab, projects, loadEditorKeys, sections = settingsSections }: SettingsPageProps) {
  const messages = useFullMessages();
  const context: SettingsSectionContext = useMemo(() => ({ projects }), [projects]);
  const search = useSettingsSearch(context);
  const shown = sections.filter(({ when }) => when?.(context) ?? true);
  const current = shown.find(({ id }) => id === tab);
  const content = useRef<HTMLDivElement>(null);
  useKeptFocus(content);
  useReturnToRow(content);
  const Section = current === undefined ? null : sectionComponent(current);
  return (
    <main className="min-h-0 flex-1 overflow-y-auto bg-canvas [scrollbar-gutter:stable]">
      <h1 className="sr-only">{messages.settings.title}</h1>
      <div className="mx-auto flex max-w-[940px] gap-10 px-6 pt-8 pb-16 max-tablet:flex-col max-tablet:gap-4 max-tablet:px-4 max-tablet:pt-3">
        <nav
          aria-label={messages.settings.title}
          className="sticky top-8 w-48 shrink-0 self-start max-tablet:static max-tablet:w-full"
        >
          <SettingsSearchField search={search} />
          <SectionList
            sections={shown}
            current={tab}
            onOpen={(id) => {
              search.onQuery("");
              if (id === tab) openItem(null);
            }}
          />
        </nav>
        <div ref={content} className="min-w-0 flex-1">
          {search.found === null ? (
            <Suspense>{Section !== null && <Section projects={projects} loadEditorKeys={loadEditorKeys} />}</Suspense>
          ) : (
            <SettingsSearchResults search={search} found={search.found} />
          )}
        </div>
      </div>
    </main>
  );
}
