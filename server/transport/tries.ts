/** Counts wrong tries by the address they come from (R10), so that whoever guesses is slowed down and nobody else. */
import { limits } from "@/lib/settings";

export interface Tries {
  /** Too many wrong ones came from there within an hour. */
  isOver(address: string): boolean;
  wrong(address: string): void;
}

const hourMs = 3_600_000;
/** Addresses kept at most; who has that many of its own is not stopped by counting. */
const addressesMax = 10_000;

export function makeTries(now: () => number): Tries {
  const tries = new Map<string, readonly number[]>();
  const recent = (address: string): readonly number[] => (tries.get(address) ?? []).filter((at) => now() - at < hourMs);
  return {
    isOver: (address) => recent(address).length >= limits.wrongTriesPerHour,
    wrong(address) {
      const known = [...recent(address), now()].slice(-limits.wrongTriesPerHour);
      tries.delete(address);
      tries.set(address, known);
      const [oldest] = tries.keys();
      if (tries.size > addressesMax && oldest !== undefined) tries.delete(oldest);
    },
  };
}
