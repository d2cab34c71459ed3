/** Who is signed in: one-time links (in memory, ten minutes), cookies (hashed rows, thirty days), the bearer token of server.json. */
import type { IncomingHttpHeaders } from "node:http";
import { limits } from "@/lib/settings";
import { freshSecret } from "../base/id";
import { bearerOf, cookieName, cookieOf, sameSecret, secretHash } from "./guard";
import { makeTries } from "./tries";

/** The rows of signed-in browsers, as the store keeps them. */
export interface SignInRows {
  create(row: {
    readonly tokenHash: string;
    readonly label: string;
    readonly now: number;
    readonly expiresAt: number;
  }): { readonly id: string };
  find(tokenHash: string): { readonly id: string; readonly expiresAt: number } | undefined;
  touch(id: string, at: number): void;
}

export type Access = "cookie" | "bearer" | null;

export interface SignIns {
  access(headers: IncomingHttpHeaders): Access;
  /** The signed-in browser a cookie is of; null for the bearer token and for nobody. */
  device(headers: IncomingHttpHeaders): string | null;
  /** Its row has gone: what is remembered of it goes too. */
  forget(id: string): void;
  /** A token for a link that signs one browser in, once. */
  freshLinkToken(): string;
  /**
   * The Set-Cookie value for a good token; null for a wrong, used or old one. "slow_down" after too many wrong tries from that
   * address: those of others are not slowed down.
   */
  exchange(token: string, label: string, address: string): string | null | "slow_down";
}

const dayMs = 86_400_000;

export function makeSignIns(options: {
  readonly store: SignInRows;
  readonly port: () => number;
  readonly bearer: string;
  readonly now: () => number;
  /** ms on a clock that never jumps: a link lives as long as it says, whatever somebody does to the wall clock. */
  readonly elapsed?: () => number;
  /** A browser has signed in. */
  readonly changed?: () => void;
}): SignIns {
  const { store, bearer, now, elapsed = () => performance.now() } = options;
  const links = new Map<string, number>();
  const tries = makeTries(elapsed);
  const uses = makeUses(options);

  const deviceOf = (cookie: string | null): string | null => {
    if (cookie === null) return null;
    const found = store.find(secretHash(cookie));
    if (found === undefined || found.expiresAt <= now()) return null;
    uses.note(found.id);
    return found.id;
  };
  const deviceIn = (headers: IncomingHttpHeaders): string | null =>
    deviceOf(cookieOf(headers.cookie, cookieName(options.port())));

  return {
    access(headers) {
      const token = bearerOf(headers.authorization);
      if (token !== null) return sameSecret(token, bearer) ? "bearer" : null;
      return deviceIn(headers) === null ? null : "cookie";
    },
    device: (headers) => (bearerOf(headers.authorization) === null ? deviceIn(headers) : null),
    forget: uses.forget,
    freshLinkToken() {
      const token = freshSecret();
      links.set(secretHash(token), elapsed() + limits.signInMs);
      return token;
    },
    exchange(token, label, address) {
      const hash = secretHash(token);
      const until = links.get(hash);
      links.delete(hash);
      // A good link always counts: somebody else's wrong tries must not lock the owner out, and 192 bits are not guessed.
      if (until === undefined || until < elapsed()) {
        if (tries.isOver(address)) return "slow_down";
        tries.wrong(address);
        return null;
      }
      const secret = freshSecret();
      store.create({ tokenHash: secretHash(secret), label, now: now(), expiresAt: now() + limits.cookieDays * dayMs });
      options.changed?.();
      return setCookie(cookieName(options.port()), secret);
    },
  };
}

const setCookie = (name: string, secret: string): string =>
  `${name}=${secret}; Path=/; HttpOnly; SameSite=Strict; Max-Age=${limits.cookieDays * 86_400}`;

/** When each browser was last here. The row is for people to read: an hour is exact enough. */
function makeUses({ store, now }: { readonly store: Pick<SignInRows, "touch">; readonly now: () => number }) {
  const noted = new Map<string, number>();
  return {
    note(id: string): void {
      if (now() - (noted.get(id) ?? 0) <= dayMs / 24) return;
      noted.set(id, now());
      try {
        store.touch(id, now());
      } catch {
        // A full disk must not lock the owner out; what cannot be stored is told by the next commit.
      }
    },
    forget: (id: string): void => void noted.delete(id),
  };
}
