/**
 * Sign-in: one-time links (in memory, ten minutes), cookies (hashed rows, thirty days), the bearer token of
 * server.json.
 */
import type { IncomingHttpHeaders } from "node:http";
import { dayMs } from "@/lib/time/duration";
import { pageSecretHeader } from "@/lib/protocol/socket";
import { randomSecret } from "@/server/base/id";
import type { PublicAddress } from "@/server/base/public-address";
import { parseBearer, cookieName, findCookie, sameSecret, secretHash } from "./guard";
import { makeFailedAttempts } from "./failed-attempts";

/** Lifetime of a sign-in link, ms. */
export const signInMs = 600_000;
/** Lifetime of a cookie, days. */
export const cookieDays = 30;

/** Rows of signed-in browsers in the store. */
interface SignInRows {
  create(row: {
    readonly tokenHash: string;
    readonly cookieHash: string;
    readonly label: string;
    readonly now: number;
    readonly expiresAt: number;
  }): { readonly id: string };
  find(tokenHash: string): { readonly id: string; readonly expiresAt: number } | undefined;
  hasCookie(cookieHash: string): boolean;
  touch(id: string, at: number, cookieHash: string): void;
}

type SignInAccess = "cookie" | "bearer" | null;

export interface SignIns {
  /**
   * A cookie is valid only with the secret of its page: by default from the header, for a socket from its handshake.
   */
  access(headers: IncomingHttpHeaders, page?: string): SignInAccess;
  /** Signed-in browser of a cookie; null for the bearer token and without a sign-in. */
  device(headers: IncomingHttpHeaders, page?: string): string | null;
  /**
   * Whether this cookie was used with its page's secret since the start. It grants no right: a page request sends no
   * secret.
   */
  isKnown(headers: IncomingHttpHeaders): boolean;
  /**
   * Whether this cookie was given to a browser that is signed in. It grants no right: the upgrade of a WebSocket carries
   * no secret of a page. A cookie of an older version is recognized once it was used with its page's secret.
   */
  isIssued(headers: IncomingHttpHeaders): boolean;
  /** Forgets a browser whose row was deleted. */
  forget(id: string): void;
  /** Signs a browser in that the front door let in. */
  admit(label: string, isEncrypted?: boolean): SignedIn;
  /** A token for a link that signs one browser in, once; `used` is called with the browser it signed in. */
  freshLinkToken(used?: (device: string) => void): string;
  /**
   * The cookie and the page's secret for a valid token; null for a wrong, used or expired one. "slow_down" after too
   * many wrong attempts from that address; other addresses are not affected. `isEncrypted`: the request came over https.
   */
  exchange(token: string, label: string, address: string, isEncrypted?: boolean): SignedIn | null | "slow_down";
}

export interface SignedIn {
  /** Value of Set-Cookie. */
  readonly cookie: string;
  /** For the page's storage, which no other port can read. */
  readonly page: string;
}

interface SignInOptions {
  readonly store: SignInRows;
  readonly port: () => number;
  readonly publicAddress?: PublicAddress;
  readonly bearer: string;
  readonly now: () => number;
  /** ms on a monotonic clock: the lifetime of a link does not depend on the wall clock. */
  readonly elapsed?: () => number;
  /** Called when a browser has signed in. */
  readonly changed?: () => void;
}

export function makeSignIns(options: SignInOptions): SignIns {
  const { bearer, elapsed = () => performance.now() } = options;
  const links = new Map<string, { readonly until: number; readonly used?: (device: string) => void }>();
  const tries = makeFailedAttempts(elapsed);
  const devices = makeSignedInDevices(options);
  function admit(label: string, isEncrypted = false, signedInAs?: (device: string) => void): SignedIn {
    const { id, ...signedIn } = devices.create(label, isEncrypted);
    signedInAs?.(id);
    options.changed?.();
    return signedIn;
  }

  return {
    access(headers, page) {
      const token = parseBearer(headers.authorization);
      if (token !== null) return sameSecret(token, bearer) ? "bearer" : null;
      return devices.find(headers, page) === null ? null : "cookie";
    },
    device: (headers, page) => (parseBearer(headers.authorization) === null ? devices.find(headers, page) : null),
    isKnown: (headers) => parseBearer(headers.authorization) === null && devices.isKnown(headers),
    isIssued: (headers) => parseBearer(headers.authorization) === null && devices.isIssued(headers),
    forget: devices.forget,
    admit: (label, isEncrypted) => admit(label, isEncrypted),
    freshLinkToken(used) {
      const token = randomSecret();
      links.set(secretHash(token), { until: elapsed() + signInMs, used });
      return token;
    },
    exchange(token, label, address, isEncrypted) {
      const hash = secretHash(token);
      const link = links.get(hash);
      links.delete(hash);
      // A valid link always works: another address's wrong attempts must not lock the owner out, and 192 bits cannot be
      // guessed.
      if (link === undefined || link.until < elapsed()) {
        if (tries.isLimited(address)) return "slow_down";
        tries.record(address);
        return null;
      }
      return admit(label, isEncrypted, link.used);
    },
  };
}

/** Signed-in browsers, each identified by its cookie and its page's secret together. */
function makeSignedInDevices(options: SignInOptions) {
  const { store, now, publicAddress } = options;
  const { prefix = "" } = publicAddress ?? {};
  const uses = makeLastSeen(options);
  /** Browsers seen since the start, by the hashes of their cookies. */
  const hashes = new Map<string, string>();
  const nameOf = (isEncrypted: boolean): string => cookieName(options.port(), isEncrypted, publicAddress);
  /** A browser may send both cookies of this host to https, of which only one belongs to the page. */
  const cookiesIn = (headers: IncomingHttpHeaders): readonly string[] =>
    [true, false].flatMap((isEncrypted) => findCookie(headers.cookie, nameOf(isEncrypted)) ?? []);
  return {
    find(headers: IncomingHttpHeaders, page = requestPageSecret(headers)): string | null {
      if (page === "") return null;
      for (const cookie of cookiesIn(headers)) {
        const found = store.find(rowHash(cookie, page));
        if (found === undefined || found.expiresAt <= now()) continue;
        uses.note(found.id, secretHash(cookie));
        hashes.set(secretHash(cookie), found.id);
        return found.id;
      }
      return null;
    },
    isKnown(headers: IncomingHttpHeaders): boolean {
      return cookiesIn(headers).some((cookie) => hashes.has(secretHash(cookie)));
    },
    isIssued(headers: IncomingHttpHeaders): boolean {
      return cookiesIn(headers).some((cookie) => store.hasCookie(secretHash(cookie)));
    },
    forget(id: string): void {
      uses.forget(id);
      for (const [hash, device] of hashes) if (device === id) hashes.delete(hash);
    },
    create(label: string, isEncrypted: boolean): SignedIn & { readonly id: string } {
      const [secret, page] = [randomSecret(), randomSecret()];
      const expiresAt = now() + cookieDays * dayMs;
      const cookieHash = secretHash(secret);
      const { id } = store.create({ tokenHash: rowHash(secret, page), cookieHash, label, now: now(), expiresAt });
      hashes.set(cookieHash, id);
      return { id, cookie: formatCookie(`${nameOf(isEncrypted)}=${secret}`, prefix, isEncrypted), page };
    },
  };
}

/** Hash of both halves of a sign-in; older rows have the hash of the cookie alone and never match. */
const rowHash = (cookie: string, page: string): string => secretHash(`${cookie}.${page}`);

function requestPageSecret(headers: IncomingHttpHeaders): string {
  const page = headers[pageSecretHeader];
  return typeof page === "string" ? page : "";
}

const formatCookie = (pair: string, prefix: string, isEncrypted: boolean): string =>
  `${pair}; Path=${prefix}/; HttpOnly; SameSite=Strict; Max-Age=${cookieDays * 86_400}${isEncrypted ? "; Secure" : ""}`;

/** Records when each browser was last seen. The row is for display: a resolution of one hour is enough. */
function makeLastSeen({ store, now }: { readonly store: Pick<SignInRows, "touch">; readonly now: () => number }) {
  const noted = new Map<string, number>();
  return {
    note(id: string, cookieHash: string): void {
      if (now() - (noted.get(id) ?? 0) <= dayMs / 24) return;
      noted.set(id, now());
      try {
        store.touch(id, now(), cookieHash);
      } catch {
        // A full disk must not lock the owner out; the next commit reports it.
      }
    },
    forget: (id: string): void => void noted.delete(id),
  };
}
