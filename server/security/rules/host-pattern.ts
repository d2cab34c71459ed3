/**
 * Hosts of network accesses and host rules. Both are parsed as the host of a URL and compared as whole labels, never by
 * their text.
 */
import { isIP } from "node:net";
import { domainToUnicode } from "node:url";

/** Letters in any script, digits and the punctuation of host and port: no user name, path, percent code or wildcard. */
const hostText = /^[\p{L}\p{M}\p{N}.:[\]_-]+$/u;
const hostName = /^(?:[a-z\d_-]{1,63}\.)*[a-z\d_-]{1,63}$|^\[[\da-f:]+\]$/;
/** Newer versions of Node keep a label that is no Punycode; older ones refuse the URL. */
const undecodable = /(?:^|\.)xn--/;
const mappedIPv4 = /^\[::ffff:([\da-f]{1,4}):([\da-f]{1,4})\]$/;

/**
 * Returns the host in lower case, in Punycode, without port and trailing dot; addresses in their shortest form, IPv6 in
 * brackets, a mapped IPv4 address as IPv4. null = not a host.
 */
export function normalizeHost(text: string): string | null {
  const url = `http://${text}`;
  if (!hostText.test(text) || !URL.canParse(url)) return null;
  const host = new URL(url).hostname.replace(/\.$/, "");
  const [, high, low] = mappedIPv4.exec(host) ?? [];
  if (high !== undefined && low !== undefined) return formatIPv4(parseInt(high, 16), parseInt(low, 16));
  return host.length <= 253 && hostName.test(host) && !undecodable.test(domainToUnicode(host)) ? host : null;
}

const formatIPv4 = (high: number, low: number): string => [high >> 8, high & 255, low >> 8, low & 255].join(".");

/** Returns a host, or `*.` and a domain; null for anything else, a port, or a wildcard before an address. */
export function normalizeHostPattern(text: string): string | null {
  const isWildcard = text.startsWith("*.");
  const name = isWildcard ? text.slice(2) : text;
  const host = normalizeHost(name);
  if (host === null || /^[^[]*:|\]:/.test(name)) return null;
  if (!isWildcard) return host;
  return isIP(host) !== 0 || host.startsWith("[") ? null : `*.${host}`;
}

/** Returns whether the pattern covers the host; `*.example.com` covers its subdomains, but not `example.com`. */
export function matchHost(pattern: string, host: string): boolean {
  const expected = normalizeHostPattern(pattern);
  const name = normalizeHost(host);
  if (expected === null || name === null) return false;
  return expected.startsWith("*.") ? name.endsWith(expected.slice(1)) : name === expected;
}
