"use client";
/** Settings page with one URL per section. Loaded with its sections when it is opened. */
import { type ReactNode, Suspense, useRef } from "react";
import { useKeptFocus } from "../ui/browser/use-kept-focus";
import { useFullMessages } from "../messages/full-messages";
import { createLazyComponents } from "../ui/lazy-components";
import { PageName } from "./item-section/section-title";
import { openItem, useOpenItem, useReturnToRow } from "./item-section/open-item";
import { sectionTexts } from "./fields/setting-list";
import { SectionList } from "./section-list";
import { SettingsSearchField } from "./search/settings-search-field";
import { SettingsSearchResults } from "./search/settings-search-results";
import { useSettingsSearch } from "./search/use-settings-search";
import type { SettingsSection, SettingsSectionProps } from "./item-section/settings-section";
import { settingsSections } from "./settings-sections";
import { Skeleton } from "../ui/indicators/skeleton";
import { classes } from "../ui/theme/classes";

interface SettingsPageProps extends SettingsSectionProps {
  /** Id of the shown section; null = the list of sections, which has the first section beside it where there is space. */
  readonly tab: string | null;
  readonly sections?: readonly SettingsSection[];
  /** Shown in place of the page if there is no such section. */
  readonly missing?: ReactNode;
}

const sectionComponent = createLazyComponents<SettingsSectionProps>();

export function SettingsPage({
  tab,
  projects,
  loadEditorKeys,
  sections = settingsSections,
  missing,
}: SettingsPageProps) {
  const messages = useFullMessages();
  const search = useSettingsSearch(sections);
  const current = tab === null ? sections[0] : sections.find(({ id }) => id === tab);
  const content = useRef<HTMLDivElement>(null);
  useKeptFocus(content);
  useReturnToRow(content);
  const hasItem = useOpenItem() !== null;
  const isList = tab === null;
  const hasResults = search.found !== null;
  const name = current === undefined ? "" : sectionTexts(messages)[current.id].title;
  const Section = current === undefined ? null : sectionComponent(current);
  if (tab !== null && current === undefined) return missing;
  return (
    <div className="flex min-h-0 flex-1 max-tablet:flex-col">
      <nav
        aria-label={messages.settings.title}
        className={classes(
          "w-60 shrink-0 overflow-y-auto border-r border-line bg-surface px-3 pt-3 pb-2 max-tablet:w-full max-tablet:border-r-0 max-tablet:bg-canvas max-tablet:px-4",
          !isList && "max-tablet:hidden",
          isList && !hasResults && "max-tablet:flex-1",
        )}
      >
        <h1 className="sr-only tablet:hidden">{messages.settings.title}</h1>
        <SettingsSearchField search={search} />
        <SectionList
          sections={sections}
          current={current?.id ?? null}
          className={hasResults ? "max-tablet:hidden" : ""}
          onOpen={(id) => {
            search.onQuery("");
            if (id === tab) openItem(null);
          }}
        />
      </nav>
      <main
        className={classes(
          "min-h-0 min-w-0 flex-1 overflow-y-auto bg-canvas [scrollbar-gutter:stable]",
          isList && !hasResults && "max-tablet:hidden",
        )}
      >
        <div
          ref={content}
          className="max-w-[856px] px-12 pt-8 pb-16 max-desktop:px-8 max-tablet:px-4 max-tablet:pt-3 tablet:ml-[max(0px,calc((100%-1000px)/3))]"
        >
          <h1 className={hasItem && !hasResults ? "sr-only" : "mb-4 text-head font-semibold"}>
            {hasResults ? messages.settings.search.results : name}
          </h1>
          {search.found === null ? (
            <PageName value={name}>
              <Suspense fallback={<Skeleton label={messages.common.loading} className="h-40" />}>
                {Section !== null && <Section projects={projects} loadEditorKeys={loadEditorKeys} />}
              </Suspense>
            </PageName>
          ) : (
            <SettingsSearchResults search={search} found={search.found} />
          )}
        </div>
      </main>
    </div>
  );
}
