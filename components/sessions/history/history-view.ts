/**
 * State of the history page encoded in the URL's query string, so that back, reload and a copied link restore it. Pure.
 */
import { asId, type ProjectId } from "@/lib/events/id";
import type { SessionFilter } from "../../state/session/session-lists";

export const historyTabs = ["sessions", "statistics"] as const;
type HistoryTab = (typeof historyTabs)[number];

/** Filter spans in days up to now; the URL omits it for all sessions. */
export const historySpans = ["1", "7", "30", "90"] as const;
type HistorySpan = (typeof historySpans)[number];

/** Time ranges of the statistics in days, or all. */
export const statisticsRanges = ["7", "30", "90", "all"] as const;
export type StatisticsRange = (typeof statisticsRanges)[number];

/** Lists of sessions: active, archived, deleted. */
export const sessionShelves = ["active", "archived", "bin"] as const;
export type SessionShelf = (typeof sessionShelves)[number];

/** Groupings of the list. */
export const historyGroupings = ["day", "project"] as const;
export type HistoryGrouping = (typeof historyGroupings)[number];

export interface HistoryView {
  readonly tab: HistoryTab;
  /** The search query as typed. */
  readonly query: string;
  readonly projectId: ProjectId | null;
  readonly model: string | null;
  /** null = any time, unless `from` or `to` is set. */
  readonly span: HistorySpan | null;
  /** yyyy-mm-dd, inclusive; null = open. */
  readonly from: string | null;
  readonly to: string | null;
  readonly changed: boolean;
  readonly shared: boolean;
  readonly shelf: SessionShelf;
  readonly grouping: HistoryGrouping;
  /** Time range of the statistics. */
  readonly range: StatisticsRange;
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

/** Parses a query string. Total: invalid values are ignored. */
export function parseHistoryView(search: string): HistoryView {
  const params = new URLSearchParams(search);
  const project = params.get("project") ?? "";
  const model = params.get("model") ?? "";
  const span = historySpans.find((one) => one === params.get("days")) ?? null;
  return {
    tab: historyTabs.find((one) => one === params.get("tab")) ?? "sessions",
    query: (params.get("q") ?? "").slice(0, queryMaxChars),
    projectId: /^[A-Za-z0-9_-]{1,80}$/.test(project) ? asId<ProjectId>(project) : null,
    model: model === "" ? null : model.slice(0, modelMaxChars),
    span,
    from: span === null ? validDay(params.get("from")) : null,
    to: span === null ? validDay(params.get("to")) : null,
    changed: params.get("changed") === "1",
    shared: params.get("shared") === "1",
    shelf: sessionShelves.find((one) => one === params.get("in")) ?? "active",
    grouping: historyGroupings.find((one) => one === params.get("group")) ?? "day",
    range: statisticsRanges.find((one) => one === params.get("range")) ?? "30",
  };
}

/** Returns the query string including "?"; empty for the whole history. */
export function formatHistoryView(view: HistoryView): string {
  const params = new URLSearchParams();
  if (view.tab !== "sessions") params.set("tab", view.tab);
  if (view.query.trim() !== "") params.set("q", view.query);
  if (view.projectId !== null) params.set("project", view.projectId);
  if (view.model !== null) params.set("model", view.model);
  if (view.span !== null) params.set("days", view.span);
  if (view.from !== null) params.set("from", view.from);
  if (view.to !== null) params.set("to", view.to);
  if (view.changed) params.set("changed", "1");
  if (view.shared) params.set("shared", "1");
  if (view.shelf !== "active") params.set("in", view.shelf);
  if (view.grouping !== "day") params.set("group", view.grouping);
  if (view.range !== "30") params.set("range", view.range);
  const text = params.toString();
  return text === "" ? "" : `?${text}`;
}

/** Returns the server's session filter. Days begin at local midnight; `now` in ms since the epoch. */
export function toSessionFilter(view: HistoryView, now: number): SessionFilter {
  const from = view.span === null ? parseMidnight(view.from, 0) : startOfPeriod(Number(view.span), now);
  const to = view.span === null ? parseMidnight(view.to, 1) : null;
  return {
    projectId: view.projectId ?? undefined,
    model: view.model ?? undefined,
    from: from ?? undefined,
    to: to ?? undefined,
    ...(view.changed ? { changed: true } : {}),
    ...(view.shared ? { shared: true } : {}),
    ...(view.shelf === "archived" ? { archived: true } : {}),
    ...(view.shelf === "bin" ? { deleted: true } : {}),
  };
}

/** Whether a filter excludes sessions. The shelf does not count as a filter. */
export const hasFilters = (view: HistoryView): boolean =>
  view.projectId !== null ||
  view.model !== null ||
  view.span !== null ||
  view.from !== null ||
  view.to !== null ||
  view.changed ||
  view.shared;

/** Returns the view without filters, with the same shelf and query. */
export const withoutFilters = (view: HistoryView): HistoryView => ({
  ...wholeHistory,
  tab: view.tab,
  query: view.query,
  shelf: view.shelf,
  grouping: view.grouping,
  range: view.range,
});

/** Returns the start of a period of `days` days that ends with today; ms epoch. */
export function startOfPeriod(days: number, now: number): number {
  const today = new Date(now);
  return new Date(today.getFullYear(), today.getMonth(), today.getDate() + 1 - days).getTime();
}

/** Returns local midnight of a day given as yyyy-mm-dd; ms epoch. */
export function localMidnight(day: string): number {
  const [year = 1970, month = 1, date = 1] = day.split("-").map(Number);
  return new Date(year, month - 1, date).getTime();
}

const dayPattern = /^(\d{4})-(\d{2})-(\d{2})$/;

/** Returns the day if it exists, else null. */
function validDay(text: string | null): string | null {
  return parseMidnight(text, 0) === null ? null : text;
}

function parseMidnight(day: string | null, daysLater: number): number | null {
  const [, year, month, date] = (day === null ? null : dayPattern.exec(day))?.map(Number) ?? [];
  if (year === undefined || month === undefined || date === undefined || year < 1970) return null;
  const parsed = new Date(year, month - 1, date);
  if (parsed.getMonth() !== month - 1) return null;
  return new Date(year, month - 1, date + daysLater).getTime();
}
