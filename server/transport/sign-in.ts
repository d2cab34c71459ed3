/** Who is signed in: one-time links (in memory, ten minutes), cookies (hashed rows, thirty days), the bearer token of server.json. */
import type { IncomingHttpHeaders } from "node:http";
import { limits } from "@/lib/settings";
import { pageSecretHeader } from "@/lib/socket";
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
  /** A cookie counts only with the secret of its page: by default the header's, for a socket the one of its handshake. */
  access(headers: IncomingHttpHeaders, page?: string): Access;
  /** The signed-in browser a cookie is of; null for the bearer token and for nobody. */
  device(headers: IncomingHttpHeaders, page?: string): string | null;
  /** Whether this cookie has been used with its page's secret since the start. No right follows from it: a page sends no secret. */
  isKnown(headers: IncomingHttpHeaders): boolean;
  /** Its row has gone: what is remembered of it goes too. */
  forget(id: string): void;
  /** A token for a link that signs one browser in, once. */
  freshLinkToken(): string;
  /**
   * The cookie and the page's secret for a good token; null for a wrong, used or old one. "slow_down" after too many wrong tries from that
   * address: those of others are not slowed down.
   */
  exchange(token: string, label: string, address: string): SignedIn | null | "slow_down";
}

export interface SignedIn {
  /** The value of Set-Cookie. */
  readonly cookie: string;
  /** For the page's storage, which no other port can read. */
  readonly page: string;
}

const dayMs = 86_400_000;

interface SignInOptions {
  readonly store: SignInRows;
  readonly port: () => number;
  readonly bearer: string;
  readonly now: () => number;
  /** ms on a clock that never jumps: a link lives as long as it says, whatever somebody does to the wall clock. */
  readonly elapsed?: () => number;
  /** A browser has signed in. */
  readonly changed?: () => void;
}

export function makeSignIns(options: SignInOptions): SignIns {
  const { bearer, elapsed = () => performance.now() } = options;
  const links = new Map<string, number>();
  const tries = makeTries(elapsed);
  const devices = makeDevices(options);

  return {
    access(headers, page) {
      const token = bearerOf(headers.authorization);
      if (token !== null) return sameSecret(token, bearer) ? "bearer" : null;
      return devices.find(headers, page) === null ? null : "cookie";
    },
    device: (headers, page) => (bearerOf(headers.authorization) === null ? devices.find(headers, page) : null),
    isKnown: (headers) => bearerOf(headers.authorization) === null && devices.isKnown(headers),
    forget: devices.forget,
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
      const signedIn = devices.create(label);
      options.changed?.();
      return signedIn;
    },
  };
}

/** The signed-in browsers, each known by its cookie and its page's secret together. */
function makeDevices(options: SignInOptions) {
  const { store, now } = options;
  const uses = makeUses(options);
  /** The browsers that were here since the start, by their cookies' hashes. */
  const known = new Map<string, string>();
  const cookieIn = (headers: IncomingHttpHeaders): string | null =>
    cookieOf(headers.cookie, cookieName(options.port()));
  return {
    find(headers: IncomingHttpHeaders, page = pageIn(headers)): string | null {
      const cookie = cookieIn(headers);
      if (cookie === null || page === "") return null;
      const found = store.find(rowHash(cookie, page));
      if (found === undefined || found.expiresAt <= now()) return null;
      uses.note(found.id);
      known.set(secretHash(cookie), found.id);
      return found.id;
    },
    isKnown(headers: IncomingHttpHeaders): boolean {
      const cookie = cookieIn(headers);
      return cookie !== null && known.has(secretHash(cookie));
    },
    forget(id: string): void {
      uses.forget(id);
      for (const [hash, device] of known) if (device === id) known.delete(hash);
    },
    create(label: string): SignedIn {
      const [secret, page] = [freshSecret(), freshSecret()];
      const expiresAt = now() + limits.cookieDays * dayMs;
      const { id } = store.create({ tokenHash: rowHash(secret, page), label, now: now(), expiresAt });
      known.set(secretHash(secret), id);
      return { cookie: setCookie(cookieName(options.port()), secret), page };
    },
  };
}

/** Both halves of a sign-in; rows of before have the hash of the cookie alone and fit nothing any more. */
const rowHash = (cookie: string, page: string): string => secretHash(`${cookie}.${page}`);

function pageIn(headers: IncomingHttpHeaders): string {
  const page = headers[pageSecretHeader];
  return typeof page === "string" ? page : "";
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
