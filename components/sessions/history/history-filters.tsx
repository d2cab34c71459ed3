"use client";
/** Filters of the history as chips, each a menu or a toggle; active ones are highlighted. */
import { ChevronDown } from "lucide-react";
import { type ReactNode, useState } from "react";
import type { Project } from "@/lib/workspace/project";
import { Button } from "../../ui/controls/button";
import { classes } from "../../ui/theme/classes";
import { Icon } from "../../ui/indicators/icon";
import { Menu, type MenuItem } from "../../ui/controls/menu";
import { ScrollRow } from "../../ui/layout/scroll-row";
import { Segmented } from "../../ui/controls/segmented";
import { TextField } from "../../ui/controls/text-field";
import { type FullMessages, useFullMessages } from "../../messages/full-messages";
import { useMessages } from "../../messages/messages";
import {
  historyGroupings,
  type HistoryView,
  hasFilters,
  localMidnight,
  sessionShelves,
  historySpans,
  withoutFilters,
} from "./history-view";
import { useCommandQuery } from "../../state/use-command-query";

interface HistoryFiltersProps {
  readonly view: HistoryView;
  readonly projects: readonly Project[];
  /** `replace` adds no history entry. */
  readonly onView: (view: HistoryView, method?: "push" | "replace") => void;
}

const chipClass =
  "inline-flex h-7 max-w-52 shrink-0 items-center gap-1 rounded-full border px-2.5 text-small whitespace-nowrap transition-colors max-tablet:relative max-tablet:h-9 max-tablet:px-3 max-tablet:before:absolute max-tablet:before:inset-x-0 max-tablet:before:-inset-y-1 max-tablet:before:content-['']";
const chipStateClass = (isOn: boolean): string =>
  isOn
    ? "border-accent/45 bg-accent-soft text-accent"
    : "border-line bg-raised text-ink-muted hover:bg-hover hover:text-ink data-[state=open]:bg-pressed";

export function HistoryFilters({ view, projects, onView }: HistoryFiltersProps) {
  const messages = useFullMessages();
  const { filters } = messages.sessionHistory;
  const [isChoosing, setChoosing] = useState(false);
  const change = (part: Partial<HistoryView>): void => onView({ ...view, ...part });
  const hasDates = view.from !== null || view.to !== null;
  return (
    <div role="group" aria-label={filters.name} className="mb-5 grid grid-cols-[minmax(0,1fr)] gap-2">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <ScrollRow className="flex min-w-0 flex-1 flex-wrap items-center gap-1.5 max-tablet:-mx-4 max-tablet:basis-[calc(100%+2rem)] max-tablet:flex-nowrap max-tablet:overflow-x-auto max-tablet:px-4 max-tablet:py-1">
          <ProjectChip {...{ view, projects, onView }} />
          <ModelChip {...{ view, onView }} />
          <DateChip {...{ view, onView }} onChoose={() => setChoosing(true)} />
          <SwitchChip isOn={view.changed} onChange={(changed) => change({ changed })}>
            {filters.changed}
          </SwitchChip>
          <SwitchChip isOn={view.shared} onChange={(shared) => change({ shared })}>
            {filters.shared}
          </SwitchChip>
          {hasFilters(view) && (
            <Button
              look="quiet"
              size="small"
              className="text-small"
              onClick={() => {
                setChoosing(false);
                onView(withoutFilters(view));
              }}
            >
              {filters.clear}
            </Button>
          )}
        </ScrollRow>
        <div className="ml-auto flex items-center gap-1 max-tablet:w-full max-tablet:justify-between">
          {view.query.trim() === "" && <GroupMenu {...{ view, onView }} />}
          <Segmented
            name={filters.shelfName}
            value={view.shelf}
            options={sessionShelves.map((shelf) => ({ value: shelf, label: filters.shelf[shelf] }))}
            onChange={(shelf) => change({ shelf })}
          />
        </div>
      </div>
      {(isChoosing || hasDates) && <DateFields {...{ view, onView }} />}
    </div>
  );
}

/** Grouping menu; less prominent than the filters, because it excludes nothing. */
function GroupMenu({ view, onView }: Omit<HistoryFiltersProps, "projects">) {
  const { groups } = useMessages().sessions;
  return (
    <Menu
      name={groups.name}
      align="end"
      chosen={view.grouping}
      items={historyGroupings.map((grouping) => ({
        id: grouping,
        label: groups[grouping],
        onSelect: () => onView({ ...view, grouping }, "replace"),
      }))}
      className="inline-flex h-7 shrink-0 items-center gap-1 rounded-control px-2 text-small whitespace-nowrap text-ink-muted transition-colors hover:bg-hover hover:text-ink data-[state=open]:bg-hover max-tablet:h-11"
    >
      <span className="sr-only">{groups.name}</span>
      {groups[view.grouping]}
      <Icon of={ChevronDown} size={12} />
    </Menu>
  );
}

/** Chip with a menu that shows the selected value. */
function ChoiceChip({
  name,
  items,
  chosen,
  isOn,
  children,
}: {
  readonly name: string;
  readonly items: readonly MenuItem[];
  readonly chosen: string;
  readonly isOn: boolean;
  readonly children: ReactNode;
}) {
  return (
    <Menu name={name} items={items} chosen={chosen} className={classes(chipClass, chipStateClass(isOn))}>
      <span className="sr-only">{name}</span>
      <span className="min-w-0 cut">{children}</span>
      <Icon of={ChevronDown} size={12} />
    </Menu>
  );
}

function SwitchChip({
  isOn,
  onChange,
  children,
}: {
  readonly isOn: boolean;
  readonly onChange: (isOn: boolean) => void;
  readonly children: ReactNode;
}) {
  return (
    <button
      type="button"
      aria-pressed={isOn}
      className={classes(chipClass, chipStateClass(isOn))}
      onClick={() => onChange(!isOn)}
    >
      {children}
    </button>
  );
}

export function ProjectChip({ view, projects, onView }: HistoryFiltersProps) {
  const {
    sessionHistory: { filters },
    sessions: { otherProject },
  } = useFullMessages();
  const { projectId } = view;
  const name = projects.find((project) => project.id === projectId)?.name ?? otherProject;
  return (
    <ChoiceChip
      name={filters.project}
      chosen={projectId ?? ""}
      isOn={projectId !== null}
      items={[
        { id: "", label: filters.allProjects, onSelect: () => onView({ ...view, projectId: null }) },
        ...projects.map((project) => ({
          id: String(project.id),
          label: project.name,
          note: project.path,
          onSelect: () => onView({ ...view, projectId: project.id }),
        })),
      ]}
    >
      {projectId === null ? filters.allProjects : name}
    </ChoiceChip>
  );
}

function ModelChip({ view, onView }: Omit<HistoryFiltersProps, "projects">) {
  const { filters } = useFullMessages().sessionHistory;
  const listed = useCommandQuery("history.models", {}, { retry: false }).data?.models ?? [];
  const { model } = view;
  const models = model === null || listed.includes(model) ? listed : [model, ...listed];
  return (
    <ChoiceChip
      name={filters.model}
      chosen={model ?? ""}
      isOn={model !== null}
      items={[
        { id: "", label: filters.allModels, onSelect: () => onView({ ...view, model: null }) },
        ...models.map((one) => ({ id: one, label: one, onSelect: () => onView({ ...view, model: one }) })),
      ]}
    >
      {model ?? filters.allModels}
    </ChoiceChip>
  );
}

function DateChip({
  view,
  onView,
  onChoose,
}: Omit<HistoryFiltersProps, "projects"> & { readonly onChoose: () => void }) {
  const messages = useFullMessages();
  const { filters } = messages.sessionHistory;
  const { span, from, to } = view;
  const hasDates = from !== null || to !== null;
  return (
    <ChoiceChip
      name={filters.date}
      chosen={hasDates ? "choose" : (span ?? "")}
      isOn={hasDates || span !== null}
      items={[
        { id: "", label: filters.anyTime, onSelect: () => onView({ ...view, span: null, from: null, to: null }) },
        ...historySpans.map((one) => ({
          id: one,
          label: filters.span[one],
          onSelect: () => onView({ ...view, span: one, from: null, to: null }),
        })),
        { id: "choose", label: filters.choose, separated: true, onSelect: onChoose },
      ]}
    >
      {hasDates ? datesText(messages, from, to) : span === null ? filters.anyTime : filters.span[span]}
    </ChoiceChip>
  );
}

function datesText(
  { figures, sessionHistory: { filters } }: FullMessages,
  from: string | null,
  to: string | null,
): string {
  const locale = figures.locale === "en" ? "en-GB" : figures.locale;
  const format = new Intl.DateTimeFormat(locale, { day: "numeric", month: "short", year: "numeric" });
  const start = from === null ? null : localMidnight(from);
  const end = to === null ? null : localMidnight(to);
  if (start !== null && end !== null) return format.formatRange(Math.min(start, end), end);
  if (start !== null) return filters.since(format.format(start));
  return end === null ? filters.anyTime : filters.until(format.format(end));
}

function DateFields({ view, onView }: Omit<HistoryFiltersProps, "projects">) {
  const { filters } = useFullMessages().sessionHistory;
  const field = (side: "from" | "to") => (
    <label className="flex items-center gap-2 text-small text-ink-muted">
      {filters[side]}
      <TextField
        type="date"
        className="w-40"
        value={view[side] ?? ""}
        {...(side === "from" ? { max: view.to ?? undefined } : { min: view.from ?? undefined })}
        onChange={(event) => {
          const day = event.target.value === "" ? null : event.target.value;
          onView({ ...view, span: null, [side]: day });
        }}
      />
    </label>
  );
  return (
    <div className="flex flex-wrap items-center gap-3">
      {field("from")}
      {field("to")}
    </div>
  );
}
