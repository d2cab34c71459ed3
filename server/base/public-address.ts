/**
 * The address at which a proxy publishes this server. The person who starts the server names it; no header of a request does.
 */

export interface PublicAddress {
  /** Origins of its pages, as browsers send them. The first one is in links. Empty = a hub that publishes it tells none. */
  readonly origins: readonly string[];
  /** Path below which the pages are, with a first slash and without a final one; empty = none. */
  readonly prefix: string;
}

export type PublicUrlProblem = "not_an_address" | "different_paths" | "bad_path" | "own_path";

/** Parts of a path that proxies and browsers leave as they are: no dots alone, no encoded slash, dot or percent sign. */
const prefixPattern = /^(?:\/(?!\.{1,2}(?:\/|$))(?:[\w.~@+,=:!-]|%(?!2e|2f|5c|00|25)[0-9a-f]{2})+)*$/i;

/** Beginnings of this server's own paths: behind a proxy that removes the prefix, they would be taken for it. */
const ownPaths = /^\/(?:api|healthz|oauth|socket\.io|_next)(?:\/|$)/;

/** Parses one URL, or several of the same path separated by commas: the outside and the inside name of one server. */
export function parsePublicUrls(text: string): PublicAddress | PublicUrlProblem {
  const addresses = text.split(",").map((part) => part.trim());
  if (addresses.some((address) => !/^https?:\/\//i.test(address) || !URL.canParse(address))) return "not_an_address";
  const urls = addresses.map((address) => new URL(address));
  if (urls.some(({ username, password, search, hash }) => `${username}${password}${search}${hash}` !== ""))
    return "not_an_address";
  const [prefix = "", ...others] = urls.map(({ pathname }) => pathname.replace(/\/$/, ""));
  if (others.some((other) => other !== prefix)) return "different_paths";
  if (ownPaths.test(prefix)) return "own_path";
  return prefixPattern.test(prefix) ? { origins: urls.map(({ origin }) => origin), prefix } : "bad_path";
}
