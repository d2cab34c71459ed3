"use client";
/** Calendar of the diary: days with entries are buttons that open the day's file below. */
import { ChevronLeft, ChevronRight } from "lucide-react";
import { useState } from "react";
import { diaryName } from "@/lib/tools/memory";
import { useFullMessages } from "../../messages/full-messages";
import { Button } from "../../ui/controls/button";
import { IconButton } from "../../ui/controls/icon-button";
import { classes } from "../../ui/theme/classes";
import { LoadedQuery } from "../item-section/project-section";
import { MemoryEditor } from "./memory-editor";
import { memoryRefresh } from "./memory-refresh";
import { addMonths, type Month, monthOfDay, weeksOfMonth } from "./month";
import { useCommandQuery } from "../../state/use-command-query";
import { SectionTitle } from "../item-section/section-title";

interface DiaryCalendarProps {
  /** `yyyy-mm-dd`, oldest first. */
  readonly days: readonly string[];
  readonly folder: string;
}

export function DiaryCalendar({ days, folder }: DiaryCalendarProps) {
  const { memory: text } = useFullMessages();
  const last = days.at(-1);
  const [chosen, setChosen] = useState<Month | null>(null);
  const [openDay, setOpenDay] = useState<string | null>(null);
  return (
    <section aria-label={text.diaryTitle} className="mb-8">
      <SectionTitle title={text.diaryTitle} />
      <div className="border-t border-line pt-3">
        {last === undefined ? (
          <p className="max-w-[56ch] text-ink-muted">{text.diaryEmpty}</p>
        ) : (
          <MonthView
            month={chosen ?? monthOfDay(last)}
            days={new Set(days)}
            openDay={openDay}
            onMonth={setChosen}
            onDay={(day) => setOpenDay(day === openDay ? null : day)}
          />
        )}
        {openDay !== null && <OpenDay key={openDay} day={openDay} folder={folder} onClose={() => setOpenDay(null)} />}
      </div>
    </section>
  );
}

interface MonthViewProps {
  readonly month: Month;
  readonly days: ReadonlySet<string>;
  readonly openDay: string | null;
  readonly onMonth: (month: Month) => void;
  readonly onDay: (day: string) => void;
}

const firstWeekday = 1;
/** A Monday. */
const aMonday = Date.UTC(2026, 10, 23);
const dayMs = 86_400_000;

function MonthView({ month, days, openDay, onMonth, onDay }: MonthViewProps) {
  const { memory: text, figures } = useFullMessages();
  const format = (options: Intl.DateTimeFormatOptions, at: number): string =>
    new Intl.DateTimeFormat(figures.locale, { ...options, timeZone: "UTC" }).format(at);
  const title = format({ year: "numeric", month: "long" }, Date.UTC(month.year, month.month, 1));
  return (
    <div className="max-w-96 max-tablet:max-w-full">
      <div className="mb-1 flex items-center">
        <IconButton icon={ChevronLeft} name={text.previousMonth} onClick={() => onMonth(addMonths(month, -1))} />
        <span aria-live="polite" className="flex-1 text-center font-medium">
          {title}
        </span>
        <IconButton icon={ChevronRight} name={text.nextMonth} onClick={() => onMonth(addMonths(month, 1))} />
      </div>
      <table
        aria-label={title}
        className="w-full table-fixed border-separate border-spacing-1 text-center tabular-nums"
      >
        <thead>
          <tr className="text-small text-ink-muted">
            {Array.from({ length: 7 }, (_, index) => (
              <th key={index} scope="col" className="font-normal">
                {format({ weekday: "narrow" }, aMonday + index * dayMs)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {weeksOfMonth(month, firstWeekday).map((week, index) => (
            <tr key={index}>
              {week.map((day, column) => (
                <td key={column} className="h-8 w-9 p-0 max-tablet:h-11">
                  {day !== null && days.has(day) ? (
                    <button
                      type="button"
                      aria-expanded={day === openDay}
                      aria-label={text.dayWithEntries(format({ dateStyle: "long" }, Date.parse(day)))}
                      onClick={() => onDay(day)}
                      className={classes(
                        "size-full rounded-control font-medium",
                        day === openDay ? "bg-accent text-accent-ink" : "bg-accent-soft text-accent hover:bg-hover",
                      )}
                    >
                      {Number(day.slice(8))}
                    </button>
                  ) : (
                    <span className="text-ink-muted">{day === null ? "" : Number(day.slice(8))}</span>
                  )}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

interface OpenDayProps {
  readonly day: string;
  readonly folder: string;
  readonly onClose: () => void;
}

function OpenDay({ day, folder, onClose }: OpenDayProps) {
  const { memory: text } = useFullMessages();
  const query = useCommandQuery("memory.read", { file: diaryName(day) }, memoryRefresh);
  return (
    <div className="mt-3">
      <div className="mb-2 flex items-center gap-2">
        <h3 className="flex-1 font-medium">{day}</h3>
        <Button size="small" look="quiet" onClick={onClose}>
          {text.closeDay}
        </Button>
      </div>
      <LoadedQuery query={query} failed={text.failed}>
        {(file) => <MemoryEditor file={file} title={day} folder={folder} />}
      </LoadedQuery>
    </div>
  );
}
