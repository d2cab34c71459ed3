/** Sign-ins that browsers have begun at the hub: each state is valid once, in the browser that began it, for ten minutes. */
import { randomSecret } from "@/server/base/id";
import { sameSecret, secretHash } from "../../auth/guard";

/** Time for the sign-in at the hub, ms. */
export const beginMs = 600_000;
/** Anyone can begin one: above this number the oldest is forgotten. */
export const begunMost = 1_000;
/** Tabs of a browser that a restart restores all sign in at once: so many have a cookie of their own. */
export const begunCookies = 16;

interface BegunSignIn {
  /** Number of the browser's cookie, from 0. */
  readonly place: number;
  /** Hash of that cookie. */
  readonly browser: string;
  /** Path of the page it was begun on. */
  readonly page: string;
  readonly until: number;
}

interface BegunSignIns {
  begin(page: string): { readonly state: string; readonly place: number; readonly cookie: string };
  /**
   * Returns the page of a sign-in, once; null = the state is unknown, used, too old or of another browser. `cookie` returns
   * that of a place.
   */
  finish(state: string, cookie: (place: number) => string | null): string | null;
}

/** `elapsed`: ms on a monotonic clock. */
export function makeBegunSignIns(elapsed: () => number): BegunSignIns {
  const begun = new Map<string, BegunSignIn>();
  let count = 0;
  return {
    begin(page) {
      const [state, cookie] = [randomSecret(), randomSecret()];
      const place = count++ % begunCookies;
      begun.set(secretHash(state), { place, browser: secretHash(cookie), page, until: elapsed() + beginMs });
      const [oldest] = begun.keys();
      if (begun.size > begunMost && oldest !== undefined) begun.delete(oldest);
      return { state, place, cookie };
    },
    finish(state, cookie) {
      const hash = secretHash(state);
      const one = begun.get(hash);
      begun.delete(hash);
      if (one === undefined || one.until <= elapsed()) return null;
      return sameSecret(one.browser, secretHash(cookie(one.place) ?? "")) ? one.page : null;
    },
  };
}
