/** Describes the trigger of an automation. */
import type { AutomationTrigger } from "@/lib/automations/automation";
import { parseScheduleWords, type ScheduleWords } from "@/lib/automations/schedule-words";
import type { LateMessages } from "../../messages/full-messages";

type AutomationMessages = LateMessages["automations"];

const twoDigits = (value: number): string => String(value).padStart(2, "0");

function formatSchedule(schedule: ScheduleWords, { words, weekdays }: AutomationMessages): string {
  switch (schedule.kind) {
    case "minutes":
      return words.minutes(String(schedule.every));
    case "hourly":
      return words.hourly(twoDigits(schedule.minute));
    case "weekly":
      return words.weekly(weekdays[schedule.weekday] ?? "", formatWallTime(schedule));
    case "monthly":
      return words.monthly(String(schedule.day), formatWallTime(schedule));
    default:
      return words[schedule.kind](formatWallTime(schedule));
  }
}

/** 08:05 */
export const formatWallTime = ({ hour, minute }: { readonly hour: number; readonly minute: number }): string =>
  `${twoDigits(hour)}:${twoDigits(minute)}`;

/** The zone is named only if it is not the browser's. */
export function formatTrigger(trigger: AutomationTrigger, messages: AutomationMessages, ownZone: string): string {
  const { words } = messages;
  if (trigger.kind === "files") return words.files(trigger.glob);
  if (trigger.kind !== "time") return words[trigger.kind];
  const schedule = parseScheduleWords(trigger.cron);
  const text = schedule === null ? words.cron(trigger.cron) : formatSchedule(schedule, messages);
  return trigger.zone === ownZone ? text : words.inZone(text, trigger.zone);
}

export const browserZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone;
