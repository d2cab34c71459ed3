/** Marks that distinguish sessions with the same title in a list: the project, else the creation time. Pure. */
import type { SessionId } from "@/lib/events/id";
import type { SessionRow } from "@/lib/protocol/session-row";
import type { Figures } from "../../messages/figures";

type TitledRow = Pick<SessionRow, "id" | "projectId" | "title" | "createdAt">;

interface TitleMarkOptions {
  readonly figures: Pick<Figures, "clock" | "day">;
  /** null = the list already shows the project. */
  readonly projectName: ((row: TitledRow) => string) | null;
}

/** Returns the marks by session; sessions with a unique title are absent. */
export function duplicateTitleMarks(
  rows: readonly TitledRow[],
  options: TitleMarkOptions,
): ReadonlyMap<SessionId, string> {
  const byTitle = new Map<string, TitledRow[]>();
  for (const row of rows) byTitle.set(row.title, [...(byTitle.get(row.title) ?? []), row]);
  return new Map([...byTitle.values()].flatMap((same) => (same.length < 2 ? [] : marksForTitle(same, options))));
}

function marksForTitle(
  same: readonly TitledRow[],
  { figures, projectName }: TitleMarkOptions,
): readonly (readonly [SessionId, string])[] {
  const times = timeMarks(same, figures);
  if (projectName === null) return same.map((row, index) => [row.id, times[index] ?? ""]);
  return same.map((row, index) => {
    const isAlone = same.every((other) => other === row || projectName(other) !== projectName(row));
    const isMixed = same.some((other) => projectName(other) !== projectName(row));
    const parts = [...(isMixed ? [projectName(row)] : []), ...(isAlone ? [] : [times[index] ?? ""])];
    return [row.id, parts.join(" \u00b7 ")];
  });
}

/** Returns the time marks in list order; numbers follow the order of creation. */
function timeMarks(same: readonly TitledRow[], figures: TitleMarkOptions["figures"]): readonly string[] {
  const begun = [...same].sort((a, b) => a.createdAt - b.createdAt || (a.id < b.id ? -1 : 1));
  const times = shortestUniqueTimes(begun, figures);
  return same.map((row) => times[begun.indexOf(row)] ?? "");
}

/** Returns the shortest unique time format: time of day, with the day if they differ, with seconds, with a number. */
function shortestUniqueTimes(
  same: readonly TitledRow[],
  { clock, day }: TitleMarkOptions["figures"],
): readonly string[] {
  const days = new Set(same.map(({ createdAt }) => new Date(createdAt).toDateString()));
  const before = (at: number): string => (days.size > 1 ? `${day(at)}, ` : "");
  const inMinutes = same.map(({ createdAt }) => before(createdAt) + clock(createdAt, "minutes"));
  if (new Set(inMinutes).size === same.length) return inMinutes;
  return numberDuplicates(same.map(({ createdAt }) => before(createdAt) + clock(createdAt, "seconds")));
}

/** Numbers equal texts, from the second occurrence on. */
function numberDuplicates(texts: readonly string[]): readonly string[] {
  const seen = new Map<string, number>();
  return texts.map((text) => {
    const count = (seen.get(text) ?? 0) + 1;
    seen.set(text, count);
    return count === 1 ? text : `${text} (${count})`;
  });
}
