/**
 * Access rules of the server, checked before every request and connection. Pure functions over headers.
 * Forwarding headers and remote addresses prove nothing and are not read.
 */
import { createHash, timingSafeEqual } from "node:crypto";

export interface ListenAddress {
  readonly port: number;
  /** Host names this server answers to, without port. */
  readonly names: readonly string[];
}

export const loopbackNames = ["localhost", "127.0.0.1", "[::1]"] as const;

/** Whether the Host header is one of ours, with our port. A page behind DNS rebinding has another name. */
export function hostAllowed(host: string | undefined, listenAddress: ListenAddress): boolean {
  if (host === undefined) return false;
  return listenAddress.names.some(
    (name) => sameHost(host, `${name}:${listenAddress.port}`) || (listenAddress.port === 80 && sameHost(host, name)),
  );
}

/** Whether the page's origin is this server. `null`, extensions and other local ports are refused. */
export function originAllowed(
  origin: string | undefined,
  host: string | undefined,
  listenAddress: ListenAddress,
): boolean {
  if (origin === undefined || host === undefined || !hostAllowed(host, listenAddress)) return false;
  return sameHost(origin, `http://${host}`);
}

/**
 * Whether a request that changes something is allowed: from a page of ours, or without a page but with the bearer
 * token.
 */
export const mayChange = (
  headers: { readonly origin?: string; readonly host?: string },
  bearer: boolean,
  listenAddress: ListenAddress,
): boolean =>
  headers.origin === undefined
    ? bearer && hostAllowed(headers.host, listenAddress)
    : originAllowed(headers.origin, headers.host, listenAddress);

/**
 * Checks where the request comes from according to the browser. Another port of this host is another site, and a
 * page cannot set this header. Without it (an old browser, a script) the other rules decide alone.
 */
export const siteAllowed = (fetchSite: string | string[] | undefined): boolean =>
  fetchSite === undefined || fetchSite === "same-origin" || fetchSite === "none";

const sameHost = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase();

const addressMaxChars = 4_096;
/** A file path of 4,096 bytes, of which each may be written as `%E6`, and the other parameters. */
const queryMaxChars = 3 * 4_096 + 512;

/**
 * Refuses request targets that are too long or that servers interpret in two ways: absolute form, `//`, `\`, `#`,
 * encoded dots and slashes, NUL.
 */
export function targetAllowed(url: string | undefined): url is string {
  if (url === undefined || !url.startsWith("/") || url.startsWith("//")) return false;
  const path = url.split("?", 1)[0] ?? "";
  if (path.length > addressMaxChars || url.length - path.length > queryMaxChars) return false;
  return !/[\\#\0]|%2e|%2f|%5c|%00|%25/i.test(path) && !path.split("/").some((part) => part === "." || part === "..");
}

/** Name of the sign-in cookie: one per port, since cookies are not separated by port. */
export const cookieName = (port: number): string => `gopi_${port}`;

export function findCookie(header: string | undefined, name: string): string | null {
  for (const pair of (header ?? "").split(";")) {
    const at = pair.indexOf("=");
    if (at > 0 && pair.slice(0, at).trim() === name) return pair.slice(at + 1).trim();
  }
  return null;
}

export function parseBearer(header: string | undefined): string | null {
  const match = /^Bearer ([A-Za-z0-9_-]{16,200})$/.exec(header ?? "");
  return match?.[1] ?? null;
}

/** Compares hashes in constant time, whatever the lengths. */
export const sameSecret = (a: string, b: string): boolean => timingSafeEqual(sha256Digest(a), sha256Digest(b));
const sha256Digest = (text: string): Buffer => createHash("sha256").update(text).digest();
export const secretHash = (text: string): string => sha256Digest(text).toString("hex");
