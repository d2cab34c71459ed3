/**
 * Access rules of the server, checked before every request and connection. Pure functions over headers.
 * Forwarding headers and remote addresses prove nothing and are not read.
 */
import { createHash, timingSafeEqual } from "node:crypto";
import type { Socket } from "node:net";
import type { PublicAddress } from "@/server/base/public-address";

export interface ListenAddress {
  readonly port: number;
  /** Host names this server answers to, without port. */
  readonly names: readonly string[];
  /** Whether the certificate of https is for a host name or address; absent = plain http only. */
  readonly covers?: (name: string) => boolean;
  /** Absent = this server is reached at its own addresses only. */
  readonly publicAddress?: PublicAddress;
  /** Whether the connection is one to the Unix socket, which only programs of this user reach; absent = there is none. */
  readonly isOverSocket?: (socket: ReachedSocket) => boolean;
}

/** The address as a connection reached it. */
export interface ReachedAddress extends ListenAddress {
  readonly isEncrypted?: boolean;
  /** The client is a front door, under a name that this server doesn't have. */
  readonly hasAnyHost?: boolean;
}

type ReachedSocket = Pick<Socket, "localAddress"> & { readonly encrypted?: boolean };

/**
 * Returns the address as this connection reached it. With a certificate, plain http has names on this machine only: what
 * came over a network must be encrypted.
 */
export function reachedAddress(socket: ReachedSocket, address: ListenAddress): ReachedAddress {
  const isEncrypted = socket.encrypted === true;
  if (address.isOverSocket?.(socket) === true) return { ...address, hasAnyHost: true };
  if (isPlainFromNetwork(socket, address)) return { ...address, isEncrypted, names: [], publicAddress: undefined };
  return { ...address, isEncrypted, hasAnyHost: address.publicAddress?.origins.length === 0 };
}

function isPlainFromNetwork(socket: ReachedSocket, { covers, isOverSocket }: ListenAddress): boolean {
  const { encrypted, localAddress = "" } = socket;
  if (covers === undefined || encrypted === true || isOverSocket?.(socket) === true) return false;
  return !/^(::ffff:)?127\.0\.0\.1$|^::1$/.test(localAddress);
}

/** The https address to which a request in plain http from a network is redirected; null = it is not redirected. */
export function httpsAddress(socket: ReachedSocket, host: string | undefined, address: ListenAddress): string | null {
  if (host === undefined || !isPlainFromNetwork(socket, address)) return null;
  return isOwnHost(host, { ...address, isEncrypted: true }) ? `https://${host}` : null;
}

/** Origin of the pages on this machine: in plain http, where browsers trust it, unless the certificate is for this name. */
const localOrigin = ({ port, covers }: ListenAddress): string =>
  `${covers?.("localhost") === true ? "https" : "http"}://localhost:${port}`;

/** Returns the address at which pages begin, without a final slash: the public one, or else the one on this machine. */
export const pageBase = (address: ListenAddress): string =>
  `${address.publicAddress?.origins[0] ?? localOrigin(address)}${address.publicAddress?.prefix ?? ""}`;

export const loopbackNames = ["localhost", "127.0.0.1", "[::1]"] as const;

/** Whether the Host header is one of ours: a page behind DNS rebinding has another name. */
export const hostAllowed = (host: string | undefined, address: ReachedAddress): boolean =>
  host !== undefined &&
  (address.hasAnyHost === true ||
    isOwnHost(host, address) ||
    address.publicAddress?.origins.some((origin) => isHostOf(host, new URL(origin))) === true);

/** Proxies may name the usual port of the scheme, too, which browsers leave out. */
const isHostOf = (host: string, { host: own, protocol, port }: URL): boolean =>
  sameHost(host, own) || (port === "" && sameHost(host, `${own}:${protocol === "https:" ? 443 : 80}`));

/** Whether the host is this machine's, with our port. */
function isOwnHost(host: string, listenAddress: ReachedAddress): boolean {
  const { names, port, isEncrypted = false, covers } = listenAddress;
  const usualPort = isEncrypted ? 443 : 80;
  if (names.some((name) => sameHost(host, `${name}:${port}`) || (port === usualPort && sameHost(host, name))))
    return true;
  const [, name = "", named = usualPort] = /^([^:[\]]+)(?::(\d+))?$/.exec(host) ?? [];
  return isEncrypted && name !== "" && Number(named) === port && covers?.(name) === true;
}

/** Whether the page's origin is this server. `null`, extensions and other local ports are refused. */
export function originAllowed(
  origin: string | undefined,
  host: string | undefined,
  listenAddress: ReachedAddress,
): boolean {
  if (origin === undefined || host === undefined || !hostAllowed(host, listenAddress)) return false;
  // Proxies replace the Host header or leave it.
  const { origins = [] } = listenAddress.publicAddress ?? {};
  if (origins.includes(origin.toLowerCase())) return true;
  if (listenAddress.hasAnyHost === true && origins.length === 0)
    return sameHost(origin, `http://${host}`) || sameHost(origin, `https://${host}`);
  return (
    isOwnHost(host, listenAddress) &&
    sameHost(origin, `${listenAddress.isEncrypted === true ? "https" : "http"}://${host}`)
  );
}

/**
 * Whether a request that changes something is allowed: from a page of ours, or without a page but with the bearer
 * token.
 */
export const mayChange = (
  headers: { readonly origin?: string; readonly host?: string },
  bearer: boolean,
  listenAddress: ReachedAddress,
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

/**
 * Name of the sign-in cookie: one per port, since cookies are not separated by port, or one per public address, below whose origin
 * may be several servers, and where a server may have another port after each start. That of https has another one: a page in
 * plain http can neither read nor replace it.
 */
export function cookieName(port: number, isEncrypted = false, publicAddress?: PublicAddress): string {
  const { origins: [origin = ""] = [], prefix = "" } = publicAddress ?? {};
  const name = `gopi_${publicAddress === undefined ? port : secretHash(origin + prefix).slice(0, 12)}`;
  return isEncrypted ? `${prefix === "" ? "__Host-" : "__Secure-"}${name}` : name;
}

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
