/** Extracts the requested wait from a busy server's answer, in all forms in use. Pure. */
import { clampWaitMs, retryAfterMs } from "../wire/wire-errors";

const unitMs: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** Parses `6m0s`, `1.5s`, `20ms`; undefined = not a duration. */
function parseDurationMs(text: string): number | undefined {
  if (!/^(?:\d+(?:\.\d+)?(?:ms|s|m|h|d))+$/.test(text)) return undefined;
  let sum = 0;
  for (const [, count, unit = ""] of text.matchAll(/(\d+(?:\.\d+)?)(ms|s|m|h|d)/g))
    sum += Number(count) * (unitMs[unit] ?? 0);
  return sum;
}

/** Parses a moment (seconds or ms since 1970, or a date) or a wait (seconds, or a duration). */
function parseResetMs(text: string, nowMs: number): number | undefined {
  const number = Number(text);
  if (text.trim() === "" || Number.isNaN(number)) {
    const wait = parseDurationMs(text.trim());
    return wait ?? (Number.isNaN(Date.parse(text)) ? undefined : Date.parse(text) - nowMs);
  }
  if (number > 1e12) return number - nowMs;
  return number > 1e9 ? number * 1000 - nowMs : number * 1000;
}

const limitKinds = ["", "-requests", "-tokens"] as const;

/**
 * ms from `nowMs`, at most a year; undefined = none given, or one that is over. The longest wait of the exhausted limits counts;
 * `words` is the body, where some servers put it in a sentence or a field.
 */
export function parseRequestedWaitMs(
  header: (name: string) => string | undefined,
  words: string,
  nowMs: number,
): number | undefined {
  const exact = Number(header("retry-after-ms") ?? "");
  if (exact > 0) return clampWaitMs(exact);
  const plain = retryAfterMs(header("retry-after"), nowMs);
  if (plain !== undefined) return plain;
  const waits = limitKinds.flatMap((kind) => {
    const reset = header(`x-ratelimit-reset${kind}`);
    const left = header(`x-ratelimit-remaining${kind}`);
    const wait = reset === undefined || (left !== undefined && Number(left) > 0) ? 0 : parseResetMs(reset, nowMs);
    return wait === undefined || wait <= 0 ? [] : [wait];
  });
  if (waits.length > 0) return clampWaitMs(Math.max(...waits));
  const named =
    /(?:try|retry) again in (\d[\d.]*(?:ms|s|m|h)(?:\d[\d.]*s)?)/i.exec(words)?.[1] ??
    /"retryDelay"\s*:\s*"([^"]{1,20})"/.exec(words)?.[1];
  const wait = named === undefined ? undefined : parseDurationMs(named.replace(/\.$/, ""));
  const epoch = /"X-RateLimit-Reset"\s*:\s*"(\d{10,13})"/i.exec(words)?.[1];
  const left = wait ?? (epoch === undefined ? 0 : parseResetMs(epoch, nowMs)) ?? 0;
  return left > 0 ? clampWaitMs(left) : undefined;
}
