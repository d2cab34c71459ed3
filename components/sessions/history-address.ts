/** What the history page shows, as its address tells it: so that back, reload and a copied link show the same. Pure. Used by the page. */
import { asId, type ProjectId } from "@/lib/id";
import type { SessionFilter } from "../state/session-lists";

export const historyTabs = ["sessions", "statistics"] as const;
export type HistoryTab = (typeof historyTabs)[number];

/** Days up to now, or all of them. */
export const spans = ["1", "7", "30", "90"] as const;
export type Span = (typeof spans)[number];

/** Days of the statistics. */
export const ranges = ["7", "30", "90", "all"] as const;
export type Range = (typeof ranges)[number];

/** Where sessions are: in use, put away, deleted. */
export const shelves = ["active", "archived", "bin"] as const;
export type Shelf = (typeof shelves)[number];

/** The headings of the list. */
export const groupings = ["day", "project"] as const;
export type Grouping = (typeof groupings)[number];

export interface HistoryView {
  readonly tab: HistoryTab;
  /** What is searched for, as typed. */
  readonly query: string;
  readonly projectId: ProjectId | null;
  readonly model: string | null;
  /** null = any time, unless `from` or `to` tell one. */
  readonly span: Span | null;
  /** yyyy-mm-dd, both included; null = open. */
  readonly from: string | null;
  readonly to: string | null;
  readonly changed: boolean;
  readonly shared: boolean;
  readonly shelf: Shelf;
  readonly grouping: Grouping;
  /** Of the statistics. */
  readonly range: Range;
}

export const wholeHistory: HistoryView = {
  tab: "sessions",
  query: "",
  projectId: null,
  model: null,
  span: null,
  from: null,
  to: null,
  changed: false,
  shared: false,
  shelf: "active",
  grouping: "day",
  range: "30",
};

const queryMaxChars = 200;
const modelMaxChars = 200;

/** Total: what is not understood is left out. */
export function viewOfSearch(search: string): HistoryView {
  const given = new URLSearchParams(search);
  const project = given.get("project") ?? "";
  const model = given.get("model") ?? "";
  const span = spans.find((one) => one === given.get("days")) ?? null;
  return {
    tab: historyTabs.find((one) => one === given.get("tab")) ?? "sessions",
    query: (given.get("q") ?? "").slice(0, queryMaxChars),
    projectId: /^[A-Za-z0-9_-]{1,80}$/.test(project) ? asId<ProjectId>(project) : null,
    model: model === "" ? null : model.slice(0, modelMaxChars),
    span,
    from: span === null ? dayText(given.get("from")) : null,
    to: span === null ? dayText(given.get("to")) : null,
    changed: given.get("changed") === "1",
    shared: given.get("shared") === "1",
    shelf: shelves.find((one) => one === given.get("in")) ?? "active",
    grouping: groupings.find((one) => one === given.get("group")) ?? "day",
    range: ranges.find((one) => one === given.get("range")) ?? "30",
  };
}

/** With its sign; empty for the whole history. */
export function searchOfView(view: HistoryView): string {
  const told = new URLSearchParams();
  if (view.tab !== "sessions") told.set("tab", view.tab);
  if (view.query.trim() !== "") told.set("q", view.query);
  if (view.projectId !== null) told.set("project", view.projectId);
  if (view.model !== null) told.set("model", view.model);
  if (view.span !== null) told.set("days", view.span);
  if (view.from !== null) told.set("from", view.from);
  if (view.to !== null) told.set("to", view.to);
  if (view.changed) told.set("changed", "1");
  if (view.shared) told.set("shared", "1");
  if (view.shelf !== "active") told.set("in", view.shelf);
  if (view.grouping !== "day") told.set("group", view.grouping);
  if (view.range !== "30") told.set("range", view.range);
  const text = told.toString();
  return text === "" ? "" : `?${text}`;
}

/** What the server is asked for. Days begin at the reader's midnight; `now` in ms since the epoch. */
export function filterOf(view: HistoryView, now: number): SessionFilter {
  const from = view.span === null ? midnightOf(view.from, 0) : startOfDays(Number(view.span), now);
  const to = view.span === null ? midnightOf(view.to, 1) : null;
  return {
    ...(view.projectId === null ? {} : { projectId: view.projectId }),
    ...(view.model === null ? {} : { model: view.model }),
    ...(from === null ? {} : { from }),
    ...(to === null ? {} : { to }),
    ...(view.changed ? { changed: true } : {}),
    ...(view.shared ? { shared: true } : {}),
    ...(view.shelf === "archived" ? { archived: true } : {}),
    ...(view.shelf === "bin" ? { deleted: true } : {}),
  };
}

/** Something of the list is left out by the user's choice. The shelf is a place, not a choice. */
export const isNarrowed = (view: HistoryView): boolean =>
  view.projectId !== null ||
  view.model !== null ||
  view.span !== null ||
  view.from !== null ||
  view.to !== null ||
  view.changed ||
  view.shared;

/** The same place and words without any choice. */
export const widened = (view: HistoryView): HistoryView => ({
  ...wholeHistory,
  tab: view.tab,
  query: view.query,
  shelf: view.shelf,
  grouping: view.grouping,
  range: view.range,
});

/** The first moment of so many days; today is the last of them. ms epoch. */
export function startOfDays(days: number, now: number): number {
  const today = new Date(now);
  return new Date(today.getFullYear(), today.getMonth(), today.getDate() + 1 - days).getTime();
}

/** Local midnight of a day given as yyyy-mm-dd; ms epoch. */
export function momentOf(day: string): number {
  const [year = 1970, month = 1, date = 1] = day.split("-").map(Number);
  return new Date(year, month - 1, date).getTime();
}

const dayPattern = /^(\d{4})-(\d{2})-(\d{2})$/;

/** A day that exists, else null. */
function dayText(text: string | null): string | null {
  return midnightOf(text, 0) === null ? null : text;
}

function midnightOf(day: string | null, daysLater: number): number | null {
  const [, year, month, date] = (day === null ? null : dayPattern.exec(day))?.map(Number) ?? [];
  if (year === undefined || month === undefined || date === undefined || year < 1970) return null;
  const asked = new Date(year, month - 1, date);
  if (asked.getMonth() !== month - 1) return null;
  return new Date(year, month - 1, date + daysLater).getTime();
}
