/** Marks that distinguish sessions with the same title in a list: the project, else the creation time. Pure. */
import type { SessionId } from "@/lib/id";
import type { SessionRow } from "@/lib/session-row";
import type { Figures } from "../words/figures";

type Named = Pick<SessionRow, "id" | "projectId" | "title" | "createdAt">;

export interface NamesakeOptions {
  readonly figures: Pick<Figures, "clock" | "day">;
  /** null = the list already shows the project. */
  readonly projectName: ((row: Named) => string) | null;
}

/** Returns the marks by session; sessions with a unique title are absent. */
export function namesakeMarks(rows: readonly Named[], options: NamesakeOptions): ReadonlyMap<SessionId, string> {
  const byTitle = new Map<string, Named[]>();
  for (const row of rows) byTitle.set(row.title, [...(byTitle.get(row.title) ?? []), row]);
  return new Map([...byTitle.values()].flatMap((same) => (same.length < 2 ? [] : marksOf(same, options))));
}

function marksOf(
  same: readonly Named[],
  { figures, projectName }: NamesakeOptions,
): readonly (readonly [SessionId, string])[] {
  const times = timesOf(same, figures);
  if (projectName === null) return same.map((row, index) => [row.id, times[index] ?? ""]);
  return same.map((row, index) => {
    const isAlone = same.every((other) => other === row || projectName(other) !== projectName(row));
    const isMixed = same.some((other) => projectName(other) !== projectName(row));
    const parts = [...(isMixed ? [projectName(row)] : []), ...(isAlone ? [] : [times[index] ?? ""])];
    return [row.id, parts.join(" \u00b7 ")];
  });
}

/** Returns the time marks in list order; numbers follow the order of creation. */
function timesOf(same: readonly Named[], figures: NamesakeOptions["figures"]): readonly string[] {
  const begun = [...same].sort((a, b) => a.createdAt - b.createdAt || (a.id < b.id ? -1 : 1));
  const times = shortest(begun, figures);
  return same.map((row) => times[begun.indexOf(row)] ?? "");
}

/** Returns the shortest unique time format: time of day, with the day if they differ, with seconds, with a number. */
function shortest(same: readonly Named[], { clock, day }: NamesakeOptions["figures"]): readonly string[] {
  const days = new Set(same.map(({ createdAt }) => new Date(createdAt).toDateString()));
  const before = (at: number): string => (days.size > 1 ? `${day(at)}, ` : "");
  const inMinutes = same.map(({ createdAt }) => before(createdAt) + clock(createdAt, "minutes"));
  if (new Set(inMinutes).size === same.length) return inMinutes;
  return numbered(same.map(({ createdAt }) => before(createdAt) + clock(createdAt, "seconds")));
}

/** Numbers equal texts, from the second occurrence on. */
function numbered(texts: readonly string[]): readonly string[] {
  const seen = new Map<string, number>();
  return texts.map((text) => {
    const count = (seen.get(text) ?? 0) + 1;
    seen.set(text, count);
    return count === 1 ? text : `${text} (${count})`;
  });
}
