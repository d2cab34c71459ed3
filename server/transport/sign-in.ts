/** Who is signed in: one-time links (in memory, ten minutes), cookies (hashed rows, thirty days), the bearer token of server.json. */
import type { IncomingHttpHeaders } from "node:http";
import { limits } from "@/lib/settings";
import { freshSecret } from "../base/id";
import { bearerOf, cookieName, cookieOf, sameSecret, secretHash } from "./guard";

/** The rows of signed-in browsers, as the store keeps them. */
export interface SignInRows {
  create(row: {
    readonly tokenHash: string;
    readonly label: string;
    readonly now: number;
    readonly expiresAt: number;
  }): void;
  find(tokenHash: string): { readonly id: string; readonly expiresAt: number } | undefined;
  touch(id: string, at: number): void;
}

export type Access = "cookie" | "bearer" | null;

export interface SignIns {
  access(headers: IncomingHttpHeaders): Access;
  /** A token for a link that signs one browser in, once. */
  freshLinkToken(): string;
  /** The Set-Cookie value for a good token; null for a wrong, used or old one. "slow_down" after too many wrong tries. */
  exchange(token: string, label: string): string | null | "slow_down";
}

const dayMs = 86_400_000;

export function makeSignIns(options: {
  readonly store: SignInRows;
  readonly port: () => number;
  readonly bearer: string;
  readonly now: () => number;
  /** ms on a clock that never jumps: a link lives as long as it says, whatever somebody does to the wall clock. */
  readonly elapsed?: () => number;
}): SignIns {
  const { store, bearer, now, elapsed = () => performance.now() } = options;
  const links = new Map<string, number>();
  const touched = new Map<string, number>();
  let wrong: number[] = [];

  const known = (cookie: string | null): boolean => {
    if (cookie === null) return false;
    const hash = secretHash(cookie);
    const found = store.find(hash);
    if (found === undefined || found.expiresAt <= now()) return false;
    // The row is for people to read: an hour is exact enough.
    if (now() - (touched.get(hash) ?? 0) > dayMs / 24) {
      touched.set(hash, now());
      try {
        store.touch(found.id, now());
      } catch {
        // A full disk must not lock the owner out; what cannot be stored is told by the next commit.
      }
    }
    return true;
  };

  return {
    access(headers) {
      const token = bearerOf(headers.authorization);
      if (token !== null) return sameSecret(token, bearer) ? "bearer" : null;
      return known(cookieOf(headers.cookie, cookieName(options.port()))) ? "cookie" : null;
    },
    freshLinkToken() {
      const token = freshSecret();
      links.set(secretHash(token), elapsed() + limits.signInMs);
      return token;
    },
    exchange(token, label) {
      const hash = secretHash(token);
      const until = links.get(hash);
      links.delete(hash);
      // A good link always counts: somebody else's wrong tries must not lock the owner out, and 192 bits are not guessed.
      if (until === undefined || until < elapsed()) {
        wrong = wrong.filter((at) => elapsed() - at < dayMs / 24);
        if (wrong.length >= limits.wrongTriesPerHour) return "slow_down";
        wrong.push(elapsed());
        return null;
      }
      const secret = freshSecret();
      store.create({ tokenHash: secretHash(secret), label, now: now(), expiresAt: now() + limits.cookieDays * dayMs });
      return `${cookieName(options.port())}=${secret}; Path=/; HttpOnly; SameSite=Strict; Max-Age=${limits.cookieDays * 86_400}`;
    },
  };
}
