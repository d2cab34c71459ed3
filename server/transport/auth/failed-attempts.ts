/** Counts wrong attempts by remote address, so that only the guessing address is slowed down. */
import { hourMs } from "@/lib/time/duration";

/** Failed attempts of one address per hour. */
export const wrongTriesPerHour = 20;

interface FailedAttempts {
  /** True after too many wrong attempts from this address within an hour. */
  isLimited(address: string): boolean;
  record(address: string): void;
}

/** Most addresses stored; an attacker with that many addresses is not stopped by counting. */
const addressesMax = 10_000;

export function makeFailedAttempts(now: () => number): FailedAttempts {
  const tries = new Map<string, readonly number[]>();
  const recent = (address: string): readonly number[] => (tries.get(address) ?? []).filter((at) => now() - at < hourMs);
  return {
    isLimited: (address) => recent(address).length >= wrongTriesPerHour,
    record(address) {
      const recentTries = [...recent(address), now()].slice(-wrongTriesPerHour);
      tries.delete(address);
      tries.set(address, recentTries);
      const [oldest] = tries.keys();
      if (tries.size > addressesMax && oldest !== undefined) tries.delete(oldest);
    },
  };
}
