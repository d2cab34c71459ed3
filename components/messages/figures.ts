/** Formats numbers with units, dates and ages for a locale. */
import { dayMs, hourMs, minuteMs } from "@/lib/time/duration";

export type Locale = "en" | "zh-CN";

interface FigureUnits {
  readonly milliseconds: string;
  readonly seconds: string;
  readonly minutes: string;
  readonly hours: string;
  readonly tokensPerSecond: string;
  readonly justNow: string;
}

export interface Figures {
  readonly locale: Locale;
  /** 12,345 */
  readonly number: (value: number) => string;
  /** Rounded percentage of a share from 0 to 1. */
  readonly percent: (share: number) => string;
  /** Short token count, one digit below a hundred thousand: 812, 9.4k, 18.5k, 16k, 128k, 1M. */
  readonly tokens: (count: number) => string;
  /** Bytes in decimal units, with a no-break space: 812 B, 4.7 GB. */
  readonly bytes: (count: number) => string;
  /** 0.3 s, 12 s, 2 min 5 s, 1 h 4 min. Input in milliseconds. */
  readonly duration: (milliseconds: number) => string;
  /** Tokens per second, up to three digits: 31 tok/s, > 999 tok/s. */
  readonly speed: (perSecond: number) => string;
  /** Short age: now, 2 min, 3 h, Tue, 12 Nov, 3 Mar 2025. Both in ms since the epoch. */
  readonly age: (at: number, now: number) => string;
  /** The full date and time. */
  readonly dateTime: (at: number) => string;
  /** The time of day: 14:32, 14:32:05. */
  readonly clock: (at: number, precision: "minutes" | "seconds") => string;
  /** The day without its year: 12 Nov. */
  readonly day: (at: number) => string;
}

/** One digit below `whole`, no digits from there on. */
const formatShort = (value: number, whole = 9.95): string =>
  value < whole ? String(Math.round(value * 10) / 10) : String(Math.round(value));

/** No model on one machine is faster; higher values are measurement errors. */
const speedMax = 999;

const formatSpeed = (perSecond: number): string => (perSecond > speedMax ? `> ${speedMax}` : formatShort(perSecond));

function formatBytes(count: number): string {
  const names = ["B", "kB", "MB", "GB", "TB"];
  let value = Math.max(0, count);
  let step = 0;
  while (value >= 999.5 && step < names.length - 1) {
    value /= 1000;
    step += 1;
  }
  return `${step === 0 ? String(Math.round(value)) : formatShort(value)}\u00a0${names[step] ?? ""}`;
}

function formatTokens(count: number): string {
  if (count < 1000) return String(Math.round(count));
  // Windows are powers of two: 16384 is shown as 16k, not as 16.4k.
  const base = count % 1024 === 0 ? 1024 : 1000;
  const thousands = count / base;
  if (Math.round(thousands) < base) return `${formatShort(thousands, 99.95)}k`;
  return `${formatShort(thousands / base)}M`;
}

function formatDuration(milliseconds: number, units: FigureUnits): string {
  const ms = Math.max(0, milliseconds);
  if (ms < 95) return `${Math.round(ms)} ${units.milliseconds}`;
  if (ms < 9_950) return `${Math.round(ms / 100) / 10} ${units.seconds}`;
  const seconds = Math.round(ms / 1000);
  if (seconds < 60) return `${seconds} ${units.seconds}`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60)
    return `${minutes} ${units.minutes}${seconds % 60 === 0 ? "" : ` ${seconds % 60} ${units.seconds}`}`;
  const rest = minutes % 60;
  return `${Math.floor(minutes / 60)} ${units.hours}${rest === 0 ? "" : ` ${rest} ${units.minutes}`}`;
}

function formatAge(locale: Locale, units: FigureUnits, at: number, now: number): string {
  const ago = now - at;
  if (ago < minuteMs) return units.justNow;
  if (ago < hourMs) return `${Math.floor(ago / minuteMs)} ${units.minutes}`;
  if (ago < dayMs) return `${Math.floor(ago / hourMs)} ${units.hours}`;
  if (ago < 6 * dayMs) return new Intl.DateTimeFormat(locale, { weekday: "short" }).format(at);
  const sameYear = new Date(at).getFullYear() === new Date(now).getFullYear();
  const day = locale === "en" ? "en-GB" : locale;
  return new Intl.DateTimeFormat(day, {
    day: "numeric",
    month: "short",
    ...(sameYear ? {} : { year: "numeric" }),
  }).format(at);
}

export function createFigures(locale: Locale, units: FigureUnits): Figures {
  const numbers = new Intl.NumberFormat(locale);
  const dates = new Intl.DateTimeFormat(locale === "en" ? "en-GB" : locale, {
    dateStyle: "medium",
    timeStyle: "short",
  });
  const dayLocale = locale === "en" ? "en-GB" : locale;
  const clocks = {
    minutes: new Intl.DateTimeFormat(dayLocale, { hour: "2-digit", minute: "2-digit", hourCycle: "h23" }),
    seconds: new Intl.DateTimeFormat(dayLocale, {
      hour: "2-digit",
      minute: "2-digit",
      second: "2-digit",
      hourCycle: "h23",
    }),
  };
  const days = new Intl.DateTimeFormat(dayLocale, { day: "numeric", month: "short" });
  return {
    locale,
    number: (value) => numbers.format(value),
    percent: (share) => `${Math.round(share * 100)}%`,
    tokens: formatTokens,
    bytes: formatBytes,
    duration: (milliseconds) => formatDuration(milliseconds, units),
    speed: (perSecond) => `${formatSpeed(perSecond)} ${units.tokensPerSecond}`,
    age: (at, now) => formatAge(locale, units, at, now),
    dateTime: (at) => dates.format(at),
    clock: (at, precision) => clocks[precision].format(at),
    day: (at) => days.format(at),
  };
}
