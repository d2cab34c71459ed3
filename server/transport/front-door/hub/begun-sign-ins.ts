/** Sign-ins that browsers have begun at the hub: each state is valid once, in the browser that began it, for ten minutes. */
import { randomSecret } from "@/server/base/id";
import { sameSecret, secretHash } from "../../auth/guard";

/** Time for the sign-in at the hub, ms. */
export const beginMs = 600_000;
/** Anyone can begin one: above this number the oldest is forgotten. */
export const begunMost = 1_000;

interface BegunSignIn {
  /** Hash of the browser's cookie. */
  readonly browser: string;
  /** Path of the page it was begun on. */
  readonly page: string;
  readonly until: number;
}

export interface BegunSignIns {
  /** `cookie` of an earlier sign-in of this browser is used again, so that two tabs can sign in at once. */
  begin(page: string, cookie: string | null): { readonly state: string; readonly cookie: string };
  /** Returns the page of a sign-in, once; null = the state is unknown, used, too old or of another browser. */
  finish(state: string, cookie: string | null): string | null;
}

/** `elapsed`: ms on a monotonic clock. */
export function makeBegunSignIns(elapsed: () => number): BegunSignIns {
  const begun = new Map<string, BegunSignIn>();
  return {
    begin(page, sent) {
      const hash = secretHash(sent ?? "");
      const cookie =
        sent !== null && [...begun.values()].some(({ browser }) => browser === hash) ? sent : randomSecret();
      const state = randomSecret();
      begun.set(secretHash(state), { browser: secretHash(cookie), page, until: elapsed() + beginMs });
      const [oldest] = begun.keys();
      if (begun.size > begunMost && oldest !== undefined) begun.delete(oldest);
      return { state, cookie };
    },
    finish(state, cookie) {
      const hash = secretHash(state);
      const one = begun.get(hash);
      begun.delete(hash);
      if (one === undefined || cookie === null || one.until <= elapsed()) return null;
      return sameSecret(one.browser, secretHash(cookie)) ? one.page : null;
    },
  };
}
