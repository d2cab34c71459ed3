/** The code that pairs one person with a channel, in memory alone: a code of before a restart is none. */
import { pairingMinutes } from "@/lib/channels/channels";
import { computeHash, randomSecret } from "@/server/base/id";

/** Wrong codes of all strangers in this time, after which no code is accepted until the time is over. */
const wrongCodesMax = 5;
const wrongCodesMs = 3_600_000;

export interface Pairing {
  /** Returns a new code, which replaces the one before; `until` in ms epoch. */
  make(): { readonly code: string; readonly until: number };
  /** End of the code that can be used now; undefined = there is none. */
  until(): number | undefined;
  /** Whether this is the code; it can be used once. */
  use(code: string): boolean;
}

export function makePairing(now: () => number): Pairing {
  let current: { readonly hash: string; readonly until: number } | null = null;
  let wrong: { readonly since: number; readonly count: number } = { since: 0, count: 0 };
  const valid = () => (current !== null && now() < current.until ? current : null);
  return {
    make() {
      const code = randomSecret();
      current = { hash: computeHash(code), until: now() + pairingMinutes * 60_000 };
      return { code, until: current.until };
    },
    until: () => valid()?.until,
    use(code) {
      if (now() - wrong.since >= wrongCodesMs) wrong = { since: now(), count: 0 };
      if (wrong.count >= wrongCodesMax) return false;
      if (valid()?.hash === computeHash(code)) {
        current = null;
        return true;
      }
      wrong = { ...wrong, count: wrong.count + 1 };
      return false;
    },
  };
}
